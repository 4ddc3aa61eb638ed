/** The table of strictness: each row is a request that common validators accept or mend. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NEARBY_PARAMETERS } from "#api/nearby.ts";
import { defaultsOf, type Parameters } from "#api/primitives.ts";
import { SOURCES_PARAMETERS } from "#api/sources.ts";
import { WALK_PACE } from "#api/walk.ts";
import { compileQuery } from "#http/validation.ts";
import { nearbyRequests, sourcesRequests } from "../../support/requests.ts";
import { measureCpu, tries } from "../../support/size.ts";

const nearby = compileQuery({ parameters: NEARBY_PARAMETERS });
const sources = compileQuery({ parameters: SOURCES_PARAMETERS, together: ["lat", "lon"] });

function decode(query: string) {
  return nearby.decode(nearby.scan(query));
}

const { lat: _lat, lon: _lon, ...ADDITIONS } = defaultsOf<Parameters>(NEARBY_PARAMETERS);
/** Those of the contract by hand. */
const DEFAULTS = {
  ...ADDITIONS,
  radius: 400,
  modes: ["bicycle", "scooter", "moped", "car"],
  include: ["stations", "vehicles"],
  limit: 100,
  offset: 0,
  format: "json",
  debug: false,
};

const ACCEPTED: [query: string, value: object][] = [
  ["lat=1&lon=2", { lat: 1, lon: 2, ...DEFAULTS }],
  ["lat=1&lng=2", { lat: 1, lon: 2, ...DEFAULTS }],
  ["lat=1&lon=2&lng=2.0", { lat: 1, lon: 2, ...DEFAULTS }],
  ["lat=-0&lon=1e-7", { lat: 0, lon: 1e-7, ...DEFAULTS }],
  ["lat=90&lon=-180", { lat: 90, lon: -180, ...DEFAULTS }],
  ["&&lat=1&&lon=2&", { lat: 1, lon: 2, ...DEFAULTS }],
  ["l%61t=%31&lon=2", { lat: 1, lon: 2, ...DEFAULTS }],
  ["lat=1&lon=2&radius=5000", { lat: 1, lon: 2, ...DEFAULTS, radius: 5000 }],
  ["lat=1&lon=2&limit=100000", { lat: 1, lon: 2, ...DEFAULTS, limit: 100_000 }],
  [`lat=1&lon=2&limit=1${"0".repeat(30)}`, { lat: 1, lon: 2, ...DEFAULTS, limit: 1e30 }],
  [
    "lat=1&lon=2&modes=+car+,bicycle,car",
    { lat: 1, lon: 2, ...DEFAULTS, modes: ["car", "bicycle"] },
  ],
  [
    "lat=1&lon=2&format=geojson&debug=true",
    { lat: 1, lon: 2, ...DEFAULTS, format: "geojson", debug: true },
  ],
  ["lat=1&lon=2&Lat=x&foo=%zz&%ff", { lat: 1, lon: 2, ...DEFAULTS }],
];

for (const [query, value] of ACCEPTED) {
  // Proves §8 nearby
  test(`accepts ${query}`, () => assert.deepEqual(decode(query), { ok: true, value }));
}

test("-0 does not survive", () => {
  const decoded = decode("lat=-0&lon=-0.0");
  assert.ok(decoded.ok && Object.is(decoded.value.lat, 0) && Object.is(decoded.value.lon, 0));
});

const LAT_RULE = "a number from -90 to 90 (degrees)";
const LON_RULE = "a number from -180 to 180 (degrees)";
const LIMIT_RULE = "limit must be an integer >= 1";
const MODES_RULE = "modes must be a comma-separated list of bicycle, scooter, moped, car";

