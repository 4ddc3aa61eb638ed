/** Rental stations of the open map, as Overpass answers with them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { getField, modesOf } from "#stations/shard/bits.ts";
import { feedOf, observationsOf } from "#stations/shard/observations.ts";
import { openStatics } from "#stations/shard/shard-statics.ts";
import type { IngestResult } from "#stations/feed.ts";
import { ingest } from "#providers/protocols.ts";
import { tries } from "../../../support/size.ts";

const NODE = {
  type: "node",
  id: 4711,
  lat: 43.6,
  lon: 1.44,
  tags: {
    amenity: "bicycle_rental",
    name: "Place de l'Étoile",
    ref: "12",
    capacity: "18",
    network: "VélôTest",
    operator: "Cycles SA",
  },
};

function read(elements: unknown): IngestResult {
  return readText(JSON.stringify({ version: 0.6, elements }));
}

function readText(text: string): IngestResult {
  return ingest({
    protocol: "openstreetmap",
    url: "https://map.example/api/interpreter",
    system_id: "openstreetmap:toulouse",
    mode_hint: null,
    name: null,
    network: null,
    has_vehicle_feed: false,
    now_ms: 0,
    statics: null,
    bodies: {
      station_information: { bytes: new TextEncoder().encode(text), fetched_at_ms: 0 },
    },
  });
}

const tagged = (tags: object, change: object = {}): object => ({
  ...NODE,
  ...change,
  tags: { ...NODE.tags, ...tags },
});

test("a station: where it is drawn, what it is called, the number on it", () => {
  const statics = openStatics(read([NODE]).statics!);
  assert.deepEqual(observationsOf(statics, 2), [
    {
      feed: 2,
      id: "node/4711",
      name: "Place de l'Étoile",
      lat: 43.6,
      lon: 1.44,
      modes: 1,
      capacity: 18,
      virtual: null,
      keys: { ref: "12" },
    },
  ]);
  const { id, kind, names } = feedOf(statics);
  assert.deepEqual([id, kind], ["openstreetmap:toulouse", "openstreetmap"]);
  assert.deepEqual(names, ["VélôTest", "Cycles SA"]);
});

test("ways are at their centre, and the same number may be a node's, a way's and a relation's", () => {
  const center = { lat: 43.61, lon: 1.45 };
  const way = { type: "way", id: 4711, center, tags: NODE.tags };
  const tags = { ...NODE.tags, ref: "13" };
  const statics = openStatics(read([NODE, way, { ...way, type: "relation", tags }]).statics!);
  const ids = observationsOf(statics, 0).map(({ id }) => id);
  assert.deepEqual(ids.sort(), ["node/4711", "relation/4711", "way/4711"]);
});

test("a car-sharing station rents cars", () => {
  const statics = openStatics(read([tagged({ amenity: "car_sharing" })]).statics!);
  assert.deepEqual(modesOf(getField(statics.state[0]!, "modes")), ["car"]);
});

test("no capacity, or one of 0, is unknown; no name is the number, else a placeholder", () => {
  for (const capacity of [undefined, "0", "many"])
    assert.equal(openStatics(read([tagged({ capacity })]).statics!).capacity[0], -1);
  const named = (tags: object) =>
    observationsOf(openStatics(read([tagged(tags)]).statics!), 0)[0]!.name;
  assert.equal(named({ name: undefined }), "12");
  assert.equal(named({ name: undefined, ref: undefined }), "Station node/4711");
});

test("a document of many networks has the name of none", () => {
  const many = Array.from({ length: 9 }, (_, i) => tagged({ network: `Net ${i}` }, { id: i }));
  const { names } = feedOf(openStatics(read(many).statics!));
  assert.ok(!names.some((name) => name.startsWith("Net 1")), names.join());
});

test("an element that is no rental station is dropped, with its reason", () => {
  const result = read([
    NODE,
    tagged({ amenity: "parking" }, { id: 1 }),
    tagged({ bicycle_rental: "shop" }, { id: 2 }),
    { ...NODE, id: 3, lat: null },
    { ...NODE },
    "nonsense",
  ]);
  const report = result.files.station_information!;
  assert.ok(report.ok);
  assert.equal(report.accepted, 1);
  assert.deepEqual(
    report.trail.dropped.map(({ reason, count }) => [reason, count]),
    [
      ["coordinates_missing", 1],
      ["id_duplicate", 1],
      ["not_a_station", 2],
      ["row_malformed", 1],
    ],
  );
});

test("a body that is no Overpass answer is refused; none found is an answer", () => {
  for (const text of ["", "{}", "[]", '{"elements":{}}', '{"remark":"runtime error"}']) {
    const result = readText(text);
    assert.equal(result.files.station_information?.ok, false, text);
    assert.equal(result.statics, null);
  }
  assert.equal(openStatics(read([]).statics!).count, 0);
});

test("no mutation throws", () => {
  fc.assert(
    fc.property(fc.constantFrom("id", "lat", "tags", "type"), fc.jsonValue(), (place, value) => {
      read([NODE, { ...NODE, id: 5, [place]: value }, tagged({ name: value, ref: value })]);
      readText(JSON.stringify(value));
    }),
    { numRuns: tries(300) },
  );
});

const GONE: readonly [tags: object, reason: string | null][] = [
  [{ operational_status: "closed" }, "out_of_order"],
  [{ operational_status: "Out_of_Order" }, "out_of_order"],
  [{ out_of_order: "yes" }, "out_of_order"],
  [{ missing: "yes" }, "out_of_order"],
  [{ disused: "yes" }, "not_in_use"],
  [{ abandoned: "yes" }, "not_in_use"],
  [{ "disused:amenity": "bicycle_rental" }, "not_in_use"],
  [{ operational_status: "operational" }, null],
  [{ operational_status: "perhaps" }, null],
  [{ disused: "no" }, null],
];

for (const [tags, reason] of GONE)
  test(`a rental station with ${JSON.stringify(tags)} is ${reason === null ? "there" : "left out"}`, () => {
    const { files, statics } = read([tagged(tags)]);
    const report = files.station_information!;
    assert.ok(report.ok);
    assert.deepEqual(
      report.trail.dropped.map((each) => each.reason),
      reason === null ? [] : [reason],
    );
    assert.equal(statics ? openStatics(statics).count : 0, reason === null ? 1 : 0);
  });
