/** Any JSON and any damaged feed: nothing throws, nothing leaves its range, unknown is never zero. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTrail } from "#kit/trail.ts";
import { readCatalogue, parseCatalogue } from "../../gbfs/gbfs-catalogue.ts";
import { toBool, toCount, toId, toLocalised, toText, toTime_s } from "#kit/coerce.ts";
import { readStatus } from "../../gbfs/gbfs-status.ts";
import { FILE_NAMES, NOW_S, READERS, load, plain } from "./readers.ts";
import type { FileName } from "./readers.ts";
import { anyText } from "../../../../test/support/any-text.ts";
import { tries } from "../../../../test/support/size.ts";

/** Member names of real feeds, so that arbitrary objects reach the deeper branches. */
const MEMBERS = [
  ...[
    "data",
    "feeds",
    "en",
    "stations",
    "vehicles",
    "bikes",
    "vehicle_types",
    "alerts",
    "versions",
  ],
  ...["geofencing_zones", "features", "geometry", "coordinates", "properties", "rules", "times"],
  ...[
    "station_id",
    "vehicle_id",
    "name",
    "text",
    "language",
    "lat",
    "lon",
    "url",
    "count",
    "start",
  ],
  ...["num_bikes_available", "num_docks_available", "vehicle_types_available", "capacity"],
  ...["vehicle_docks_available", "vehicle_type_ids", "last_reported", "rental_uris", "web", "ios"],
  ...["current_fuel_percent", "is_renting", "__proto__", "constructor", "toString"],
] as const;

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, "", " ", "NaN", "-1", 1e308, -1e308, 1e12, -0, "0x10", "\ud800"),
  fc.double(),
  fc.integer(),
  anyText(),
  fc.boolean(),
);
const tree = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 7, withCrossShrink: true },
    odd,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...MEMBERS), tie("value"), { maxKeys: 8 }),
  ),
})).value;

/** A path of object keys and list positions through a document, and what to put at its end. */
const change = fc.record({
  steps: fc.array(fc.nat(), { maxLength: 8 }),
  value: tree,
  cut: fc.boolean(),
});

const GOLDEN: [FileName, string][] = ["2.3", "3.0"].flatMap((version) =>
  FILE_NAMES.map((file): [FileName, string] => [
    file,
    `golden/${version}/${file === "vehicle_status" && version === "2.3" ? "free_bike_status" : file}`,
  ]),
);

test("no reader throws on any JSON value, and what it gives is sound", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        tree,
        tree.map((data) => ({ data })),
        fc.jsonValue(),
      ),
      (wire) => {
        for (const file of FILE_NAMES) assertSound(READERS[file](wire, createTrail()));
      },
    ),
    { numRuns: tries(1_000) },
  );
});

test("no reader throws on rows of any kind, and what it gives is sound", () => {
  const rows = fc.array(fc.dictionary(fc.constantFrom(...MEMBERS), tree), { maxLength: 6 });
  fc.assert(
    fc.property(rows, (list) => {
      const data = { stations: list, vehicles: list, vehicle_types: list, alerts: list };
      for (const file of FILE_NAMES) assertSound(READERS[file]({ data }, createTrail()));
    }),
    { numRuns: tries(1_000) },
  );
});

test("no damage to a valid feed throws or leads out of range", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...GOLDEN),
      fc.array(change, { maxLength: 4 }),
      ([file, name], changes) => {
        const wire = changes.reduce(damage, load(name, "wire"));
        assertSound(READERS[file](wire, createTrail()));
      },
    ),
    { numRuns: tries(2_000) },
  );
});

/** Which members of a status come from which members of its row. */
const COUNTS = {
  vehicles: ["num_vehicles_available", "vehicle_types_available"],
  disabled_vehicles: ["num_vehicles_disabled"],
  docks: ["num_docks_available", "vehicle_docks_available"],
  disabled_docks: ["num_docks_disabled"],
  is_installed: ["is_installed"],
  is_renting: ["is_renting"],
  is_returning: ["is_returning"],
  last_reported_s: ["last_reported"],
} as const;

