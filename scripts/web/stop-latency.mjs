// Measures the time from a stop to the end of the search, in COUNT positions of each rule, from empty
// to full boards. Usage:
//
//   node scripts/web/stop-latency.mjs BINARY [COUNT]
//
// Prints median and worst in milliseconds, for each rule and for all.

import { request } from "node:http";
import { helpOrGo, startProgram } from "./browser.mjs";

helpOrGo(1);
const [binary, count = "500"] = process.argv.slice(2);
const RULES = ["freestyle", "standard", "renju", "caro", "caro-overline"];
const SIDES = [15, 15, 15, 20, 9, 5, 36];
/** Delay before the stop, in milliseconds. */
const MOMENT = 20;

const server = startProgram(binary, "web", "--memory", "256");
const address = new URL(await new Promise((found) => {
  server.stdout.once("data", (data) => found(String(data).split("\n")[0]));
}));

function ask(path, question, method = "POST") {
  const headers = { host: address.host, origin: address.origin, cookie, "content-type": "application/json" };
  return new Promise((found, failed) => {
    const sent = request({ host: "127.0.0.1", port: address.port, path, method, headers }, (answer) => {
      let text = "";
      answer.on("data", (data) => {
        text += data;
      });
      answer.on("end", () => found({ text, headers: answer.headers, status: answer.statusCode }));
    });
    sent.on("error", failed);
    sent.end(question === undefined ? undefined : JSON.stringify(question));
  });
}

let cookie = "";
cookie = (await ask(`/${address.search}`, undefined, "GET")).headers["set-cookie"][0].split(";")[0];

let seed = 1;
const random = (below) => {
  seed = (seed * 48271) % 2147483647;
  return seed % below;
};

/** A position after random legal moves. */
async function position(rule, number) {
  const side = SIDES[number % SIDES.length];
  const place = { rule, width: side, height: side, moves: [] };
  const cells = [];
  for (let x = 0; x < side; x++) {
    for (let y = 1; y <= side; y++) {
      const letters = x < 26 ? String.fromCharCode(97 + x) : `a${String.fromCharCode(97 + x - 26)}`;
      cells.push(`${letters}${y}`);
    }
  }
  const moves = (number * 7) % Math.min(cells.length + 1, 120);
  for (let i = 0; i < moves; i++) place.moves.push(...cells.splice(random(cells.length), 1));
  // Cut games at their end.
  for (;;) {
    const { status, text } = await ask("/api/look", { position: place });
    if (status === 200) return place;
    const end = /move (\d+)/.exec(text);
    place.moves.length = Math.max(0, Number(end[1]) - 1);
  }
}

const all = [];
const report = (name, times) => {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  console.log(`${name}: ${times.length} stops, median ${middle.toFixed(1)} ms, worst ${sorted.at(-1).toFixed(1)} ms`);
};

for (const rule of RULES) {
  const times = [];
  for (let number = 0; number < Number(count); number++) {
    const place = await position(rule, number);
    const search = ask("/api/analyse", { tab: "a", position: place, lines: 1 + (number % 3) });
    await new Promise((done) => setTimeout(done, MOMENT));
    const begun = performance.now();
    const [answer] = await Promise.all([search, ask("/api/stop", { tab: "a" })]);
    times.push(performance.now() - begun);
    if (!answer.text.includes('"done"')) throw new Error(`no answer: ${answer.text}`);
  }
  report(rule, times);
  all.push(...times);
}
report("all", all);
server.kill();
