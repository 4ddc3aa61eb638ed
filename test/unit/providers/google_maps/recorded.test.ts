/**
 * Every recorded body of geocoders, Google's and others', read by every reader: none may throw, and
 * what comes of it is a typed failure or candidates that keep to §2.2. The bodies are not ours to
 * ship: they are looked for next to the repository.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { CANDIDATE_TYPES, type Candidate, MATCH_QUALITIES } from "#osm/geocoder/candidate.ts";
import type { Place } from "#core/places/place.ts";
import { READERS, toWire, type ReaderName } from "./readers.ts";

const DATA = new URL("../../../../../shared/data/responses/", import.meta.url);
/** Folder, bodies in it, and how many of them Geocoding's reader takes for an answer. */
const FOLDERS = [
  ["geocoders/google-geocoding", 20, 18],
  ["geocoders/google-places-legacy", 8, 7],
  ["geocoders/error-and-edge", 32, 5],
  ["google-client-fixtures", 15, 8],
] as const;
const STATUSES = ["timeout", "error", "unauthorized", "unavailable"];

for (const [folder, count, answers] of FOLDERS) {
  test(`recorded bodies of ${folder}`, (t) => {
    const at = new URL(`${folder}/`, DATA);
    if (!existsSync(at)) return t.skip(`no ${folder} in ../shared/data`);
    const files = readdirSync(at).filter((file) => /\.(json|txt)$/.test(file));
    assert.equal(files.length, count);
    const read = files.map((file) => scan(readFileSync(new URL(file, at)), file));
    assert.equal(read.filter(Boolean).length, answers);
  });
}

test("no recorded answer of Geocoding loses a result", (t) => {
  const at = new URL("geocoders/google-geocoding/", DATA);
  if (!existsSync(at)) return t.skip("no geocoders in ../shared/data");
  let candidates = 0;
  for (const file of readdirSync(at)) {
    const { read, trail } = READERS.geocode(toWire(readFileSync(new URL(file, at))));
    assert.deepEqual(trail, { dropped: [], repaired: [] }, file);
    if (!read.ok) continue;
    assert.equal(read.value.length, Math.min(5, read.raw), file);
    for (const { type, label } of read.value as Candidate[])
      assert.notEqual(type, "unknown", label);
    candidates += read.value.length;
  }
  assert.equal(candidates, 40);
});

/** Whether Geocoding's reader took it for an answer. */
function scan(body: Uint8Array, file: string): boolean {
  for (const name of Object.keys(READERS) as ReaderName[]) {
    const { read } = READERS[name](toWire(body));
    const what = `${file} as ${name}`;
    if (!read.ok) {
      assert.ok(STATUSES.includes(read.status), what);
      assert.match(read.reason, /^[a-z0-9_]+$/, what);
    } else if (name === "parking" || name === "charging") {
      for (const place of read.value as Place[]) assert.ok(place.name && place.external_id, what);
    } else {
      assert.ok(read.value.length <= 5, what);
      for (const candidate of read.value as Candidate[]) checkCandidate(candidate, what);
    }
  }
  return READERS.geocode(toWire(body)).read.ok;
}

function checkCandidate(candidate: Candidate, what: string): void {
  const { name, label, type, location, address, source_place_id, match_quality } = candidate;
  for (const text of [name, label]) assert.ok(text.trim() !== "", what);
  assert.ok(CANDIDATE_TYPES.includes(type), what);
  assert.ok(Math.abs(location.lat) <= 90 && Math.abs(location.lon) <= 180, what);
  const members = [...Object.values(address), source_place_id];
  assert.equal(members.length, 8, what);
  for (const member of members) assert.ok(member === null || member.trim() !== "", what);
  if ("match_quality" in candidate) assert.ok(MATCH_QUALITIES.includes(match_quality!), what);
}
