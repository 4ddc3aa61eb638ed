/** How an OCPI endpoint is asked, and that nothing it sends throws. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ocpiLocations } from "#providers/ocpi/index.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { checkPlace } from "../../../support/place-fixtures.ts";
import { createTrail } from "#kit/trail.ts";
import { toLocation } from "./location.ts";
import { openAll, SETTINGS } from "./readers.ts";

test("the token is sent as Base64 of its UTF-8, in a header alone", () => {
  const [request, ...others] = ocpiLocations.requests(SETTINGS);
  assert.equal(others.length, 0);
  assert.equal(request!.url, SETTINGS.url);
  assert.deepEqual(request!.auth, {
    kind: "headers",
    headers: { Authorization: `Token ${Buffer.from("sécret").toString("base64")}` },
  });
  const { auth: _, ...rest } = request!;
  assert.doesNotMatch(JSON.stringify(rest), /s.cret|Token/);
});

test("or as it is, or not at all", () => {
  const authOf = (more: Partial<typeof SETTINGS>): unknown =>
    ocpiLocations.requests({ ...SETTINGS, ...more })[0]!.auth;
  assert.deepEqual(authOf({ token: "abc", token_raw: true }), {
    kind: "headers",
    headers: { Authorization: "Token abc" },
  });
  assert.deepEqual(authOf({ token: null }), { kind: "none" });
});

test("nothing to show is shown where nothing has to be", () => {
  const body = new TextEncoder().encode(JSON.stringify([toLocation([])]));
  const settings = { ...SETTINGS, attribution: null };
  const trail = {
    drop: () => {},
    repair: () => {},
    toTrail: () => ({ dropped: [], repaired: [] }),
  };
  const [place] = [...ocpiLocations.open(body, { settings, trail })!];
  assert.ok(place && !("attribution" in place.attributes));
});

const LOCATION = toLocation([]);
const ENVELOPES: readonly [name: string, body: unknown, rows: number | null][] = [
  ["the standard's", { status_code: 1000, data: [LOCATION] }, 1],
  ["a code as text", { status_code: "1000", data: [LOCATION] }, 1],
  ["a word for success", { status_code: "Success", data: [LOCATION] }, 1],
  ["a word for success, in capitals", { status_code: "OK", data: [LOCATION] }, 1],
  ["no code", { data: [LOCATION] }, 1],
  ["a list of items with the next page", { next: null, items: [LOCATION] }, 1],
  ["a list of locations", { locations: [LOCATION] }, 1],
  ["a bare list", [LOCATION], 1],
  ["an empty list", { status_code: 1000, data: [] }, 0],
  ["a failure", { status_code: 3001, data: [LOCATION] }, null],
  ["a failure in a word", { status_code: "Error", data: [LOCATION] }, null],
  ["no list at all", { status_code: 1000, data: { id: "1" } }, null],
];

for (const [name, body, count] of ENVELOPES)
  test(`an envelope: ${name}`, () => {
    const rows = openAll(new TextEncoder().encode(JSON.stringify(body)));
    assert.equal(rows?.length ?? null, count);
  });

test("a next page that only the body names is reported as not read", () => {
  const trail = createTrail();
  const body = { next: "https://cpo.example/page/2", items: [LOCATION] };
  openAll(new TextEncoder().encode(JSON.stringify(body)), trail);
  assert.deepEqual(
    trail.toTrail().dropped.map(({ reason }) => reason),
    ["next_page_not_read"],
  );
});

test("any JSON is of another shape, or rows that are places or dropped", () => {
  const location = toLocation([{ status: "AVAILABLE", connectors: [{ standard: "CHADEMO" }] }]);
  const members = [...Object.keys(location), "data", "status_code", "status", "connectors"];
  const deep = ["latitude", "longitude", "standard", "power_type", "max_voltage", "weekday"];
  const any = fc.oneof(
    oddJson([...members, ...deep, "regular_hours", "twentyfourseven"]),
    damaged({ status_code: 1000, data: [location, { ...location, id: "L2" }] }),
  );
  fc.assert(
    fc.property(any, (json) => {
      const rows = openAll(new TextEncoder().encode(JSON.stringify(json)));
      for (const place of rows ?? []) if (place) checkPlace(place);
    }),
  );
});

test("any bytes are of another shape", () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => assert.equal(openAll(bytes), null)));
});
