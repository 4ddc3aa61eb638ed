/**
 * Services of a base: what the section makes of an extract is what the reader of Overpass makes of the
 * same objects, wherever and by whichever circle it is searched.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { NodeFeature, RelationFeature, WayFeature } from "#osm/base/base-features.ts";
import { distance_m } from "#kit/geo.ts";
import { columnName } from "#osm/base/base-layout.ts";
import type { PackColumn } from "#kit/pack.ts";
import { type Place, PLACE_KINDS, type PlaceKind } from "#core/places/place.ts";
import { createTrail, type Trail } from "#kit/trail.ts";
import {
  type BaseServices,
  createServicesSection,
  openServices,
} from "#providers/openstreetmap/base-services.ts";
import { openMapServices } from "#providers/openstreetmap/overpass.ts";
import { filtersOf } from "#providers/openstreetmap/osm-rules.ts";
import { options } from "../../../support/places.ts";
import { tries } from "../../../support/size.ts";

type TagList = Readonly<Record<string, string>>;
type Feature = NodeFeature | WayFeature | RelationFeature;
type At = { lat: number; lon: number };

const EVERYWHERE = { lat: 48.85, lon: 2.35, radius_m: 20_040_000 };
const whole7 = (degrees: number): number => Math.round(degrees * 1e7);

function node(id: number, { lat, lon }: At, tags: TagList): NodeFeature {
  const map = new Map(Object.entries(tags));
  return { type: "node", id, lat7: whole7(lat), lon7: whole7(lon), tags: map };
}

function way(id: number, corners: readonly At[], tags: TagList): WayFeature {
  const points = Int32Array.from(corners.flatMap(({ lat, lon }) => [whole7(lat), whole7(lon)]));
  return {
    type: "way",
    id,
    points,
    nodes: new Float64Array(corners.length),
    closed: true,
    tags: new Map(Object.entries(tags)),
  };
}

function relation(id: number, box: RelationFeature["box"], tags: TagList): RelationFeature {
  const map = new Map(Object.entries(tags));
  return { type: "relation", id, tags: map, rings: [], whole: false, members: [], box };
}

type Retained = BaseServices & { trail: Trail; left_out: number };

function importOf(features: readonly Feature[]): Retained {
  const section = createServicesSection();
  for (const each of features)
    if (each.type === "node") section.node(each);
    else if (each.type === "way") section.way(each);
    else section.relation(each);
  const steps = section.finish();
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { columns, meta, counts } = step.value;
  const byName: Record<string, PackColumn> = {};
  for (const [name, column] of Object.entries(columns))
    byName[columnName(section.name, name)] = column;
  const { trail } = meta as { trail: Trail };
  return { ...openServices(byName, meta), trail, left_out: counts["left_out"]! };
}

/** As Overpass prints objects: nodes with their place, all else with the middle of their box. */
function overpassOf(features: readonly Feature[]): { places: Place[]; trail: Trail } {
  const elements = features.map((each) => {
    const { type, id } = each;
    const tags = Object.fromEntries(each.tags);
    if (each.type === "node") return { type, id, lat: each.lat7 / 1e7, lon: each.lon7 / 1e7, tags };
    const box = each.type === "relation" ? each.box : boxOf(each.points);
    if (box === null) return { type, id, tags };
    const [south, west, north, east] = box;
    const center = {
      lat: Math.round((south + north) / 2) / 1e7,
      lon: Math.round((west + east) / 2) / 1e7,
    };
    return { type, id, center, tags };
  });
  const trail = createTrail();
  const body = new TextEncoder().encode(JSON.stringify({ elements }));
  const read = openMapServices.read(
    { status: 200, content_type: null, body },
    { kinds: PLACE_KINDS, boxes: [] },
    { settings: { url: "https://map.example", timeout_ms: 1_000 }, trail },
  );
  return { places: read.ok ? read.value : assert.fail(read.reason), trail: trail.toTrail() };
}

function boxOf(points: Int32Array): RelationFeature["box"] {
  const lats = [...points].filter((_, n) => n % 2 === 0);
  const lons = [...points].filter((_, n) => n % 2 === 1);
  if (lats.length === 0) return null;
  return [Math.min(...lats), Math.min(...lons), Math.max(...lats), Math.max(...lons)];
}

const byKey = (a: Place, b: Place): number =>
  `${a.kind} ${a.external_id}` < `${b.kind} ${b.external_id}` ? -1 : 1;
const sorted = (places: readonly Place[]): Place[] => places.toSorted(byKey);
const all = (base: BaseServices): Place[] =>
  sorted(Array.from(base.search(PLACE_KINDS, EVERYWHERE, options()), ({ place }) => place));

