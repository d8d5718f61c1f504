import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { ConnectionError, HttpTransport, ServerError } from "../page/transport.js";
import { withGlobals } from "./support.js";

let requests;

/** A server that gives these answers, one after the other: responses, or errors to throw. */
function server(t, ...answers) {
  requests = [];
  withGlobals(t, {
    fetch: async (path, options) => {
      requests.push({ path, ...options, question: JSON.parse(options.body) });
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return new HttpTransport();
}

/** A response whose body comes in these pieces; an error breaks it off. */
function pieces(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
  return new Response(new ReadableStream({
    pull(controller) {
      const next = bytes.shift();
      if (next instanceof Error) controller.error(next);
      else if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  }));
}

const json = (value, status = 200) => new Response(JSON.stringify(value), { status });
const abort = () => Object.assign(new Error("aborted"), { name: "AbortError" });

beforeEach(() => { requests = []; });

describe("ask", () => {
  test("ask returns the value of the response", async (t) => {
    const transport = server(t, json({ state: "open" }));
    assert.deepEqual(await transport.ask("look", { position: 1 }), { state: "open" });
    assert.equal(requests[0].path, "/api/look");
    assert.equal(requests[0].method, "POST");
    assert.deepEqual(requests[0].question, { position: 1 });
  });

  test("ask throws the reason of a JSON error", async (t) => {
    const transport = server(t, json({ error: "no such rule" }, 400));
    await assert.rejects(transport.ask("look", {}), (error) => {
      assert.ok(error instanceof ServerError);
      assert.equal(error.message, "no such rule");
      assert.deepEqual([error.locked, error.isTemporary], [false, false]);
      return true;
    });
  });

  test("ask throws a plain text error; status 403 means locked", async (t) => {
    const transport = server(t, new Response("locked\n", { status: 403 }));
    await assert.rejects(transport.ask("look", {}), (error) => {
      assert.ok(error instanceof ServerError);
      assert.equal(error.message, "locked");
      assert.deepEqual([error.locked, error.isTemporary], [true, true]);
      return true;
    });
  });

  for (const status of [408, 503]) {
    test(`status ${status} is a temporary refusal`, async (t) => {
      const transport = server(t, json({ error: "later" }, status));
      await assert.rejects(transport.ask("look", {}), (error) => error instanceof ServerError && error.isTemporary);
    });
  }

  test("status 500 is not a temporary refusal: its reason is shown", async (t) => {
    const transport = server(t, json({ error: "the request crashed the server" }, 500));
    await assert.rejects(transport.ask("look", {}), (error) => error instanceof ServerError && !error.isTemporary);
  });

  test("ask throws a ConnectionError without a server", async (t) => {
    await assert.rejects(server(t, new TypeError("failed to fetch")).ask("look", {}), ConnectionError);
  });

  test("ask throws a ConnectionError for an incomplete response", async (t) => {
    await assert.rejects(server(t, pieces('{"state":', new TypeError("lost"))).ask("look", {}), ConnectionError);
  });

  test("ask throws a ConnectionError for an incomplete error", async (t) => {
    const broken = pieces("no", new TypeError("lost"));
    const refused = new Response(broken.body, { status: 400 });
    await assert.rejects(server(t, refused).ask("look", {}), ConnectionError);
  });
});

describe("stream", () => {
  test("stream reports progress and returns the result", async (t) => {
    const progress = [];
    const transport = server(t, pieces('{"nodes":1}\n{"nodes":2}\n', '{"done":{"move":"h8"}}\n'));
    assert.deepEqual(await transport.stream("think", { a: 1 }, (it) => progress.push(it)), { move: "h8" });
    assert.deepEqual(progress, [{ nodes: 1 }, { nodes: 2 }]);
    assert.deepEqual(requests[0].question, { a: 1, tab: transport.tab });
  });

  test("stream sends the resources that the user chose", async (t) => {
    const transport = server(t, pieces('{"done":{}}\n'));
    assert.equal(await transport.choices({ levels: [] }), null);
    const threads = { least: 1, most: 4, usual: 1 };
    assert.deepEqual(await transport.choices({ engine: { threads } }), { threads, ponder: true });
    transport.choose({ threads: 2, memory_mib: null });
    await transport.stream("think", {});
    assert.deepEqual(requests[0].question.engine, { threads: 2, memory_mib: null });
  });

  test("stream joins lines and characters split between chunks", async (t) => {
    const bytes = new TextEncoder().encode('{"text":"黒"}\n{"done":"五"}\n');
    const progress = [];
    const transport = server(t, pieces(...Array.from(bytes, (_, i) => bytes.slice(i, i + 1))));
    assert.equal(await transport.stream("think", {}, (it) => progress.push(it)), "五");
    assert.deepEqual(progress, [{ text: "黒" }]);
  });

  test("stream ignores heartbeats", async (t) => {
    const progress = [];
    const transport = server(t, pieces('null\nnull\n{"done":null}\n'));
    assert.equal(await transport.stream("think", {}, (it) => progress.push(it)), null);
    assert.deepEqual(progress, []);
  });

  test("stream works without a progress callback", async (t) => {
    assert.equal(await server(t, pieces('{"nodes":1}\n{"done":7}\n')).stream("think", {}), 7);
  });

  test("stream throws the reason of an error line", async (t) => {
    const transport = server(t, pieces('{"nodes":1}\n{"error":"out of memory"}\n'));
    await assert.rejects(transport.stream("think", {}), (error) => error instanceof ServerError && error.message === "out of memory");
  });

  test("stream throws a ConnectionError without a result", async (t) => {
    await assert.rejects(server(t, pieces('{"nodes":1}\n')).stream("think", {}), ConnectionError);
  });

  test("stream throws a ConnectionError when it breaks off", async (t) => {
    await assert.rejects(server(t, pieces('{"nodes":1}\n', new TypeError("lost"))).stream("think", {}), ConnectionError);
  });

  test("stream throws the abort error of the page", async (t) => {
    await assert.rejects(server(t, abort()).stream("think", {}), { name: "AbortError" });
    await assert.rejects(server(t, pieces("null\n", abort())).stream("think", {}), { name: "AbortError" });
  });
});

test("stop sends the name of the tab", async (t) => {
  const transport = server(t, json({}));
  await transport.stop();
  assert.equal(requests[0].path, "/api/stop");
  assert.deepEqual(requests[0].question, { tab: transport.tab });
});

test("tabs have different names of 24 hexadecimal digits", () => {
  const [one, two] = [new HttpTransport().tab, new HttpTransport().tab];
  assert.match(one, /^[0-9a-f]{24}$/);
  assert.notEqual(one, two);
});
