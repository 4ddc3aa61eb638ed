/** Stations of a MOTIS answer about rentals (mobility.md 4.3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { getField, modesOf } from "#stations/shard/bits.ts";
import { feedOf, observationsOf } from "#stations/shard/observations.ts";
import { openStatics } from "#stations/shard/shard-statics.ts";
import type { IngestResult } from "#stations/feed.ts";
import { ingest } from "#providers/protocols.ts";
import { tries } from "../../../support/size.ts";

const STATION = {
  id: "1003",
  providerId: "spree",
  name: "Rathaus",
  lat: 52.52,
  lon: 13.4,
  numVehiclesAvailable: 4,
  isRenting: true,
  formFactors: ["BICYCLE", "CARGO_BICYCLE"],
};
const PROVIDERS = [
  { id: "spree", name: "Spree Bikes", operator: "Räder GmbH" },
  { id: "lime", name: "Lime" },
];

function read(stations: unknown, url = "https://motis.example/api/v1/rentals"): IngestResult {
  return readText(JSON.stringify({ providers: PROVIDERS, stations, vehicles: [] }), url);
}

function readText(text: string, url = "https://motis.example/api/v1/rentals"): IngestResult {
  const bytes = new TextEncoder().encode(text);
  return ingest({
    protocol: "motis",
    url,
    system_id: "motis:spree",
    mode_hint: null,
    name: null,
    network: null,
    has_vehicle_feed: false,
    now_ms: 0,
    statics: null,
    bodies: { station_information: { bytes, fetched_at_ms: 0 } },
  });
}

test("a station with the publisher's own key; its copied counts are not taken for live ones", () => {
  const result = read([STATION]);
  assert.equal(result.status, null);
  const statics = openStatics(result.statics!);
  assert.deepEqual(observationsOf(statics, 0), [
    {
      feed: 0,
      id: "1003",
      name: "Rathaus",
      lat: 52.52,
      lon: 13.4,
      modes: 1,
      capacity: null,
      virtual: null,
      keys: { station_id: "1003" },
    },
  ]);
  assert.deepEqual(feedOf(statics).names, ["Spree Bikes", "Räder GmbH"]);
});

test("an address that names a provider leaves the others out", () => {
  const both = [STATION, { ...STATION, id: "7", providerId: "lime" }];
  assert.equal(openStatics(read(both).statics!).count, 2);
  const one = read(both, "https://motis.example/api/v1/rentals?radius=9#provider=lime");
  assert.deepEqual(
    observationsOf(openStatics(one.statics!), 0).map(({ id }) => id),
    ["7"],
  );
});

test("form factors are modes", () => {
  const modes = (formFactors: unknown) =>
    modesOf(getField(openStatics(read([{ ...STATION, formFactors }]).statics!).state[0]!, "modes"));
  assert.deepEqual(modes(["SCOOTER_STANDING", "CAR"]), ["scooter", "car"]);
  assert.deepEqual(modes(undefined), ["bicycle"]);
  assert.deepEqual(modes(["OTHER"]), []);
});

test("bad rows go, what is no such answer is refused, and nothing throws", () => {
  const { files } = read([STATION, { ...STATION }, { ...STATION, id: "2", lat: "x" }, 1]);
  assert.ok(files.station_information?.ok);
  assert.equal(files.station_information.accepted, 1);
  for (const text of ["", "[]", "{}", '{"error":"no"}'])
    assert.equal(readText(text).files.station_information?.ok, false, text);
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(STATION)), fc.jsonValue(), (member, value) => {
      read([STATION, { ...STATION, id: "2", [member]: value }, value]);
      readText(JSON.stringify({ providers: value, stations: [STATION] }));
    }),
    { numRuns: tries(200) },
  );
});