describe("what becomes a service", () => {
  test("every rule has a key by which the import hands its objects over", () => {
    const { keys } = createServicesSection();
    for (const kind of PLACE_KINDS)
      for (const filter of filtersOf(kind)) {
        const names = [...filter.matchAll(/\["?([a-z_:]+)"?[=~]/g)].map(([, key]) => key!);
        assert.ok(names.length > 0, filter);
        for (const type of ["node", "way", "relation"] as const)
          assert.ok(
            names.some((key) => keys[type].includes(key)),
            `${type} ${filter}`,
          );
      }
  });

  test("a node is where it is, a way and a relation in the middle of their box", () => {
    const corners = [
      { lat: 48.8, lon: 2.3 },
      { lat: 48.8, lon: 2.4 },
      { lat: 48.81, lon: 2.31 },
      { lat: 48.8, lon: 2.3 },
    ];
    const base = importOf([
      node(1, { lat: 48.8500001, lon: 2.3499999 }, { amenity: "toilets" }),
      way(2, corners, { amenity: "parking" }),
      relation(3, [488_000_000, 23_000_000, 489_000_001, 23_000_003], { amenity: "parking" }),
    ]);
    assert.deepEqual(
      all(base).map(({ external_id, lat, lon }) => [external_id, lat, lon]),
      [
        ["relation/3", 48.8500001, 2.3000002],
        ["way/2", 48.805, 2.35],
        ["node/1", 48.8500001, 2.3499999],
      ],
    );
    assert.equal(base.left_out, 0);
  });

  test("what is nowhere on the globe is left out, and counted with its reason", () => {
    const base = importOf([
      way(2, [], { amenity: "parking" }),
      relation(3, null, { amenity: "toilets" }),
      node(4, { lat: 91, lon: 2 }, { amenity: "toilets" }),
    ]);
    assert.deepEqual(all(base), []);
    assert.equal(base.left_out, 3);
    const examples = base.trail.dropped.flatMap((entry) => entry.examples);
    assert.deepEqual(examples.toSorted(), ["node/4", "relation/3", "way/2"]);
  });

  test("one thing that is there as a building and as a node is one service with both keys", () => {
    const at = { lat: 48.85, lon: 2.35 };
    const corners = [at, { lat: 48.8501, lon: 2.35 }, { lat: 48.8501, lon: 2.3501 }, at];
    const tags = { amenity: "toilets", name: "Halle" };
    const base = importOf([node(1, at, tags), way(2, corners, { ...tags, fee: "no" })]);
    const [only, ...more] = all(base);
    assert.deepEqual(more, []);
    assert.equal(only!.external_id, "way/2");
    assert.deepEqual(only!.keys, ["osm:way/2", "osm:node/1"]);
    assert.equal(base.counts["toilets"], 1);
    assert.deepEqual(base.trail.dropped, [{ reason: "duplicate", count: 1, examples: ["node/1"] }]);
  });

  test("one object may be several services", () => {
    const tags = { amenity: "toilets", internet_access: "wlan", drinking_water: "yes" };
    const base = importOf([node(1, EVERYWHERE, { ...tags, man_made: "water_tap" })]);
    assert.deepEqual(base.counts, { toilets: 1, water: 1, wifi: 1 });
  });

  test("what is closed, broken or for others is none, and counted by its reason", () => {
    const rows: [TagList, string][] = [
      [{ amenity: "toilets", access: "private" }, "not_public"],
      [{ amenity: "toilets", disused: "yes" }, "not_in_use"],
      [{ emergency: "defibrillator", locked: "yes" }, "locked"],
      [{ emergency: "defibrillator", operational_status: "broken" }, "out_of_order"],
      [{ amenity: "drinking_water", drinking_water: "no" }, "not_potable"],
      [{ amenity: "charging_station", bicycle: "yes", motorcar: "no" }, "not_for_cars"],
    ];
    const base = importOf(rows.map(([tags], n) => node(n + 1, { lat: 40 + n, lon: 2 }, tags)));
    assert.deepEqual(all(base), []);
    assert.equal(base.left_out, rows.length);
    assert.deepEqual(
      base.trail.dropped.map(({ reason, examples }) => `${examples[0]} ${reason}`).toSorted(),
      rows.map(([, reason], n) => `node/${n + 1} ${reason}`),
    );
  });

  test("a base that was imported without services has none", () => {
    const { counts, search } = openServices({}, undefined);
    assert.deepEqual([counts, search(PLACE_KINDS, EVERYWHERE, options()).length], [{}, 0]);
  });
});

const KEYS = [
  ...["amenity", "emergency", "medical", "internet_access", "wifi", "man_made", "fountain"],
  ...["drinking_water", "drinking_water:refill", "vending", "access", "parking", "fee", "natural"],
  ...["socket:type2", "motorcar", "name", "operator", "addr:street", "ref:FR:GeoDAE", "disused"],
  ...["__proto__", "constructor", "opening_hours"],
];
const VALUES = [
  ...["toilets", "defibrillator", "aed", "wlan", "yes", "no", "parking", "parking_entrance"],
  ...["charging_station", "charge_point", "fountain", "drinking_water", "parcel_locker", "free"],
  ...["vending_machine", "parcel_pickup", "underground", "water_tap", "spring", "private", ";"],
];
const MAINS: readonly TagList[] = [
  ...[{ amenity: "toilets" }, { emergency: "defibrillator" }, { amenity: "parking" }],
  ...[{ amenity: "parking_entrance" }, { amenity: "charging_station" }, { wifi: "yes" }],
  ...[{ man_made: "charge_point" }, { amenity: "fountain" }, { amenity: "parcel_locker" }],
  {},
];
const more = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...VALUES) }, fc.string()),
  { maxKeys: 4, noNullPrototype: false },
);
const tags: fc.Arbitrary<TagList> = fc
  .tuple(more, fc.constantFrom(...MAINS))
  .map(([some, main]) => ({ ...some, ...main }));
