import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Clock, clockText } from "../page/clock.js";
import { FakeTime, record } from "./support.js";

let time;
let clock;
let flags;

beforeEach((t) => {
  time = new FakeTime().install(t);
  clock = new Clock();
  flags = [];
  clock.addEventListener("flag", (event) => flags.push(event.detail));
});

const pass = (ms) => time.pass(ms);
const passSilently = (ms) => time.passSilently(ms);

describe("setting", () => {
  test("set gives both colours the same time and stops the clock", () => {
    clock.set(60000, 1000);
    assert.deepEqual([clock.left("black"), clock.left("white"), clock.increment], [60000, 60000, 1000]);
    assert.equal(clock.running, null);
    assert.equal(clock.enabled, true);
  });

  for (const total of [0, -1, NaN]) {
    test(`set turns the clock off for ${total} milliseconds`, () => {
      clock.set(total, 1000);
      assert.equal(clock.enabled, false);
      clock.run("black");
      assert.equal(clock.running, null);
      pass(1000);
      assert.deepEqual(flags, []);
    });
  }

  test("set stops a running clock and resets the time", () => {
    clock.set(60000, 0);
    clock.run("black");
    pass(5000);
    clock.set(30000, 0);
    pass(5000);
    assert.equal(clock.running, null);
    assert.equal(clock.left("black"), 30000);
  });
});

describe("running", () => {
  test("run reduces the time of that colour only", () => {
    clock.set(60000, 0);
    clock.run("black");
    pass(1500);
    assert.deepEqual([clock.left("black"), clock.left("white")], [58500, 60000]);
  });

  test("run stops the clock of the other colour", () => {
    clock.set(60000, 0);
    clock.run("black");
    pass(1000);
    clock.run("white");
    pass(2000);
    assert.deepEqual([clock.left("black"), clock.left("white")], [59000, 58000]);
    assert.equal(clock.running, "white");
  });

  test("run has no effect on a running clock", () => {
    clock.set(60000, 0);
    clock.run("black");
    pass(1000);
    clock.run("black");
    pass(1000);
    assert.equal(clock.left("black"), 58000);
  });

  test("run emits a tick at the start and each tenth of a second", () => {
    clock.set(60000, 0);
    const ticks = record(clock, "tick");
    clock.run("black");
    pass(500);
    assert.equal(ticks.length, 6);
  });
});

describe("pausing", () => {
  test("pause stops both clocks", () => {
    clock.set(60000, 5000);
    clock.run("white");
    pass(1000);
    clock.pause();
    pass(10000);
    assert.deepEqual([clock.left("black"), clock.left("white")], [60000, 59000]);
    assert.equal(clock.running, null);
  });

  test("run continues with the time left at the pause", () => {
    clock.set(60000, 5000);
    clock.run("white");
    pass(1000);
    clock.pause();
    clock.run("white");
    pass(1000);
    assert.equal(clock.left("white"), 58000);
  });
});

describe("moving", () => {
  test("moved adds the increment and stops the clock", () => {
    clock.set(60000, 5000);
    clock.run("black");
    pass(2000);
    assert.equal(clock.moved(), true);
    assert.equal(clock.left("black"), 63000);
    assert.equal(clock.running, null);
  });

  test("moved keeps the time without an increment", () => {
    clock.set(60000, 0);
    clock.run("black");
    pass(2000);
    clock.moved();
    assert.equal(clock.left("black"), 58000);
  });

  test("moved adds no increment to a stopped clock", () => {
    clock.set(60000, 5000);
    assert.equal(clock.moved(), true);
    assert.deepEqual([clock.left("black"), clock.left("white")], [60000, 60000]);
  });

  test("moved drops the flag when the time is up before a tick", () => {
    clock.set(1000, 5000);
    clock.run("black");
    passSilently(1001);
    assert.equal(clock.moved(), false);
    assert.deepEqual(flags, ["black"]);
    assert.equal(clock.left("black"), 0);
  });
});

describe("running out", () => {
  test("the flag falls once when the time is up", () => {
    clock.set(1000, 5000);
    clock.run("white");
    pass(3000);
    assert.deepEqual(flags, ["white"]);
    assert.equal(clock.running, null);
    assert.equal(clock.left("white"), 0);
  });

  test("no flag falls with a millisecond left", () => {
    clock.set(1000, 0);
    clock.run("white");
    pass(999);
    assert.equal(clock.left("white"), 1);
    assert.deepEqual(flags, []);
  });

  test("left is never below zero", () => {
    clock.set(1000, 0);
    clock.run("black");
    passSilently(5000);
    assert.equal(clock.left("black"), 0);
  });

  test("increments keep the flag up", () => {
    clock.set(1000, 600);
    for (let turn = 0; turn < 20; turn++) {
      clock.run("black");
      pass(500);
      clock.moved();
    }
    assert.deepEqual(flags, []);
    assert.equal(clock.left("black"), 3000);
  });
});

describe("clockText", () => {
  const texts = [
    [0, "0.0"], [1500, "1.5"], [19900, "19.9"], [20000, "0:20"], [59001, "1:00"], [60000, "1:00"],
    [61000, "1:01"], [600000, "10:00"], [5400000, "90:00"],
  ];
  for (const [ms, text] of texts) {
    test(`clockText writes ${ms} ms as ${text}`, () => assert.equal(clockText(ms), text));
  }
});
