// Names of players and results in the language of the page.

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
 * The name of a player: `me`, `level:club`, `bot:one-ply`.
 * @param {string} who
 */
export function playerName(who) {
  if (who === "me") return t("player.me");
  const [kind, name] = who.split(/:(.*)/s);
  return kind === "level" ? levelName(name) : t("player.bot", { name });
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
