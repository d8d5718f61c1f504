// Compares the speed of an analysis through the page's server with `tengen analyze`: the same
// position, one line, threads and time. Usage:
//
//   node scripts/web/speed.mjs BINARY [SECONDS] [THREADS]
//
// The server keeps a part of its memory for other boards: it gets so much that the search has as
// much as the other one.

import { execFileSync, spawn } from "node:child_process";
import { request } from "node:http";

const [binary, seconds = "10", threads = "1"] = process.argv.slice(2);
const MOVES = "h8 i9 j8 h10 g9 f10";
const time_ms = Number(seconds) * 1000;
/** MiB of the search: five of eight parts of the server's, and six of eight of those. */
const MEMORY = 480;
const WHOLE = 1024;

const text = execFileSync(binary, [
  "analyze", "--rule", "freestyle", "--moves", MOVES, "--time", String(time_ms), "--threads", threads,
  "--memory", String(MEMORY),
]).toString();
const direct = Number(/nodes\/s (\d+)/.exec(text)[1]);

const server = spawn(binary, ["web", "--memory", String(WHOLE), "--threads", threads], { stdio: ["ignore", "pipe", "inherit"] });
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
const { body } = await ask("/api/analyse", { tab: "a", position, lines: 1, time_ms });
const { done } = JSON.parse(body.trim().split("\n").at(-1));
const served = (done.nodes / done.ms) * 1000;
server.kill();
console.log(`tengen analyze: ${Math.round(direct)} positions a second`);
console.log(`through the page's server: ${Math.round(served)} positions a second, ${(served / direct).toFixed(3)} of that`);
