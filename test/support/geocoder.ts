/** A small invented country for the geocoder: two municipalities, a few streets, addresses, things. */
import {
  type BaseBorders,
  createGeocoderSection,
  type GeocodeItem,
  type Geocoder,
  type GeocoderMeta,
  openBorders,
  openGeocoder,
} from "#osm/index.ts";
import {
  type CountryAt,
  type ForwardQuery,
  type GeocoderSection,
  type NodeFeature,
  openView,
  ownColumns,
  type RelationFeature,
  type View,
  type WayFeature,
} from "#osm/sections.ts";
import { type Columns, readPack, writePack } from "#kit/pack.ts";

export type Feature = NodeFeature | WayFeature | RelationFeature;
type Tags = Readonly<Record<string, string>>;
/** Degrees. */
type At = readonly [lat: number, lon: number];

export function aNode(id: number, [lat, lon]: At, tags: Tags): NodeFeature {
  return { type: "node", id, lat7: toUnits(lat), lon7: toUnits(lon), tags: toTags(tags) };
}

export function aWay(id: number, points: readonly At[], tags: Tags): WayFeature {
  const flat = Int32Array.from(points.flat(), toUnits);
  const [first, last] = [points[0]!, points.at(-1)!];
  const closed = points.length > 3 && first[0] === last[0] && first[1] === last[1];
  return {
    type: "way",
    id,
    tags: toTags(tags),
    points: flat,
    nodes: new Float64Array(points.length),
    closed,
  };
}

/** A street from west to east. */
export function aStreet(
  id: number,
  lat: number,
  [west, east]: readonly [number, number],
  name: string,
): WayFeature {
  const line: readonly At[] = [
    [lat, west],
    [lat, east],
  ];
  return aWay(id, line, { highway: "residential", name });
}

/** A relation over a box: south, west, north, east. */
export function anArea(
  id: number,
  [south, west, north, east]: readonly number[],
  tags: Tags,
): RelationFeature {
  const corners = [south!, west!, south!, east!, north!, east!, north!, west!, south!, west!];
  const points = Int32Array.from(corners, toUnits);
  return {
    ...{ type: "relation", id, tags: toTags(tags), whole: true, members: [] },
    rings: [{ points, inner: false }],
    box: [toUnits(south!), toUnits(west!), toUnits(north!), toUnits(east!)],
  };
}

export function aHouse(
  id: number,
  at: At,
  street: string,
  number: string,
  more: Tags = {},
): NodeFeature {
  return aNode(id, at, { "addr:street": street, "addr:housenumber": number, ...more });
}

const UPTOWN = { "addr:city": "Oberwil", "addr:postcode": "1001" };
const DOWNTOWN = { "addr:city": "Unterwil", "addr:postcode": "2002" };

