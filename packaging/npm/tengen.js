#!/usr/bin/env node
// Tengen: a board in the browser, or an engine for programs that speak Gomocup's protocol. Usage:
//
//   npx --no tengen [board] [--port N]   serves the board on this machine and prints its address
//   npx --no tengen protocol             an engine on standard input and output
//   npx --no tengen --version

import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const SITE = fileURLToPath(new URL("./site", import.meta.url));
const KINDS = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json",
};
const USAGE = readFileSync(fileURLToPath(import.meta.url), "utf8").split("\n").slice(1, 6)
  .map((line) => line.replace(/^\/\/ ?/, "")).join("\n");

/** The file of an address in the site, or null if the address is malformed. */
function pathOf(address) {
  try {
    const { pathname } = new URL(address, "http://localhost");
    return normalize(join(SITE, pathname.endsWith("/") ? `${pathname}index.html` : decodeURIComponent(pathname)));
  } catch {
    return null;
  }
}

/** Serves the site to this machine only, with the headers that threads need. */
function board(port) {
  const server = createServer((request, response) => {
    const path = pathOf(request.url);
    if (path === null) {
      response.writeHead(400).end();
      return;
    }
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

/** Ends the program: its arguments are invalid. */
function refuse(message) {
  console.error(`tengen: ${message}\n\n${USAGE}`);
  process.exit(2);
}

/** The command and the options. */
function readArguments() {
  const options = { port: { type: "string", default: "0" }, version: { type: "boolean" }, help: { type: "boolean", short: "h" } };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return refuse(error.message);
  }
}

const { values: { port, version, help }, positionals: [word = "board", ...more] } = readArguments();
if (version) console.log("@VERSION@");
else if (help) console.log(USAGE);
else if (!/^\d{1,5}$/.test(port) || port > 65535) refuse(`invalid port "${port}" (expected 0 to 65535)`);
else if (more.length > 0) refuse(`unexpected argument "${more[0]}"`);
else if (word === "board") board(Number(port));
else if (word === "protocol") await protocol();
else refuse(`unknown command "${word}" (expected board or protocol)`);
