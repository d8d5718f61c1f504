// The files of texts. The page in a single file replaces this module by one that contains them.

/**
 * The texts of a language; empty if there is no such file.
 * @param {string} code
 * @returns {Promise<Record<string, string>>}
 */
export async function loadLanguage(code) {
  const response = await fetch(new URL(`./languages/${code}.json`, import.meta.url), { credentials: "same-origin" });
  return response.ok ? response.json() : {};
}
