/** Departures of Navitia: how it is asked, its clocks, its bounds; that nothing it sends throws. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { WireAnswer } from "#providers/lookup.ts";
import { navitiaDepartures } from "#providers/navitia/navitia-departures.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { toWire } from "../../../support/place-fixtures.ts";
import { checkBoards } from "../../../support/transit-checks.ts";
import { stationOf } from "../../../support/transit.ts";
import { BOARD_QUERY, readBoards, SETTINGS } from "./readers.ts";

const FIXTURES = new URL("../../../fixtures/providers/navitia/", import.meta.url);
type Body = Record<string, any>;
const WHOLE = (
  JSON.parse(readFileSync(new URL("departures-whole.wire.json", FIXTURES), "utf8")) as {
    body: Body;
  }
).body;
const wireOf = (body: unknown, status = 200): WireAnswer => toWire(JSON.stringify(body), status);

test("around a point, longitude first, from a time in UTC; the token is in no address", () => {
  const { url, auth } = navitiaDepartures.request(BOARD_QUERY, SETTINGS);
  const { pathname, searchParams } = new URL(url);
  assert.equal(pathname, "/v1/coverage/2.295;48.874/coords/2.295;48.874/departures");
  assert.deepEqual(Object.fromEntries(searchParams), {
    distance: "520",
    from_datetime: "20261123T080000Z",
    duration: "3600",
    count: "200",
    data_freshness: "realtime",
    disable_geojson: "true",
  });
  assert.deepEqual(auth, { kind: "headers", headers: { Authorization: SETTINGS.token } });
  assert.doesNotMatch(decodeURIComponent(url), /s3cret/);
});

test("of one station by its id, which cannot leave its place in the path", () => {
  const station = stationOf({ source: { provider: "navitia", source_id: "stop_area:../x?a=1/b" } });
  const { url } = navitiaDepartures.request(
    { ...BOARD_QUERY, kind: "arrivals", station },
    SETTINGS,
  );
  const { pathname, searchParams } = new URL(url);
  const id = "stop_area%3A..%2Fx%3Fa%3D1%2Fb";
  assert.equal(pathname, `/v1/coverage/2.35;48.85/stop_areas/${id}/arrivals`);
  assert.equal(searchParams.get("distance"), null);
});

/** One passage at these times, of a run that is known to be live. */
function read(times: Record<string, string>, from: string): (string | null)[] {
  const body = structuredClone(WHOLE);
  const [passage] = body["departures"] as Body[];
  passage!["stop_date_time"] = { data_freshness: "realtime", ...times };
  const from_ms = Date.parse(from);
  const query = { from_ms, to_ms: from_ms + 6 * 3_600_000 };
  const boards = readBoards(wireOf({ ...body, departures: [passage] }), undefined, query);
  assert.ok(boards.ok);
  const departure = boards.value.boards[0]!.departures[0]!;
  return [departure.planned_ms, departure.expected_ms].map((at_ms) =>
    at_ms === null ? null : new Date(at_ms).toISOString().slice(0, 16),
  );
}

test("a delay over the change of clocks keeps its length", () => {
  const autumn = {
    base_departure_date_time: "20261025T025800",
    departure_date_time: "20261025T020300",
  };
  assert.deepEqual(read(autumn, "2026-10-25T01:00:00Z"), ["2026-10-25T00:58", "2026-10-25T01:03"]);
  const again = {
    base_departure_date_time: "20261025T021000",
    departure_date_time: "20261025T021000",
  };
  assert.deepEqual(read(again, "2026-10-25T00:20:00Z"), ["2026-10-25T01:10", "2026-10-25T01:10"]);
  assert.deepEqual(read(again, "2026-10-25T00:09:00Z"), ["2026-10-25T00:10", "2026-10-25T00:10"]);
  const spring = {
    base_departure_date_time: "20260329T015800",
    departure_date_time: "20260329T030300",
  };
  assert.deepEqual(read(spring, "2026-03-29T00:30:00Z"), ["2026-03-29T00:58", "2026-03-29T01:03"]);
});

test("a delay over midnight is of the next day", () => {
  const times = {
    base_departure_date_time: "20261123T235900",
    departure_date_time: "20261124T000400",
  };
  assert.deepEqual(read(times, "2026-11-23T22:30:00Z"), ["2026-11-23T22:59", "2026-11-23T23:04"]);
});

test("a full page may hold back more, and a region of the settings is that of the stations", () => {
  const [passage] = WHOLE["departures"] as Body[];
  const cutOf = (count: number) => {
    const departures = Array.from({ length: count }, () => passage);
    const boards = readBoards(wireOf({ ...WHOLE, departures }));
    assert.ok(boards.ok);
    return boards.value.isCut;
  };
  assert.deepEqual([cutOf(199), cutOf(200)], [false, true]);
  const regionOf = (request: Parameters<typeof readBoards>[2]) => {
    const boards = readBoards(wireOf(WHOLE), undefined, request);
    assert.ok(boards.ok);
    return boards.value.boards[0]!.station.source.region;
  };
  assert.equal(regionOf({}), null);
  assert.equal(regionOf({ region: "fr-lun" }), "fr-lun");
  const station = stationOf({ source: { provider: "navitia", region: "fr-old" } });
  assert.equal(regionOf({ region: "fr-lun", station }), "fr-old");
});

test("any JSON is a typed failure or departures", () => {
  const members = [
    ...["departures", "arrivals", "stop_point", "stop_area", "stop_date_time", "links", "route"],
    ...["display_informations", "context", "timezone", "coord", "lat", "lon", "id", "type", "name"],
    ...["departure_date_time", "base_departure_date_time", "data_freshness", "disruptions"],
  ];
  const any = fc.oneof(oddJson(members), damaged(WHOLE));
  let departures = 0;
  fc.assert(
    fc.property(any, fc.constantFrom(200, 200, 200, 400, 404, 500), (json, status) => {
      departures += checkBoards(readBoards(wireOf(json, status)), BOARD_QUERY);
    }),
    { numRuns: 1_000 },
  );
  assert.ok(departures > 500, `${departures} departures`);
});
