// Puts the page, the WebAssembly modules and the networks together. See scripts/build-site.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

const { values: options } = parseArgs({
  options: {
    modules: { type: "string" }, output: { type: "string" }, single: { type: "string" }, npm: { type: "string" },
  },
});

const PAGE = "crates/web/page";
const LANGUAGES = "crates/words/languages";
const SITE = "crates/wasm/site";
const WEIGHTS = "src/eval/network/weights";
const PROVED = "src/proved";
/** Names at the root of the site that never change. */
const FIXED = ["manifest.webmanifest", "icon-192.png", "icon-512.png", "icon-maskable-512.png"];
/** Most bytes of a first visit, compressed. */
const FIRST_VISIT = 1_200_000;

/** The sources that the page may load. A page cannot send `frame-ancestors`; the service worker adds it. */
const policy = (scripts, more = "") =>
  `default-src 'none'; script-src ${scripts} 'wasm-unsafe-eval'; img-src 'self' data: blob:; ${more}` +
  "base-uri 'none'; form-action 'none'";
const SITE_POLICY = policy(
  "'self'", "style-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; ",
);

const read = (...path) => readFileSync(join(...path));
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 12);
/** As a web host compresses a file. */
const compressed = (bytes) => gzipSync(bytes, { level: 9 });
/** As files of the site are stored: a gzip file that took longer to make, and is 4 % smaller. */
const packed = async (bytes) => Buffer.from(await zopfli.gzipAsync(bytes, { numiterations: 15 }));
const dataAddress = (type, bytes) => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
const names = (folder, pattern) => readdirSync(folder).filter((name) => pattern.test(name)).sort();

/** Replaces `pattern` in a text, which must contain it. */
function replaced(text, pattern, by) {
  const result = text.replace(pattern, () => by);
  if (result === text) throw new Error(`the page has no ${pattern}`);
  return result;
}

const tools = createRequire(resolve(options.npm, "x.js"));
const esbuild = tools("esbuild");
const zopfli = tools("@gfx/zopfli");

/** The networks by rule, the proofs of openings by rule and board, and the modules, compressed. */
const networks = {};
for (const name of names(WEIGHTS, /\.net$/)) networks[basename(name, ".net")] = await packed(read(WEIGHTS, name));
const proofs = {};
for (const name of names(PROVED, /\.book$/)) proofs[basename(name, ".book")] = await packed(read(PROVED, name));
/** The same object with other values. */
const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
const moduleOf = async (name) => {
  const path = join(options.modules, `${name}.wasm`);
  return existsSync(path) ? packed(readFileSync(path)) : null;
};
const modules = { module: await moduleOf("engine"), threads: await moduleOf("engine-threads") };

/** The page of the server with the marks of a page without one. */
function pageWith(head, files) {
  let page = read(PAGE, "index.html").toString();
  page = replaced(page, '<html lang="en">', '<html lang="en" data-engine="worker">');
  page = replaced(page, '<meta charset="utf-8">\n', `<meta charset="utf-8">\n${head}`);
  // A text without `<` cannot end the element.
  const text = JSON.stringify(files).replaceAll("<", "\\u003c");
  return replaced(page, "</head>", `<script type="application/json" id="engine-files">${text}</script>\n</head>`);
}

/** The scripts of the page in one, with those of `more`. */
async function bundle(more, plugins = []) {
  const { outputFiles: [{ text }] } = await esbuild.build({
    stdin: { contents: ['import "./main.js";', ...more.map((path) => `import ${JSON.stringify(path)};`)].join("\n"), resolveDir: PAGE },
    bundle: true, format: "esm", target: "es2022", minify: true, charset: "utf8", write: false, legalComments: "none",
    plugins,
  });
  return text;
}

