/** Departures of MOTIS: how it is asked, where its list ends; that nothing it sends throws. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { WireAnswer } from "#providers/lookup.ts";
import { motisDepartures } from "#providers/motis/motis-departures.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { toWire } from "../../../support/place-fixtures.ts";
import { checkBoards } from "../../../support/transit-checks.ts";
import { BOARD_QUERY, readBoards, SETTINGS } from "./readers.ts";

const FIXTURES = new URL("../../../fixtures/providers/motis/", import.meta.url);
type Body = Record<string, any>;
const WHOLE = (
  JSON.parse(readFileSync(new URL("departures.wire.json", FIXTURES), "utf8")) as { body: Body }
).body;
const wireOf = (body: unknown, status = 200): WireAnswer => toWire(JSON.stringify(body), status);

const partsOf = (request: Partial<typeof BOARD_QUERY>): [string, Record<string, string>] => {
  const { url } = motisDepartures.request({ ...BOARD_QUERY, ...request }, SETTINGS);
  const { origin, pathname, searchParams } = new URL(url);
  return [origin + pathname, Object.fromEntries(searchParams)];
};

test("around a point, whatever is asked about; always the later ones", () => {
  const base = "https://motis.example/api/v6/stoptimes";
  const common = { time: "2026-11-23T08:00:00.000Z", n: "200", direction: "LATER" };
  const circle = { center: "52.5,13.4", radius: "520", exactRadius: "true" };
  assert.deepEqual(partsOf({}), [base, { ...circle, arriveBy: "false", ...common }]);
  assert.deepEqual(partsOf({ kind: "arrivals", language: "de" }), [
    base,
    { ...circle, arriveBy: "true", language: "de", ...common },
  ]);
});

test("names depend on the language", () => {
  const keyOf = (language: string | null) => motisDepartures.keyOf({ ...BOARD_QUERY, language });
  assert.notEqual(keyOf("de"), keyOf(null));
});

test("a full page holds back more, unless its last one is beyond what was asked for", () => {
  const [one] = WHOLE["stopTimes"] as Body[];
  const rows = (count: number, last: string) =>
    Array.from({ length: count }, (_, i) => ({
      ...one,
      tripId: String(i),
      place: { ...one!["place"], ...(i === count - 1 && { departure: last }) },
    }));
  const cutOf = (stopTimes: unknown) => {
    const boards = readBoards(wireOf({ stopTimes }));
    assert.ok(boards.ok);
    return boards.value.isCut;
  };
  assert.equal(cutOf(rows(199, "2026-11-23T08:59:00Z")), false);
  assert.equal(cutOf(rows(200, "2026-11-23T08:59:00Z")), true);
  assert.equal(cutOf(rows(200, "2026-11-23T09:00:00Z")), false);
});

test("any JSON is a typed failure or departures", () => {
  const members = [
    ...["stopTimes", "place", "stopId", "parentId", "name", "lat", "lon", "departure", "mode"],
    ...["scheduledDeparture", "track", "scheduledTrack", "realTime", "cancelled", "tripCancelled"],
    ...["routeId", "routeShortName", "displayName", "agencyId", "agencyName", "pickupDropoffType"],
  ];
  const any = fc.oneof(oddJson(members), damaged(WHOLE));
  let departures = 0;
  fc.assert(
    fc.property(any, fc.constantFrom(200, 200, 200, 404, 422, 500), (json, status) => {
      departures += checkBoards(readBoards(wireOf(json, status)), BOARD_QUERY);
    }),
    { numRuns: 1_000 },
  );
  assert.ok(departures > 500, `${departures} departures`);
});
