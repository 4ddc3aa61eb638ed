/** Stops of MOTIS as stations: golden pairs, how it is asked, that nothing it sends throws. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { LookupSettings, ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import { motisStops } from "#providers/motis/motis-stops.ts";
import type { BoardQuery } from "#providers/transit-departures.ts";
import type { TransitPage, TransitQuery } from "#providers/transit-lookup.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { testGoldenPairs, toWire } from "../../../support/place-fixtures.ts";
import { checkPage } from "../../../support/transit-checks.ts";
import { DEPARTURES, readBoards } from "./readers.ts";
import { tries } from "../../../support/size.ts";

const SETTINGS: LookupSettings = { url: "https://motis.example", timeout_ms: 2_500 };
const QUERY: TransitQuery = { lat: 52.5, lon: 13.4, radius_m: 1_000, language: null, page: null };
const STOP = {
  name: "Rathaus",
  stopId: "de-LUNA_1",
  lat: 52.5,
  lon: 13.4,
  modes: ["BUS", "TRAM"],
  parentId: "de-LUNA_2",
};

function read(
  wire: WireAnswer,
  trail: TrailRecorder = createTrail(),
  query = QUERY,
): ReadAnswer<TransitPage> {
  return motisStops.read(wire, query, { settings: SETTINGS, trail });
}

const NAMES = [
  ...["stops", "dropped-rows", "empty", "too-many"],
  ...["refused-400", "refused-422", "refused-429"],
  ...["malformed-shape", "malformed-rows", "malformed-html"],
];

testGoldenPairs("motis", [...NAMES, ...DEPARTURES], (wire, trail, fixture, name) =>
  DEPARTURES.includes(name)
    ? readBoards(wire, trail, fixture["query"] as Partial<BoardQuery> | undefined)
    : read(wire, trail),
);

const MODES: Readonly<Record<string, readonly string[]>> = {
  tram: ["TRAM"],
  metro: ["SUBWAY"],
  rapid_transit: ["SUBURBAN", "METRO"],
  bus: ["BUS"],
  coach: ["COACH"],
  ferry: ["FERRY"],
  rail: ["HIGHSPEED_RAIL", "LONG_DISTANCE", "NIGHT_RAIL", "REGIONAL_RAIL", "REGIONAL_FAST_RAIL"],
  cable_transport: ["FUNICULAR", "AERIAL_LIFT", "CABLE_CAR"],
  demand_responsive: ["ODM", "FLEX"],
  carpool: ["RIDE_SHARING"],
  other: ["AIRPLANE", "OTHER", "toString"],
};

test("each mode is one of ours", () => {
  for (const [mode, names] of Object.entries(MODES))
    for (const name of names) {
      const match = read(toWire(JSON.stringify([{ ...STOP, modes: [name] }])));
      assert.ok(match.ok);
      assert.deepEqual(match.value.stations[0]!.modes, [mode], name);
    }
});

const urlOf = (query: Partial<TransitQuery>) =>
  motisStops.request({ ...QUERY, ...query }, SETTINGS).url;

test("latitude comes first; both corners hold the circle", () => {
  assert.equal(
    urlOf({}),
    "https://motis.example/api/v6/map/stops?min=52.491006,13.385227&max=52.508994,13.414773&grouped=true",
  );
  assert.equal(new URL(urlOf({ language: "de" })).searchParams.get("language"), "de");
  assert.notEqual(motisStops.keyOf(QUERY), motisStops.keyOf({ ...QUERY, language: "de" }));
  assert.notEqual(motisStops.keyOf(QUERY), motisStops.keyOf({ ...QUERY, page: "1" }));
});

test("a circle over the antimeridian is two pages", () => {
  const query = { ...QUERY, lat: -17, lon: -179.999 };
  const nextOf = (one: TransitQuery) => {
    const match = read(toWire("[]"), createTrail(), one);
    assert.ok(match.ok);
    return match.value.next;
  };
  assert.equal(nextOf(QUERY), null);
  assert.equal(nextOf(query), "1");
  assert.equal(nextOf({ ...query, page: "1" }), null);
  assert.match(urlOf(query), /min=-17\.\d+,-180&max=-16\.\d+,-179\.\d+&/);
  assert.match(urlOf({ ...query, page: "1" }), /min=-17\.\d+,179\.\d+&max=-16\.\d+,180&/);
});

test("any JSON is a typed failure or stations", () => {
  const any = fc.oneof(
    oddJson([...Object.keys(STOP), "error"]),
    fc.array(oddJson(Object.keys(STOP))),
    damaged([STOP, { ...STOP, stopId: "de-LUNA_2" }, { ...STOP, stopId: "3", parentId: null }]),
  );
  let stations = 0;
  fc.assert(
    fc.property(any, fc.constantFrom(200, 200, 200, 500), (json, status) => {
      stations += checkPage(read(toWire(JSON.stringify(json), status)));
    }),
    { numRuns: tries(1_000) },
  );
  assert.ok(stations > 50, `${stations} stations`);
});
