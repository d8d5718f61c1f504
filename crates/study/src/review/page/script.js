"use strict";
// The board next to the review. It shows one position, and better play as faint stones.
const data = JSON.parse(document.getElementById("data").textContent);
const words = JSON.parse(document.getElementById("words").textContent);
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const emptyBoard = byId("board").firstElementChild;
let now = 0;

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Converts "h8" to column and row from the top left, both from 0.
function cell(name) {
  const [, letters, row] = /^([a-z]+)(\d+)$/.exec(name);
  let x = 0;
  for (const letter of letters) x = x * 26 + letter.charCodeAt(0) - 96;
  return [x - 1, data.height - Number(row)];
}

function stone(svg, name, color, label, ghost) {
  const [x, y] = cell(name);
  const group = element("g", ghost ? { class: "ghost" } : {});
  group.append(element("circle", { class: `stone-${color}`, cx: x, cy: y, r: 0.45 }));
  if (label) group.append(element("text", { class: `digit on-${color}`, x, y }, label));
  svg.append(group);
  return [x, y];
}

const other = (color) => (color === "black" ? "white" : "black");

// The line to show as faint stones: better play, or the opponent's win after a losing move.
function ghosts(move) {
  if (!move || !byId("better").checked) return [];
  if (move.finding && move.finding.kind === "missed-defence") {
    return { after: true, line: move.finding.line, color: other(move.color) };
  }
  const better = move.grade && move.best && move.best !== move.at && move.loss > 0;
  return better ? { after: false, line: move.line, color: move.color } : [];
}

function draw() {
  const svg = emptyBoard.cloneNode(true);
  for (const set of data.set_up) stone(svg, set.at, set.color, "");
  const numbers = byId("numbers").checked;
  const move = data.moves[now - 1];
  const shown = ghosts(move);
  // Better play stands where the move shown would have been.
  data.moves.slice(0, now).forEach((played, index) => {
    // A move on a stone or off the board cannot be drawn.
    if (played.offence === "occupied" || played.offence === "off-board") return;
    const at = stone(svg, played.at, played.color, numbers ? String(index + 1) : "");
    if (index === now - 1) svg.append(element("circle", { class: "latest", cx: at[0], cy: at[1], r: 0.48 }));
  });
  if (shown.line) {
    const taken = new Set(data.moves.slice(0, now).map((played) => played.at));
    let color = shown.color;
    shown.line.slice(0, 12).forEach((name, index) => {
      if (!taken.has(name)) {
        const at = stone(svg, name, color, String(index + 1), true);
        if (index === 0) svg.append(element("circle", { class: "best-mark", cx: at[0], cy: at[1], r: 0.48 }));
      }
      color = other(color);
    });
  }
  byId("board").replaceChildren(svg);
}

// 0 and 100 only where a win is proved.
function percent(rate) {
  return rate === 0 || rate === 1 ? rate * 100 : Math.min(99, Math.max(1, Math.round(rate * 100)));
}

// The text of a key with its values.
function t(key, values) {
  return words[key].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

function comment() {
  const rate = percent(data.black_win_rates[now]);
  const move = data.moves[now - 1];
  const chance = t("html.chance", { rate });
  let text = chance;
  if (move) {
    text = `${move.number}. ${words[`color.${move.color}`]} ${move.at}: ${words[`grade.${move.grade ?? "given"}`]}`;
    if (move.loss >= 0.005) text += `, ${t("html.lost", { points: Math.round(move.loss * 100) })}`;
    text += `. ${chance}`;
    if (move.comment) text += ` ${move.comment[0].toUpperCase()}${move.comment.slice(1)}.`;
    else if (move.best && move.best !== move.at && move.loss > 0) {
      text += ` ${t("html.better-line", { line: move.line.slice(0, 8).join(" ") })}`;
    }
  }
  byId("comment").textContent = text;
}

function show(number, keepHash) {
  now = Math.max(0, Math.min(data.moves.length, number));
  draw();
  comment();
  byId("number").textContent = `${now} / ${data.moves.length}`;
  const x = now / Math.max(1, data.moves.length) * 600;
  byId("now").setAttribute("x1", x);
  byId("now").setAttribute("x2", x);
  for (const link of document.querySelectorAll(".move")) {
    if (link.getAttribute("href") === `#${now}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (!keepHash) history.replaceState(null, "", `#${now}`);
}

const isMistake = (move) => move.grade === "mistake" || move.grade === "blunder";

function mistake(step) {
  for (let number = now + step; number >= 1 && number <= data.moves.length; number += step) {
    if (isMistake(data.moves[number - 1])) return show(number);
  }
}

function toggle(id) {
  byId(id).checked = !byId(id).checked;
  draw();
}

const KEYS = {
  ArrowLeft: () => show(now - 1), ArrowRight: () => show(now + 1),
  ArrowUp: () => show(now - 10), ArrowDown: () => show(now + 10),
  Home: () => show(0), End: () => show(data.moves.length),
  n: () => mistake(1), p: () => mistake(-1), b: () => toggle("better"), m: () => toggle("numbers"),
};

addEventListener("keydown", (event) => {
  const action = KEYS[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action();
});
byId("first").onclick = KEYS.Home;
byId("back").onclick = KEYS.ArrowLeft;
byId("on").onclick = KEYS.ArrowRight;
byId("last").onclick = KEYS.End;
byId("mistake").onclick = KEYS.n;
byId("numbers").onchange = draw;
byId("better").onchange = draw;
byId("graph").onclick = (event) => {
  const box = byId("graph").getBoundingClientRect();
  show(Math.round((event.clientX - box.left) / box.width * data.moves.length));
};
const fromHash = () => {
  const number = Number(location.hash.slice(1));
  show(Number.isInteger(number) ? number : 0, true);
};
addEventListener("hashchange", fromHash);
fromHash();