test("unknown never becomes zero: a deleted, null or unreadable member gives null", () => {
  let checked = 0;
  for (const version of ["1.0", "2.3", "3.0"]) {
    for (const [member, sources] of Object.entries(COUNTS)) {
      for (const value of [undefined, null, "", "n/a", {}, []]) {
        const wire = load(`golden/${version}/station_status`, "wire");
        const row = wire.data.stations[0];
        for (const source of sources) {
          row[source] = value;
          row[source.replace("vehicles", "bikes")] = value;
        }
        const status = readStatus(wire, { version: null, doc_time_s: NOW_S }, createTrail())!;
        assert.equal(
          status.get("quay")![member as keyof typeof COUNTS],
          null,
          `${version} ${member}`,
        );
        checked++;
      }
    }
  }
  assert.equal(checked, 3 * 8 * 6);
});

test("a part of the counts by type is no total", () => {
  const types = [{ vehicle_type_id: "a", count: 2 }, { vehicle_type_id: "b" }];
  const wire = { data: { stations: [{ station_id: "s", vehicle_types_available: types }] } };
  const status = readStatus(wire, { version: "2.3", doc_time_s: NOW_S }, createTrail())!;
  assert.equal(status.get("s")!.vehicles, null);
  assert.deepEqual(status.get("s")!.by_type, [{ type_id: "a", count: 2 }]);
});

test("the coercions never throw and keep their promises", () => {
  fc.assert(
    fc.property(fc.oneof(tree, fc.anything()), fc.option(fc.integer()), (value, now_s) => {
      const count = toCount(value);
      assert.ok(count === null || (Number.isInteger(count) && count >= 0 && count <= 99_998));
      assert.ok([true, false, null].includes(toBool(value)));
      for (const text of [toId(value), toText(value), toLocalised(value, ["en"])]) assertText(text);
      const time_s = toTime_s(value, now_s);
      assert.ok(time_s === null || (Number.isInteger(time_s) && time_s >= 1_104_537_600));
      assert.ok(time_s === null || now_s === null || time_s <= now_s + 86_400);
    }),
    { numRuns: tries(2_000) },
  );
});

test("no catalogue text throws", () => {
  const head = "Country Code,Name,Location,System ID,URL,Auto-Discovery URL\n";
  fc.assert(
    fc.property(anyText(), fc.boolean(), (text, headed) => {
      const { systems } = readCatalogue(parseCatalogue(headed ? head + text : text));
      assert.equal(new Set(systems.map(({ id }) => id)).size, systems.length);
    }),
    { numRuns: tries(1_000) },
  );
});

/** Replaces or cuts out one value of a document. */
function damage(
  wire: unknown,
  { steps, value, cut }: { steps: number[]; value: unknown; cut: boolean },
): unknown {
  let at: any = wire;
  for (const [depth, step] of steps.entries()) {
    if (typeof at !== "object" || at === null || Object.keys(at).length === 0) break;
    const keys = Object.keys(at);
    const key = keys[step % keys.length]!;
    if (depth === steps.length - 1 || typeof at[key] !== "object" || at[key] === null) {
      if (cut && Array.isArray(at)) at.splice(Number(key), 1);
      else if (cut) delete at[key];
      else at[key] = value;
      return wire;
    }
    at = at[key];
  }
  return steps.length === 0 ? value : wire;
}

const COUNT_MEMBERS = new Set([
  ...["vehicles", "disabled_vehicles", "docks", "disabled_docks", "electric", "count", "capacity"],
]);

/** Holds for whatever any reader gives: JSON-safe, finite, in range, counts whole. */
function assertSound(result: unknown): void {
  assert.deepEqual(plain(result) ?? null, result ?? null);
  visit(result);
}

function visit(value: any, key = ""): void {
  if (typeof value === "number") assertNumber(value, key);
  else if (typeof value === "string") assertText(value);
  else if (typeof value === "object" && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      visit(child, Array.isArray(value) ? key : name);
    }
  }
}

function assertNumber(value: number, key: string): void {
  assert.ok(Number.isFinite(value), `${key} ${value}`);
  if (key === "lat") assert.ok(Math.abs(value) <= 90);
  if (key === "lon") assert.ok(Math.abs(value) <= 180);
  if (key === "charge") assert.ok(value >= 0 && value <= 1);
  if (key === "range_m" || key === "max_range_m") assert.ok(value >= 0);
  if (COUNT_MEMBERS.has(key)) assert.ok(Number.isInteger(value) && value >= 0, `${key} ${value}`);
  if (key === "capacity") assert.ok(value >= 1);
}

/** Never empty, well formed, and nothing in it that changes how other text is shown. */
function assertText(text: string | null): void {
  if (text === null) return;
  assert.notEqual(text, "");
  assert.ok(text.isWellFormed());
  assert.doesNotMatch(text, /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
}
