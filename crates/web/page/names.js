// Names of players and results in the language of the page.

import { COLORS } from "./tree.js";
import { t } from "./words.js";

/**
 * The name of a level.
 * @param {string} name
 */
export function levelName(name) {
  return t(`level.${name}`);
}

/**
 * The name of a level with its number, from 1 for the weakest; full strength has none.
 * @param {string} name
 * @param {string[]} levels weakest first
 */
export function levelNumber(name, levels) {
  return name === "full" ? levelName(name) : `${levels.indexOf(name) + 1} · ${levelName(name)}`;
}

/**
 * The name of a player: `me`, `proof`, `level:club`, `bot:one-ply`.
 * @param {string} who
 */
export function playerName(who) {
  if (who === "me" || who === "proof") return t(`player.${who}`);
  const [kind, name] = who.split(/:(.*)/s);
  return kind === "level" ? levelName(name) : t("player.bot", { name });
}

/**
 * The name of a player of the game on the board: two people have the names of their colours.
 * @param {Pick<import("./play.js").Play, "seat">} play
 * @param {import("./tree.js").Color} color
 */
export function seatName(play, color) {
  const isAlone = COLORS.some((it) => play.seat(it) !== "me");
  return isAlone ? playerName(play.seat(color)) : t(`color.${color}`);
}

/**
 * An opening of renju: its number and its name, in Latin letters and in those of the language.
 * @param {{ code: string, names: Record<string, string> }} opening
 * @param {string} language
 */
export function openingName({ code, names }, language) {
  const own = names[language] ?? names.ja;
  const latin = ["ja", "zh-Hans", "zh-Hant", "ko"].includes(language) ? "" : names.romaji;
  const parts = language === "ru" ? [names.ru, names.ja] : [latin, own];
  return [code, ...parts].filter(Boolean).join(" ");
}

/**
 * What the embedded proofs say about the position: the winner, or how many moves lose; empty if nothing
 * is proved.
 * @param {Pick<import("./session.js").Session, "facts" | "game">} session
 */
export function provedText({ facts, game }) {
  const proved = facts?.proved;
  if (!proved) return "";
  if (proved.winner) return t("proved.wins", { color: t(`color.${proved.winner}`) });
  const { stones, walls } = game.board();
  const all = game.width * game.height - stones.size - walls.size;
  return t("proved.some", { count: proved.losing.length, all });
}

/**
 * The result at the position as a sentence; empty if the game is not over.
 * @param {Pick<import("./session.js").Session, "facts" | "verdict">} session
 */
export function endingText(session) {
  const { facts, verdict } = session;
  if (verdict) return t(`end.${verdict.reason}`, { winner: verdict.winner ? t(`color.${verdict.winner}`) : "" });
  if (!facts || facts.state === "open") return "";
  if (facts.state === "impossible") return t("end.impossible", { reason: facts.reason });
  return t(`end.${facts.state}`, { winner: facts.winner ? t(`color.${facts.winner}`) : "" });
}
