/** A rental dock that is drawn twice on the map, under one number, is one station. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readTexts } from "#kit/bytes.ts";
import { openStatics } from "#stations/shard/shard-statics.ts";
import { openstreetmapProtocol } from "#providers/openstreetmap/osm-stations.ts";
import { NOW_MS } from "../../../support/domain.ts";

type Drawing = { type?: string; id: number; lat: number; tags?: Record<string, string> };

function stationsOf(drawings: readonly Drawing[]): string[] {
  const elements = drawings.map(({ type = "node", id, lat, tags }) => ({
    ...(type === "node" ? { lat, lon: 8 } : { center: { lat, lon: 8 } }),
    type,
    id,
    tags: { amenity: "bicycle_rental", network: "Hub", ref: "7", ...tags },
  }));
  const bytes = new TextEncoder().encode(JSON.stringify({ elements }));
  const { statics, files } = openstreetmapProtocol.ingest({
    protocol: "openstreetmap",
    system_id: "hub",
    url: "https://map.example/",
    name: "Hub",
    mode_hint: null,
    network: null,
    has_vehicle_feed: false,
    now_ms: NOW_MS,
    statics: null,
    bodies: { station_information: { bytes, fetched_at_ms: NOW_MS } },
  });
  assert.ok(files.station_information?.ok);
  return readTexts(openStatics(statics!).ids).sort();
}

test("a node and an area of one number at one place are one station, the first drawing", () => {
  const drawings = [
    { id: 1, lat: 50 },
    { type: "way", id: 2, lat: 50.0001 },
  ];
  assert.deepEqual(stationsOf(drawings), ["node/1"]);
});

test("one number further away, of another network, or none at all is another dock", () => {
  assert.equal(
    stationsOf([
      { id: 1, lat: 50 },
      { id: 2, lat: 50.0005 },
    ]).length,
    2,
  );
  const other = { id: 2, lat: 50, tags: { network: "Rival" } };
  assert.equal(stationsOf([{ id: 1, lat: 50 }, other]).length, 2);
});

/** Without a number: [what, tags of the two, metres apart in millionths of a degree, what is left]. */
const NUMBERLESS: readonly [
  string,
  Record<string, string>,
  Record<string, string>,
  number,
  string[],
][] = [
  ["nothing is said of either", {}, {}, 0, ["node/1"]],
  ["one says more, which is the dock", {}, { name: "Oak", capacity: "12" }, 20, ["way/2"]],
  ["both have one name", { name: "Oak" }, { name: "Oak" }, 30, ["node/1"]],
  ["one alone has a number", { name: "Oak" }, { name: "Oak", ref: "7" }, 0, ["way/2"]],
  ["one names no network", { name: "Oak" }, { name: "Oak", network: "" }, 0, ["node/1"]],
  ["two names", { name: "Oak" }, { name: "Elm" }, 0, ["node/1", "way/2"]],
  ["two sizes", { capacity: "10" }, { capacity: "24" }, 0, ["node/1", "way/2"]],
  ["two numbers", { ref: "7" }, { ref: "8" }, 0, ["node/1", "way/2"]],
  ["two networks", {}, { network: "Rival" }, 0, ["node/1", "way/2"]],
  ["two kinds", {}, { amenity: "car_sharing" }, 0, ["node/1", "way/2"]],
  ["eight metres apart", {}, {}, 72, ["node/1", "way/2"]],
];

for (const [what, first, second, millionths, left] of NUMBERLESS)
  test(`drawn twice at one point: ${what}`, () => {
    const drawings = [
      { id: 1, lat: 50, tags: { ref: "", ...first } },
      { type: "way", id: 2, lat: 50 + millionths / 1e6, tags: { ref: "", ...second } },
    ];
    assert.deepEqual(stationsOf(drawings), left);
    assert.deepEqual(stationsOf(drawings.toReversed()).length, left.length);
  });
