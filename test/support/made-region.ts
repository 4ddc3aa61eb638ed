/**
 * A made region of towns with municipalities, streets that cross cells, houses, postcodes and things of
 * interest, and the pages of its cells: each has what lies in its cell or near to it, places with their
 * reach, and areas that touch it, as docs/lab/pages.md says.
 */
import type { PageCell } from "#osm/pages/page-cell.ts";
import { cellAt, isInCell } from "#osm/pages/page-cell.ts";
import { toBox7 } from "#osm/geocoder/open-names.ts";
import { rankOf } from "#osm/geocoder/settlements.ts";
import { unitsEast, units } from "#osm/geocoder/metres.ts";
import { aHouse, anArea, aNode, aWay, type Feature } from "./geocoder.ts";

export type MadeRegion = {
  features: readonly Feature[];
  houses: readonly MadeHouse[];
  towns: readonly string[];
  postcodes: readonly string[];
  things: readonly string[];
};
export type MadeHouse = { street: string; number: string; town: string; postcode: string };

/** What lies so near to a cell is in its page, too. */
const NEAR_M = 1_000;
const MUNICIPALITY_M = 8_000;
const SOUTH = 47;
const WEST = 9;
/** Degrees of a municipality. */
const TOWN = { lat: 0.03, lon: 0.045 } as const;
const SYLLABLES = ["ba", "do", "fel", "gri", "hau", "kur", "lin", "mos", "nau", "ro", "sil", "tan"];
const SHARED = ["Bahnhofstrasse", "Dorfstrasse", "Kirchweg", "Hauptstrasse"];
const KINDS = [
  { amenity: "pharmacy" },
  { amenity: "cafe" },
  { shop: "bakery" },
  { tourism: "hotel" },
] as const;

/** The same for the same seed. */
export function makeRegion({ seed = 1, towns = 4 }: { seed?: number; towns?: number } = {}): MadeRegion {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const used = new Set<string>();
  const invent = (ending: string): string => {
    for (;;) {
      const stem = pick(SYLLABLES) + pick(SYLLABLES) + (random() < 0.4 ? pick(SYLLABLES) : "");
      const name = stem[0]!.toUpperCase() + stem.slice(1) + ending;
      if (!used.has(name) && used.add(name)) return name;
    }
  };
  const features: Feature[] = [];
  const [houses, names, postcodes, things]: [MadeHouse[], string[], string[], string[]] = [[], [], [], []];
  let id = 1;
  const east = WEST + towns * TOWN.lon;
  const north = SOUTH + towns * TOWN.lat;
  features.push(
    anArea(id++, [SOUTH, WEST, north, east], {
      ...{ boundary: "administrative", admin_level: "2", name: "Wiland" },
      "ISO3166-1:alpha2": "CH",
    }),
  );
  for (let row = 0; row < towns; row++)
    for (let column = 0; column < towns; column++) {
      const [south, west] = [SOUTH + row * TOWN.lat, WEST + column * TOWN.lon];
      const town = invent(pick(["wil", "ikon", "berg", ""]));
      const postcode = String(8001 + row * towns + column);
      names.push(town);
      postcodes.push(postcode);
      const at = (up: number, right: number): [number, number] => [
        south + up * TOWN.lat,
        west + right * TOWN.lon,
      ];
      features.push(
        anArea(id++, [south, west, south + TOWN.lat, west + TOWN.lon], {
          ...{ boundary: "administrative", admin_level: "8", name: town },
        }),
        aNode(id++, at(0.3 + random() * 0.4, 0.3 + random() * 0.4), {
          ...{ place: random() < 0.3 ? "town" : "village", name: town },
          population: String(Math.floor(300 + random() * 9_000)),
        }),
        aNode(id++, at(random() * 0.9, random() * 0.9), { place: "hamlet", name: invent("en") }),
      );
      const streets = [...SHARED.filter(() => random() < 0.7), ...Array.from({ length: 6 }, () => invent(pick(["weg", "gasse", "strasse"])))];
      for (const street of streets) {
        const from = [0.05 + random() * 0.5, 0.05 + random() * 0.5] as const;
        const isUp = random() < 0.5;
        const length = 0.1 + random() * 0.4;
        const pointAt = (part: number): [number, number] =>
          at(from[0] + (isUp ? part * length : 0), from[1] + (isUp ? 0 : part * length));
        // Streets are drawn in pieces, as maps have them.
        for (let piece = 0; piece < 3; piece++)
          features.push(
            aWay(id++, [pointAt(piece / 3), pointAt((piece + 1) / 3)], {
              ...{ highway: "residential", name: street },
            }),
          );
        const count = 6 + Math.floor(random() * 14);
        for (let n = 1; n <= count; n++) {
          const number = String(n * 2 - (random() < 0.5 ? 1 : 0));
          const [lat, lon] = pointAt(n / (count + 1));
          const where = { "addr:city": town, "addr:postcode": postcode };
          features.push(aHouse(id++, [lat + 2e-4, lon + 2e-4], street, number, where));
          houses.push({ street, number, town, postcode });
        }
      }
      for (const kind of KINDS) {
        const name = invent(" Eck");
        things.push(name);
        features.push(aNode(id++, at(random(), random()), { ...kind, name }));
      }
      features.push(aNode(id++, at(random(), random()), { amenity: "toilets" }));
    }
  return { features, houses, towns: names, postcodes, things };
}

/** Cells of a zoom that hold something of the features. */
export function cellsOf(features: readonly Feature[], zoom: number): PageCell[] {
  const cells = new Map<string, PageCell>();
  for (const feature of features)
    if (feature.type === "node") {
      const cell = cellAt(zoom, feature.lat7, feature.lon7);
      cells.set(`${cell.x}/${cell.y}`, cell);
    }
  return [...cells.values()];
}

/** Features that the page of a cell has. */
export function featuresOf(features: readonly Feature[], cell: PageCell): Feature[] {
  return features.filter((feature) => {
    if (feature.type === "node") {
      const rank = rankOf(feature.tags.get("place") ?? "");
      // The settlement of a municipality is where its area is.
      const reach = Math.max(rank?.radius_m ?? 0, rank?.municipality === true ? MUNICIPALITY_M : 0);
      const { lat7, lon7 } = feature;
      if (isInCell(cell, lat7, lon7)) return true;
      return touches([lat7, lon7, lat7, lon7], cell, Math.max(NEAR_M, reach));
    }
    if (feature.type === "relation") return feature.box !== null && touches(feature.box, cell, NEAR_M);
    return touches(boxOf(feature.points), cell, NEAR_M);
  });
}

type Box7 = readonly [south: number, west: number, north: number, east: number];

function touches([south, west, north, east]: Box7, cell: PageCell, reach_m: number): boolean {
  const own = toBox7(cell);
  const up = units(reach_m);
  const right = unitsEast(reach_m, own[0]);
  return (
    south <= own[2] + up && north >= own[0] - up && west <= own[3] + right && east >= own[1] - right
  );
}

function boxOf(points: Int32Array): Box7 {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    box[0] = Math.min(box[0], points[i]!);
    box[1] = Math.min(box[1], points[i + 1]!);
    box[2] = Math.max(box[2], points[i]!);
    box[3] = Math.max(box[3], points[i + 1]!);
  }
  return box;
}

export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
