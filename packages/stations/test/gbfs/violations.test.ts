/** One fixture for each of the 24 violations of mobility.md 1.12. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { REASONS } from "../../gbfs/gbfs-reasons.ts";
import { FIXTURES, load, plain } from "./readers.ts";
import { VIOLATIONS } from "./violation-table.ts";

const names = readdirSync(FIXTURES)
  .filter((file) => file.startsWith("violation-") && file.endsWith(".wire.json"))
  .map((file) => file.replace(".wire.json", ""))
  .sort();

test("each of the 24 violations has one fixture, and each fixture is read", () => {
  assert.equal(names.length, 24);
  assert.deepEqual(names, Object.keys(VIOLATIONS).sort());
  const numbers = names.map((name) =>
    Number(name.slice("violation-".length, "violation-00".length)),
  );
  assert.deepEqual(
    numbers,
    Array.from({ length: 24 }, (_, index) => index + 1),
  );
});

for (const name of names) {
  test(name, () => {
    const match = plain(VIOLATIONS[name]!(load(name, "wire")));
    assert.deepEqual(match, load(name, "expected"));
  });
}

test("violation 21 and 24: no reader takes an error body for an answer", () => {
  for (const body of [
    ...load("violation-21-masked-refusal", "wire"),
    load("violation-24-cut-payload", "wire"),
  ]) {
    const answers = plain(VIOLATIONS["violation-24-cut-payload"]!(body)) as Record<string, unknown>;
    const { gbfs_versions, ...others } = answers;
    assert.deepEqual(gbfs_versions, { versions: [], chosen: null });
    assert.equal(Object.keys(others).length, 9);
    for (const [file, answer] of Object.entries(others)) assert.equal(answer, null, file);
  }
});

test("every reason the fixtures show is in the table, under the list it is said to be in", () => {
  const seen = new Set<string>();
  for (const name of names) collect(load(name, "expected"), seen);
  for (const entry of seen) {
    const [list, reason] = entry.split(":") as [string, keyof typeof REASONS];
    assert.equal(REASONS[reason]?.effect, list, entry);
  }
  assert.ok(seen.size >= 20, `${seen.size} reasons seen`);
});

function collect(value: any, seen: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries<any>(value)) {
    if ((key === "dropped" || key === "repaired") && Array.isArray(child)) {
      for (const entry of child) seen.add(`${key}:${entry.reason}`);
    } else collect(child, seen);
  }
}
