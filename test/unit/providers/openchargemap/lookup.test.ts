/** How Open Charge Map is asked, and that nothing it sends throws. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import source, { openChargeMap as reader } from "#providers/openchargemap/index.ts";
import { toLookup } from "#providers/source.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { checkRead, toWire } from "../../../support/place-fixtures.ts";
import { toPoi } from "./poi.ts";
import { QUERY, read, SETTINGS } from "./readers.ts";

const openChargeMap = toLookup(source, reader);

test("kilometres, the short form, and the key in a header alone", () => {
  const request = openChargeMap.request(QUERY, SETTINGS);
  const { origin, pathname, searchParams } = new URL(request.url);
  assert.equal(origin + pathname, "https://ocm.example/v3/poi");
  assert.deepEqual(Object.fromEntries(searchParams), {
    output: "json",
    latitude: "54.1",
    longitude: "9.1",
    distance: "1.5",
    distanceunit: "KM",
    maxresults: "40",
    compact: "true",
    verbose: "false",
  });
  assert.deepEqual(request.auth, { kind: "headers", headers: { "X-API-Key": "secret-key" } });
  const { auth: _, ...rest } = request;
  assert.doesNotMatch(JSON.stringify(rest), /secret/);
  assert.doesNotMatch(openChargeMap.keyOf(QUERY), /secret/);
  assert.ok(request.refusal_bytes! > 0);
});

test("some more is asked for than is wanted, within bounds", () => {
  const requestOf = (limit: number): string | null =>
    new URL(openChargeMap.request({ ...QUERY, limit }, SETTINGS).url).searchParams.get(
      "maxresults",
    );
  assert.deepEqual([1, 20, 50, 200, 999].map(requestOf), ["40", "40", "100", "400", "400"]);
});

test("questions that ask for the same have the same key", () => {
  const { keyOf } = openChargeMap;
  assert.equal(keyOf(QUERY), keyOf({ ...QUERY, limit: 3, language: "de", country: null }));
  for (const other of [{ lat: 1 }, { lon: 1 }, { radius_m: 1 }, { limit: 200 }])
    assert.notEqual(keyOf(QUERY), keyOf({ ...QUERY, ...other }));
});

test("any JSON is a typed failure or places", () => {
  const poi = toPoi([{ ConnectionTypeID: 25, StatusTypeID: 10, Quantity: 1, PowerKW: 22 }]);
  const members = [...Object.keys(poi), ...Object.keys(poi.AddressInfo), "DataProvider", "Title"];
  const connection = ["StatusTypeID", "Quantity", "PowerKW", "Voltage", "Amps", "CurrentTypeID"];
  const any = fc.oneof(oddJson([...members, ...connection]), damaged([poi, { ...poi, ID: 2 }]));
  fc.assert(fc.property(any, (json) => void checkRead(read(toWire(JSON.stringify(json))))));
});
