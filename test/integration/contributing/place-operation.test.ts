/** A new operation whose use case needs what the searches have: no root of the program is changed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFiles, copyTree, filesOf, type Tree } from "./tree.ts";

const ROW =
  "an operation whose use case needs time zones, countries, opening hours, ways on foot, the geocoder or sources";

const CONTRACT = `/** GET /v1/clock: the time zone of a point. */
import { Type } from "typebox";
import { CREDENTIAL_401, ONE_UNIT, type Operation } from "./operation.ts";
import { closed, LAT, LON_ALONE, Text, TOKEN } from "./primitives.ts";

const PointClock = Type.Object(
  { time_zone: Text, local_time: Type.String({ format: "date-time" }) },
  { title: "PointClock", description: "By the name of IANA.", ...closed },
);
const EXAMPLE = { time_zone: "Europe/Paris", local_time: "2026-11-23T10:00:00+01:00" };

export const CLOCK_OPERATIONS = [
  {
    id: "getClock",
    method: "GET",
    path: "/v1/clock",
    tag: "Geocoding",
    summary: "The time zone of a point",
    description: "The time zone of a point and the time there.",
    parameters: { lat: LAT, lon: LON_ALONE, token: TOKEN },
    success: {
      description: "The zone.",
      content: { "application/json": { schema: PointClock, examples: { paris: EXAMPLE } } },
    },
    errors: {
      400: ["invalid_request", "conflicting_credentials"],
      401: CREDENTIAL_401,
      429: ["rate_limited"],
      503: ["overloaded", "shutting_down", "store_unavailable"],
    },
    auth: "optional",
    scope: [],
    charge: ONE_UNIT,
    deadline: { name: "clock", default_ms: 1_000 },
    caching: "by-caller",
    licence_link: true,
    addition: true,
  },
] as const satisfies readonly Operation[];
`;

const USE_CASE = `/** GET /v1/clock: the zone of a point by the maps, and the time there. */
import type { ReplyAt } from "#api/operations.ts";
import type { Location } from "#kit/geo.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import type { Search } from "./search-reply.ts";
import { type FindTimezone, toLocalTime } from "./timezone.ts";

export function createPointClock(deps: {
  timezones: () => Promise<FindTimezone>;
}): Search<Location, ReplyAt<"/v1/clock">> {
  return async ({ question: { lat, lon }, now_ms }) => {
    const time_zone = (await deps.timezones())(lat, lon);
    const body = { time_zone, local_time: toLocalTime(time_zone, now_ms) };
    return { body, max_age_s: 1, metered: ONE_ANSWER };
  };
}
`;

const PROBE = `
import { stubServer } from "./test/support/server.ts";
const { app } = stubServer();
await app.listen({ port: 0, host: "127.0.0.1" });
const url = "http://127.0.0.1:" + app.server.address().port + "/v1/clock?";
const good = await fetch(url + "lat=48.8566&lon=2.3522");
const wrong = await fetch(url + "lat=48.8566");
const found = [await good.json(), good.headers.get("ratelimit"), wrong.status];
await app.close();
console.log(JSON.stringify(found));
`;

function addOperation(tree: Tree): void {
  tree.create("packages/api/clock.ts", CONTRACT);
  const list = "packages/api/operations.ts";
  tree.edit(
    list,
    "  ...GEOCODING_OPERATIONS,",
    "  ...GEOCODING_OPERATIONS,\n  ...CLOCK_OPERATIONS,",
  );
  tree.edit(
    list,
    "import { Health }",
    'import { CLOCK_OPERATIONS } from "./clock.ts";\nimport { Health }',
  );
  tree.create("src/app/clock.ts", USE_CASE);
  const searches = "src/app/places/searches.ts";
  tree.edit(
    searches,
    "} & PlaceSearches",
    "  clock: ReturnType<typeof createPointClock>;\n} & PlaceSearches",
  );
  tree.edit(searches, "    geocode: geo", "    getClock: searches.clock,\n    geocode: geo");
  tree.edit(
    searches,
    "    geocoding: create",
    "    clock: createPointClock(deps),\n    geocoding: create",
  );
  tree.edit(
    searches,
    "import type { StationAccess }",
    'import { createPointClock } from "#app/clock.ts";\nimport type { StationAccess }',
  );
}

function addExpectations(tree: Tree): void {
  const hand = "test/support/by-hand.ts";
  tree.edit(hand, "  getHealth: [200", "  getClock: [200, 400, 401, 429, 503],\n  getHealth: [200");
  tree.edit(hand, "  getHealth: 0", "  getClock: 1,\n  getHealth: 0");
  tree.edit(hand, "  free: {", '  free: { getClock: "/v1/clock?{place}",');
}

test(
  "an operation that needs time zones takes six files, and is served, priced and described",
  { timeout: 600_000 },
  async (t) => {
    const tree = copyTree(t);
    addOperation(tree);
    addExpectations(tree);
    tree.create("test/unit/app/clock.test.ts", "");
    checkFiles(tree, filesOf(ROW, "clock"), 6);
    // Roots of the program, of tests and of the benchmark: none of them needs a line.
    const { code, out } = await tree.compile(
      ...["packages/api", "src/http", "src/main", "src/app/places", "test/support"],
      ...["bench/server.ts", "trials/throws", "trials/density"],
    );
    assert.equal(code, 0, out);
    const [body, limits, wrong] = await tree.probe<[object, string, number]>(PROBE);
    assert.deepEqual(body, {
      time_zone: "Europe/Paris",
      local_time: "2026-11-14T10:30:00+01:00",
    });
    assert.match(limits, /r=4999\b/, "it costs one unit");
    assert.equal(wrong, 400);
    await tree.generate();
    assert.match(tree.read("openapi.json"), /the time there\.\\n\\nUnits: 1\./);
    for (const file of ["trials/density/test/density.test.ts", "trials/throws/throws.test.ts"])
      await tree.pass(file);
  },
);
