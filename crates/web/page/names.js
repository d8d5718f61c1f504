// Players and results by the words of the language.

import { t } from "./words.js";

/**
 * Somebody's name: `me`, `level:club`, `bot:one-ply`.
 * @param {string} who
 */
export function playerName(who) {
  if (who === "me") return t("player.me");
  const [kind, name] = who.split(/:(.*)/s);
  return kind === "level" ? t(`level.${name}`) : t("player.bot", { name });
}

/**
 * What the position is, in a sentence; an empty text while the game goes on.
 * @param {Pick<import("./session.js").Session, "facts" | "verdict">} session
 */
export function endingText(session) {
  const { facts, verdict } = session;
  if (verdict) return t(`end.${verdict.reason}`, { winner: t(`color.${verdict.winner}`) });
  if (!facts || facts.state === "open") return "";
  if (facts.state === "impossible") return t("end.impossible", { reason: facts.reason });
  return t(`end.${facts.state}`, { winner: facts.winner ? t(`color.${facts.winner}`) : "" });
}
