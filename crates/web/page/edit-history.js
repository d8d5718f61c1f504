// The changes of positions by hand, to take them back and to repeat them.

/** @typedef {import("./tree.js").GameNode} GameNode */

/**
 * A change. It can be taken back at `node`, where it was made, and repeated at `before`.
 * @typedef {object} Edit
 * @property {GameNode} node
 * @property {GameNode} [before] the position from which the change was made, if it made `node`
 * @property {() => boolean} [isFixed] whether later moves forbid to take it back
 * @property {() => void} undo
 * @property {() => void} redo
 */

export class EditHistory {
  /** @type {Edit[]} */
  #done = [];
  /** @type {Edit[]} */
  #undone = [];

  /** @param {Edit} edit */
  add(edit) {
    this.#done.push(edit);
    this.#undone = [];
  }

  clear() {
    this.#done = [];
    this.#undone = [];
  }

  /**
   * Takes back the last change if it was made at this position.
   * @param {GameNode} node
   * @returns {boolean} whether there was one
   */
  undo(node) {
    const edit = this.#done.at(-1);
    if (!edit || edit.node !== node || edit.isFixed?.()) return false;
    this.#done.pop();
    this.#undone.push(edit);
    edit.undo();
    return true;
  }

  /**
   * Repeats the change that was taken back last, if it belongs to this position.
   * @param {GameNode} node
   * @returns {boolean} whether there was one
   */
  redo(node) {
    const edit = this.#undone.at(-1);
    if (!edit || (edit.before ?? edit.node) !== node) return false;
    this.#undone.pop();
    this.#done.push(edit);
    edit.redo();
    return true;
  }
}
