/**
 * Captured registers of charging points against an independent reader (test/oracle/registers_energy.py):
 * the same places, positions, points, plugs, powers and states; and DATEX II in XML as in JSON. Captures are
 * no part of this repository: where they or Python are missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { LivePoint, PointState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import { createTrail } from "#kit/trail.ts";
import { datex2Energy } from "#providers/datex2_energy/index.ts";
import { oicp } from "#providers/oicp/index.ts";
import type { RegisterShape } from "#providers/register-shape.ts";
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
/** Files by publisher, with what the notes on the captures count of them. */
const REGISTERS = [
  {
    shape: oicp,
    files: ["switzerland/oicp-data-sample.json", "switzerland/oicp-status-sample.json"],
    // Six stations by their ids, which are two by position.
    counted: { places: 2, points: 6, connectors: 6, powers: 6, states: 13, matched: 6 },
    words: { available: 5, occupied: 1, out_of_service: 1, null: 6 },
    plugs: { "Type 2": 6 },
  },
  {
    shape: datex2Energy,
    files: [
      `${PROFILE}/table/EnergyInfrastructureTablePublication_rev2.json`,
      `${PROFILE}/status/EnergyInfrastructureStatusPublication_rev2.json`,
    ],
    counted: { places: 1, points: 4, connectors: 6, powers: 4, states: 1, matched: 1 },
    words: { occupied: 1 },
    plugs: { "Type 2": 2, CHAdeMO: 2, Other: 2 },
  },
] as const;

type Facts = { places: ReturnType<typeof toFacts>[]; states: Omit<PointState, "kind">[] };

function read(shape: RegisterShape, bodies: readonly Uint8Array[]) {
  const trail = createTrail();
  const options = { settings: SETTINGS, trail };
  const places = [...(shape.readPlaces(bodies[0]!, options) ?? [])];
  const states = [...(shape.readStates!(bodies[1]!, options) ?? [])];
  assert.deepEqual(trail.toTrail().dropped, []);
  return { places: places.filter((each) => each !== null), states };
}

const pointsOf = ({ live }: Place): readonly LivePoint[] =>
  live?.kind === "points" ? live.points : [];

function toFacts(place: Place) {
  const { connector_count } = place.attributes["charging"] as { connector_count: number };
  const points = pointsOf(place).map(({ id, connectors }) => ({
    id,
    offers: connectors
      .map(({ type, max_kw }) => [type, max_kw] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  }));
  const { lat, lon, provider } = place;
  return { lat, lon, points, operator: provider?.name, connectors: connector_count };
}

function countEach(values: readonly unknown[]): Record<string, number> {
  const groups = Map.groupBy(values, String);
  return Object.fromEntries([...groups].map(([value, group]) => [value, group.length]));
}

const bodiesOf = (files: readonly string[]): Uint8Array[] =>
  files.map((file) => readFileSync(join(SETS, file)));

for (const { shape, files, ...expected } of REGISTERS)
  test(`${files[0]} is read as an independent reader reads it`, { skip }, () => {
    const { places, states } = read(shape, bodiesOf(files));
    const facts: Facts = {
      places: places.map(toFacts),
      states: states.flatMap((each) =>
        each?.kind === "point"
          ? [{ id: each.id, observed_s: each.observed_s, state: each.state }]
          : [],
      ),
    };
    const paths = files.map((file) => join(SETS, file));
    const lines = execFileSync(python!, [ORACLE, ...paths], { encoding: "utf8" })
      .trim()
      .split("\n");
    const [table, status] = lines.map((line) => JSON.parse(line) as Facts);
    assert.deepEqual(facts.places, table!.places);
    assert.deepEqual(facts.states, status!.states);
    const points = places.flatMap(pointsOf);
    const ids = new Set(points.map(({ id }) => id));
    assert.deepEqual(
      {
        places: places.length,
        points: ids.size,
        connectors: facts.places.reduce((sum, { connectors }) => sum + connectors, 0),
        powers: points.filter(({ connectors }) => connectors.every(({ max_kw }) => max_kw)).length,
        states: states.length,
        matched: facts.states.filter(({ id }) => ids.has(id)).length,
      },
      expected.counted,
    );
    assert.deepEqual(countEach(facts.states.map(({ state }) => state)), expected.words);
    const plugs = points.flatMap(({ connectors }) => connectors.map(({ type }) => type));
    assert.deepEqual(countEach(plugs), expected.plugs);
  });

type Members = Record<string, unknown>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);
const escaped = (value: unknown): string =>
  isScalar(value) ? String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;") : "";

/** The XML encoding of a member of the JSON encoding: types, ids and languages are attributes there. */
function toXml(name: string, value: unknown, attributes = ""): string {
  if (Array.isArray(value)) return value.map((each) => toXml(name, each)).join("");
  if (!isMembers(value)) return `<d:${name}${attributes}>${escaped(value)}</d:${name}>`;
  const [[key, inner] = ["", null], ...others] = Object.entries(value);
  const [, prefix, type] = /^(aegi|afac|loc|com)([A-Z]\w*)$/.exec(key) ?? [];
  if (others.length === 0 && type !== undefined && isMembers(inner))
    return toXml(name, inner, ` xsi:type="${prefix}:${type}"`);
  const { idG, versionG, value: word, lang, ...members } = value;
  if (name === "values")
    return `<d:values><d:value lang="${escaped(lang)}">${escaped(word)}</d:value></d:values>`;
  const ids = [["id", idG] as const, ["version", versionG] as const].map(([attribute, id]) =>
    id === undefined ? "" : ` ${attribute}="${escaped(id)}"`,
  );
  const text = escaped(word);
  const children = Object.entries(members).map(([member, each]) => toXml(member, each));
  return `<d:${name}${ids.join("")}${attributes}>${text}${children.join("")}</d:${name}>`;
}

test("a publication of DATEX II is read from XML as from JSON", { skip }, () => {
  const { shape, files } = REGISTERS[1];
  const bodies = bodiesOf(files);
  const rewritten = bodies.map((body) => {
    const { payload, messageContainer } = JSON.parse(new TextDecoder().decode(body)) as Members & {
      messageContainer?: { payload: unknown[] };
    };
    const publication = Object.entries((payload ?? messageContainer!.payload[0]) as Members).find(
      ([name]) => name.endsWith("Publication"),
    )!;
    const type = publication[0].replace("aegi", "aegi:");
    const members = Object.entries(publication[1] as Members).map(([name, each]) =>
      toXml(name, each),
    );
    const head = `<?xml version="1.0" encoding="UTF-8"?><p:payload xmlns:p="p" xmlns:d="d" xmlns:xsi="x" xsi:type="${type}">`;
    return new TextEncoder().encode(`${head}${members.join("")}</p:payload>`);
  });
  assert.deepEqual(read(shape, rewritten), read(shape, bodies));
});
