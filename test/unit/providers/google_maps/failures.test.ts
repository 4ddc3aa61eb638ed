/** What a refusal means, by body first and by HTTP second (places.md 0.1, 1.1, 1.5). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { READERS, SETTINGS, toWire } from "./readers.ts";

type FailureCase = readonly [
  name: string,
  http: number,
  body: unknown,
  status: string,
  reason: string,
];

const rpc = (code: number, status: string, ...reasons: string[]): object => ({
  error: {
    code,
    status,
    message: "Project 4711 and key AIzaSecret.",
    details: [{ "@type": "Help", links: [] }, ...reasons.map((reason) => ({ reason }))],
  },
});

const PLACES: readonly FailureCase[] = [
  [
    "bad key as 400",
    400,
    rpc(400, "INVALID_ARGUMENT", "API_KEY_INVALID"),
    "unauthorized",
    "request_denied",
  ],
  [
    "bad key as 403",
    403,
    rpc(403, "PERMISSION_DENIED", "API_KEY_INVALID"),
    "unauthorized",
    "request_denied",
  ],
  [
    "API off",
    403,
    rpc(403, "PERMISSION_DENIED", "SERVICE_DISABLED"),
    "unauthorized",
    "request_denied",
  ],
  [
    "IP blocked",
    403,
    rpc(403, "X", "API_KEY_IP_ADDRESS_BLOCKED"),
    "unauthorized",
    "request_denied",
  ],
  [
    "billing off",
    403,
    rpc(403, "PERMISSION_DENIED", "BILLING_DISABLED"),
    "unauthorized",
    "request_denied",
  ],
  ["no reason", 403, rpc(403, "PERMISSION_DENIED"), "unauthorized", "request_denied"],
  ["401 in HTML", 401, "<html>", "unauthorized", "request_denied"],
  ["quota", 429, rpc(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"), "unavailable", "quota"],
  [
    "quota as 403",
    403,
    rpc(403, "PERMISSION_DENIED", "RATE_LIMIT_EXCEEDED"),
    "unavailable",
    "quota",
  ],
  ["quota without a body", 429, "", "unavailable", "quota"],
  ["bad field", 400, rpc(400, "INVALID_ARGUMENT"), "error", "bad_request"],
  ["400 cut short", 400, '{"error":{"code":4', "error", "bad_request"],
  ["server", 503, rpc(503, "UNAVAILABLE"), "unavailable", "http_503"],
  ["too slow", 504, rpc(504, "DEADLINE_EXCEEDED"), "timeout", "http_504"],
  ["gone", 404, "<html>", "unavailable", "http_404"],
  ["odd", 418, "", "error", "http_418"],
  ["an error under 200", 200, rpc(500, "INTERNAL"), "unavailable", "http_500"],
  ["an error that is none", 200, { error: { code: "x" } }, "error", "wrong_shape"],
  ["not JSON", 200, "<html>", "error", "not_json"],
  ["empty", 200, "", "error", "not_json"],
  ["a list", 200, [], "error", "wrong_shape"],
  ["null", 200, null, "error", "wrong_shape"],
  ["another document", 200, { results: [] }, "error", "wrong_shape"],
  ["places that are none", 200, { places: {} }, "error", "wrong_shape"],
  ["rows that are none", 200, { places: [1, { name: "x" }] }, "error", "wrong_shape"],
];

const GEOCODING: readonly FailureCase[] = [
  ["denied", 200, { status: "REQUEST_DENIED", results: [] }, "unauthorized", "request_denied"],
  ["denied with 403", 403, { status: "REQUEST_DENIED" }, "unauthorized", "request_denied"],
  ["over the query limit", 200, { status: "OVER_QUERY_LIMIT" }, "unavailable", "quota"],
  [
    "over the daily limit",
    200,
    { status: "OVER_DAILY_LIMIT", results: [] },
    "unavailable",
    "quota",
  ],
  ["server", 200, { status: "UNKNOWN_ERROR", results: [] }, "unavailable", "unknown_error"],
  ["our fault", 200, { status: "INVALID_REQUEST", results: [] }, "error", "bad_request"],
  ["our fault with 400", 400, { status: "INVALID_REQUEST" }, "error", "bad_request"],
  ["no results member", 200, { status: "OK" }, "error", "wrong_shape"],
  ["an unknown status", 200, { status: "FINE", results: [] }, "error", "wrong_shape"],
  ["no status", 200, { results: [] }, "error", "wrong_shape"],
  ["nothing", 200, {}, "error", "wrong_shape"],
  ["plain text", 200, "Unable to authenticate the request.", "error", "not_json"],
];

const toText = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body));

for (const [service, names, cases] of [
  ["Places", ["search", "parking", "charging"], PLACES],
  ["Geocoding", ["geocode", "reverse"], GEOCODING],
] as const) {
  for (const [name, http, body, status, reason] of cases) {
    test(`${service}: ${name}`, () => {
      for (const reader of names) {
        const { read } = READERS[reader](toWire(toText(body), http));
        assert.deepEqual(read, { ok: false, status, reason }, reader);
      }
    });
  }
}

test("nothing found is no failure", () => {
  for (const reader of ["search", "parking", "charging"] as const) {
    for (const body of ["{}", '{"places":[]}']) {
      assert.deepEqual(READERS[reader](toWire(body)).read, { ok: true, value: [], raw: 0 });
    }
  }
  for (const body of ['{"status":"ZERO_RESULTS"}', '{"results":[],"status":"ZERO_RESULTS"}']) {
    assert.deepEqual(READERS.geocode(toWire(body)).read, { ok: true, value: [], raw: 0 });
  }
  const bom = toWire('\uFEFF{"status":"ZERO_RESULTS"}');
  assert.equal(READERS.geocode(bom).read.ok, true);
});

test("everything dropped for what it says is an empty list with a trail", () => {
  const gone = { id: "a", businessStatus: "CLOSED_PERMANENTLY" };
  const { read, trail } = READERS.parking(toWire(JSON.stringify({ places: [gone] })));
  assert.deepEqual(read, { ok: true, value: [], raw: 1 });
  assert.equal(trail.dropped[0]?.reason, "closed_permanently");
});

const bad = (message: string, ...details: object[]): string =>
  JSON.stringify({ error: { code: 400, status: "INVALID_ARGUMENT", message, details } });

test("a type that is not known there is reported separately, once", () => {
  const reasonOf = (
    body: string,
    name: "parking" | "charging" = "parking",
    settings = SETTINGS,
  ) => {
    const { read } = READERS[name](toWire(body, 400), settings);
    assert.equal(read.ok, false);
    return read.ok ? "" : read.reason;
  };
  const entry = bad("Unsupported types: parking_garage, parking_lot.");
  assert.equal(reasonOf(entry), "unsupported_type");
  assert.equal(reasonOf(bad('Invalid value "parking_lot".')), "unsupported_type");
  const field = { fieldViolations: [{ field: "included_types", description: "no" }] };
  assert.equal(reasonOf(bad("Bad.", field)), "unsupported_type");
  assert.equal(reasonOf(bad("radius must be positive")), "bad_request");
  assert.equal(reasonOf(bad("FieldMask is a required parameter.")), "bad_request");
  assert.equal(reasonOf(entry, "charging"), "bad_request");
  // The fall-back itself is the last word.
  assert.equal(
    reasonOf(entry, "parking", { ...SETTINGS, parking_types: ["parking"] }),
    "bad_request",
  );
});
