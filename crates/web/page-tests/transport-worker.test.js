import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ConnectionError, ServerError } from "../page/transport.js";
import { planFor } from "../page/engine-host.js";
import { WorkerTransport } from "../page/transport-worker.js";
import { deferred, settle, withGlobals } from "./support.js";

/** A worker whose answers come from the test. */
class FakeWorker {
  sent = [];
  isEnded = false;

  /** @param {boolean} starts whether it starts */
  constructor(starts) {
    this.starts = starts;
  }

  postMessage(message) {
    this.sent.push(message);
    if (message.start && this.starts) queueMicrotask(() => this.onmessage({ data: { end: true, stops: [8, 9, 10] } }));
    if (message.add) queueMicrotask(() => this.answer({ done: message.add.name }));
  }

  terminate() {
    this.isEnded = true;
  }

  line(value) {
    this.onmessage({ data: { line: JSON.stringify(value) } });
  }

  answer(value) {
    this.line(value);
    this.onmessage({ data: { end: true } });
  }

  fail(message) {
    this.onmessage({ data: { failed: message } });
  }

  /** The requests that were sent. */
  get asked() {
    return this.sent.filter((message) => message.ask).map(({ ask }) => ({ ...ask, body: JSON.parse(ask.body) }));
  }
}

/** A transport, and its workers in the order of their creation: clerk, searcher, replacements. */
async function transport({ maximum = null, most = undefined, loads = true, starts = true } = {}) {
  const workers = [];
  const networks = [];
  const worker = () => {
    workers.push(new FakeWorker(starts));
    return workers.at(-1);
  };
  const state = { loads };
  const host = {
    most,
    program: async () => {
      if (!state.loads) throw new Error("no network");
      return { module: {}, plan: { threads: 4, mebibytes: 192, maximum }, worker };
    },
    network: async (rule) => {
      networks.push(rule);
      await state.network;
      return new ArrayBuffer(4);
    },
  };
  const made = new WorkerTransport(host);
  await settle();
  return { transport: made, workers, networks, state };
}

const POSITION = { rule: "renju", moves: ["h8"] };
const LINES = { lines: [{ move: "7,7", score: 12 }], nodes: 10, ms: 5 };

describe("requests without a search", () => {
  test("ask sends the request to its own worker", async () => {
    const { transport: own, workers } = await transport();
    const facts = own.ask("look", { position: POSITION });
    await settle();
    assert.deepEqual(workers[0].asked, [{ number: 0, path: "look", body: { position: POSITION } }]);
    assert.deepEqual(workers[1].asked, []);
    workers[0].answer({ done: { state: "open" } });
    assert.deepEqual(await facts, { state: "open" });
    const { start } = workers[0].sent[0];
    assert.deepEqual([start.threads, start.memory], [1, null]);
  });

  test("ask refuses what the engine refuses", async () => {
    const { transport: own, workers } = await transport();
    const facts = own.ask("look", {});
    await settle();
    workers[0].answer({ error: "missing field" });
    await assert.rejects(facts, (error) => error instanceof ServerError && error.message === "missing field");
  });

  test("requests wait for each other", async () => {
    const { transport: own, workers } = await transport();
    const both = [own.ask("look", { a: 1 }), own.ask("look", { a: 2 })];
    await settle();
    assert.equal(workers[0].asked.length, 1);
    workers[0].answer({ done: 1 });
    await settle();
    workers[0].answer({ done: 2 });
    assert.deepEqual(await Promise.all(both), [1, 2]);
  });

  test("a crashed worker is replaced and the request repeated", async () => {
    const { transport: own, workers } = await transport();
    const facts = own.ask("look", { a: 1 });
    await settle();
    workers[0].fail("unreachable");
    await settle();
    assert.deepEqual(workers[2].asked[0].body, { a: 1 });
    workers[2].answer({ done: 1 });
    assert.equal(await facts, 1);
  });

  test("a request that crashes two workers is refused", async () => {
    const { transport: own, workers } = await transport();
    const facts = own.ask("look", {});
    await settle();
    workers[0].fail("unreachable");
    await settle();
    workers[2].line({ panic: "index out of bounds" });
    workers[2].fail("unreachable");
    await assert.rejects(facts, (error) => error instanceof ServerError && /index out of bounds/.test(error.message));
    assert.ok(workers[0].isEnded && workers[2].isEnded);
    const next = own.ask("look", { a: 3 });
    await settle();
    workers[3].answer({ done: 3 });
    assert.equal(await next, 3);
  });

  test("an engine that cannot be loaded is a lost connection, and is loaded later", async () => {
    const { transport: own, workers, state } = await transport({ loads: false });
    await assert.rejects(own.ask("hello", {}), ConnectionError);
    state.loads = true;
    const hello = own.ask("hello", {});
    await settle();
    workers.at(-1).answer({ done: {} });
    assert.deepEqual(await hello, {});
  });
});

