/**
 * Captured OCPI files and the captured French register against an independent reader
 * (test/oracle/registers_bulk.py): the same stations, positions, points, states and power. Captures are
 * no part of this repository: where they or Python are missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createTrail } from "#kit/trail.ts";
import { irve } from "#providers/irve/index.ts";
import { ocpiBulk } from "#providers/ocpi_bulk/index.ts";
import { findPython } from "../support/python.ts";
import { SETTINGS } from "../unit/providers/registers/fault-table.ts";

const SHARED =
  process.env["VICINITY_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../shared/data", import.meta.url));
const SETS = join(SHARED, "charging");
const ORACLE = fileURLToPath(new URL("../oracle/registers_bulk.py", import.meta.url));
const python = findPython();
const missing = !existsSync(SETS) ? `captures at ${SETS}` : python === null ? "python3" : null;
const skip = missing !== null && `!!! CAPTURED CHARGING POINTS NOT COMPARED: no ${missing}`;

type Facts = {
  places: [id: string, lat: number, lon: number, points: number][];
  states: [id: string, state: string | null][];
  /** Hundredths of a kilowatt. */
  power: number;
};
type Counts = { places: number; points: number; available: number };

/** Files, with what the notes on the captures count of them, less what is not published or not placed. */
const OCPI: Readonly<Record<string, Counts>> = {
  "ocpi-locations/ocpi_2_1_1_locations-fastned.json.gz": {
    places: 106,
    points: 273,
    available: 20,
  },
  "ocpi-locations/ocpi_2_2_1_locations-ev24.json": { places: 11, points: 13, available: 13 },
  "ocpi-locations/ocpi_2_2_1_locations-punkt.json.gz": {
    places: 481,
    points: 1207,
    available: 989,
  },
  "ocpi-locations/ocpi_2_2_locations-chargesini.json.gz": {
    places: 372,
    points: 1144,
    available: 989,
  },
  "ocpi-locations/ocpi_2_2_locations-gaia.json": { places: 3, points: 10, available: 3 },
  "ocpi-locations/ocpi_2_2_locations_powergo.json.gz": {
    places: 486,
    points: 1655,
    available: 1426,
  },
  "ocpi-locations-2/ocpi_2_2_1_locations-ezvolt.json.gz": {
    places: 91,
    points: 222,
    available: 144,
  },
  "ocpi-locations-2/ocpi_2_2_1_locations-toger.json": { places: 41, points: 94, available: 106 },
  "ocpi-locations-2/ocpi_2_2_locations-evio.json": { places: 21, points: 29, available: 19 },
  "ocpi-locations-2/ocpi_2_2_locations-zepto.json": { places: 10, points: 10, available: 3 },
  "ocpi-locations-2/ocpi_3_0_0_location_example.json": { places: 1, points: 2, available: 1 },
};
const STATIC = "irve-france/irve-statique.json.gz";
const DYNAMIC = "irve-france/irve-dynamique-sample.csv";

type Register = { plugless: number; stated: number; differs: number };

/** By file, what the independent reader has; empty where nothing is compared. */
const expected = new Map<string, Facts & { register?: Register }>();
if (skip === false) {
  const files = [...Object.keys(OCPI), STATIC, DYNAMIC];
  const paths = files.map((file) => join(SETS, file));
  const out = execFileSync(python!, [ORACLE, ...paths], { encoding: "utf8", maxBuffer: 1 << 27 });
  const lines = out.split("\n");
  for (const [index, file] of files.entries())
    expected.set(file, JSON.parse(lines[index]!) as Facts);
}

function load(file: string): Uint8Array {
  const stored = readFileSync(join(SETS, file));
  return new Uint8Array(file.endsWith(".gz") ? gunzipSync(stored) : stored);
}

function readFacts(file: string, shape: typeof irve): Facts {
  const body = load(file);
  const options = { settings: SETTINGS, trail: createTrail() };
  const facts: Facts = { places: [], states: [], power: 0 };
  for (const place of shape.readPlaces(body, options) ?? []) {
    if (place?.live?.kind !== "points") continue;
    const { external_id, lat, lon, live } = place;
    facts.places.push([external_id, lat, lon, live.points.length]);
    for (const { connectors } of live.points)
      facts.power += Math.max(
        0,
        ...connectors.map(({ max_kw }) => Math.round((max_kw ?? 0) * 100)),
      );
  }
  for (const state of shape.readStates?.(body, options) ?? [])
    if (state?.kind === "point") facts.states.push([state.id, state.state]);
  facts.states.sort(([a], [b]) => (a < b ? -1 : 1));
  return facts;
}

const pointsIn = ({ places }: Facts): number =>
  places.reduce((sum, [, , , count]) => sum + count, 0);

for (const [file, counts] of Object.entries(OCPI))
  test(`${file} is read as an independent reader reads it`, { skip }, () => {
    const facts = readFacts(file, ocpiBulk);
    assert.deepEqual(facts, expected.get(file));
    assert.deepEqual(
      {
        places: facts.places.length,
        points: pointsIn(facts),
        available: facts.states.filter(([, state]) => state === "available").length,
      },
      counts,
    );
  });

test("the captured French register is read as an independent reader reads it", { skip }, () => {
  const { register, ...others } = expected.get(STATIC)!;
  const facts = readFacts(STATIC, irve);
  assert.deepEqual(facts, others);
  // As the notes on the capture have it.
  assert.deepEqual([facts.places.length, pointsIn(facts)], [5_571, 29_109]);
  const { stated, ...counts } = register!;
  assert.deepEqual(counts, { plugless: 269, differs: 4_551 });
  assert.equal(Math.round(stated / 100), 3_963_566);
});

test("captured states of French points are those of an independent reader", { skip }, () => {
  const facts = readFacts(DYNAMIC, irve);
  assert.deepEqual(facts, expected.get(DYNAMIC));
  assert.equal(facts.states.length, 4);
});
