// Installs the site in the browser: it works without a network from the second visit on.
// Announces a new version.

import { Settings } from "./settings.js";
import { t } from "./words.js";

/** Time after which a page that is shown again looks for a new version, in milliseconds. */
const UPDATE_AGE = 3600 * 1000;

const files = JSON.parse(document.getElementById("engine-files").textContent);
const absolute = (path) => new URL(path, document.baseURI).href;

/** Shows that a new version waits. */
function offer(worker) {
  if (document.getElementById("update")) return;
  const notice = document.createElement("p");
  notice.id = "update";
  notice.className = "update";
  notice.setAttribute("role", "status");
  const button = document.createElement("button");
  button.type = "button";
  notice.append(t("site.update"), " ", button);
  button.textContent = t("site.reload");
  button.addEventListener("click", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.postMessage({ activate: true });
  });
  document.querySelector("header").after(notice);
}

async function install() {
  const isFirstVisit = !navigator.serviceWorker.controller;
  const registration = await navigator.serviceWorker.register("./service-worker.js", { updateViaCache: "none" });
  if (registration.waiting && !isFirstVisit) offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => {
      if (worker.state === "installed" && navigator.serviceWorker.controller) offer(worker);
    });
  });
  let checked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - checked < UPDATE_AGE) return;
    checked = Date.now();
    registration.update().catch(() => {});
  });
  const { active } = await navigator.serviceWorker.ready;
  // The first visit stores what this page uses; later ones the rest.
  const rule = new Settings().get("rule");
  const needed = [files.module, files.networks[rule] ?? files.networks.freestyle];
  const isMetered = navigator.connection?.saveData === true;
  active?.postMessage({ keep: isFirstVisit || isMetered ? needed.map(absolute) : "all" });
  document.documentElement.dataset.installed = "";
}

// The page comes first.
if ("serviceWorker" in navigator) {
  const begin = () => install().catch((error) => console.info(`not installed: ${error.message}`));
  if (document.body.dataset.ready !== undefined) begin();
  else {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      begin();
    });
    observer.observe(document.body, { attributeFilter: ["data-ready"] });
  }
}
