/** A trial that reads a folder needs the usual one only where no other is given. */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { listMissing } from "../../trials/needs.ts";
import { TRIALS } from "../../trials/table.ts";

const nowhere = () => false;
const DIR = tmpdir();
const CASES: readonly [trial: string, args: readonly string[], missing: number][] = [
  ["scorecard", [], 1],
  ["scorecard", [DIR], 0],
  ["scorecard", [DIR, "--write"], 0],
  ["scorecard", ["--leave-one-out"], 1],
  ["scorecard", ["no-such-folder"], 1],
  ["sandbox-rates", [DIR], 0],
  ["replay", ["--serve", DIR], 0],
  ["replay", [], 1],
];

for (const [name, args, missing] of CASES)
  test(`${name} with ${args.length} arguments lacks ${missing} folder(s)`, () => {
    assert.equal(listMissing(TRIALS[name]!, args, nowhere).length, missing);
  });

test("another trial takes no folder, whatever is given", () => {
  const entry = { needs: ["labelled pairs"] as const, options: "[--seed N]" };
  assert.deepEqual(listMissing(entry, [DIR], nowhere), ["../shared/data/pairs is not there"]);
});
