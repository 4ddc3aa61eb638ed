/**
 * Captured registers of charging points against an independent reader (test/oracle/registers_energy.py):
 * the same sites, points, ids, plugs, power and states, and the figures of the notes on the captures.
 * Captures are no part of this repository: where they or Python are missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ConnectorItem } from "#core/places/charging-facts.ts";
import { createTrail } from "#kit/trail.ts";
import { findShape } from "#providers/register-shapes.ts";
import { findPython } from "../support/python.ts";
import { SETTINGS } from "../unit/providers/registers/fault-table.ts";

const SHARED =
  process.env["VICINITY_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../shared/data", import.meta.url));
const SETS = join(SHARED, "charging");
const ORACLE = fileURLToPath(new URL("../oracle/registers_energy.py", import.meta.url));
const python = findPython();
const missing = !existsSync(SETS) ? `captures at ${SETS}` : python === null ? "python3" : null;
const skip = missing !== null && `!!! CAPTURED CHARGING POINTS NOT COMPARED: no ${missing}`;

const PROFILE = "afir-datex2-profile";
/** `counts`: sites, points, EVSE ids, kilowatts, states, and states that say something. */
const FILES = [
  { file: "switzerland/oicp-data-sample.json", shape: "oicp", counts: [2, 6, 6, 132, 0, 0] },
  { file: "switzerland/oicp-status-sample.json", shape: "oicp", counts: [0, 0, 0, 0, 13, 7] },
  {
    file: `${PROFILE}/table/EnergyInfrastructureTablePublication_rev2.json`,
    shape: "datex2_energy",
    counts: [1, 4, 3, 224, 0, 0],
  },
  {
    file: `${PROFILE}/status/EnergyInfrastructureStatusPublication_rev2.json`,
    shape: "datex2_energy",
    counts: [0, 0, 0, 0, 1, 1],
  },
] as const;

type Facts = {
  sites: number;
  points: number;
  ids: string[];
  plugs: Record<string, number>;
  kw: number;
  positions: [lat: number, lon: number][];
  states: [id: string, state: string][];
};

const byText = (a: readonly unknown[], b: readonly unknown[]): number =>
  String(a) < String(b) ? -1 : 1;

function readFile(file: string, shape_id: string): Facts {
  const body = readFileSync(join(SETS, file));
  const shape = findShape(shape_id)!;
  const trail = createTrail();
  const options = { settings: SETTINGS, trail };
  const places = [...(shape.readPlaces(body, options) ?? [])].filter((place) => place !== null);
  const states = [...(shape.readStates?.(body, options) ?? [])];
  assert.deepEqual(trail.toTrail().dropped, []);
  const points = places.flatMap(({ live }) => (live?.kind === "points" ? live.points : []));
  const connectors = places.flatMap(
    ({ attributes }) =>
      (attributes["charging"] as { connectors: readonly ConnectorItem[] }).connectors,
  );
  const plugs: Record<string, number> = {};
  let kw = 0;
  for (const { type, count = 0, max_kw = 0 } of connectors) {
    plugs[type] = (plugs[type] ?? 0) + count;
    kw += count * max_kw;
  }
  return {
    sites: places.length,
    points: points.length,
    ids: places
      .flatMap(({ keys }) => keys.filter((key) => key.startsWith("evse:")))
      .map((key) => key.slice(5))
      .sort(),
    plugs,
    kw,
    positions: places.map(({ lat, lon }): [number, number] => [lat, lon]).sort(byText),
    states: states
      .flatMap((state): [string, string][] =>
        state?.kind === "point" ? [[state.id, state.state ?? ""]] : [],
      )
      .sort(byText),
  };
}

const expected = new Map<string, unknown>();
if (skip === false) {
  const paths = FILES.map(({ file }) => join(SETS, file));
  const lines = execFileSync(python!, [ORACLE, ...paths], { encoding: "utf8" }).split("\n");
  for (const [index, { file }] of FILES.entries()) expected.set(file, JSON.parse(lines[index]!));
}

for (const { file, shape, counts } of FILES)
  test(`${file} is read as an independent reader reads it`, { skip }, () => {
    const facts = readFile(file, shape);
    assert.deepEqual(facts, expected.get(file));
    const { sites, points, ids, kw, states } = facts;
    const known = states.filter(([, state]) => state !== "").length;
    assert.deepEqual([sites, points, ids.length, kw, states.length, known], counts);
  });
