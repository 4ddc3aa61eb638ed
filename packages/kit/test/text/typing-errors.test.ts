/** Typing errors between words, compared with what the whole table of their letters says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsBetween } from "../../text/typing-errors.ts";

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from(text, (letter) => letter.charCodeAt(0));
}

/** All of the table, without any bound. */
function allErrors(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = value;
    }
  return rows[a.length]![b.length]!;
}

test("words have the errors that the whole table has, up to the bound", () => {
  let state = 17;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const wordOf = (): string =>
    Array.from({ length: random(9) }, () => "abc"[random(3)]).join("");
  for (let n = 0; n < 40_000; n++) {
    const [a, b] = [wordOf(), wordOf()];
    for (const allowed of [0, 1, 2, 3]) {
      const all = Math.min(allErrors(a, b), allowed + 1);
      assert.equal(errorsBetween(a, unitsOf(b), allowed), all, `${a} ${b} ${allowed}`);
    }
  }
});