const REFUSED: [query: string, message: string][] = [
  ["", `lat is required and must be ${LAT_RULE}`],
  ["lat=1", `lon (or lng) is required and must be ${LON_RULE}`],
  ...[
    "Infinity",
    "-Infinity",
    "NaN",
    "1e999",
    "1e400",
    "",
    "%20",
    "+",
    "0x10",
    "true",
    "1.",
    ".5",
    "%2B1",
    "91",
    "1e1234",
  ].map((text): [string, string] => [`lat=${text}&lon=2`, `lat must be ${LAT_RULE}`]),
  ["lat&lon=2", `lat must be ${LAT_RULE}`],
  ["lat=1&lng=181", `lng must be ${LON_RULE}`],
  ["lat=1&lon=181", `lon must be ${LON_RULE}`],
  ["lat=1&lon=2&lng=3", "lon and lng differ; give one of them"],
  ["lat=1&lon=2&lng=", `lng must be ${LON_RULE}`],
  ["lat=1&lon=&lng=2", `lon must be ${LON_RULE}`],
  ["lat=1&lat=1&lon=2", "lat must be given once"],
  ["lat=1&lon=2&l%6fn=2", "lon must be given once"],
  ["lat=1&lng=2&lng=2", "lng must be given once"],
  ["lat=%zz&lon=2", "lat must be valid percent-encoded UTF-8"],
  ["lat=%4&lon=2", "lat must be valid percent-encoded UTF-8"],
  ["lat=1&lon=2&modes=%c3%28", "modes must be valid percent-encoded UTF-8"],
  ["lat=1&lon=2&modes=%ed%a0%80", "modes must be valid percent-encoded UTF-8"],
  ["lat=1&lon=2&radius=Infinity", "radius must be a number >= 1 (metres)"],
  ["lat=1&lon=2&radius=0.99", "radius must be a number >= 1 (metres)"],
  ["lat=1&lon=2&limit=5.5", LIMIT_RULE],
  ["lat=1&lon=2&limit=1e2", LIMIT_RULE],
  ["lat=1&lon=2&limit=0", LIMIT_RULE],
  [`lat=1&lon=2&limit=${"9".repeat(400)}`, LIMIT_RULE],
  ["lat=1&lon=2&offset=-1", "offset must be an integer >= 0"],
  ["lat=1&lon=2&debug=1", "debug must be true or false"],
  ["lat=1&lon=2&debug=", "debug must be true or false"],
  ["lat=1&lon=2&format=xml", "format must be one of json, geojson"],
  ["lat=1&lon=2&modes=", MODES_RULE],
  ["lat=1&lon=2&modes=Bicycle", MODES_RULE],
  ["lat=1&lon=2&modes=bicycle,", MODES_RULE],
  ["lat=1&lon=2&modes=other", MODES_RULE],
  ["lat=1&lon=2&modes=toString", MODES_RULE],
  [
    "lat=1&lon=2&include=stations,,vehicles",
    "include must be a comma-separated list of places, lines, stations, vehicles, alerts, zones, prices",
  ],
];

for (const [query, message] of REFUSED) {
  // Proves §7 rule 1
  test(`refuses ${query}`, () => {
    assert.deepEqual(decode(query), { ok: false, code: "invalid_request", message });
  });
}

test("sources takes a point whole or not at all", () => {
  const decodeSources = (query: string) => sources.decode(sources.scan(query));
  assert.ok(decodeSources("").ok);
  assert.ok(decodeSources("lat=1&lng=2").ok);
  const half = decodeSources("lat=1");
  assert.ok(!half.ok && half.message === "lat and lon must be given together");
});

test("what is implied by another parameter cannot be given as false", () => {
  const at = "lat=1&lon=2";
  const implying = ["sort=walk", "within_minutes=5", "profile=step_free", "speed=1"];
  for (const each of implying) {
    const [name] = each.split("=");
    const message = `walk=false and ${name} exclude each other; leave one of them out`;
    for (const query of [`${at}&walk=false&${each}`, `${at}&${each}&walk=false`])
      assert.deepEqual(decode(query), { ok: false, code: "invalid_request", message });
    for (const query of [`${at}&${each}`, `${at}&walk=true&${each}`])
      assert.equal(decode(query).ok, true, query);
  }
  const defaults = "sort=distance&profile=foot&speed=1.33";
  assert.deepEqual(decode(`${at}&walk=false&${defaults}`), decode(at));
  // Where it is no parameter there is nothing to contradict.
  const pace = compileQuery({ parameters: WALK_PACE });
  assert.equal(pace.decode(pace.scan("walk=false&speed=1")).ok, true);
});

test("names of object members are unknown parameters", () => {
  assert.deepEqual(
    decode("lat=1&lon=2&__proto__=1&constructor=x&toString="),
    decode("lat=1&lon=2"),
  );
});

test("a long query costs no more than its length", () => {
  const query = `lat=1&lon=2&${"a&".repeat(200_000)}`;
  const cpu_ms = measureCpu(() => assert.ok(decode(query).ok));
  assert.ok(cpu_ms < 2_000, `${cpu_ms} ms`);
});

for (const [name, decoder, arbitrary] of [
  ["/v1/nearby", nearby, nearbyRequests()],
  ["/v1/sources", sources, sourcesRequests()],
] as const) {
  test(`${name}: the verdict on generated queries is the grammar's`, () => {
    fc.assert(
      fc.property(arbitrary, ({ url, valid, why }) => {
        const raw = url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
        const decoded = decoder.decode(decoder.scan(raw));
        assert.equal(decoded.ok, valid, `${url} (${why})`);
        if (!decoded.ok) assert.match(decoded.message, new RegExp(`\\b(${why}|lng)\\b`));
      }),
      { numRuns: tries(3000) },
    );
  });
}
