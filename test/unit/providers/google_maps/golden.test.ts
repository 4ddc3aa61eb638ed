/** Golden pairs: what Google answers, whole, and what is made of it. Names and values are invented. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { checkHidden } from "../../../support/hidden-text.ts";
import { READERS, type ReaderName, toWire } from "./readers.ts";

const FOLDER = new URL("../../../fixtures/providers/google_maps/", import.meta.url);
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".wire.json"))
  .map((file) => file.replace(".wire.json", ""));

type Fixture = { lookup: ReaderName; status: number; body?: unknown; text?: string };

function load(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
}

test("there is a pair for each case", () => {
  assert.equal(NAMES.length, 24);
  assert.equal(readdirSync(FOLDER).length, 2 * NAMES.length);
});

for (const name of NAMES) {
  test(`golden ${name}`, () => {
    const { lookup, status, body, text } = load(`${name}.wire.json`) as Fixture;
    const match = READERS[lookup](toWire(text ?? JSON.stringify(body), status));
    // As it would be sent: a member that is undefined does not exist.
    const plain: unknown = JSON.parse(JSON.stringify(match));
    assert.deepEqual(plain, load(`${name}.expected.json`));
  });
  test(`hidden characters in any member of ${name} are in none of the answer`, () => {
    const { lookup, status, body } = load(`${name}.wire.json`) as Fixture;
    checkHidden(body, (text) => READERS[lookup](toWire(text, status)));
  });
}
