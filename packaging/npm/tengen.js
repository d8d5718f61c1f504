#!/usr/bin/env node
// Tengen: a board in the browser, or an engine for programs that speak Gomocup's protocol. Usage:
//
//   npx tengen [board] [--port N]   serves the board on this machine and prints its address
//   npx tengen protocol             a brain on standard input and output
//   npx tengen --version

import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SITE = fileURLToPath(new URL("./site", import.meta.url));
const KINDS = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json",
};
const USAGE = readFileSync(fileURLToPath(import.meta.url), "utf8").split("\n").slice(1, 6)
  .map((line) => line.replace(/^\/\/ ?/, "")).join("\n");

/** Serves the site to this machine only, with the headers that threads need. */
function board(port) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = normalize(join(SITE, pathname.endsWith("/") ? `${pathname}index.html` : decodeURIComponent(pathname)));
    const isFile = path.startsWith(SITE + sep) && existsSync(path) && statSync(path).isFile();
    const isLocal = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? "");
    const isRead = ["GET", "HEAD"].includes(request.method);
    response.writeHead(isLocal && isRead && isFile ? 200 : 404, {
      "content-type": KINDS[extname(path)] ?? "application/octet-stream",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      "x-content-type-options": "nosniff",
    });
    if (isLocal && isRead && isFile && request.method === "GET") createReadStream(path).pipe(response);
    else response.end();
  });
  server.on("error", (error) => {
    console.error(`tengen: ${error.message}`);
    process.exit(1);
  });
  server.listen(port, "127.0.0.1", () => console.log(`http://localhost:${server.address().port}/`));
}

async function protocol() {
  const { Brain, Engine } = await import("./index.js");
  const engine = await Engine.start();
  const brain = new Brain(engine, (line) => process.stdout.write(`${line}\n`));
  for await (const line of createInterface({ input: process.stdin })) {
    if (!await brain.line(line)) break;
  }
  engine.close();
}

const words = process.argv.slice(2);
const [word = "board"] = words.filter((it, index) => !it.startsWith("--") && words[index - 1] !== "--port");
const port = words.includes("--port") ? Number(words[words.indexOf("--port") + 1]) : 0;
if (words.includes("--version")) console.log("@VERSION@");
else if (words.some((it) => ["-h", "--help"].includes(it))) console.log(USAGE);
else if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error("tengen: --port: expected a number from 0 to 65535");
  process.exit(2);
} else if (word === "board") board(port);
else if (word === "protocol") await protocol();
else {
  console.error(`tengen: unknown command "${word}"\n\n${USAGE}`);
  process.exit(2);
}
