/** Whatever the map says: nothing throws, nothing is made up, and charging never has availability. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Place, PLACE_KINDS } from "#core/places/place.ts";
import { createTrail } from "#kit/trail.ts";
import { openMapServices } from "#providers/openstreetmap/overpass.ts";
import { checkPlace } from "./place-checks.ts";
import { tries } from "../../../support/size.ts";

const KEYS = [
  ...["amenity", "emergency", "medical", "internet_access", "wifi", "man_made", "fountain"],
  ...["drinking_water", "vending", "access", "parking", "fee", "capacity", "opening_hours"],
  ...["socket:type2", "socket:type2:output", "socket:usb", "bicycle", "motorcar", "name", "ref"],
  ...["name:de", "operator", "addr:street", "ref:FR:GeoDAE", "__proto__", "constructor", "disused"],
];
const VALUES = [
  ...["toilets", "defibrillator", "aed", "wlan", "yes", "no", "parking", "parking_entrance"],
  ...["charging_station", "charge_point", "fountain", "drinking_water", "parcel_locker", "0", "2"],
  ...["vending_machine", "parcel_pickup", "underground", "22 kW", "24/7", "private", " ", ";"],
];
const tags = fc.dictionary(
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...KEYS) }, fc.string()),
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...VALUES) }, fc.string(), fc.jsonValue()),
);
const MAINS = [
  ...[{ amenity: "toilets" }, { emergency: "defibrillator" }, { amenity: "parking" }],
  ...[{ amenity: "parking_entrance" }, { amenity: "charging_station" }, { wifi: "yes" }],
  ...[{ man_made: "charge_point" }, { amenity: "fountain" }, { amenity: "parcel_locker" }],
];
const tagged = fc
  .tuple(tags, fc.constantFrom(...MAINS))
  .map((parts) => Object.assign({}, ...parts));
const near = fc.double({ min: 0, max: 0.001, noNaN: true });
const element = fc.record({
  type: fc.constantFrom("node", "way", "relation"),
  id: fc.nat(1_000),
  lat: near.map((d) => 48 + d),
  lon: near.map((d) => 2 + d),
  tags: tagged,
});
const broken = fc.record(
  {
    type: fc.oneof(fc.constantFrom("node", "way", "area"), fc.jsonValue()),
    id: fc.oneof(fc.nat(20), fc.jsonValue()),
    lat: fc.oneof(fc.double(), fc.jsonValue()),
    lon: fc.oneof(fc.double(), fc.jsonValue()),
    center: fc.oneof(fc.constant(undefined), fc.jsonValue()),
    tags: fc.oneof(tagged, fc.jsonValue()),
  },
  { requiredKeys: [] },
);

function read(wire: unknown): Place[] {
  const match = openMapServices.read(
    { status: 200, content_type: null, body: new TextEncoder().encode(JSON.stringify(wire)) },
    { kinds: PLACE_KINDS, boxes: [] },
    { settings: { url: "https://map.example", timeout_ms: 1_000 }, trail: createTrail() },
  );
  return match.ok ? match.value : [];
}

test("no tags throw; what comes out is whole", () => {
  let places = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 3, arbitrary: element }, broken, fc.jsonValue())),
      (elements) => {
        for (const place of read({ elements })) {
          checkPlace(place);
          places++;
        }
      },
    ),
    { numRuns: tries(3_000) },
  );
  assert.ok(places > 1_000, `${places}`);
});

test("no document throws", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (wire) => void read(wire)),
    { numRuns: tries(500) },
  );
});

test("the order of an answer does not decide what is in it", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(element, { selector: ({ type, id }) => `${type}/${id}` }),
      (elements) => {
        const idsOf = (list: unknown[]) =>
          read({ elements: list })
            .map((place) => `${place.kind} ${place.external_id} ${place.name}`)
            .sort();
        assert.deepEqual(idsOf(elements.toReversed()), idsOf(elements));
      },
    ),
    { numRuns: tries(1_000) },
  );
});
