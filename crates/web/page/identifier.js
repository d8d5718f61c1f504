// Random identifiers.

/**
 * A random identifier of 24 hexadecimal digits. `crypto.randomUUID` is missing in pages over plain HTTP.
 */
export function randomIdentifier() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
