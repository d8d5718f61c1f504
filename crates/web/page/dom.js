// Creates elements. Text is inserted as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | Node | null | undefined} Child */

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, any> | null | undefined} attributes
 * @param {(Child | Child[])[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  addTo(element, ...children);
  return element;
}

/**
 * The children that exist: the browser would insert null as the text "null".
 * @param {(Child | Child[])[]} children
 */
function existing(children) {
  const all = /** @type {Child[]} */ (children.flat());
  return all.filter((child) => child !== null && child !== undefined);
}

/**
 * Appends children to an element.
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
export function addTo(element, ...children) {
  element.append(...existing(children));
}

/**
 * Replaces all children of an element.
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
export function setContent(element, ...children) {
  element.replaceChildren(...existing(children));
}

/**
 * Creates an HTML element. Attributes that begin with `on` are listeners.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {(Child | Child[])[]} children
 */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {(Child | Child[])[]} children
 */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * The element of the page with this id, which must exist.
 * @param {string} id
 */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * The key of an event. On keyboards with other letters it is the Latin letter of the same key.
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event
 */
export function keyOf({ key, code, shiftKey }) {
  const isOther = ["Process", "Unidentified"].includes(key) || (key.length === 1 && key > "~");
  const letter = isOther && /^Key([A-Z])$/.exec(code)?.[1];
  if (!letter) return key;
  return shiftKey ? letter : letter.toLowerCase();
}

/**
 * Whether keys belong to an input field.
 * @param {EventTarget | null} target
 */
export function isTyping(target) {
  return target instanceof HTMLInputElement
    ? !["checkbox", "radio", "button", "range"].includes(target.type)
    : target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
