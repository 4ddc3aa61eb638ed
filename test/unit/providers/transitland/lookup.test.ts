/** How Transitland is asked, page by page and box by box; that nothing it sends throws. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { TransitQuery } from "#providers/transit-lookup.ts";
import { joinStations } from "#providers/transit-lookup.ts";
import descriptor from "#providers/transitland/index.ts";
import { transitlandStations } from "#providers/transitland/index.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { toWire } from "../../../support/place-fixtures.ts";
import { checkPage } from "../../../support/transit-checks.ts";
import { QUERY, read, SETTINGS } from "./readers.ts";
import { tries } from "../../../support/size.ts";

const FIXTURES = new URL("../../../fixtures/providers/transitland/", import.meta.url);
type Body = { stops: { id: number; location_type: number }[] };
const PLATFORMS = (
  JSON.parse(readFileSync(new URL("platforms.wire.json", FIXTURES), "utf8")) as { body: Body }
).body;

const parametersOf = (query: Partial<TransitQuery>): Record<string, string> => {
  const { url } = transitlandStations.request({ ...QUERY, ...query }, SETTINGS);
  assert.ok(url.startsWith("https://land.example/rest/stops?bbox="));
  return Object.fromEntries(new URL(url).searchParams);
};
const nextOf = (body: unknown, query: Partial<TransitQuery>): string | null => {
  const match = read(toWire(JSON.stringify(body)), undefined, query);
  assert.ok(match.ok);
  return match.value.next;
};

test("a box is asked for, west first, also at zero", () => {
  const { bbox, ...others } = parametersOf({});
  assert.equal(bbox, "-122.411367,37.691006,-122.388633,37.708994");
  assert.deepEqual(others, { include_routes: "true", limit: "1000" });
  assert.equal(parametersOf({ lat: 0, lon: 0 })["bbox"], "-0.008994,-0.008994,0.008994,0.008994");
  assert.equal(parametersOf({ lat: 0, lon: 0 })["lat"], undefined);
});

test("the key is in a header and nowhere else", () => {
  const { url, auth, headers } = transitlandStations.request(QUERY, SETTINGS);
  assert.deepEqual(auth, { kind: "headers", headers: { apikey: SETTINGS.api_key } });
  assert.doesNotMatch(decodeURIComponent(url) + JSON.stringify(headers), /s3cret/);
});

test("language makes no other question, all else does; the terms are linked", () => {
  const { keyOf } = transitlandStations;
  assert.equal(keyOf(QUERY), keyOf({ ...QUERY, language: "en" }));
  for (const other of [{ lat: 1 }, { lon: 1 }, { radius_m: 1 }, { page: "0:7" }])
    assert.notEqual(keyOf(QUERY), keyOf({ ...QUERY, ...other }));
  assert.equal(descriptor.terms.attribution_url, "https://www.transit.land/terms");
});

test("the cursor leads on until there is none, and must move", () => {
  const body = (after?: unknown) => ({ stops: [{ id: 1 }], meta: { after } });
  assert.equal(nextOf(body(1_234), {}), "0:1234");
  assert.equal(parametersOf({ page: "0:1234" })["after"], "1234");
  assert.equal(nextOf(body(1_234), { page: "0:1000" }), "0:1234");
  for (const after of [undefined, null, 0, -1, 1.5, "x", 1_000, 999])
    assert.equal(nextOf(body(after), { page: "0:1000" }), null);
  assert.equal(nextOf({ stops: [], meta: { after: 9 } }, {}), null);
});

test("over the antimeridian the second box follows the last page of the first", () => {
  const query = { lat: -17, lon: 179.999 };
  const boxes = [null, "0:55", "1:", "1:77"].map((page) => parametersOf({ ...query, page }));
  const [first, again, second, further] = boxes;
  assert.match(first!["bbox"]!, /^179\.\d+,-17\.\d+,180,-16\.\d+$/);
  assert.deepEqual(again, { ...first, after: "55" });
  assert.match(second!["bbox"]!, /^-180,-17\.\d+,-179\.\d+,-16\.\d+$/);
  assert.equal(second!["after"], undefined);
  assert.deepEqual(further, { ...second, after: "77" });
  const full = { stops: [{ id: 1 }], meta: { after: 55 } };
  assert.equal(nextOf(full, query), "0:55");
  assert.equal(nextOf({ stops: [] }, query), "1:");
  assert.equal(nextOf(full, { ...query, page: "1:" }), "1:55");
  assert.equal(nextOf({ stops: [] }, { ...query, page: "1:" }), null);
});

test("platforms that pages tore apart are one station again", () => {
  const { stops } = PLATFORMS;
  const whole = read(toWire(JSON.stringify({ stops })));
  const parts = stops.map((stop) => read(toWire(JSON.stringify({ stops: [stop] }))));
  assert.ok(whole.ok);
  const joined = joinStations(parts.flatMap((part) => (part.ok ? part.value.stations : [])));
  const inShort = (stations: typeof joined) =>
    new Map(
      stations.map(({ source, modes, routes }) => [
        source.source_id,
        [modes, routes.map(({ id }) => id)],
      ]),
    );
  assert.equal(joined.length, 4);
  assert.deepEqual(inShort(joined), inShort(whole.value.stations));
});

test("any JSON is a typed failure or stations", () => {
  const members = [
    ...["stops", "meta", "after", "id", "stop_id", "onestop_id", "stop_name", "location_type"],
    ...["geometry", "coordinates", "parent", "place", "adm1_iso", "feed_version", "fetched_at"],
    ...["feed", "route_stops", "route", "route_id", "route_type", "agency", "agency_id", "error"],
  ];
  const any = fc.oneof(oddJson(members), damaged(PLATFORMS));
  let stations = 0;
  fc.assert(
    fc.property(any, fc.constantFrom(200, 200, 200, 500), (json, status) => {
      stations += checkPage(read(toWire(JSON.stringify(json), status)));
    }),
    { numRuns: tries(1_000) },
  );
  assert.ok(stations > 50, `${stations} stations`);
});