/** Lets modules of the site import those of the page. */
const besidePage = {
  name: "page",
  setup(build) {
    build.onResolve({ filter: /^\.\// }, ({ path, importer }) =>
      (importer.startsWith(resolve(SITE)) ? { path: resolve(PAGE, path) } : undefined));
  },
};

/** The sheets of the page in their order, with those of `more`. */
async function sheets(more) {
  const linked = [...read(PAGE, "index.html").toString().matchAll(/<link rel="stylesheet" href="\.\/([^"]+)">/g)];
  const paths = [...linked.map(([, name]) => join(PAGE, name)), ...more];
  const text = paths.map((path) => read(path).toString()).join("\n");
  return (await esbuild.transform(text, { loader: "css", minify: true, charset: "utf8", legalComments: "none" })).code;
}

/** Replaces the sheets and the script of a page. */
function withParts(page, style, script) {
  const bare = page.replaceAll(/<link rel="stylesheet"[^>]*>\n/g, "");
  return replaced(replaced(bare, /<script type="module"[^>]*><\/script>\n/, style), "</body>", `${script}\n</body>`);
}

async function buildSite(output) {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(join(output, "files"), { recursive: true });
  const stored = (name, bytes) => {
    // Not `.gz`: some hosts would send it as a compressed transfer.
    const path = `files/${name}.${hash(bytes)}.bin`;
    writeFileSync(join(output, path), bytes);
    return `./${path}`;
  };
  const files = {
    module: stored("engine", modules.module),
    threads: modules.threads && stored("engine-threads", modules.threads),
    networks: mapped(networks, (bytes, rule) => stored(rule, bytes)),
    proofs: mapped(proofs, (bytes, name) => stored(`proofs-${name}`, bytes)),
  };

  const languages = names(LANGUAGES, /\.json$/);
  const parts = {
    "app.js": await bundle([resolve(SITE, "install.js")], [besidePage]),
    "app.css": await sheets([join(SITE, "site.css")]),
    "icon.svg": read(PAGE, "icon.svg"),
    "worker.js": read(SITE, "worker.js"),
    "puzzles.json": read(PAGE, "puzzles.json"),
    ...Object.fromEntries(languages.map((name) => [`languages/${name}`, read(LANGUAGES, name)])),
  };
  const index = read(PAGE, "index.html");
  const fixed = Object.fromEntries(FIXED.map((name) => [name, read(SITE, name)]));
  const sources = [...Object.values(parts), ...Object.values(fixed), index, read(SITE, "service-worker.js"), SITE_POLICY];
  const version = hash(JSON.stringify([sources.map(hash), files]));
  const folder = `./${version}`;
  mkdirSync(join(output, version, "languages"), { recursive: true });
  for (const [name, content] of Object.entries(parts)) writeFileSync(join(output, version, name), content);
  for (const [name, content] of Object.entries(fixed)) writeFileSync(join(output, name), content);
  files.worker = `${folder}/worker.js`;

  const head = [
    `<meta http-equiv="content-security-policy" content="${SITE_POLICY}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="description" content="Play, analyse and review Gomoku and Renju. Nothing leaves this page.">',
    '<meta name="theme-color" content="#2b2b2b">',
    '<link rel="manifest" href="./manifest.webmanifest">',
    '<link rel="apple-touch-icon" href="./icon-192.png">',
    `<link rel="preload" href="${files.module}" as="fetch" crossorigin>`,
  ].join("\n");
  const page = withParts(
    pageWith(`${head}\n`, files), `<link rel="stylesheet" href="${folder}/app.css">\n`,
    `<script type="module" src="${folder}/app.js"></script>`,
  ).replaceAll('"./icon.svg"', `"${folder}/icon.svg"`);
  writeFileSync(join(output, "index.html"), page);

  const more = [files.networks, files.proofs].flatMap((it) => Object.values(it));
  const listed = [files.module, files.threads, ...more].filter(Boolean);
  const site = {
    version, page: ["./", ...FIXED.map((name) => `./${name}`), ...Object.keys(parts).map((name) => `${folder}/${name}`)],
    files: listed, policy: `${SITE_POLICY}; frame-ancestors 'none'`,
  };
  const worker = read(SITE, "service-worker.js").toString();
  writeFileSync(join(output, "service-worker.js"), `const SITE = ${JSON.stringify(site)};\n\n${worker}`);

  // The other languages and the icons are loaded when the page is usable already.
  const shown = [page, parts["app.js"], parts["app.css"], parts["icon.svg"], parts["worker.js"], parts["languages/en.json"]];
  const pageBytes = shown.reduce((sum, content) => sum + compressed(content).length, 0);
  const moduleBytes = modules.module.length;
  console.log(`${output}: version ${version}`);
  console.log(`compressed: page ${pageBytes}, module ${moduleBytes}, module with threads ${modules.threads?.length ?? "none"}`);
  for (const [rule, { length }] of Object.entries(networks)) {
    console.log(`first visit with ${rule}: ${pageBytes + moduleBytes + length} bytes, of which the network ${length}`);
  }
  const first = pageBytes + moduleBytes + networks.freestyle.length;
  if (first > FIRST_VISIT) throw new Error(`a first visit loads ${first} bytes, more than ${FIRST_VISIT}`);
}

async function buildSingle(path) {
  const texts = names(LANGUAGES, /\.json$/).map((name) => [basename(name, ".json"), JSON.parse(read(LANGUAGES, name))]);
  const inlined = {
    name: "data",
    setup(build) {
      build.onLoad({ filter: /data-files\.js$/ }, () => ({
        contents: `const LANGUAGES = ${JSON.stringify(Object.fromEntries(texts))};\n` +
          "export async function loadLanguage(code) { return LANGUAGES[code] ?? {}; }\n" +
          `const PUZZLES = ${read(PAGE, "puzzles.json")};\n` +
          "export async function loadPuzzles() { return PUZZLES; }",
      }));
    },
  };
  // A text without the end tag of a script element can be put into one.
  const script = (await bundle([], [inlined])).replaceAll("</script", "<\\/script");
  const sheet = await sheets([]);
  const icon = dataAddress("image/svg+xml", read(PAGE, "icon.svg"));
  const files = {
    worker: dataAddress("text/javascript", read(SITE, "worker.js")),
    module: dataAddress("application/octet-stream", modules.module),
    threads: null,
    networks: mapped(networks, (bytes) => dataAddress("application/octet-stream", bytes)),
    proofs: mapped(proofs, (bytes) => dataAddress("application/octet-stream", bytes)),
  };
  const sealed = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const csp = policy(sealed(script), `style-src ${sealed(sheet)}; connect-src data:; worker-src blob:; `);
  const page = withParts(
    pageWith(`<meta http-equiv="content-security-policy" content="${csp}">\n`, files),
    `<style>${sheet}</style>\n`, `<script type="module">${script}</script>`,
  ).replaceAll('"./icon.svg"', `"${icon}"`);
  writeFileSync(path, page);
  console.log(`${path}: ${Buffer.byteLength(page)} bytes`);
}

if (!modules.module) throw new Error(`${options.modules} has no engine.wasm`);
if (options.output) await buildSite(options.output);
if (options.single) await buildSingle(options.single);
