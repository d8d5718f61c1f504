// Positions and windows of the browser tests.

/** Black wins with the last of these. */
export const WON = ["h8", "a1", "i8", "c1", "j8", "e1", "k8", "g1", "l8"];
/** Black's j8 is a double three. */
export const FOUL = "#rule=renju&size=15x15&moves=h8a1i8a3j9a5j10a7";
/** The start of `GAME`. */
export const OPEN = "#rule=renju&size=15x15&moves=h8i9j8h10g9f10";
/** A real game with some mistakes in it. */
export const GAME = `${OPEN}i7k9j7g10j6j5j9`;
export const PHONE = { width: 360, height: 740, hasTouch: true, isMobile: true };
