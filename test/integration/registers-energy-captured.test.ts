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

type Members = Record<string, unknown>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const escaped = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    : "";
const attributeOf = (name: string, value: unknown): string =>
  value === undefined ? "" : ` ${name}="${escaped(value)}"`;

/** The XML encoding of a member of the JSON encoding: types, ids and languages are attributes there. */
function toXml(name: string, value: unknown, type_attribute = ""): string {
  if (Array.isArray(value)) return value.map((each) => toXml(name, each)).join("");
  if (!isMembers(value)) return `<d:${name}${type_attribute}>${escaped(value)}</d:${name}>`;
  const [[key, inner] = ["", null], ...others] = Object.entries(value);
  const [, prefix, type] = /^(aegi|afac|loc|com)([A-Z]\w*)$/.exec(key) ?? [];
  if (others.length === 0 && type !== undefined && isMembers(inner))
    return toXml(name, inner, ` xsi:type="${prefix}:${type}"`);
  const { idG, versionG, extendedValueG, value: word, lang, ...members } = value;
  if (name === "values")
    return `<d:values><d:value${attributeOf("lang", lang)}>${escaped(word)}</d:value></d:values>`;
  const attributes = [
    attributeOf("id", idG),
    attributeOf("version", versionG),
    attributeOf("_extendedValue", extendedValueG),
  ].join("");
  const children = Object.entries(members).map(([member, each]) => toXml(member, each));
  return `<d:${name}${attributes}${type_attribute}>${escaped(word)}${children.join("")}</d:${name}>`;
}

/** A publication of the profile in its other encoding. */
function rewrite(body: Uint8Array): Uint8Array {
  const { payload, messageContainer } = JSON.parse(new TextDecoder().decode(body)) as Members & {
    messageContainer?: { payload: unknown[] };
  };
  const [name, publication] = Object.entries(
    (payload ?? messageContainer!.payload[0]) as Members,
  ).find(([member]) => member.endsWith("Publication"))!;
  const { lang, ...members } = publication as Members;
  const inner = Object.entries(members).map(([member, each]) => toXml(member, each));
  const head = `<p:payload xmlns:p="p" xmlns:d="d" xmlns:xsi="x" xsi:type="${name.replace("aegi", "aegi:")}"${attributeOf("lang", lang)}>`;
  return new TextEncoder().encode(`${head}${inner.join("")}</p:payload>`);
}

test("a publication of DATEX II is read from XML as from JSON", { skip }, () => {
  const shape = findShape("datex2_energy")!;
  const bodies = FILES.slice(2).map(({ file }) => readFileSync(join(SETS, file)));
  const read = ([table, status]: readonly Uint8Array[]) => {
    const options = { settings: SETTINGS, trail: createTrail() };
    const places = [...shape.readPlaces(table!, options)!];
    const states = [...shape.readStates!(status!, options)!];
    return { places, states, trail: options.trail.toTrail() };
  };
  const expected_facts = read(bodies);
  assert.deepEqual([expected_facts.places.length, expected_facts.states.length], [1, 1]);
  const { wheelchair, access } = expected_facts.places[0]!.attributes;
  assert.deepEqual([wheelchair, access], ["yes", "yes"]);
  assert.deepEqual(read(bodies.map(rewrite)), expected_facts);
});
