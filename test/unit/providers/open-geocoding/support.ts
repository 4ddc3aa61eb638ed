/** What the tests of the geocoders of open maps share: the pairs, and what any candidate must be. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { type Candidate, CANDIDATE_TYPES, MATCH_QUALITIES } from "#osm/geocoder/candidate.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { createTrail } from "#kit/trail.ts";
import { nominatimGeocoder } from "#providers/nominatim/index.ts";
import { peliasGeocoder } from "#providers/pelias/index.ts";
import { photonGeocoder } from "#providers/photon/index.ts";
import type { GeocodeQuery, LookupSettings, ReadAnswer } from "#providers/lookup.ts";
import type { GeocodingSource } from "#providers/source.ts";
import { checkHidden } from "../../../support/hidden-text.ts";

export const SETTINGS = {
  url: "https://geocoder.example",
  timeout_ms: 2_500,
  languages: ["de", "en", "fr"],
  countrycode: true,
};
export const QUERY: GeocodeQuery = { q: "Bellerive", language: null, country: null, near: null };

export const GEOCODERS = {
  photon: photonGeocoder as GeocodingSource<LookupSettings>,
  nominatim: nominatimGeocoder,
  pelias: peliasGeocoder,
} as const;
export type Provider = keyof typeof GEOCODERS;
export const PROVIDERS = ["photon", "nominatim", "pelias"] as const satisfies Provider[];

export type Operation = "geocode" | "search" | "reverse";
export type Input = {
  operation?: Operation;
  status?: number;
  query?: Partial<GeocodeQuery>;
  settings?: Partial<typeof SETTINGS>;
};
export type Meant = ReadAnswer<Candidate[]> & { dropped: Record<string, string[]> };

/** Reads a body as the given provider does. */
export function readAs(provider: Provider, body: Uint8Array, input: Input = {}): Meant {
  const { operation = "geocode", status = 200, query, settings } = input;
  const trail = createTrail();
  const wire = { status, content_type: null, body };
  const options = { settings: { ...SETTINGS, ...settings }, trail };
  const geocoder = GEOCODERS[provider];
  const read =
    operation === "reverse"
      ? geocoder.reverse.read(wire, { lat: 48, lon: 2, language: null }, options)
      : geocoder[operation].read(wire, { ...QUERY, ...query }, options);
  const { dropped } = trail.toTrail();
  return {
    ...read,
    dropped: Object.fromEntries(dropped.map(({ reason, examples }) => [reason, examples])),
  };
}

const FIXTURES = new URL("../../../fixtures/providers/", import.meta.url);

export type Pair = { name: string; body: Uint8Array; expected: Meant & { given: Input } };

export function listPairs(provider: Provider): Pair[] {
  const folder = new URL(`${provider}/`, FIXTURES);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".wire.json"))
    .map((name) => name.replace(".wire.json", ""))
    .map((name) => ({
      name,
      body: readFileSync(new URL(`${name}.wire.json`, folder)),
      expected: JSON.parse(readFileSync(new URL(`${name}.expected.json`, folder), "utf8")),
    }));
}

/** Every pair of one provider, in one table. */
export function checkPairs(provider: Provider, at_least: number): void {
  const pairs = listPairs(provider);
  assert.ok(pairs.length >= at_least, `only ${pairs.length} pairs`);
  assert.ok(pairs.some(({ name }) => name === "malformed"));
  for (const { name, body, expected } of pairs) {
    const { given, ...wanted } = expected;
    const intended = readAs(provider, body, given);
    assert.deepEqual(JSON.parse(JSON.stringify(intended)), wanted, `${provider}/${name}`);
    checkMeant(intended, name);
    const document = parseJsonBytes(body);
    if (document === undefined) continue;
    checkHidden(document, (text) => readAs(provider, new TextEncoder().encode(text), given));
  }
}

const MEMBERS = ["street", "street_number", "city", "postal_code", "region", "country"];
const FAILURES = ["timeout", "error", "unauthorized", "unavailable"];

/** What holds for every answer, whatever was sent. */
export function checkMeant(intended: Meant, what: string): void {
  if (!intended.ok) {
    assert.ok(FAILURES.includes(intended.status), what);
    assert.match(intended.reason, /^[a-z][a-z0-9_]{1,30}$/, what);
    return;
  }
  assert.ok(intended.value.length <= 5, what);
  assert.ok(intended.value.length <= intended.raw, what);
  for (const candidate of intended.value) checkCandidate(candidate, what);
}

function checkCandidate(candidate: Candidate, what: string): void {
  const { name, label, type, location, address, source_place_id, match_quality } = candidate;
  const isText = (value: unknown): boolean =>
    typeof value === "string" && value !== "" && value.trim() === value;
  assert.ok(isText(name) && isText(label), `${what}: ${JSON.stringify(candidate)}`);
  assert.ok(CANDIDATE_TYPES.includes(type), what);
  assert.ok(Math.abs(location.lat) <= 90 && Math.abs(location.lon) <= 180, what);
  assert.ok(location.lat !== 0 || location.lon !== 0, what);
  assert.deepEqual(Object.keys(address), ["formatted", ...MEMBERS], what);
  for (const value of [...Object.values(address), source_place_id])
    assert.ok(value === null || isText(value), `${what}: ${JSON.stringify(candidate)}`);
  if ("match_quality" in candidate) assert.ok(MATCH_QUALITIES.includes(match_quality!), what);
}
