// Helpers for browser tests: server, headless browser, actions on the board.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const KINDS = {
  html: "text/html", css: "text/css", js: "text/javascript", json: "application/json", svg: "image/svg+xml",
  png: "image/png", webmanifest: "application/manifest+json",
};
/** The policy that the server sends with every response. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Starts a server, which ends with this program at the latest, and waits for its address. */
export async function startServer(binary, port = 0, ...options) {
  const words = ["web", "--memory", "128", "--port", String(port), ...options];
  const child = spawn(binary, words, { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill());
  const address = await new Promise((found, failed) => {
    child.once("error", failed);
    child.stdout.once("data", (data) => found(String(data).split("\n")[0]));
  });
  return { child, address, stop: () => child.kill() };
}

/**
 * Serves the files of a folder under /tengen/, as any web host does. `folder` may be changed; `asked`
 * counts requests.
 */
export async function startSite(folder, port = 0) {
  const site = { folder, asked: 0 };
  const server = createServer((request, response) => {
    site.asked += 1;
    const { pathname } = new URL(request.url, "http://x");
    const name = pathname.startsWith("/tengen/") ? pathname.slice("/tengen/".length) || "index.html" : "";
    const file = join(site.folder, name);
    const isFile = name !== "" && !name.includes("..") && existsSync(file) && statSync(file).isFile();
    const kind = KINDS[name.split(".").pop()] ?? "application/octet-stream";
    response.writeHead(isFile ? 200 : 404, { "content-type": isFile ? kind : "text/plain" });
    response.end(isFile ? readFileSync(file) : "not found");
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  site.port = server.address().port;
  site.address = `http://127.0.0.1:${site.port}/tengen/`;
  site.stop = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return site;
}

/** Waits until the service worker has stored the site. */
export async function installed(page) {
  await page.waitForSelector("html[data-installed]");
  await page.waitForFunction(async () => {
    const { module, networks } = JSON.parse(document.getElementById("engine-files").textContent);
    const stored = await Promise.all([module, networks.freestyle].map((path) => caches.match(new URL(path, document.baseURI).href)));
    return stored.every(Boolean);
  });
}

/** Loads a module of the npm folder. */
export function load(modules, name) {
  return createRequire(resolve(modules, "x.js"))(name);
}

/** Starts the browser, which has to be closed: Chromium, or Firefox by WebDriver BiDi. */
export async function startBrowser(modules, browser, isFirefox = false) {
  const found = load(modules, "puppeteer-core");
  const puppeteer = found.default ?? found;
  const common = { executablePath: browser, headless: true, timeout: 300000, protocolTimeout: 300000 };
  if (isFirefox) {
    return puppeteer.launch({ ...common, browser: "firefox", extraPrefsFirefox: { "intl.accept_languages": "en" } });
  }
  return puppeteer.launch({
    ...common,
    // Chromium's sandbox does not start as root, as in containers.
    args: ["--no-sandbox", "--lang=en"],
  });
}

/**
 * Opens a tab with the page and collects its problems: errors, warnings, foreign requests. `beside` is a
 * tab whose stored data it shares.
 */
export async function openPage(browser, address, { view = {}, dark = false, hash = "", folder = null, isolated = false, beside = null } = {}) {
  const context = beside?.browserContext() ?? await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.BROWSER_TIMEOUT ?? 120000));
  await page.setViewport({ width: 1400, height: 900, ...view });
  if (dark) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  }
  const problems = [];
  const origin = new URL(address).origin;
  page.on("console", (message) => {
    const isRefusal = message.text().startsWith("Failed to load resource: the server responded");
    if (["error", "warn"].includes(message.type()) && !isRefusal) problems.push(`console: ${message.text()}`);
  });
  page.on("response", async (response) => {
    if (response.status() < 400) return;
    const reason = await response.text().catch(() => "");
    problems.push(`${response.status()} ${new URL(response.url()).pathname}: ${reason}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.stack ?? error.message}`));
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !["blob:", "data:"].includes(url.protocol)) {
      problems.push(`a request to ${url.origin}`);
      return request.abort();
    }
    const isWords = url.pathname.startsWith("/languages/");
    const file = folder && `${isWords ? join(folder, "../../words") : folder}${url.pathname === "/" ? "/index.html" : url.pathname}`;
    if (file && !url.search && request.method() === "GET" && existsSync(file)) {
      return request.respond({
        contentType: KINDS[file.split(".").pop()],
        headers: { "content-security-policy": POLICY },
        body: readFileSync(file),
      });
    }
    return request.continue();
  });
  await page.goto(address);
  if (isolated) {
    // Pages of the service worker share memory with their workers.
    await installed(page);
    await page.reload();
    if (!await page.evaluate(() => crossOriginIsolated)) throw new Error("the page is not isolated");
  }
  if (hash) {
    // A page that is open already would put the address of its own position in place of an invalid one.
    await page.goto("about:blank");
    await page.goto(`${address.split("?")[0]}${hash}`);
  }
  await ready(page);
  await wait(300);
  return { page, problems, origin, close: () => context.close() };
}

/** The position of a cell in the window. */
export function placeOf(page, at) {
  return page.evaluate((name) => {
    const board = document.getElementById("board");
    const height = Number(board.dataset.height);
    const x = name.charCodeAt(0) - 97;
    const y = height - Number(name.slice(1));
    const point = new DOMPoint(38 + x * 40, 38 + y * 40).matrixTransform(board.getScreenCTM());
    return { x: point.x, y: point.y };
  }, at);
}

