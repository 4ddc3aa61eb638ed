/** Recorded answers and extracts of the open map, where they are at hand: nothing throws or is lost. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { type Place, PLACE_KINDS, type PlaceKind } from "#core/places/place.ts";
import { createTrail } from "#kit/trail.ts";
import { openFeatures } from "#providers/geojson-features.ts";
import { openMapServices } from "#providers/openstreetmap/overpass.ts";
import { geodaeRegister } from "#providers/geodae/index.ts";
import { sized } from "../../../support/size.ts";
import { readRegistry } from "./pairs.ts";
import { readPbf } from "./pbf.ts";
import { checkPlace } from "./place-checks.ts";

const DATA = new URL("../../../../../shared/data/", import.meta.url);
const SETTINGS = { url: "https://map.example/api", timeout_ms: 1_000 };

const at = (path: string): URL => new URL(path, DATA);

function read(body: Uint8Array, kinds: readonly PlaceKind[] = PLACE_KINDS) {
  const trail = createTrail();
  const wire = { status: 200, content_type: null, body };
  const found = openMapServices.read(wire, { kinds, boxes: [] }, { settings: SETTINGS, trail });
  return { found, dropped: trail.toTrail().dropped };
}

test("recorded answers of Overpass: remarks of runtime errors are failures", (t) => {
  const folder = at("responses/overpass/");
  if (!existsSync(folder)) return t.skip("no responses/overpass in ../shared/data");
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  const failed: string[] = [];
  for (const file of files) {
    const { found } = read(readFileSync(new URL(file, folder)));
    if (found.ok) for (const place of found.value) checkPlace(place);
    else failed.push(`${file} ${found.status} ${found.reason}`);
  }
  t.diagnostic(`${files.length} bodies`);
  assert.equal(files.length, 18);
  assert.deepEqual(failed, ["remark-runtime-error-01.json timeout query_timeout"]);
});

test("defibrillators of Switzerland, as Overpass gave them", (t) => {
  const file = at("services/defibrillators-switzerland-2020/overpass.json.gz");
  if (!existsSync(file)) return t.skip("no defibrillators-switzerland-2020 in ../shared/data");
  const { found, dropped } = read(gunzipSync(readFileSync(file)));
  assert.ok(found.ok);
  const places = found.value.filter(({ kind }) => kind === "aed");
  for (const place of found.value) checkPlace(place);
  t.diagnostic(`${found.raw} elements, ${places.length} defibrillators`);
  assert.equal(found.raw, 1_550);
  // access=no and access=private of its SOURCE.md.
  assert.deepEqual(
    dropped.map(({ reason, count }) => [reason, count]),
    [["not_public", 8]],
  );
  assert.equal(places.length, 1_542);
});

test("defibrillators of a campus: features that are no rows of the French register", (t) => {
  const file = at("services/defibrillators-rennes-campus-2022/defibrillateurs.geojson");
  if (!existsSync(file)) return t.skip("no defibrillators-rennes-campus-2022 in ../shared/data");
  const body = readFileSync(file);
  const rows = [...openFeatures(body)!.rows()];
  t.diagnostic(`${rows.length} features`);
  assert.equal(rows.length, 25);
  assert.deepEqual(rows, JSON.parse(body.toString()).features);
  const { places, dropped } = readRegistry(geodaeRegister, body, SETTINGS);
  assert.deepEqual([places, dropped.map((d) => [d.reason, d.count])], [[], [["id_missing", 25]]]);
});

/** As counted in each SOURCE.md: `amenity=toilets 17` and so on, nodes, ways and relations. */
const COUNTED = /(amenity|emergency|internet_access)=(\w+) (\d+)/g;
const KINDS: Readonly<Record<string, PlaceKind>> = {
  toilets: "toilets",
  drinking_water: "water",
  fountain: "water",
  defibrillator: "aed",
  parking: "parking",
  charging_station: "charging",
  parcel_locker: "locker",
  wlan: "wifi",
};

/** Small ones that have every kind together. */
const SAMPLE = ["helsinki-centre-2019", "monaco-2023"];
const isTried = (name: string): boolean => sized(SAMPLE.includes(name), true);

test("extracts of the open map: every tagged thing comes out or has its reason", (t) => {
  const folder = at("osm/");
  if (!existsSync(folder)) return t.skip("no osm in ../shared/data");
  const totals = new Map<string, number>();
  let extracts = 0;
  let compared = 0;
  for (const name of readdirSync(folder).sort().filter(isTried)) {
    const file = new URL(`${name}/${name}.osm.pbf`, folder);
    if (!existsSync(file)) continue;
    extracts++;
    const elements = readPbf(readFileSync(file));
    const source = readFileSync(new URL(`${name}/SOURCE.md`, folder), "utf8");
    for (const [, key, value, count] of source.matchAll(COUNTED)) {
      const tagged = elements.filter(({ tags }) => tags[key!] === value);
      assert.equal(tagged.length, Number(count), `${name} ${key}=${value}`);
      compared++;
      const kind = KINDS[value!];
      if (kind) checkKind(kind, tagged, totals);
    }
    // In answers of the size that one question gets.
    for (let from = 0; from < elements.length; from += 10_000) {
      const answer = { elements: elements.slice(from, from + 10_000) };
      const { found } = read(Buffer.from(JSON.stringify(answer)));
      assert.ok(found.ok);
      for (const place of found.value) checkPlace(place);
      addUp(found.value, totals);
    }
  }
  const lines = [...totals].map(([what, number]) => `${what} ${number}`).sort();
  t.diagnostic(`${extracts} extracts, ${compared} counts compared: ${lines.join(", ")}`);
  assert.equal(extracts, sized(SAMPLE.length, 9));
  assert.ok(compared >= sized(10, 40), `${compared}`);
  for (const kind of PLACE_KINDS) assert.ok((totals.get(kind) ?? 0) > 0, kind);
});

function checkKind(kind: PlaceKind, elements: unknown[], totals: Map<string, number>): void {
  const { found, dropped } = read(Buffer.from(JSON.stringify({ elements })), [kind]);
  assert.ok(found.ok);
  const lost = dropped.reduce((sum, each) => sum + each.count, 0);
  assert.equal(found.value.length + lost, elements.length, kind);
  for (const { reason, count: number } of dropped) {
    assert.notEqual(reason, "not_a_service", kind);
    totals.set(`-${kind} ${reason}`, (totals.get(`-${kind} ${reason}`) ?? 0) + number);
  }
}

function addUp(places: readonly Place[], totals: Map<string, number>): void {
  for (const { kind } of places) totals.set(kind, (totals.get(kind) ?? 0) + 1);
}
