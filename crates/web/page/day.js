// The day of a date as text, in local time: 2026-05-31.

/** @param {Date | number} date a date, or milliseconds */
export function dayOf(date) {
  const day = new Date(date);
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}
