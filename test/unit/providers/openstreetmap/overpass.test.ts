/** What Overpass is asked, and what its failures mean (places.md 2.6). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PLACE_KINDS, type PlaceKind } from "#core/places/place.ts";
import { createTrail } from "#kit/trail.ts";
import type { BoxQuery } from "#providers/lookup.ts";
import source from "#providers/openstreetmap/index.ts";
import { openMapServices as reader } from "#providers/openstreetmap/overpass.ts";
import { toLookup } from "#providers/source.ts";

const openMapServices = toLookup(source, reader);

const SETTINGS = { url: "https://map.example/api", timeout_ms: 2_900 };
const BOX = { south: 43.5, west: 1.375, north: 43.625, east: 1.5 };

const queryOf = (query: BoxQuery, timeout_ms: number = SETTINGS.timeout_ms): string => {
  const { body } = openMapServices.request(query, { ...SETTINGS, timeout_ms });
  return new URLSearchParams(body).get("data")!;
};

test("one form with the whole query: each filter in each box", () => {
  const far = { south: -1e-8, west: -1e-7, north: 0.123456789, east: 100 };
  const request = openMapServices.request({ kinds: ["toilets"], boxes: [BOX, far] }, SETTINGS);
  assert.equal(request.url, "https://map.example/api/interpreter");
  assert.equal(request.method, "POST");
  assert.equal(request.headers?.["content-type"], "application/x-www-form-urlencoded");
  assert.equal(request.timeout_ms, 2_900);
  assert.match(request.body!, /^data=[^&\s]+$/);
  assert.equal(
    new URLSearchParams(request.body).get("data"),
    [
      "[out:json][timeout:2][maxsize:33554432];",
      "(",
      "  nwr[amenity=toilets](43.5,1.375,43.625,1.5);",
      "  nwr[amenity=toilets](0,-0.0000001,0.1234568,100);",
      "  nwr[amenity=toilet](43.5,1.375,43.625,1.5);",
      "  nwr[amenity=toilet](0,-0.0000001,0.1234568,100);",
      ");",
      "out center tags qt;",
    ].join("\n"),
  );
});

test("a second at least", () => {
  const query = { kinds: ["toilets"], boxes: [BOX] } as const;
  assert.match(queryOf(query, 300), /\[timeout:1\]/);
  assert.match(queryOf(query, 10_000), /\[timeout:10\]/);
});

const FILTERS: Readonly<Record<PlaceKind, readonly string[]>> = {
  aed: ["[emergency=defibrillator]", "[medical=aed]"],
  toilets: ["[amenity=toilets]", "[amenity=toilet]"],
  water: [
    "[amenity=drinking_water]",
    "[amenity=fountain]",
    "[man_made=water_tap][drinking_water=yes]",
    "[natural=spring][drinking_water=yes]",
    '["drinking_water:refill"=yes]',
    "[fountain=bottle_refill]",
    "[amenity=water_point]",
  ],
  wifi: [
    '[internet_access~"(^|;) *(wlan|wifi|wi-fi) *(;|$)",i]',
    "[internet_access=public]",
    "[wifi=yes]",
    "[wifi=free]",
  ],
  parking: ["[amenity=parking]", "[amenity=parking_entrance]"],
  charging: ["[amenity=charging_station]", "[man_made=charge_point]", "[amenity=ev_charging]"],
  locker: [
    "[amenity=parcel_locker]",
    "[amenity=vending_machine][vending=parcel_pickup]",
    "[amenity=vending_machine][vending=parcel_mail_in]",
    '[amenity=vending_machine][vending="parcel_pickup;parcel_mail_in"]',
    '[amenity=vending_machine][vending="parcel_mail_in;parcel_pickup"]',
  ],
};

for (const kind of PLACE_KINDS)
  test(`filters of ${kind}`, () => {
    const lines = queryOf({ kinds: [kind], boxes: [BOX] }).split("\n");
    const expected = FILTERS[kind].map((filter) => `  nwr${filter}(43.5,1.375,43.625,1.5);`);
    assert.deepEqual(lines.slice(2, -2), expected);
  });

test("equal keys ask the same; other kinds or boxes are another question", () => {
  const key = (query: BoxQuery): string => openMapServices.keyOf(query);
  const one = key({ kinds: ["aed", "wifi"], boxes: [BOX] });
  assert.equal(key({ kinds: ["wifi", "aed", "aed"], boxes: [{ ...BOX }] }), one);
  assert.notEqual(key({ kinds: ["aed"], boxes: [BOX] }), one);
  assert.notEqual(key({ kinds: ["aed", "wifi"], boxes: [BOX, BOX] }), one);
  assert.notEqual(key({ kinds: ["aed", "wifi"], boxes: [{ ...BOX, south: 43.49 }] }), one);
});

const read = (status: number, text: string, kinds: readonly PlaceKind[] = ["toilets"]) =>
  openMapServices.read(
    { status, content_type: null, body: new TextEncoder().encode(text) },
    { kinds, boxes: [BOX] },
    { settings: SETTINGS, trail: createTrail() },
  );
const remark = (text: string): string => JSON.stringify({ elements: [], remark: text });

const FAILURES: readonly [status: number, text: string, failure: string, reason: string][] = [
  [200, remark('runtime error: Query timed out in "q" at line 4.'), "timeout", "query_timeout"],
  [200, remark("runtime error: Query ran out of memory in"), "error", "out_of_memory"],
  [200, remark("runtime error: open64: 2 No such file"), "error", "runtime_error"],
  [200, remark("runtime error: rate_limited"), "unavailable", "quota"],
  [200, '{"remark":"runtime error: timed out"}', "timeout", "query_timeout"],
  [200, "<html>", "error", "not_json"],
  [200, "", "error", "not_json"],
  [200, "{}", "error", "wrong_shape"],
  [200, "null", "error", "wrong_shape"],
  [200, '{"elements":{}}', "error", "wrong_shape"],
  [400, "<html>", "error", "bad_request"],
  [406, "", "error", "http_406"],
  [429, "<html>", "unavailable", "http_429"],
  [503, '{"elements":[]}', "unavailable", "http_503"],
  [504, "<html>", "timeout", "http_504"],
];

for (const [status, text, failure, reason] of FAILURES)
  test(`${status} ${text.slice(0, 40)} is ${failure} ${reason}`, () => {
    assert.deepEqual(read(status, text), { ok: false, status: failure, reason });
  });

test("none found is an answer, and other remarks are remarks", () => {
  const none = { ok: true, value: [], raw: 0 };
  for (const text of ["", "runtime remark: Test", "Test remark", "no runtime error: timed out"])
    assert.deepEqual(read(200, remark(text)), none, text);
  assert.deepEqual(read(200, `\uFEFF${remark("")}`), none);
});

test("only the kinds that were asked for come out, and raw counts what was sent", () => {
  const text = JSON.stringify({
    elements: [
      { type: "node", id: 1, lat: 43.6, lon: 1.4, tags: { amenity: "toilets", wifi: "yes" } },
      { type: "node", id: 2, lat: 43.6, lon: 1.4, tags: { amenity: "parking" } },
    ],
  });
  const kindsOf = (kinds: readonly PlaceKind[]) => {
    const match = read(200, text, kinds);
    assert.ok(match.ok);
    assert.equal(match.raw, 2);
    return match.value.map(({ kind }) => kind);
  };
  assert.deepEqual(kindsOf(["toilets"]), ["toilets"]);
  assert.deepEqual(kindsOf(["wifi", "toilets"]), ["toilets", "wifi"]);
  assert.deepEqual(kindsOf(["locker"]), []);
});