/** Crowded, so that things are each other's neighbours; on a border of tiles and of the globe too. */
const point = fc
  .tuple(
    fc.constantFrom({ lat: 48.85, lon: 2.35 }, { lat: 0, lon: 0 }, { lat: -16.8, lon: 179.9995 }),
    fc.integer({ min: -4_000, max: 4_000 }),
    fc.integer({ min: -4_000, max: 4_000 }),
  )
  .map(([{ lat, lon }, north, east]) => ({ lat: lat + north / 1e7, lon: lon + east / 1e7 }));
const feature: fc.Arbitrary<Feature> = fc
  .tuple(fc.nat(60), fc.constantFrom("node", "way", "relation"), point, point, tags)
  .map(([id, type, a, b, list]) => {
    if (type === "node") return node(id, a, list);
    if (type === "way") return way(id, [a, b, a], list);
    const points = Int32Array.of(whole7(a.lat), whole7(a.lon), whole7(b.lat), whole7(b.lon));
    return relation(id, boxOf(points), list);
  });
const features = fc.uniqueArray(feature, {
  maxLength: 40,
  selector: ({ type, id }) => `${type}/${id}`,
});
const kinds = fc.subarray([...PLACE_KINDS] as PlaceKind[]);

describe("what a base answers", () => {
  test("is what the reader of Overpass makes of the same objects, and so are the counts", () => {
    let compared = 0;
    fc.assert(
      fc.property(features, (list) => {
        const base = importOf(list);
        const expected = sorted(overpassOf(list).places);
        assert.deepEqual(all(base), expected);
        const counts: Record<string, number> = {};
        for (const { kind } of expected) counts[kind] = (counts[kind] ?? 0) + 1;
        assert.deepEqual({ ...base.counts }, counts);
        compared += expected.length;
      }),
      { numRuns: tries(300) },
    );
    assert.ok(compared > tries(500), `${compared} services`);
  });

  test("within a circle is what lies in it, of the kinds asked for, at its distance", () => {
    const circle = fc.record({ at: point, radius_m: fc.double({ min: 1, max: 90, noNaN: true }) });
    fc.assert(
      fc.property(features, circle, kinds, (list, { at, radius_m }, wanted) => {
        const base = importOf(list);
        const match = base.search(wanted, { ...at, radius_m }, options());
        const expected = all(base).filter(
          ({ kind, lat, lon }) =>
            wanted.includes(kind) && distance_m(at.lat, at.lon, lat, lon) <= radius_m,
        );
        assert.deepEqual(sorted(Array.from(match, ({ place }) => place)), expected);
        for (const { place, distance_m: metres } of match)
          assert.equal(metres, distance_m(at.lat, at.lon, place.lat, place.lon));
      }),
      { numRuns: tries(300) },
    );
  });

  test("includes what lies on the very edge of the circle, and nothing beyond", () => {
    const base = importOf([node(1, { lat: 48.85, lon: 2.35 }, { amenity: "toilets" })]);
    const from = { lat: 48.851, lon: 2.352 };
    const radius_m = distance_m(from.lat, from.lon, 48.85, 2.35);
    assert.equal(base.search(["toilets"], { ...from, radius_m }, options()).length, 1);
    assert.equal(
      base.search(["toilets"], { ...from, radius_m: radius_m - 1e-6 }, options()).length,
      0,
    );
  });

  test("does not depend on the order of the extract", () => {
    fc.assert(
      fc.property(features, (list) => {
        assert.deepEqual(all(importOf(list.toReversed())), all(importOf(list)));
      }),
    );
  });
});
