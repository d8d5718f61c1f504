// Measures the page without a server in a browser: time until it can be used, time to the first line of
// an analysis, frames while it analyses, layout shifts, bytes. Usage:
//
//   node scripts/web/site-speed.mjs SITE BROWSER MODULES [ROUNDS]
//
// SITE is target/dist/site, BROWSER Chromium, MODULES the npm packages of browser-test. Each round is a
// first visit and a later one, each in a new window. The results are medians.

import { installed, startBrowser, startSite, wait } from "./browser.mjs";

const [site, program, modules, rounds = "5"] = process.argv.slice(2);
const server = await startSite(site);
const browser = await startBrowser(modules, program);

/** Records when the page is ready, and its layout shifts. */
function record() {
  globalThis.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  const observer = new MutationObserver(() => {
    if (document.body?.dataset.ready === undefined) return;
    observer.disconnect();
    globalThis.readyAt = performance.now();
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true });
}

/** Milliseconds from a click on *Analyse* to the first line. */
function firstLine() {
  return new Promise((resolve) => {
    const list = document.getElementById("lines");
    list.replaceChildren();
    const observer = new MutationObserver(() => {
      if (!list.querySelector("li")) return;
      observer.disconnect();
      resolve(performance.now() - begun);
    });
    observer.observe(list, { childList: true, subtree: true });
    const begun = performance.now();
    document.getElementById("analyse").click();
  });
}

/** Frames in a second, for three seconds. */
function frames() {
  return new Promise((resolve) => {
    const begun = performance.now();
    let count = 0;
    const next = () => {
      count += 1;
      const passed = performance.now() - begun;
      if (passed < 3000) requestAnimationFrame(next);
      else resolve(count / passed * 1000);
    };
    requestAnimationFrame(next);
  });
}

/** CPU milliseconds of the main thread, which other programs do not change. */
async function cpuTime(client) {
  const { metrics } = await client.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
}

async function visit(page, from) {
  const client = await page.createCDPSession();
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(`${server.address}${from}`);
  await page.waitForSelector("body[data-ready]");
  const { readyAt, paint, isolated } = await page.evaluate(() => ({
    readyAt: globalThis.readyAt,
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
    isolated: crossOriginIsolated,
  }));
  const cpu = await cpuTime(client);
  const stopped = () => page.waitForFunction(() => document.getElementById("stop").disabled);
  await page.click("#tab-analyse");
  const first = await page.evaluate(firstLine);
  const rate = await page.evaluate(frames);
  await page.evaluate(() => document.getElementById("analyse").click());
  await stopped();
  await wait(300);
  const second = await page.evaluate(firstLine);
  await page.evaluate(() => document.getElementById("analyse").click());
  await stopped();
  return { ready: readyAt, paint, cpu, first, second, frames: rate, shifts: await page.evaluate(() => globalThis.shifts), isolated };
}

const results = { "first visit": [], "later visit": [] };
for (let round = 0; round < Number(rounds); round++) {
  const context = await browser.createBrowserContext();
  for (const name of Object.keys(results)) {
    const page = await context.newPage();
    await page.setViewport({ width: 1400, height: 900 });
    await page.evaluateOnNewDocument(record);
    results[name].push(await visit(page, "#moves=h8i9j8h10g9"));
    await installed(page);
    await page.close();
  }
  await context.close();
}
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
for (const [name, visits] of Object.entries(results)) {
  const of = (key) => median(visits.map((visit) => visit[key]));
  console.log(`${name}: first paint ${of("paint").toFixed(0)} ms, usable ${of("ready").toFixed(0)} ms ` +
    `(${of("cpu").toFixed(0)} ms of CPU time of the main thread), ` +
    `first line ${of("first").toFixed(0)} ms, then ${of("second").toFixed(0)} ms, ` +
    `${of("frames").toFixed(0)} frames a second, layout shift ${of("shifts").toFixed(3)}, ` +
    `${visits[0].isolated ? "shared memory" : "one thread"}`);
}
await browser.close();
await server.stop();
