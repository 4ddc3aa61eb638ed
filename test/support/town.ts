/** An extract of a town that is nowhere, small enough to know all that is in it. */
import type { TestContext } from "node:test";
import { type BaseSection, importBase } from "#osm/index.ts";
import type { CountryAt } from "#osm/sections.ts";
import { openBase, type OpenBase } from "#upstream/bases/open-bases.ts";
import { createSections } from "#main/bases/sections.ts";
import type { PbfObject } from "../../sandbox/pbf/encode.ts";
import { writeExtract } from "./base.ts";

/** Corner in the south-west; everything is within a few kilometres of it. */
const ORIGIN = { lat: 47, lon: 9 };

const at7 = (north_m: number, east_m: number): { lat7: number; lon7: number } => ({
  lat7: Math.round((ORIGIN.lat + north_m / 111_320) * 1e7),
  lon7: Math.round(
    (ORIGIN.lon + east_m / (111_320 * Math.cos((ORIGIN.lat * Math.PI) / 180))) * 1e7,
  ),
});

/** A point of the town in degrees. */
export function townPoint(north_m: number, east_m: number): { lat: number; lon: number } {
  const { lat7, lon7 } = at7(north_m, east_m);
  return { lat: lat7 / 1e7, lon: lon7 / 1e7 };
}

type Tags = Readonly<Record<string, string>>;

/** The town of Oberlinden in the county of Lindenland, Switzerland: two streets, a suburb, things. */
export function listTown(): PbfObject[] {
  const nodes: PbfObject[] = [];
  const others: PbfObject[] = [];
  const point = (id: number, north_m: number, east_m: number, tags: Tags = {}): number => {
    nodes.push({ type: "node", id, ...at7(north_m, east_m), tags });
    return id;
  };
  const area = (id: number, size_m: number, tags: Tags): void => {
    const corners: [number, number][] = [
      ...([
        [-size_m, -size_m],
        [-size_m, size_m],
      ] as [number, number][]),
      ...([
        [size_m, size_m],
        [size_m, -size_m],
      ] as [number, number][]),
    ];
    const refs = corners.map(([north, east], i) => point(id * 10 + i, north, east));
    others.push({ type: "way", id: id * 10, refs: [...refs, refs[0]!] });
    const members = [{ type: "way" as const, id: id * 10, role: "outer" }];
    others.push({ type: "relation", id, members, tags: { ...tags, type: "boundary" } });
  };
  const boundary = { boundary: "administrative" };
  area(101, 20_000, {
    ...boundary,
    ...{ admin_level: "2", name: "Schweiz/Suisse", "name:en": "Switzerland", "ISO3166-1": "CH" },
  });
  area(102, 12_000, { ...boundary, admin_level: "4", name: "Kanton Linden" });
  area(103, 8_000, { ...boundary, admin_level: "6", name: "Lindenland" });
  area(104, 4_000, { ...boundary, admin_level: "8", name: "Oberlinden" });
  point(1, 0, 0, { place: "town", name: "Oberlinden", population: "8000" });
  point(2, 1_000, 1_000, { place: "suburb", name: "Neuquartier" });
  const home = { "addr:postcode": "9999", "addr:city": "Oberlinden" };
  const main = { ...home, "addr:street": "Hauptstrasse" };
  point(11, 10, 100, { ...main, "addr:housenumber": "1" });
  point(12, 10, 500, { ...main, "addr:housenumber": "21" });
  const shop = { shop: "bakery", name: "Bäckerei Sonne" };
  point(13, 12, 300, { ...main, ...shop, "addr:housenumber": "11" });
  point(14, 900, 1_000, { amenity: "pharmacy", name: "Apotheke am Ring" });
  point(15, 3_000, 0, { natural: "peak", name: "Lindenberg" });
  const line = [point(21, 0, 0), point(22, 0, 300), point(23, 0, 600)];
  others.push({
    ...{ type: "way", id: 31, refs: line },
    tags: { highway: "residential", name: "Hauptstrasse" },
  });
  const ring = [point(24, 880, 900), point(25, 880, 1_100)];
  others.push({
    ...{ type: "way", id: 32, refs: ring },
    tags: { highway: "residential", name: "Ringweg" },
  });
  const house = [
    point(26, 890, 950),
    point(27, 890, 960),
    point(28, 900, 960),
    point(29, 900, 950),
  ];
  others.push({
    ...{ type: "way", id: 33, refs: [...house, house[0]!] },
    tags: { ...home, building: "house", "addr:street": "Ringweg", "addr:housenumber": "4a" },
  });
  const byId = (a: PbfObject, b: PbfObject): number => a.id - b.id;
  const ways = others.filter(({ type }) => type === "way").sort(byId);
  const relations = others.filter(({ type }) => type === "relation").sort(byId);
  return [...nodes.sort(byId), ...ways, ...relations];
}

/** The pack of the town, as the command line makes it. */
export async function packTown(t: TestContext): Promise<Uint8Array> {
  return await packExtract(await writeExtract(t, listTown()));
}

/** `more`: sections that look at what is in the extract; `countryAt`: where it has no border of a country. */
export async function packExtract(
  path: string,
  more: readonly BaseSection[] = [],
  countryAt: CountryAt = () => null,
): Promise<Uint8Array> {
  const sections = [...createSections(countryAt), ...more];
  const result = await importBase(path, { id: "town", region: null, now_ms: 1, sections });
  if (!result.ok) throw new Error(result.problem);
  return result.pack;
}

export function openPacked(pack: Uint8Array): OpenBase {
  const base = openBase(pack);
  if (!base) throw new Error("not a base");
  return base;
}
