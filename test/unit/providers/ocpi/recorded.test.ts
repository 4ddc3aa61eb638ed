/** Locations of real operators, and a list that is no OCPI, looked for next to the repository. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { createTrail, droppedCount } from "#kit/trail.ts";
import { checkPlace } from "../../../support/place-fixtures.ts";
import { openAll } from "./readers.ts";

const DATA = new URL("../../../../../shared/data/charging/", import.meta.url);
const FOLDER = new URL("ocpi-locations/", DATA);
/** Locations, and how many are dropped: not to be shown, or without an EVSE that is there. */
const EXPECTED: Readonly<Record<string, readonly [locations: number, dropped: number]>> = {
  "ocpi_2_1_1_locations-fastned.json.gz": [106, 0],
  "ocpi_2_2_1_locations-ev24.json": [11, 0],
  "ocpi_2_2_1_locations-punkt.json.gz": [489, 8],
  "ocpi_2_2_locations-chargesini.json.gz": [448, 76],
  "ocpi_2_2_locations-gaia.json": [4, 1],
  "ocpi_2_2_locations_powergo.json.gz": [489, 3],
};

function load(at: URL): Uint8Array {
  const bytes = readFileSync(at);
  return at.pathname.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

test("locations of operators: every row a station or a reason", (t) => {
  if (!existsSync(FOLDER)) return t.skip("no ocpi-locations in ../shared/data");
  const files = readdirSync(FOLDER).filter((file) => /\.json(\.gz)?$/.test(file));
  assert.equal(files.length, 6);
  const matches: Record<string, [number, number]> = {};
  let powers = 0;
  for (const file of files) {
    const trail = createTrail();
    const rows = openAll(load(new URL(file, FOLDER)), trail);
    assert.ok(rows, file);
    const places = rows.filter((place) => place !== null);
    for (const place of places) checkPlace(place);
    const { dropped } = trail.toTrail();
    assert.equal(places.length + droppedCount(trail.toTrail()), rows.length, file);
    matches[file] = [rows.length, droppedCount(trail.toTrail())];
    powers += (JSON.stringify(places).match(/"max_kw"/g) ?? []).length;
    t.diagnostic(`${file}: ${places.length} of ${rows.length}, ${JSON.stringify(dropped)}`);
  }
  assert.deepEqual(matches, EXPECTED);
  assert.ok(powers > 1_000, "most say how strong they are");
});

test("the register of another country is of another shape", (t) => {
  const at = new URL("bundesnetzagentur/bnetza.json.gz", DATA);
  if (!existsSync(at)) return t.skip("no bundesnetzagentur in ../shared/data");
  assert.equal(openAll(load(at)), null);
});
