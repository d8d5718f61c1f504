// Makes room for a question of the panel below the board of a small phone: the board gives way.

import { byId } from "./dom.js";

/** Measures the visible questions, for the style sheet, whenever their size changes. */
export function watchQuestions() {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const questions = [...document.querySelectorAll(".side .question")];
  let isShown = false;
  const observer = new ResizeObserver(() => {
    const heights = questions.filter((it) => it.hasChildNodes()).map((it) => it.getBoundingClientRect().height);
    const height = Math.max(0, ...heights);
    main.style.setProperty("--question", `${Math.ceil(height)}px`);
    main.toggleAttribute("data-question", height > 0);
    if (height > 0 && !isShown) byId("side").scrollTop = 0;
    isShown = height > 0;
  });
  for (const question of questions) observer.observe(question);
}
