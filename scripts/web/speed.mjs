// Compares the speed of an analysis through the page's server with `tengen analyze`: the same
// position, one line, threads and time. Usage:
//
//   node scripts/web/speed.mjs BINARY [SECONDS] [THREADS] [ROUNDS]
//
// Both search in turns, ROUNDS times (3). The result is nodes per second of CPU time, which other
// programs affect least. The CPU time of the server includes all its work. Needs Linux and bash.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { helpOrGo, startProgram } from "./browser.mjs";

helpOrGo(1);
const [binary, seconds = "10", threads = "1", rounds = "3"] = process.argv.slice(2);
/** A position without a fast result. */
const MOVES = "f11 e8 g6";
const time_ms = Number(seconds) * 1000;
/** MiB of the hash table: 5/8 of the server's memory, and 6/8 of that. */
const MEMORY = 480;
const WHOLE = 1024;

/** Clock ticks per second in /proc. */
const TICKS = 100;

/** Nodes per second of CPU time of `tengen analyze`. */
function direct() {
  const script = '"$0" "$@"; times';
  const text = execFileSync("bash", ["-c", script,
    binary, "analyze", "--rule", "freestyle", "--moves", MOVES, "--time", String(time_ms), "--threads", threads,
    "--memory", String(MEMORY),
  ]).toString();
  const [, nodes] = /nodes (\d+) +seconds/.exec(text);
  // The last line is the CPU time of the children, as 0m9.870s 0m0.120s.
  const parts = text.trim().split("\n").at(-1).matchAll(/(\d+)m([\d.]+)s/g);
  return Number(nodes) / [...parts].reduce((sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest), 0);
}

const server = startProgram(binary, "web", "--memory", String(WHOLE), "--threads", threads);
const address = new URL(await new Promise((found) => {
  server.stdout.once("data", (data) => found(String(data).split("\n")[0]));
}));
let cookie = "";
function ask(path, question, method = "POST") {
  const headers = { host: address.host, origin: address.origin, cookie, "content-type": "application/json" };
  return new Promise((found, failed) => {
    const sent = request({ host: "127.0.0.1", port: address.port, path, method, headers }, (answer) => {
      let body = "";
      answer.on("data", (data) => {
        body += data;
      });
      answer.on("end", () => found({ body, headers: answer.headers }));
    });
    sent.on("error", failed);
    sent.end(question && JSON.stringify(question));
  });
}
cookie = (await ask(`/${address.search}`, undefined, "GET")).headers["set-cookie"][0].split(";")[0];
const position = { rule: "freestyle", width: 15, height: 15, moves: MOVES.split(" ") };

/** CPU time of the server in seconds. */
function taken() {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Nodes per second of CPU time of the server. */
async function served(round) {
  const before = taken();
  const { body } = await ask("/api/analyse", { tab: `round${round}`, position, lines: 1, time_ms });
  const { done } = JSON.parse(body.trim().split("\n").at(-1));
  return done.nodes / (taken() - before);
}

const speeds = { direct: [], served: [] };
for (let round = 0; round < Number(rounds); round++) {
  speeds.direct.push(direct());
  speeds.served.push(await served(round));
}
server.kill();
const thousands = (list) => list.map((speed) => Math.round(speed / 1000)).join(" ");
const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
console.log(`tengen analyze, thousand nodes per second of CPU time: ${thousands(speeds.direct)}`);
console.log(`server of tengen web, the same: ${thousands(speeds.served)}`);
console.log(`ratio of the medians: ${(middle(speeds.served) / middle(speeds.direct)).toFixed(3)}`);
