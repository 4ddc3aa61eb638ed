/** An extract of places far apart: a town across many cells, both sides of the antimeridian, and a pole. */
import type {
  PbfMember,
  PbfNode,
  PbfObject,
  PbfRelation,
  PbfWay,
} from "../../../../../sandbox/pbf/objects.ts";

type Tags = Readonly<Record<string, string>>;

const NODE_TAGS: readonly Tags[] = [
  {},
  {},
  {},
  { amenity: "toilets", access: "yes" },
  { barrier: "gate", access: "private" },
  { shop: "bakery", name: "Brot", source: "survey" },
  { "addr:housenumber": "7", "addr:street": "Gasse" },
  { natural: "peak", name: "Berg" },
  { entrance: "main" },
];
const WAY_TAGS: readonly Tags[] = [
  { highway: "residential", name: "Gasse" },
  { highway: "footway" },
  { highway: "motorway", ref: "A 1", name: "Autobahn" },
  { natural: "coastline", source: "survey" },
  { railway: "rail" },
  { waterway: "river", name: "Fluss" },
];
const AREA_TAGS: readonly Tags[] = [
  { building: "yes" },
  { landuse: "forest", name: "Wald" },
  { natural: "water", name: "See", source: "survey" },
  { place: "village", name: "Dorf" },
  { amenity: "parking" },
  { highway: "pedestrian", area: "yes", name: "Platz" },
];
const PLACES = ["city", "town", "village", "hamlet", "suburb", "state", "thing"];

/** `seed` decides where all lies. */
export function listMadeWorld(seed: number): PbfObject[] {
  const random = createRandom(seed);
  const nodes: PbfNode[] = [];
  const ways: PbfWay[] = [];
  const relations: PbfRelation[] = [];
  let id = 1;
  const node = (lat7: number, lon7: number, tags: Tags = {}): number => {
    // Some ids lie far apart, and some are none of the map's.
    const own = id % 97 === 0 ? 2 ** 34 + id : id % 31 === 0 ? 9_000_000 * id : id;
    id += 1;
    nodes.push({
      type: "node",
      id: own,
      lat7: Math.round(lat7),
      lon7: wrap(Math.round(lon7)),
      tags,
    });
    return own;
  };
  const way = (refs: number[], tags: Tags): number => {
    ways.push({ type: "way", id: ways.length + 1, refs, tags });
    return ways.length;
  };
  const relation = (tags: Tags, members: PbfMember[]): void => {
    relations.push({ type: "relation", id: relations.length + 1, tags, members });
  };
  const ring = (lat7: number, lon7: number, size7: number): number[] => {
    const refs = [0, 1, 2, 3, 4, 5].map((i) =>
      node(
        clampLat(lat7 + size7 * Math.sin((i * Math.PI) / 3)),
        lon7 + size7 * Math.cos((i * Math.PI) / 3),
      ),
    );
    return [...refs, refs[0]!];
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const region = (south7: number, west7: number, size7: number, count: number): void => {
    for (let i = 0; i < count; i++) {
      const [lat7, lon7] = [clampLat(south7 + random() * size7), west7 + random() * size7];
      const line = Array.from({ length: 2 + Math.floor(random() * 4) }, (_, n) =>
        node(
          clampLat(lat7 + n * random() * 150_000),
          lon7 + n * random() * 150_000,
          pick(NODE_TAGS),
        ),
      );
      // A node that the extract does not hold.
      if (i % 7 === 0) line.splice(1, 0, 77_000_000_000);
      way(line, pick(WAY_TAGS));
      const size = i % 10 === 0 ? size7 / 3 : 2_000 + random() * 60_000;
      way(ring(lat7, lon7, size), pick(AREA_TAGS));
      if (i % 3 === 0)
        node(lat7, lon7, { place: pick(PLACES), name: pick(["Dorf", "Stadt", "Weiler"]) });
    }
    const [lat7, lon7] = [clampLat(south7 + size7 / 2), west7 + size7 / 2];
    const outer = way(ring(lat7, lon7, size7), {});
    const inner = way(ring(lat7, lon7, size7 / 2), {});
    const hole = way(ring(lat7, lon7, size7 / 4), {});
    const far = node(clampLat(lat7 + 2 * size7), lon7, { place: "city", name: "Stadt" });
    const border = { type: "boundary", boundary: "administrative" };
    relation({ ...border, admin_level: "2", name: "Land", "ISO3166-1": "XX" }, [
      { type: "way", id: outer, role: "outer" },
      { type: "node", id: far, role: "admin_centre" },
    ]);
    relation({ ...border, admin_level: "8", name: "Stadt" }, [
      { type: "way", id: inner, role: "outer" },
      { type: "way", id: 123_456, role: "outer" },
      { type: "node", id: far, role: "label" },
    ]);
    relation({ type: "multipolygon", natural: "water", name: "See" }, [
      { type: "way", id: inner, role: "outer" },
      { type: "way", id: hole, role: "inner" },
    ]);
    relation({ type: "multipolygon", highway: "pedestrian", area: "yes" }, [
      { type: "way", id: hole, role: "outer" },
    ]);
    relation({ type: "associatedStreet", name: "Gasse" }, [
      { type: "node", id: nodes.at(-9)!.id, role: "house" },
      { type: "way", id: ways.length - 4, role: "street" },
    ]);
    relation({ type: "route", route: "bus", name: "1" }, [{ type: "way", id: outer, role: "" }]);
    relation({ type: "site", amenity: "toilets", source: "survey" }, [
      { type: "node", id: far, role: "" },
      { type: "way", id: hole, role: "" },
    ]);
  };
  region(470_000_000, 90_000_000, 6_000_000, 60);
  region(-180_000_000, 1_799_000_000, 3_000_000, 12);
  region(890_000_000, 0, 15_000_000, 10);
  region(-899_990_000, -1_800_000_000, 50_000, 4);
  const byId = (a: PbfObject, b: PbfObject): number => a.id - b.id;
  return [...nodes.sort(byId), ...ways, ...relations];
}

/** The same objects in no order. */
export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  return list
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function wrap(lon7: number): number {
  return lon7 > 1_800_000_000 ? lon7 - 3_600_000_000 : lon7;
}

function clampLat(lat7: number): number {
  return Math.max(-900_000_000, Math.min(900_000_000, lat7));
}
