/**
 * Golden pairs: every file in GBFS 1.0, 2.3 and 3.0, the one whose members 3.1 changed, and one that is
 * no GBFS.
 */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { checkHidden } from "../../../../test/support/hidden-text.ts";
import { FILE_NAMES, FIXTURES, load, plain, readWhole } from "./readers.ts";
import type { FileName } from "./readers.ts";

const versions = readdirSync(`${FIXTURES}golden`).sort();

/** vehicle_types, system_pricing_plans, geofencing_zones and gbfs_versions do not exist in 1.0. */
const COUNTS = { "1.0": 6, "2.3": 10, "3.0": 10, "3.1": 1, malformed: 1 };

test("there is a pair for every file of every version", () => {
  assert.deepEqual(versions, Object.keys(COUNTS).sort());
  for (const [version, count] of Object.entries(COUNTS)) {
    assert.equal(wires(version).length, count, version);
  }
});

for (const version of versions) {
  for (const name of wires(version)) {
    test(`golden ${version} ${name}`, () => {
      const match = plain(readWhole(readerOf(name), load(`golden/${version}/${name}`, "wire")));
      assert.deepEqual(match, load(`golden/${version}/${name}`, "expected"));
    });
    test(`hidden characters in any member of ${version} ${name} are in none of what is read`, () => {
      checkHidden(load(`golden/${version}/${name}`, "wire"), (text) =>
        plain(readWhole(readerOf(name), JSON.parse(text) as never)),
      );
    });
  }
}

test("the same system says the same in 2.3 and 3.0", () => {
  for (const file of ["vehicle_types", "station_status", "system_alerts", "system_pricing_plans"]) {
    const { result: before } = load(`golden/2.3/${file}`, "expected");
    assert.deepEqual(load(`golden/3.0/${file}`, "expected").result, before, file);
  }
});

test("a file of 3.0 that says it is of 3.1 is read in the same way", () => {
  for (const name of wires("3.0")) {
    const wire = { ...load(`golden/3.0/${name}`, "wire"), version: "3.1-RC3" };
    const expected = load(`golden/3.0/${name}`, "expected");
    expected.envelope.version = "3.1-RC3";
    if (name === "gbfs") expected.result.version = "3.1-RC3";
    assert.deepEqual(plain(readWhole(readerOf(name), wire)), expected, name);
  }
});

function wires(version: string): string[] {
  return readdirSync(`${FIXTURES}golden/${version}`)
    .filter((file) => file.endsWith(".wire.json"))
    .map((file) => file.replace(".wire.json", ""))
    .sort();
}

function readerOf(name: string): FileName {
  const file = name === "free_bike_status" ? "vehicle_status" : name;
  const reader = FILE_NAMES.find((entry) => entry === file);
  assert.ok(reader, name);
  return reader;
}
