import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { cellsOnLines, columnName, nameOf, parseCell, splitCells, starPoints } from "../page/notation.js";

test("columnName has one letter up to z", () => {
  assert.deepEqual([0, 7, 25].map(columnName), ["a", "h", "z"]);
});

test("columnName has two letters after z, as in a spreadsheet", () => {
  assert.deepEqual([26, 27, 51, 52].map(columnName), ["aa", "ab", "az", "ba"]);
});

test("nameOf counts rows from the bottom", () => {
  assert.equal(nameOf(0, 0, 15), "a15");
  assert.equal(nameOf(7, 7, 15), "h8");
  assert.equal(nameOf(14, 14, 15), "o1");
});

test("nameOf counts rows by the height of a rectangular board", () => {
  assert.equal(nameOf(18, 0, 9), "s9");
  assert.equal(nameOf(18, 8, 9), "s1");
});

test("parseCell counts the row of h8 from the bottom", () => {
  assert.deepEqual(parseCell("h8", 15), { x: 7, y: 7 });
  assert.deepEqual(parseCell("a1", 15), { x: 0, y: 14 });
  assert.deepEqual(parseCell("s9", 9), { x: 18, y: 0 });
});

test("parseCell counts the row of 7,7 from the top", () => {
  assert.deepEqual(parseCell("7,0", 15), { x: 7, y: 0 });
  assert.deepEqual(parseCell("0,14", 9), { x: 0, y: 14 });
});

test("parseCell accepts capital letters and leading zeros", () => {
  assert.deepEqual(parseCell("H8", 15), parseCell("h8", 15));
  assert.deepEqual(parseCell("h08", 15), parseCell("h8", 15));
});

for (const text of ["", "h", "8", "8h", "abc1", "h8 ", "7;7", "-1,2", "h-8", "7,7,7", "pass"]) {
  test(`parseCell returns null for ${JSON.stringify(text)}`, () => {
    assert.equal(parseCell(text, 15), null);
  });
}

test("parseCell is the inverse of nameOf on a rectangular board", () => {
  const [width, height] = [30, 7];
  const names = new Set();
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      const name = nameOf(x, y, height);
      assert.deepEqual(parseCell(name, height), { x, y });
      names.add(name);
    }
  }
  assert.equal(names.size, width * height);
});

test("splitCells splits moves without separators", () => {
  assert.deepEqual(splitCells("h8i10j8"), ["h8", "i10", "j8"]);
});

test("splitCells accepts mixed notations and spaces", () => {
  assert.deepEqual(splitCells("h8 i9\n7,7"), ["h8", "i9", "7,7"]);
});

test("splitCells returns lower case", () => {
  assert.deepEqual(splitCells("H8I9"), ["h8", "i9"]);
});

test("splitCells returns no cells for an empty text", () => {
  assert.deepEqual(splitCells(""), []);
});

for (const text of ["h8 and i9", "h8-i9", "hello", "h8,"]) {
  test(`splitCells returns null for other text in ${JSON.stringify(text)}`, () => {
    assert.equal(splitCells(text), null);
  });
}

const names = (width, height) => starPoints(width, height).map(({ x, y }) => nameOf(x, y, height)).sort();

test("starPoints has four corners and the centre on 15x15", () => {
  assert.deepEqual(names(15, 15), ["d12", "d4", "h8", "l12", "l4"]);
});

test("starPoints has no centre on even sides", () => {
  assert.deepEqual(names(20, 20), ["d17", "d4", "q17", "q4"]);
});

test("starPoints has only the centre on a small board", () => {
  assert.deepEqual(names(5, 5), ["c3"]);
});

test("starPoints depends on each side of a rectangular board", () => {
  assert.deepEqual(names(15, 9), ["d3", "d7", "h5", "l3", "l7"]);
});

describe("cellsOnLines", () => {
  const cases = [
    ["7,7\n8,8\n9,9", ["7,7", "8,8", "9,9"]], ["h8\r\n\r\nI9\r\n", ["h8", "I9"]], ["h8 i9", null],
    ["h8,\n7,7;\r\nj8 -\n", ["h8", "7,7", "j8"]], ["h8,,\ni9", null],
    ["h8 i9 j10\ng7 f6 e5", null], ["1. h8\n2. i9", null], [". . x\n. o .", null], ["", null],
  ];
  for (const [text, cells] of cases) {
    test(`cellsOnLines, ${JSON.stringify(text)}`, () => assert.deepEqual(cellsOnLines(text), cells));
  }
});
