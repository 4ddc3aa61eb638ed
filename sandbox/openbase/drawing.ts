// What is drawn of the simulated world, as objects of the open map: each id once, and every point of
// a line or an area a node of its own.
import type { Point } from "../geo.ts";
import type { PbfMember, PbfNode, PbfObject, PbfRelation, PbfWay } from "../pbf/encode.ts";
import { CITIES } from "../world/cities.ts";
import type { City } from "../world/model.ts";

type Tags = Readonly<Record<string, string>>;
/** Whole ten-millionths of a degree. */
export type Position = { readonly lat7: number; readonly lon7: number };

/** Adds objects of one city; each returns the id that the object has. */
export type Drawing = {
  node(at: Position, tags?: Tags, id?: number): number;
  way(refs: readonly number[], tags?: Tags, id?: number): number;
  relation(members: readonly PbfMember[], tags: Tags, id?: number): number;
  /** A line without tags on its nodes; it is cut where it crosses the antimeridian. */
  line(points: readonly Point[], tags: Tags, id?: number): void;
  /** A closed way, whose corners are each given once; nothing where it crosses the antimeridian. */
  area(corners: readonly Position[], tags: Tags, id?: number): number | null;
};

export type Sheets = {
  ofCity(city: City): Drawing;
  /** Nodes, ways, relations, each by id, as extracts have them. */
  list(): PbfObject[];
};

/** Numbers that no simulated source gives to anything. */
const OWN_FROM = 20_000_000_000;
const OWN_PER_CITY = 10_000_000;

export const toPosition = ({ lat, lon }: Point): Position => ({
  lat7: Math.round(lat * 1e7),
  lon7: Math.round(lon * 1e7),
});

export function createSheets(): Sheets {
  const nodes = new Map<number, PbfNode>();
  const ways = new Map<number, PbfWay>();
  const relations = new Map<number, PbfRelation>();
  return {
    ofCity: (city) => drawIn(city, { nodes, ways, relations }),
    list: () => [nodes, ways, relations].flatMap(inOrder),
  };
}

const inOrder = (objects: ReadonlyMap<number, PbfObject>): PbfObject[] =>
  [...objects.values()].toSorted((a, b) => a.id - b.id);

type Objects = {
  readonly nodes: Map<number, PbfNode>;
  readonly ways: Map<number, PbfWay>;
  readonly relations: Map<number, PbfRelation>;
};

function drawIn(city: City, { nodes, ways, relations }: Objects): Drawing {
  let next = OWN_FROM + CITIES.findIndex(({ id }) => id === city.id) * OWN_PER_CITY;
  // Where two ids of hashes are the same number, the later object has one of its own.
  const idIn = (taken: ReadonlyMap<number, unknown>, id: number | undefined): number =>
    id !== undefined && !taken.has(id) ? id : next++;
  const node: Drawing["node"] = (at, tags = {}, wish) => {
    const id = idIn(nodes, wish);
    nodes.set(id, { type: "node", id, ...at, tags });
    return id;
  };
  const way: Drawing["way"] = (refs, tags = {}, wish) => {
    const id = idIn(ways, wish);
    ways.set(id, { type: "way", id, refs, tags });
    return id;
  };
  return {
    node,
    way,
    relation(members, tags, wish) {
      const id = idIn(relations, wish);
      relations.set(id, { type: "relation", id, members, tags });
      return id;
    },
    line(points, tags, id) {
      const runs = runsOf(points.map(toPosition)).filter((run) => run.length > 1);
      for (const [n, run] of runs.entries()) {
        const refs = run.map((at) => node(at));
        way(refs, tags, n === 0 ? id : undefined);
      }
    },
    area(corners, tags, id) {
      if (runsOf([...corners, corners[0]!]).length > 1) return null;
      const refs = corners.map((at) => node(at));
      return way([...refs, refs[0]!], tags, id);
    },
  };
}

const HALF_TURN_7 = 1_800_000_000;

/** The line in pieces that stay on one side of the antimeridian. */
function runsOf(line: readonly Position[]): Position[][] {
  const runs: Position[][] = [[]];
  for (const at of line) {
    const before = runs.at(-1)!.at(-1);
    if (before && Math.abs(before.lon7 - at.lon7) > HALF_TURN_7) runs.push([]);
    runs.at(-1)!.push(at);
  }
  return runs;
}
