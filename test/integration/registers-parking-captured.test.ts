/**
 * Captured registers of car parks against an independent reader (test/oracle/registers_parking.py): the
 * same sites, positions, capacities, free spaces and states. Captures are no part of this repository:
 * where they or Python are missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { SpacesState } from "#core/places/live-state.ts";
import { createTrail } from "#kit/trail.ts";
import { SHAPES } from "#providers/register-shapes.ts";
import { findPython } from "../support/python.ts";
import { SETTINGS } from "../unit/providers/registers/fault-table.ts";

const SHARED =
  process.env["VICINITY_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../shared/data", import.meta.url));
const SETS = join(SHARED, "parking");
const ORACLE = fileURLToPath(new URL("../oracle/registers_parking.py", import.meta.url));
const python = findPython();
const missing = !existsSync(SETS) ? `captures at ${SETS}` : python === null ? "python3" : null;
const skip = missing !== null && `!!! CAPTURED CAR PARKS NOT COMPARED: no ${missing}`;

type Site = { id: string; key: string; name: string; lat: number; lon: number; capacity: number };
type State = Pick<SpacesState, "id" | "free" | "capacity" | "is_open" | "observed_s"> & {
  contradictions: readonly string[];
};
type Facts = { places: Site[]; states: State[] };

/** Files by publisher, with what the notes on the captures count of them. */
const REGISTERS = [
  {
    files: ["datex2/aachen-static.xml", "datex2/aachen-realtime.xml"],
    places: 17,
    capacity: 6641,
    states: 17,
    joined: 17,
    free: 4309,
  },
  {
    files: [
      "datex2/friedrichshafen-sensors-static.xml",
      "datex2/friedrichshafen-sensors-realtime.xml.gz",
    ],
    places: 55,
    capacity: 55,
    states: 55,
    joined: 55,
    free: 48,
  },
  {
    files: ["datex2/vrs_vaihingen-static.xml", "datex2/vrs_vaihingen-realtime.xml"],
    places: 1,
    capacity: 454,
    states: 1,
    joined: 1,
    free: 356,
  },
  {
    files: ["datex2/vrs_bondorf-static.xml", "datex2/vrs_bondorf-realtime.xml"],
    places: 1,
    capacity: 314,
    states: 1,
    joined: 1,
    free: 215,
  },
  {
    files: ["datex2-v3-truck/ndw-truck-table.xml", "datex2-v3-truck/ndw-truck-status.xml"],
    places: 2,
    capacity: 590,
    states: 3,
    joined: 2,
    free: 728,
  },
  {
    files: ["json/mannheim.json"],
    places: 1,
    capacity: 60,
    states: 1,
    joined: 1,
    free: 27,
  },
] as const;

function readFile(file: string): Facts & { dropped: number } {
  const stored = readFileSync(join(SETS, file));
  const body = file.endsWith(".gz") ? gunzipSync(stored) : stored;
  const trail = createTrail();
  const read = SHAPES.filter(({ kind }) => kind === "parking").flatMap((shape) => {
    const places = shape.readPlaces(body, { settings: SETTINGS, trail });
    const states = shape.readStates?.(body, { settings: SETTINGS, trail });
    return places && states ? [{ places: [...places], states: [...states] }] : [];
  });
  assert.equal(read.length, 1, `${file} is of one shape`);
  const { dropped } = trail.toTrail();
  return {
    places: read[0]!.places.flatMap((place) =>
      place?.live?.kind === "spaces"
        ? [
            {
              id: place.external_id,
              key: place.live.id,
              name: place.name!,
              lat: place.lat,
              lon: place.lon,
              capacity: (place.attributes["capacity"] as number | undefined) ?? null!,
            },
          ]
        : [],
    ),
    states: read[0]!.states.flatMap((state) => {
      if (state?.kind !== "spaces") return [];
      const { id, free, capacity, is_open, observed_s, contradictions = [] } = state;
      return [{ id, free, capacity, is_open, observed_s, contradictions }];
    }),
    dropped: dropped.length,
  };
}

/** By file, what the independent reader has; empty where nothing is compared. */
const expected = new Map<string, unknown>();
if (skip === false) {
  const files = REGISTERS.flatMap((register) => [...register.files]);
  const paths = files.map((file) => join(SETS, file));
  const lines = execFileSync(python!, [ORACLE, ...paths], { encoding: "utf8" }).split("\n");
  for (const [index, file] of files.entries()) expected.set(file, JSON.parse(lines[index]!));
}

const sum = (counts: readonly (number | null)[]): number =>
  counts.reduce<number>((total, count) => total + (count ?? 0), 0);

for (const register of REGISTERS)
  test(`${register.files[0]} is read as an independent reader reads it`, { skip }, () => {
    const all: Facts = { places: [], states: [] };
    for (const file of register.files) {
      const { dropped, ...facts } = readFile(file);
      assert.deepEqual(facts, expected.get(file), file);
      assert.equal(dropped, 0);
      all.places.push(...facts.places);
      all.states.push(...facts.states);
    }
    const keys = new Set(all.places.map(({ key }) => key));
    const counted = {
      files: register.files,
      places: all.places.length,
      capacity: sum(all.places.map(({ capacity }) => capacity)),
      states: all.states.length,
      joined: all.states.filter(({ id }) => keys.has(id)).length,
      free: sum(all.states.map(({ free }) => free)),
    };
    assert.deepEqual(counted, register);
  });

test("what cannot all be true in the captured status of lorry parks is stated", { skip }, () => {
  const { states } = readFile("datex2-v3-truck/ndw-truck-status.xml");
  assert.deepEqual(
    states.map(({ id, free, contradictions }) => [id, free, ...contradictions]),
    [
      ["NL-12_413", 13],
      ["NL-12_408", 13, "counts_do_not_add_up"],
      ["NL-12_421", 702, "counts_do_not_add_up"],
    ],
  );
});
