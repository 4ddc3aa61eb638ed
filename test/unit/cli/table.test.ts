/** Which columns are left out, and how narrow the others get: at each bound and beyond it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderTable } from "#cli/print/print-table.ts";

const COLUMNS = [
  { title: "name", elastic: true as const, least: 8 },
  { title: "kind", spare: 1 },
  { title: "age", align: "right" as const, spare: 2 },
];
const LONG = ["a name of twenty-two c.", "bicycle", "12 s"];
const on = (room: number) => ({ room, paint: { dim: (text: string) => text } as never });
const lines = (room: number, row = LONG): string[] =>
  renderTable(COLUMNS, [row], on(room)).split("\n");

test("a name gives way down to its least before another column is left out", () => {
  // 8 of the name, 7 of the kind, 4 of the age and two gaps.
  for (const [room, head, first] of [
    [38, "name                     kind      age", "a name of twenty-two c.  bicycle  12 s"],
    [23, "name      kind      age", "a name…   bicycle  12 s"],
    [22, "name            age", "a name of tw…  12 s"],
  ] as const) {
    const [title, row] = lines(room);
    assert.ok(title!.length <= room && row!.length <= room, `${room}: ${row}`);
    assert.deepEqual(title!.split(/ +/), head.split(/ +/), `${room}`);
    assert.equal(row!.includes("bicycle"), first.includes("bicycle"), `${room}`);
  }
  assert.deepEqual(lines(13)[0]!.split(/ +/), ["name"]);
  assert.deepEqual(lines(14)[0]!.split(/ +/), ["name", "age"]);
});

test("a short name takes no more than it has", () => {
  const row = ["ab", "bicycle", "12 s"];
  assert.equal(lines(19, row)[1], "ab    bicycle  12 s");
  assert.deepEqual(lines(18, row)[0]!.split(/ +/), ["name", "age"]);
});

test("what wraps goes on between words in a few lines, and the last is cut", () => {
  const columns = [{ title: "name" }, { title: "words", elastic: true as const, wraps: 2 }];
  const shown = (words: string, room: number) => renderTable(columns, [["ab", words]], on(room));
  assert.equal(shown("one two three", 40), "name  words\nab    one two three\n");
  assert.equal(shown("one two three", 14), "name  words\nab    one two\n      three\n");
  assert.equal(shown("one two three four", 14), "name  words\nab    one two\n      three f…\n");
});

test("of two columns that may go, the one in which nothing is known goes first", () => {
  const row = ["a name of twenty-two c.", "bicycle", "–"];
  assert.deepEqual(lines(20, row)[0]!.split(/ +/), ["name", "kind"]);
});
