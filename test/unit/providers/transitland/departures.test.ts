/** Departures of Transitland: how it is asked, where its lists end; that nothing it sends throws. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { WireAnswer } from "#providers/lookup.ts";
import { transitlandDepartures } from "#providers/transitland/transitland-departures.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { toWire } from "../../../support/place-fixtures.ts";
import { checkBoards } from "../../../support/transit-checks.ts";
import { BOARD_QUERY, readBoards, SETTINGS, STATION } from "./readers.ts";

const FIXTURES = new URL("../../../fixtures/providers/transitland/", import.meta.url);
type Body = Record<string, any>;
const WHOLE = (
  JSON.parse(readFileSync(new URL("departures.wire.json", FIXTURES), "utf8")) as { body: Body }
).body;
const wireOf = (body: unknown, status = 200): WireAnswer => toWire(JSON.stringify(body), status);

function urlOf(source_id: string, feed_id: string | null = "f-9q9-bart"): URL {
  const station = { ...STATION, source: { ...STATION.source, source_id, feed_id } };
  return new URL(transitlandDepartures.request({ ...BOARD_QUERY, station }, SETTINGS).url);
}

test("by the feed's id and the stop's, or by a Onestop id; no other week's timetable", () => {
  const { pathname, searchParams } = urlOf("MCAR");
  assert.equal(pathname, "/rest/stops/f-9q9-bart%3AMCAR/departures");
  assert.deepEqual(Object.fromEntries(searchParams), {
    next: "3660",
    limit: "200",
    use_service_window: "false",
  });
  assert.equal(urlOf("s-9q9p1-luna").pathname, "/rest/stops/s-9q9p1-luna/departures");
  assert.equal(urlOf("../../x?y").pathname, "/rest/stops/f-9q9-bart%3A..%2F..%2Fx%3Fy/departures");
  assert.equal(urlOf("7", null).pathname, "/rest/stops/7/departures");
});

test("the key is in a header and in no address", () => {
  const { url, auth } = transitlandDepartures.request(BOARD_QUERY, SETTINGS);
  assert.deepEqual(auth, { kind: "headers", headers: { apikey: SETTINGS.api_key } });
  assert.doesNotMatch(decodeURIComponent(url), /s3cret/);
});

test("a platform whose list is full may hold back more", () => {
  const body = structuredClone(WHOLE);
  const [station] = body["stops"] as Body[];
  const [platform] = station!["children"] as Body[];
  const cutOf = (count: number) => {
    const [one] = platform!["departures"] as Body[];
    const departures = Array.from({ length: count }, () => one);
    const children = [{ ...platform, departures }];
    const boards = readBoards(wireOf({ stops: [{ ...station, children }] }));
    assert.ok(boards.ok);
    return boards.value.isCut;
  };
  assert.deepEqual([cutOf(199), cutOf(200)], [false, true]);
});

test("without a station there is no question", () => {
  const boards = readBoards(wireOf(WHOLE), undefined, { station: null });
  assert.deepEqual(boards, { ok: false, status: "error", reason: "wrong_shape" });
});

test("any JSON is a typed failure or departures", () => {
  const members = [
    ...["stops", "id", "children", "departures", "trip", "route", "agency", "frequencies"],
    ...["departure", "scheduled_utc", "estimated_utc", "schedule_relationship", "service_date"],
    ...["feed_version", "feed", "onestop_id", "platform_code", "pickup_type", "timepoint"],
  ];
  const any = fc.oneof(oddJson(members), damaged(WHOLE));
  let departures = 0;
  fc.assert(
    fc.property(any, fc.constantFrom(200, 200, 200, 404, 429, 500), (json, status) => {
      departures += checkBoards(readBoards(wireOf(json, status)), BOARD_QUERY);
    }),
    { numRuns: 1_000 },
  );
  assert.ok(departures > 500, `${departures} departures`);
});
