/**
 * Which shapes of a list each reader accepts (decisions, Shapes of lists): the protocol's own, the
 * bare list, and the envelopes that proxies and other releases write. A list of other rows, and an
 * empty one in another shape than the protocol's, is no answer.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJsonBytes } from "#kit/json.ts";
import { createTrail } from "#kit/trail.ts";
import type { WireAnswer } from "#providers/lookup.ts";
import { readNetworkDoc } from "#stations/citybikes/citybikes-network.ts";
import { readNetworks } from "#stations/citybikes/networks.ts";
import { wrapBare } from "#stations/gbfs/bare.ts";
import { readDiscovery, readVersions } from "#stations/gbfs/gbfs-discovery.ts";
import { motisStops } from "#providers/motis/motis-stops.ts";
import { navitiaStopPoints } from "#providers/navitia/stop-points.ts";
import { toWire } from "../../support/place-fixtures.ts";
import { read as readFasta } from "./fasta/readers.ts";
import { read as readInpost } from "./inpost/readers.ts";
import {
  QUERY as NAVITIA_QUERY,
  read as readNavitia,
  SETTINGS as NAVITIA,
} from "./navitia/readers.ts";
import { openAll } from "./ocpi/readers.ts";
import { toPoi } from "./openchargemap/poi.ts";
import { read as readOcm } from "./openchargemap/readers.ts";
import { read as readRefuge } from "./refuge_restrooms/readers.ts";
import { read as readTransitland } from "./transitland/readers.ts";

type Shape = "own" | "bare" | "data" | "items" | "results";
const SHAPES: readonly Shape[] = ["own", "bare", "data", "items", "results"];

type Reader = {
  /** Member of the protocol's own shape; null: the bare list. */
  own: string | null;
  row: object;
  /** How many things are read; null: the document is refused. */
  read(json: unknown): number | null;
  /** Shapes that are refused though they hold its rows. */
  refuses?: readonly Shape[];
  /** Empty lists that are an answer besides the protocol's own. */
  emptyToo?: readonly Shape[];
  /** Under their own name rows are left out one by one, with the reason (mobility.md 1.12). */
  dropsRows?: true;
};

const STOP = { name: "S", coord: { lat: "48.874", lon: "2.295" } };
const at = { lat: 48.874, lon: 2.295 };
const bodyOf = (json: unknown): WireAnswer => toWire(JSON.stringify(json));
const countOf = (match: { ok: boolean; value?: unknown }): number | null => {
  if (!match.ok) return null;
  const { value } = match;
  if (Array.isArray(value)) return value.length;
  const { stations, stops } = value as { stations?: unknown[]; stops?: unknown[] };
  return (stations ?? stops)!.length;
};
const sizeOf = (list: readonly unknown[] | undefined | null): number | null => list?.length ?? null;

const READERS: Readonly<Record<string, Reader>> = {
  "Open Charge Map": {
    own: null,
    row: toPoi([{ ConnectionTypeID: 25 }]),
    read: (json) => countOf(readOcm(bodyOf(json))),
  },
  "Refuge Restrooms": {
    own: null,
    row: { id: 7, name: "R", latitude: 45.5, longitude: -122.6, approved: true },
    read: (json) => countOf(readRefuge(bodyOf(json))),
  },
  InPost: {
    own: "items",
    row: {
      name: "KRA01M",
      type: ["parcel_locker"],
      status: "Operating",
      location: { latitude: 51.5, longitude: -0.12 },
    },
    read: (json) => countOf(readInpost(bodyOf(json))),
  },
  "OCPI locations": {
    own: "data",
    row: { id: "1", coordinates: { latitude: "52.1", longitude: "5.1" }, evses: [] },
    read: (json) => sizeOf(openAll(new TextEncoder().encode(JSON.stringify(json)))),
    // No other module of the protocol is read here.
    emptyToo: SHAPES,
  },
  "Navitia stations": {
    own: "places_nearby",
    row: {
      id: "stop_area:1",
      stop_area: { id: "stop_area:1", ...STOP, physical_modes: [{ id: "physical_mode:Metro" }] },
    },
    read: (json) => countOf(readNavitia(bodyOf(json))),
  },
  "Transitland stops": {
    own: "stops",
    row: {
      id: 1,
      stop_id: "A",
      stop_name: "S",
      location_type: 1,
      geometry: { type: "Point", coordinates: [-122.4, 37.7] },
      feed_version: { fetched_at: "2026-01-01T00:00:00Z", feed: { onestop_id: "f" } },
      route_stops: [{ route: { route_id: "r", route_type: 1 } }],
    },
    read: (json) => countOf(readTransitland(bodyOf(json))),
  },
  "FaSta lifts": {
    own: null,
    row: { equipmentnumber: 1, type: "ELEVATOR", state: "ACTIVE" },
    read: (json) => countOf(readFasta(bodyOf(json))),
  },
  "MOTIS stops": {
    own: null,
    row: { stopId: "de_1", name: "S", ...at, modes: ["SUBWAY"] },
    read: (json) =>
      countOf(
        motisStops.read(
          bodyOf(json),
          { ...NAVITIA_QUERY },
          {
            settings: { url: "https://motis.example", timeout_ms: 1 },
            trail: createTrail(),
          },
        ),
      ),
  },
  "CityBikes networks": {
    own: "networks",
    row: { id: "velo", name: "Velo", location: { latitude: 1, longitude: 2 } },
    read: (json) => sizeOf(readNetworks(json)),
    refuses: ["data", "items", "results"],
  },
  "GBFS stations": {
    own: "stations",
    row: { station_id: "1", name: "S", ...at },
    read: (json) => {
      const data = wrapBare("station_information", json)?.["data"] as { stations: [] } | undefined;
      return sizeOf(data?.stations);
    },
    refuses: ["items", "results"],
    dropsRows: true,
  },
  "GBFS vehicles": {
    own: "bikes",
    row: { bike_id: "1", ...at },
    read: (json) => {
      const data = wrapBare("vehicle_status", json)?.["data"] as { vehicles: [] } | undefined;
      return sizeOf(data?.vehicles);
    },
    refuses: ["items", "results"],
    dropsRows: true,
  },
  "GBFS versions": {
    own: "versions",
    row: { version: "2.3", url: "https://x.test/2.3/gbfs.json" },
    // An answer without versions is one of the version that is there.
    read: (json) => readVersions(json).length || null,
    refuses: ["data", "items", "results"],
  },
  "GBFS discovery": {
    own: "feeds",
    row: { name: "station_status", url: "https://x.test/s.json" },
    read: (json) =>
      readDiscovery(json, { base_url: "https://x.test/gbfs.json" })?.feeds.size ?? null,
    refuses: ["data", "items", "results"],
  },
};