export async function clickCell(page, at) {
  const { x, y } = await placeOf(page, at);
  await page.mouse.click(x, y);
}

export async function tapCell(page, at) {
  const { x, y } = await placeOf(page, at);
  await page.touchscreen.tap(x, y);
}

/** Plays moves by clicks and waits for each stone. */
export async function playMoves(page, moves) {
  for (const at of moves) {
    await clickCell(page, at);
    await page.waitForSelector(`.stone[data-at="${at}"]`);
    await settled(page);
  }
}

/** Waits until the page has started. */
export const ready = (page) => page.waitForSelector("body[data-ready]");

/** Waits until the facts of the position have arrived. */
export function settled(page) {
  return page.waitForFunction(() => document.body.dataset.settled === "true");
}

export const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);

export const stones = (page) =>
  page.$$eval(".stone", (all) => all.map((stone) => stone.dataset.at).sort());

/** Waits until the board has this number of stones. */
export const waitForStones = (page, count) =>
  page.waitForFunction((it) => document.querySelectorAll(".stone").length === it, {}, count);

/** Waits until no search runs. */
export const stopped = (page) => page.waitForFunction(() => document.getElementById("stop").disabled);

/** Opens a part that can be folded. */
export const unfold = (page, selector) => page.$eval(selector, (it) => {
  it.open = true;
});

/** Sets the time for each move of the program. */
export const setMoveTime = (page, seconds) => page.$eval("#move-time", (field, it) => {
  field.value = it;
  field.dispatchEvent(new Event("change"));
}, seconds);

/** Waits until the status line matches. */
export function waitForStatus(page, pattern) {
  return page.waitForFunction(
    (source) => new RegExp(source).test(document.getElementById("status").textContent), {}, pattern.source,
  );
}

/** Starts a new game with the dialog. */
export async function newGame(page, terms) {
  await page.click("#new-game");
  await page.waitForSelector("#new-begin");
  for (const [id, value] of Object.entries(terms)) {
    if (["width", "height"].includes(id)) {
      await page.$eval(`#new-${id}`, (field, it) => {
        field.value = it;
      }, value);
    } else if (id === "clock") {
      await page.$eval("#new-clock", (box, it) => {
        box.checked = it;
      }, value);
    } else if (id === "rule") {
      await page.$eval(`#new-rule-${value}`, (choice) => choice.click());
    } else {
      await page.select(`#new-${id}`, value);
    }
  }
  await page.click("#new-begin");
  await page.waitForFunction(() => !document.getElementById("dialog").open);
  await settled(page);
}

/** Selects a language in the settings, which are open. */
export async function selectLanguage(page, code) {
  await page.waitForSelector("#language");
  await page.select("#language", code);
  await page.waitForFunction((it) => document.documentElement.lang === it, {}, code);
}

/** Selects each language and waits for its word on the first tab. */
export async function inEachLanguage(page, words, check = async () => {}) {
  await page.keyboard.press(",");
  for (const [code, word] of Object.entries(words)) {
    await selectLanguage(page, code);
    await page.waitForFunction((it) => document.getElementById("tab-play").textContent === it, {}, word);
    await check(code);
  }
}

/** Starts a review of the game with `nodes` nodes for each position. */
export async function beginReview(page, nodes) {
  await page.click("#tab-review");
  await page.select("#review-nodes", nodes);
  await page.click("#review-run");
}

/** Plays the first move of the puzzle that is shown, which its hints name, and waits for the defence. */
export async function beginPuzzle(page) {
  for (const key of ["h", "h"]) await page.keyboard.press(key);
  const [, at] = /Begin at (\w+)/.exec(await textOf(page, "#puzzle-text"));
  const before = (await stones(page)).length;
  await clickCell(page, at);
  await page.waitForFunction((count) => document.querySelectorAll(".stone").length >= count, {}, before + 2);
  await page.waitForFunction(() => !/defends/.test(document.getElementById("puzzle-text").textContent));
}

/** Reloads the page and waits until it is ready. */
export async function reloaded(page) {
  await page.reload();
  await ready(page);
  await settled(page);
}

/** Removes the stored data with the dialog. */
export async function clearData(page) {
  await page.keyboard.press(",");
  await page.waitForSelector("#clear-data");
  await page.click("#clear-data");
  await page.waitForSelector("#confirm-action");
  await Promise.all([page.waitForNavigation(), page.click("#confirm-action")]);
  await ready(page);
}

/** Pastes a text outside of fields. */
export const paste = (page, text) => page.evaluate((it) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", it);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}, text);

/**
 * Lets a page save files. `fetched` returns the path of the file that an action saves, `saved` the content of
 * the file of a button.
 */
export async function savingTo(page) {
  const folder = mkdtempSync(join(tmpdir(), "tengen-browser-"));
  const client = await page.createCDPSession();
  await client.send("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  const fetched = async (act) => {
    const before = readdirSync(folder);
    await act();
    for (let i = 0; i < 400; i++) {
      const fresh = readdirSync(folder).filter((name) => !before.includes(name) && !name.endsWith(".crdownload"));
      if (fresh.length > 0) return join(folder, fresh[0]);
      await wait(50);
    }
    throw new Error("no file was saved");
  };
  return {
    fetched,
    async saved(id) {
      const path = await fetched(() => page.click(id));
      const content = readFileSync(path);
      rmSync(path);
      return content;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
