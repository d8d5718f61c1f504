// Stores the site, so that it works without a network, and adds the headers that threads need.
// scripts/build-site puts the constant SITE before this text: the version, the policy, the files of
// this version, and the files that are named by their content.

const PREFIX = "tengen-page-";
const PAGE = PREFIX + SITE.version;
const FILES = "tengen-files";

const absolute = (path) => new URL(path, registration.scope).href;
const isFile = (address) => SITE.files.some((path) => absolute(path) === address);

/** A new version waits until the page activates it; the first version is active immediately. */
async function install() {
  const cache = await caches.open(PAGE);
  await cache.addAll(SITE.page.map((path) => new Request(absolute(path), { cache: "no-cache" })));
}

/** Removes what this version does not need. Other tabs may still show the version before. */
async function activate() {
  const versions = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== PAGE);
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
  const files = await caches.open(FILES);
  for (const request of await files.keys()) {
    if (!isFile(request.url)) await files.delete(request);
  }
  await clients.claim();
}

/** Stores files that are named by their content. */
async function keep(addresses) {
  const cache = await caches.open(FILES);
  for (const address of addresses) {
    if (isFile(address) && !await cache.match(address)) await cache.add(address);
  }
}

/** The stored response, or that of the network. */
async function find(request) {
  const page = await caches.open(PAGE);
  const options = { ignoreSearch: true, ignoreVary: true };
  if (request.mode === "navigate") {
    const { pathname } = new URL(request.url);
    const isIndex = ["./", "./index.html"].some((path) => new URL(absolute(path)).pathname === pathname);
    const index = isIndex && await page.match(absolute("./"), options);
    if (index) return withoutPreload(index);
  }
  const stored = await page.match(request, options) ?? await caches.match(request, options);
  if (stored) return stored;
  const response = await fetch(request);
  if (response.ok && isFile(request.url)) {
    const cache = await caches.open(FILES);
    await cache.put(request, response.clone()).catch(() => {});
  }
  return response;
}

/** The page of a later visit. Its module is stored, and with shared memory it needs another one. */
async function withoutPreload(response) {
  const text = (await response.text()).replace(/<link rel="preload"[^>]*>\n?/, "");
  return new Response(text, { status: response.status, headers: response.headers });
}

/** Shared memory needs pages that are isolated from other sites. */
function isolated(response) {
  const headers = new Headers(response.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("content-security-policy", SITE.policy);
  headers.set("referrer-policy", "no-referrer");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(registration.scope)) event.respondWith(find(event.request).then(isolated));
});
addEventListener("message", (event) => {
  if (event.data.keep === "all") event.waitUntil(keep(SITE.files.map(absolute)).catch(() => {}));
  else if (event.data.keep) event.waitUntil(keep(event.data.keep).catch(() => {}));
  if (event.data.activate) skipWaiting();
});