describe("searches", () => {
  test("stream sends updates, then returns the result", async () => {
    const { transport: own, workers } = await transport();
    const updates = [];
    const result = own.stream("analyse", { position: POSITION }, (value) => updates.push(value));
    await settle();
    assert.deepEqual(workers[1].asked[0].body, { position: POSITION });
    workers[1].line({ nodes: 1 });
    // Within the interval: the last one is not shown before the result.
    workers[1].line({ nodes: 2 });
    workers[1].answer({ done: { nodes: 3 } });
    assert.deepEqual(await result, { nodes: 3 });
    assert.deepEqual(updates, [{ nodes: 1 }]);
  });

  test("updates within an interval are shown after it", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { transport: own, workers } = await transport();
    const updates = [];
    own.stream("analyse", {}, (value) => updates.push(value.nodes));
    await settle();
    for (const nodes of [1, 2, 3]) workers[1].line({ nodes });
    assert.deepEqual(updates, [1]);
    t.mock.timers.tick(60);
    assert.deepEqual(updates, [1, 3]);
  });

  test("a missing network is added, and later to each new worker", async () => {
    const { transport: own, workers, networks } = await transport();
    const result = own.stream("analyse", { a: 1 });
    await settle();
    workers[1].answer({ network: "renju" });
    await settle();
    assert.deepEqual(networks, ["renju"]);
    assert.equal(workers[1].asked.length, 2);
    workers[1].fail("trap");
    await assert.rejects(result, ServerError);
    const again = own.stream("analyse", { a: 2 });
    await settle();
    assert.deepEqual(workers[2].sent.map((message) => Object.keys(message)[0]), ["start", "add", "ask"]);
    workers[2].answer({ done: 2 });
    assert.equal(await again, 2);
  });

  test("a crash refuses the search and replaces the worker", async () => {
    const { transport: own, workers } = await transport();
    const result = own.stream("solve", {});
    await settle();
    workers[1].fail("out of memory");
    await assert.rejects(result, (error) => error instanceof ServerError && /out of memory/.test(error.message));
    await settle();
    assert.equal(workers.length, 3);
    const facts = own.ask("look", {});
    await settle();
    workers[0].answer({ done: "still there" });
    assert.equal(await facts, "still there");
  });

  test("an aborted search frees the worker", async () => {
    const { transport: own, workers } = await transport();
    const abort = new AbortController();
    const updates = [];
    const result = own.stream("think", {}, (value) => updates.push(value), abort.signal);
    await settle();
    abort.abort();
    await assert.rejects(result, { name: "AbortError" });
    workers[1].line({ nodes: 1 });
    assert.deepEqual(updates, []);
    assert.ok(workers[1].isEnded);
    const next = own.stream("think", { a: 1 });
    await settle();
    workers[2].answer({ done: { move: "7,7" } });
    assert.deepEqual(await next, { move: "7,7" });
  });
});

describe("stop without shared memory", () => {
  /** Stops a search after an update, and answers what a search that is stopped at its start does. */
  async function stopped(path, update, answer) {
    const { transport: own, workers } = await transport();
    const result = own.stream(path, { position: POSITION });
    await settle();
    if (update) workers[1].line(update);
    await own.stop();
    await settle();
    assert.ok(workers[1].isEnded);
    assert.equal(workers[2].asked[0].isStopped, true);
    workers[2].answer({ done: answer });
    return result;
  }

  test("the last lines of an analysis stand", async () => {
    const answer = { state: "open", lines: [], nodes: 0, ms: 0 };
    assert.deepEqual(await stopped("analyse", LINES, answer), { state: "open", ...LINES });
    assert.deepEqual(await stopped("analyse", null, answer), answer);
  });

  test("the best move so far is played", async () => {
    const answer = { move: "0,0", line: null, state: "open", stopped: true };
    assert.deepEqual(await stopped("think", LINES, answer), { ...answer, move: "7,7", line: LINES.lines[0] });
    assert.deepEqual(await stopped("think", null, answer), answer);
  });

  test("other searches answer as if they had been stopped at their start", async () => {
    assert.deepEqual(await stopped("review", { judged: 3, of: 9 }, { stopped: true }), { stopped: true });
  });

  test("stop without a search does nothing", async () => {
    const { transport: own, workers } = await transport();
    await own.stop();
    await settle();
    assert.equal(workers.length, 2);
  });
});

