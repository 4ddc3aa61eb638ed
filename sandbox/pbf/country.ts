// An invented country of any size, in the order and with the shares of a real extract: towns of
// streets, buildings with addresses, places to visit, land use with clearings, and their districts.

import { between, hash } from "../rng.ts";
import type { PbfMember, PbfNode, PbfObject, PbfRelation, PbfWay } from "./encode.ts";

/** A quarter of about 300 m; what it holds is the same in all of them but for its tags. */
const BUILDINGS = 20;
const STREETS = 3;
const STREET_NODES = 10;
const PATH_NODES = 40;
const WOOD_NODES = 50;
const CLEARING_NODES = 10;
const PLACES = 6;
const NODES =
  BUILDINGS * 4 + STREETS * STREET_NODES + PATH_NODES + WOOD_NODES + CLEARING_NODES + PLACES;
const WAYS = BUILDINGS + STREETS + 3;
/** Ids between quarters are left out, as in every extract. */
const NODE_STEP = 400;
const WAY_STEP = 40;
const FIRST_NODE = 4_000_000_000;
const FIRST_WAY = 300_000_000;
const FIRST_RELATION = 2_000_000;
const SIDE7 = 40_000;
const SOUTH7 = 460_000_000;
const WEST7 = 60_000_000;
const TIME_S = 1_600_000_000;
const ROADS = ["residential", "tertiary", "service", "footway"] as const;
const KINDS: readonly Readonly<Record<string, string>>[] = [
  { amenity: "toilets", access: "yes" },
  { amenity: "drinking_water" },
  { emergency: "defibrillator", indoor: "yes" },
  { amenity: "bench", backrest: "yes" },
  { highway: "crossing", crossing: "marked" },
  { shop: "bakery", opening_hours: "Mo-Sa 06:00-18:00" },
  { natural: "tree" },
];
const STEMS = ["Linden", "Bahnhof", "Kirch", "Mühl", "Berg", "Garten", "Schul", "Wald", "Ring"];

export type Country = {
  /** Quarters; each one has about 216 nodes and 26 ways, which is some 2.4 kB of PBF. */
  quarters: number;
  seed?: number;
};

/** All objects, made while they are iterated: nodes, ways and relations by id. */
export function* listCountry({ quarters, seed = 1 }: Country): Generator<PbfObject> {
  const columns = Math.ceil(Math.sqrt(quarters));
  for (let q = 0; q < quarters; q++) yield* listNodes(q, columns, seed);
  for (let q = 0; q < quarters; q++) yield* listWays(q, seed);
  for (let q = 0; q < quarters; q++) yield toWood(q);
}

function* listNodes(q: number, columns: number, seed: number): Generator<PbfNode> {
  const south = SOUTH7 + Math.floor(q / columns) * SIDE7;
  const west = WEST7 + (q % columns) * SIDE7;
  for (let i = 0; i < NODES; i++) {
    const place = i - (NODES - PLACES);
    const id = FIRST_NODE + q * NODE_STEP + i;
    const [north7, east7] = offsetOf(i, hash(seed, q, i));
    const changed_at_s = TIME_S + between(0, 100_000_000, seed, q);
    const node = { type: "node", id, lat7: south + north7, lon7: west + east7 } as const;
    yield place < 0
      ? { ...node, changed_at_s }
      : { ...node, changed_at_s, tags: placeTags(seed, q, place) };
  }
}

/** Corners of buildings in rows, points of streets in lines, woods on circles. */
function offsetOf(i: number, dice: number): [north7: number, east7: number] {
  const jitter = (dice % 1024) - 512;
  const other = ((dice >>> 10) % 1024) - 512;
  if (i < BUILDINGS * 4) {
    const building = i >> 2;
    const corner = [0, 1, 3, 2][i & 3]!;
    return [
      2_000 + (building % 5) * 3_000 + (corner >> 1) * 1_400 + (jitter >> 1),
      2_000 + Math.floor(building / 5) * 4_000 + (corner & 1) * 1_600 + (other >> 1),
    ];
  }
  const after = i - BUILDINGS * 4;
  if (after < STREETS * STREET_NODES)
    return [
      1_500 + Math.floor(after / STREET_NODES) * 6_000 + jitter,
      (after % STREET_NODES) * 4_000 + other,
    ];
  const path = after - STREETS * STREET_NODES;
  if (path < PATH_NODES) return [path * 900 + (jitter >> 1), 19_000 + other * 3];
  const wood = path - PATH_NODES;
  if (wood < WOOD_NODES) return onCircle(wood / WOOD_NODES, 9_000 + jitter);
  const clearing = wood - WOOD_NODES;
  if (clearing < CLEARING_NODES) return onCircle(clearing / CLEARING_NODES, 2_000 + jitter);
  return [dice % SIDE7, (dice >>> 16) % SIDE7];
}

function onCircle(turn: number, radius7: number): [north7: number, east7: number] {
  const angle = turn * 2 * Math.PI;
  return [
    30_000 + Math.round(Math.sin(angle) * radius7),
    30_000 + Math.round(Math.cos(angle) * radius7),
  ];
}

function placeTags(seed: number, q: number, i: number): Readonly<Record<string, string>> {
  const kind = KINDS[hash(seed, q, i) % KINDS.length]!;
  return i === 0 ? { place: "hamlet", name: `${streetName(q)} ${q}` } : kind;
}

function* listWays(q: number, seed: number): Generator<PbfWay> {
  const node = FIRST_NODE + q * NODE_STEP;
  const way = FIRST_WAY + q * WAY_STEP;
  const of = (i: number, refs: number[], tags: Readonly<Record<string, string>>): PbfWay => ({
    type: "way",
    id: way + i,
    refs,
    tags,
    changed_at_s: TIME_S + between(0, 100_000_000, seed, q, i),
  });
  for (let i = 0; i < BUILDINGS; i++) {
    const first = node + i * 4;
    yield of(i, [first, first + 1, first + 2, first + 3, first], {
      building: "yes",
      "addr:housenumber": String(1 + i),
      "addr:street": streetName(q * STREETS + (i % STREETS)),
      "addr:city": `${STEMS[Math.floor(q / 100) % STEMS.length]!}dorf ${Math.floor(q / 900)}`,
      "addr:postcode": String(10_000 + (Math.floor(q / 100) % 80_000)),
    });
  }
  let at = node + BUILDINGS * 4;
  for (let i = 0; i < STREETS; i++, at += STREET_NODES)
    yield of(BUILDINGS + i, range(at, STREET_NODES), {
      highway: ROADS[hash(seed, q, i) % ROADS.length]!,
      name: streetName(q * STREETS + i),
    });
  yield of(BUILDINGS + STREETS, range(at, PATH_NODES), { highway: "path" });
  at += PATH_NODES;
  yield of(WAYS - 2, [...range(at, WOOD_NODES), at], {});
  at += WOOD_NODES;
  yield of(WAYS - 1, [...range(at, CLEARING_NODES), at], {});
}

function toWood(q: number): PbfRelation {
  const way = FIRST_WAY + q * WAY_STEP;
  const members: PbfMember[] = [
    { type: "way", id: way + WAYS - 2, role: "outer" },
    { type: "way", id: way + WAYS - 1, role: "inner" },
  ];
  const tags = { type: "multipolygon", natural: "wood" };
  return { type: "relation", id: FIRST_RELATION + q, members, tags, changed_at_s: TIME_S };
}

function streetName(n: number): string {
  const stem = STEMS[hash(n) % STEMS.length]!;
  return `${stem}${["straße", "weg", "gasse", "platz"][hash(n, 1) % 4]!} ${n % 500}`;
}

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}
