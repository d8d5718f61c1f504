// The files of texts and puzzles. The page in a single file replaces this module by one that contains
// them.

/**
 * The texts of a language; an empty object if it has no file. Fails if the file cannot be read now; the error
 * is `locked` if this browser has no access to the server.
 * @param {string} code
 * @returns {Promise<Record<string, string>>}
 */
export async function loadLanguage(code) {
  const response = await fetch(new URL(`./languages/${code}.json`, import.meta.url), { credentials: "same-origin" });
  if (response.status === 404) return {};
  if (!response.ok) {
    const error = new Error(`languages/${code}.json: status ${response.status}`);
    throw Object.assign(error, { locked: response.status === 403 });
  }
  return response.json();
}

/**
 * The puzzles, for `readPuzzles`.
 * @returns {Promise<[string, string, string, string, string, string, number][]>}
 */
export async function loadPuzzles() {
  return (await fetch(new URL("./puzzles.json", import.meta.url), { credentials: "same-origin" })).json();
}