/** Oberwil in the north, Unterwil in the south, each with a Bahnhofstrasse. */
export const COUNTRY: readonly Feature[] = [
  aNode(1, [47.15, 9.05], {
    place: "town",
    name: "Oberwil",
    "name:fr": "Hauteville",
    population: "5000",
  }),
  aNode(2, [47.05, 9.05], { place: "village", name: "Unterwil", population: "800" }),
  aNode(3, [47.152, 9.06], { place: "hamlet", name: "Moos" }),
  ...[2, 4, 6, 12, 14].map((number, i) =>
    aHouse(100 + i, [47.1501, 9.05 + i * 0.001], "Bahnhofstrasse", String(number), UPTOWN),
  ),
  ...[1, 3, 5].map((number, i) =>
    aHouse(120 + i, [47.1499, 9.05 + i * 0.001], "Bahnhofstrasse", String(number), UPTOWN),
  ),
  ...[1, 2, 3, 4].map((number, i) =>
    aHouse(140 + i, [47.0501, 9.05 + i * 0.001], "Bahnhofstrasse", String(number), DOWNTOWN),
  ),
  aHouse(160, [47.16, 9.0505], "Göttinger Straße", "7a", UPTOWN),
  aHouse(161, [47.161, 9.0505], "Göttinger Straße", "12-16", UPTOWN),
  aHouse(162, [47.162, 9.0505], "Göttinger Straße", "3;5", UPTOWN),
  aNode(163, [47.152, 9.0601], { "addr:place": "Moos", "addr:housenumber": "4" }),
  aHouse(170, [47.17, 9.05], "91st Avenue", "215-12"),
  aHouse(171, [47.17, 9.051], "91st Avenue", "215-16"),
  aHouse(172, [47.17, 9.06], "91st Avenue", "216-02"),
  aNode(180, [47.1502, 9.0521], {
    amenity: "cafe",
    name: "Café de l'Étoile",
    "addr:street": "Bahnhofstrasse",
    "addr:housenumber": "6",
  }),
  aNode(181, [47.1505, 9.0541], { amenity: "toilets" }),
  aNode(182, [47.0502, 9.0501], { amenity: "toilets" }),
  aNode(183, [47.151, 9.049], { railway: "station", name: "Oberwil Bahnhof" }),
  aNode(184, [47.155, 9.055], { amenity: "restaurant", name: "東京食堂" }),
  anArea(900, [47, 9, 47.2, 9.1], {
    boundary: "administrative",
    admin_level: "2",
    name: "Wiland",
    "ISO3166-1:alpha2": "CH",
  }),
  anArea(901, [47.1, 9, 47.2, 9.1], {
    boundary: "administrative",
    admin_level: "8",
    name: "Oberwil",
  }),
  anArea(902, [47, 9, 47.1, 9.1], {
    boundary: "administrative",
    admin_level: "8",
    name: "Unterwil",
  }),
  aWay(
    500,
    [
      [47.15, 9.05],
      [47.15, 9.055],
    ],
    { highway: "residential", name: "Bahnhofstrasse" },
  ),
  aWay(
    501,
    [
      [47.15, 9.055],
      [47.15, 9.06],
    ],
    { highway: "residential", name: "Bahnhofstrasse" },
  ),
  aWay(
    502,
    [
      [47.05, 9.05],
      [47.05, 9.06],
    ],
    { highway: "residential", name: "Bahnhofstrasse" },
  ),
  aWay(
    503,
    [
      [47.16, 9.05],
      [47.165, 9.05],
    ],
    { highway: "residential", name: "Göttinger Straße" },
  ),
  aWay(
    504,
    [
      [47.17, 9.05],
      [47.17, 9.06],
    ],
    { highway: "residential", name: "91st Avenue" },
  ),
  aWay(
    505,
    [
      [47.18, 9.05],
      [47.18, 9.06],
    ],
    { highway: "residential", name: "Rue Saint-Jean" },
  ),
];

/** Feeds nodes, relations and ways in the order that imports keep. */
export function feed(section: GeocoderSection, features: readonly Feature[]): void {
  for (const each of features) if (each.type === "node") section.node(each);
  for (const each of features) if (each.type === "relation") section.relation(each);
  for (const each of features) if (each.type === "way") section.way(each);
}

/** Columns of a pack in shared memory, as a base has them. */
export function packOf(section: GeocoderSection): { columns: Columns; meta: GeocoderMeta } {
  const { columns, meta } = drain(section.finish());
  const match: Columns = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [`geocoder.${name}`, column]),
  );
  const format = { magic: 1, version: 1 };
  const bytes = drain(writePack(format, meta, match));
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return readPack<GeocoderMeta>(format, shared)!;
}

export function openSection(section: GeocoderSection): Geocoder {
  const { columns, meta } = packOf(section);
  return openGeocoder(columns, meta);
}

export function viewOf(features: readonly Feature[]): View {
  const section = createGeocoderSection();
  feed(section, features);
  const { columns, meta } = packOf(section);
  return openView(ownColumns(columns), meta);
}

/** `change`: what the areas of the base are to be, such as those of an earlier version. */
export function bordersOf(
  features: readonly Feature[],
  change: (areas: GeocoderMeta["areas"]) => GeocoderMeta["areas"] = (areas) => areas,
): BaseBorders | null {
  const section = createGeocoderSection();
  feed(section, features);
  const { columns, meta } = packOf(section);
  return openBorders(columns, change(meta.areas));
}

/** `countryAt`: the map of countries, where no boundary says. */
export function geocoderOf(features: readonly Feature[], countryAt?: CountryAt): Geocoder {
  const section = createGeocoderSection(countryAt ? { countryAt } : {});
  feed(section, features);
  return openSection(section);
}

export function askFor(q: string, change: Partial<ForwardQuery> = {}): ForwardQuery {
  return { q, language: null, country: null, near: null, limit: 5, ...change };
}

/** What a test compares: label and quality. */
export function shown(items: readonly GeocodeItem[]): string[] {
  return items.map(({ label, match_quality }) => `${label} [${match_quality}]`);
}

function toUnits(degrees: number): number {
  return Math.round(degrees * 1e7);
}

function toTags(tags: Tags): Map<string, string> {
  return new Map(Object.entries(tags));
}

function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