function shaped(shape: Shape, own: string | null, rows: readonly unknown[]): unknown {
  if (shape === "bare" || (shape === "own" && own === null)) return rows;
  const member = shape === "own" ? own! : shape;
  return member === "items" ? { items: rows, next: "https://x.test/2" } : { [member]: rows };
}

for (const [name, { own, row, read, refuses = [], emptyToo = [], dropsRows }] of Object.entries(
  READERS,
)) {
  const isOwn = (shape: Shape): boolean =>
    shape === "own" || shape === own || (shape === "bare" && own === null);
  for (const shape of SHAPES) {
    const isTaken = !refuses.includes(shape);
    test(`${name}: a list that is ${shape} is ${isTaken ? "read" : "no answer"}`, () => {
      assert.equal(read(shaped(shape, own, [row])), isTaken ? 1 : null);
    });
    if (isOwn(shape) || emptyToo.includes(shape)) continue;
    test(`${name}: an empty list that is ${shape} is no answer`, () => {
      assert.equal(read(shaped(shape, own, [])), null);
    });
  }
  test(`${name}: other rows, an error and a text are no answer`, () => {
    const judged = SHAPES.filter((each) => !refuses.includes(each));
    for (const shape of judged.filter((each) => !(dropsRows && each === "own")))
      assert.equal(read(shaped(shape, own, [{ foo: 1 }, 7])), null, shape);
    for (const json of [{ error: "no" }, { errors: [] }, "text", 7, null])
      assert.equal(read(json), null, JSON.stringify(json));
  });
}

test("a network of CityBikes is read in its envelope and bare", () => {
  const network = { id: "velo", name: "Velo", stations: [] };
  for (const json of [{ network }, network])
    assert.equal(readNetworkDoc(json, createTrail())?.network.id, "velo");
  for (const json of [[network], { data: network }, { network: [network] }])
    assert.equal(readNetworkDoc(json, createTrail()), null);
});

const CODES: readonly [status_code: unknown, isRead: boolean][] = [
  [1000, true],
  ["1000", true],
  [1999, true],
  ["Success", true],
  ["SUCCESS", true],
  ["ok", true],
  [undefined, true],
  [null, true],
  [2001, false],
  ["3000", false],
  [999, false],
  ["Failure", false],
  ["", false],
  [true, false],
];

for (const [status_code, isRead] of CODES)
  test(`an OCPI answer of status ${JSON.stringify(status_code)} is ${isRead ? "read" : "a failure"}`, () => {
    const { row, read } = READERS["OCPI locations"]!;
    assert.equal(read({ status_code, data: [row] }), isRead ? 1 : null);
  });

test("stop points of Navitia are read as stations are", () => {
  const row = { id: "stop_point:1", stop_point: { id: "stop_point:1", ...STOP } };
  const read = (json: unknown) =>
    navitiaStopPoints.read(bodyOf(json), NAVITIA_QUERY, {
      settings: NAVITIA,
      trail: createTrail(),
    });
  for (const shape of SHAPES) assert.ok(read(shaped(shape, "places_nearby", [row])).ok, shape);
  assert.ok(!read([]).ok);
  assert.deepEqual(parseJsonBytes(bodyOf([]).body), []);
});
