/** Options of trials and benchmarks: usual values, numbers that are numbers, and nothing unknown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readArguments } from "../../trials/arguments.ts";

const USUAL = { rounds: 4, share: 0.5, only: null, folder: "/tmp", quick: false };

test("what is left out has its usual value, and what is stated its own", () => {
  const without = { ...USUAL, only: undefined };
  assert.deepEqual(readArguments([], USUAL), without);
  const stated = ["--rounds", "0", "--share=1e-1", "--only", "a,b", "--folder", "7", "--quick"];
  const wanted = { rounds: 0, share: 0.1, only: "a,b", folder: "7", quick: true };
  assert.deepEqual(readArguments(stated, USUAL), wanted);
});

test("an unknown option, and a number that is none, are refused by name", () => {
  for (const [args, words] of [
    [["--round", "1"], /'--round'/],
    [["--rounds", "many"], /--rounds: expected a number/],
    [["--rounds="], /--rounds: expected a number/],
    [["more"], /'more'/],
  ] as const)
    assert.throws(() => readArguments(args, USUAL), words);
});