describe("stop with shared memory", () => {
  test("stop reaches a search that has not begun", async () => {
    const { transport: own, workers } = await transport({ maximum: 64 });
    const { memory } = workers[1].sent[0].start;
    const first = own.stream("analyse", {});
    await settle();
    await own.stop();
    const bytes = new Uint8Array(memory.buffer);
    assert.deepEqual([...bytes.slice(8, 11)], [1, 0, 0]);
    assert.ok(!workers[1].isEnded);
    workers[1].answer({ done: { nodes: 5 } });
    assert.deepEqual(await first, { nodes: 5 });
    // The next one waits for the one before, which was aborted.
    const abort = new AbortController();
    const second = own.stream("analyse", {}, undefined, abort.signal);
    await settle();
    abort.abort();
    await assert.rejects(second, { name: "AbortError" });
    assert.deepEqual([...bytes.slice(8, 11)], [1, 1, 0]);
    const third = own.stream("analyse", { a: 3 });
    await settle();
    assert.equal(workers[1].asked.length, 2);
    await own.stop();
    workers[1].answer({ done: {} });
    await settle();
    assert.deepEqual([...bytes.slice(8, 11)], [1, 1, 1]);
    workers[1].answer({ done: { nodes: 7 } });
    assert.deepEqual(await third, { nodes: 7 });
  });

  // A worker releases the switch of a number when it answers other numbers: it must get all of them.
  test("the searches of a worker have consecutive numbers, whatever else is asked", async () => {
    const { transport: own, workers } = await transport({ maximum: 64 });
    const bytes = new Uint8Array(workers[1].sent[0].start.memory.buffer);
    const look = async () => {
      const facts = own.ask("look", {});
      await settle();
      workers[0].answer({ done: {} });
      await facts;
    };
    await look();
    const first = own.stream("analyse", {});
    await settle();
    await look();
    workers[1].answer({ network: "renju" });
    await settle();
    workers[1].answer({ done: {} });
    await first;
    // Aborted before its request is sent.
    const abort = new AbortController();
    const never = own.stream("analyse", {}, undefined, abort.signal);
    abort.abort();
    await assert.rejects(never, { name: "AbortError" });
    await look();
    const last = own.stream("analyse", {});
    await settle();
    assert.deepEqual(workers[1].asked.map(({ number }) => number), [0, 1, 2]);
    await own.stop();
    assert.deepEqual([...bytes.slice(8, 11)], [0, 0, 1]);
    workers[1].answer({ done: {} });
    await last;
  });

  test("a search that is stopped or aborted while its network is loaded presses no switch", async () => {
    const { transport: own, workers, state } = await transport({ maximum: 64 });
    const bytes = new Uint8Array(workers[1].sent[0].start.memory.buffer);
    const network = deferred();
    state.network = network.promise;
    const abort = new AbortController();
    const search = own.stream("analyse", {}, undefined, abort.signal);
    await settle();
    workers[1].answer({ network: "renju" });
    await settle();
    await own.stop();
    const other = new AbortController();
    const aborted = own.stream("analyse", {}, undefined, other.signal);
    await settle();
    other.abort();
    await assert.rejects(aborted, { name: "AbortError" });
    network.resolve();
    await settle();
    assert.deepEqual([...bytes.slice(8, 11)], [0, 0, 0]);
    assert.deepEqual(workers[1].asked.map(({ number, isStopped }) => [number, isStopped]), [[0, false], [1, true]]);
    workers[1].answer({ done: {} });
    await search;
  });
});

describe("resources that the user chose", () => {
  test("without shared memory the memory can be chosen, threads and pondering cannot", async () => {
    const { transport: own, workers } = await transport();
    const { threads, memory_mib: memory, ponder } = await own.choices();
    assert.deepEqual([threads.most, memory.usual, ponder], [1, 192, false]);
    own.choose({ threads: 3, memory_mib: 64 });
    await settle();
    assert.ok(workers[1].isEnded);
    const { threads: used, mebibytes, memory: shared } = workers[2].sent[0].start;
    assert.deepEqual([used, mebibytes, shared], [4, 64, null]);
  });

  test("with shared memory a new searcher has the chosen threads, after the running search", async () => {
    const { transport: own, workers } = await transport({ maximum: 448, most: 6 });
    assert.deepEqual((await own.choices()).threads, { least: 1, most: 6, usual: 4 });
    const search = own.stream("analyse", {});
    await settle();
    own.choose({ threads: 100, memory_mib: null });
    assert.equal(workers.length, 2);
    workers[1].answer({ done: {} });
    await search;
    await settle();
    assert.equal(workers[2].sent[0].start.threads, 6);
    own.choose({ threads: 100, memory_mib: null });
    await settle();
    assert.equal(workers.length, 3, "nothing was changed");
  });
});

describe("planFor", () => {
  const plan = (t, isPhone, isShared, cores) => {
    withGlobals(t, {
      matchMedia: () => ({ matches: isPhone }), screen: isPhone ? { width: 360, height: 740 } : { width: 1920, height: 1080 },
      navigator: { hardwareConcurrency: cores },
    });
    return planFor(isShared);
  };

  test("one thread without shared memory", (t) => {
    assert.deepEqual(plan(t, false, false, 8), { threads: 1, mebibytes: 192, maximum: null });
  });

  test("all cores but one, at most eight; half of a phone's", (t) => {
    assert.equal(plan(t, false, true, 4).threads, 3);
    assert.equal(plan(t, false, true, 1).threads, 1);
    assert.equal(plan(t, false, true, 64).threads, 8);
    const phone = plan(t, true, true, 8);
    assert.equal(phone.threads, 4);
    assert.ok(phone.mebibytes < 100 && phone.maximum < 200);
  });
});
