/** Routes of stations: of every trip that calls there, also of those whose times are not kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { feedOf, SMALL } from "../../../../test/support/gtfs.ts";

const MOST_CALLS = 5_000;

/** Routes by the id of their station. */
function routesBy(texts: Readonly<Record<string, string>>): Record<string, string[]> {
  const { feed } = feedOf({ ...SMALL, ...texts });
  return Object.fromEntries(
    feed.stations.map(({ id, routes }) => [id, routes.map((route) => feed.routes[route]!.id)]),
  );
}

test("a trip with too many calls has no times, and all of its stops have its route", () => {
  const count = MOST_CALLS + 3;
  const ids = Array.from({ length: count }, (_, i) => `S${i}`);
  const rows = ids.map((id, i) => `T1,${id},${i},08:00:00,08:00:00`);
  const routes = routesBy({
    "stops.txt": `stop_id,stop_name,stop_lat,stop_lon\n${ids.map((id) => `${id},${id},48,2`).join("\n")}\n`,
    "stop_times.txt": `trip_id,stop_id,stop_sequence,arrival_time,departure_time\n${rows.join("\n")}\n`,
  });
  assert.equal(Object.keys(routes).length, count);
  for (const id of ["S0", `S${MOST_CALLS}`, `S${count - 1}`]) assert.deepEqual(routes[id], ["R1"]);
});

test("routes of stations are those of all rows, in whatever order these come", () => {
  const arbRow = fc.tuple(fc.nat(5), fc.nat(6), fc.nat(9));
  fc.assert(
    fc.property(fc.array(arbRow, { minLength: 1, maxLength: 40 }), (rows) => {
      const expected: Record<string, Set<string>> = {};
      // Trip i is one of route i % 3; stops 2k and 2k + 1 are of station k.
      for (const [trip, stop] of rows)
        (expected[`S${stop >> 1}`] ??= new Set()).add(`R${trip % 3}`);
      const stops = Array.from({ length: 7 }, (_, i) => `P${i},P,48,2,0,S${i >> 1}`);
      const stations = Array.from({ length: 4 }, (_, i) => `S${i},S,48,2,1,`);
      const routes = routesBy({
        "routes.txt": "route_id,route_type\nR0,3\nR1,3\nR2,3\n",
        "stops.txt": `stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n${[...stops, ...stations].join("\n")}\n`,
        "trips.txt": `trip_id,route_id,service_id\n${[0, 1, 2, 3, 4, 5].map((i) => `T${i},R${i % 3},W`).join("\n")}\n`,
        "stop_times.txt": `trip_id,stop_id,stop_sequence,arrival_time,departure_time\n${rows.map(([trip, stop, sequence]) => `T${trip},P${stop},${sequence},08:00:00,08:00:00`).join("\n")}\n`,
      });
      assert.deepEqual(
        routes,
        Object.fromEntries(Object.entries(expected).map(([id, set]) => [id, [...set].sort()])),
      );
    }),
  );
});
