// A value that the browser keeps for all tabs of the page.
//
// Event: `change` the value has changed, here or in another tab.

/** @template Value */
export class Stored extends EventTarget {
  #name;
  #initial;
  #isValid;
  #value;

  /**
   * @param {string} name
   * @param {Value} initial the value if none is stored
   * @param {(stored: any) => boolean} isValid
   */
  constructor(name, initial, isValid) {
    super();
    this.#name = name;
    this.#initial = initial;
    this.#isValid = isValid;
    this.#value = this.#read();
    addEventListener("storage", ({ key }) => {
      // Without a key all of the storage was removed.
      if (key !== name && key !== null) return;
      this.#value = this.#read();
      this.dispatchEvent(new Event("change"));
    });
  }

  get value() {
    return this.#value;
  }

  /** @returns {Value} */
  #read() {
    try {
      const stored = JSON.parse(localStorage.getItem(this.#name) ?? "null");
      return this.#isValid(stored) ? stored : this.#initial;
    } catch {
      // The text is damaged, or the browser refuses.
      return this.#initial;
    }
  }

  /**
   * Replaces the value. The old one is read again, since another tab may have changed or removed it.
   * False if the browser refuses: the value is as before.
   * @param {(value: Value) => Value} change
   */
  change(change) {
    const value = change(this.#read());
    try {
      localStorage.setItem(this.#name, JSON.stringify(value));
    } catch {
      return false;
    }
    this.#value = value;
    this.dispatchEvent(new Event("change"));
    return true;
  }
}

/**
 * Removes a stored value.
 * @param {string} name
 */
export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing is stored.
  }
}
