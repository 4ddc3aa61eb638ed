/** Small invented networks: nodes on a grid of metres around a point, ways by their names. */
import type { Columns } from "#kit/pack.ts";
import { toEnd } from "#kit/steps.ts";
import type { OsmTags } from "../../base/base-features.ts";
import { openWalk, type WalkGraph } from "../../walk/walk-graph.ts";
import type { WalkMeta } from "../../walk/walk-layout.ts";
import { cellAt, isInCell, type PageCell, WHOLE } from "../../pages/page-cell.ts";
import { joinWalkMetas } from "../../walk/islands.ts";
import { SearchMemories } from "../../walk/search-memory.ts";
import { Walker } from "../../walk/walker.ts";
import { createWalkSection, type WalkSectionOptions } from "../../walk/walk-section.ts";
import { snap, type Snap } from "../../walk/snap.ts";
import type { Profile } from "../../walk/walk-layout.ts";
import type { Walk } from "../../walk/walk-ends.ts";
import { WalkSearch } from "../../walk/walk-search.ts";

type Tags = Readonly<Record<string, string>>;
export type Town = {
  /** Metres to the east and to the north, with tags. */
  nodes: Readonly<Record<string, readonly [x: number, y: number, tags?: Tags]>>;
  /** Nodes by name, in one text: `a b c`. */
  ways: readonly (readonly [nodes: string, tags: Tags])[];
  /** Outer and inner rings by name, of multipolygons. */
  areas?: readonly (readonly [rings: readonly string[], tags: Tags])[];
};

const [LAT7, LON7] = [480_000_000, 90_000_000];
const PER_METRE = 1e7 / 111_195.0797;
const SCALE = Math.cos((48 * Math.PI) / 180);

export function pointOf([x, y]: readonly [number, number, ...unknown[]]) {
  return {
    lat7: LAT7 + Math.round(y * PER_METRE),
    lon7: LON7 + Math.round((x * PER_METRE) / SCALE),
  };
}

/** The graph of a town. It hangs together with a long street, so that no part of it is an island. */
export function graphOf(town: Town, meta: Partial<WalkMeta> = {}): WalkGraph {
  const { columns, meta: header } = sectionOf(town, meta);
  return openWalk(named(columns), header)!;
}

export function sectionOf({ nodes, ways, areas = [] }: Town, options: WalkSectionOptions = {}) {
  const section = createWalkSection(options);
  const names = Object.keys(nodes);
  const numbers = new Map(names.map((name, i) => [name, i + 1]));
  const idOf = (name: string): number => numbers.get(name)!;
  const { cell = WHOLE } = options;
  const isIn = (name: string): boolean => {
    const { lat7, lon7 } = pointOf(nodes[name]!);
    return isInCell(cell, lat7, lon7);
  };
  for (const name of names) {
    const [x, y, tags] = nodes[name]!;
    // A page is given doors near its cell, and buildings that it touches.
    if (tags && (isIn(name) || tags["entrance"] !== undefined))
      section.node({ type: "node", id: idOf(name), ...pointOf([x, y]), tags: toTags(tags) });
  }
  const pointsOf = (list: readonly string[]): Int32Array =>
    Int32Array.from(list.flatMap((name) => Object.values(pointOf(nodes[name]!))));
  areas.forEach(([rings, tags], i) => {
    if (!rings.some((ring) => ring.split(" ").some(isIn)) && !tags["building"]) return;
    section.relation({
      ...{ type: "relation", id: i + 1, tags: toTags(tags), members: [], whole: true, box: null },
      rings: rings.map((ring, at) => ({ points: pointsOf(ring.split(" ")), inner: at > 0 })),
    });
  });
  ways.forEach(([line, tags], i) => {
    const list = line.split(" ");
    if (!list.some(isIn) && !tags["building"]) return;
    section.way({
      ...{ type: "way", id: i + 1, tags: toTags(tags), points: pointsOf(list) },
      nodes: Float64Array.from(list, idOf),
      closed: list.length > 3 && list[0] === list.at(-1),
    });
  });
  const done = toEnd(section.finish());
  return done as typeof done & { meta: WalkMeta };
}

/** The graphs of a town that is cut into cells of a zoom, as those of the pages of a base. */
export function pagesOf(town: Town, z: number): WalkGraph[] {
  const sections = sectionsOf(town, z);
  const head = joinWalkMetas(sections.map(({ meta }) => meta));
  return sections.map(({ columns, meta }) => openWalk(named(columns), meta, head)!);
}

/** What each of the pages counts. */
export function countsOf(town: Town, z: number): Readonly<Record<string, number>>[] {
  return sectionsOf(town, z).map(({ counts }) => counts);
}

function sectionsOf(town: Town, z: number) {
  const cells = new Map<string, PageCell>();
  for (const node of Object.values(town.nodes)) {
    const { lat7, lon7 } = pointOf(node);
    const cell = cellAt(z, lat7, lon7);
    cells.set(`${cell.x}/${cell.y}`, cell);
  }
  return [...cells.values()].map((cell) => sectionOf(town, { cell }));
}

/** A walker over pages. */
export function walkerOf(pages: readonly WalkGraph[]): Walker {
  const walkers = pages.map((page) => new Walker(page));
  return new Walker(walkers, new SearchMemories());
}

function named(columns: Columns): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [`walk.${name}`, column]),
  );
}

function toTags(tags: Tags): OsmTags {
  return new Map(Object.entries(tags));
}

/** A street of 60 nodes to the west: what hangs together with `west` is no island. */
export function mainland(from: readonly [number, number]): Town {
  const names = Array.from({ length: 60 }, (_, i) => (i === 0 ? "west" : `w${i}`));
  return {
    nodes: Object.fromEntries(names.map((name, i) => [name, [from[0] - 10 * i, from[1]] as const])),
    ways: [[names.join(" "), { highway: "residential" }]],
  };
}

export function join(...towns: readonly Town[]): Town {
  return {
    nodes: Object.assign({}, ...towns.map(({ nodes }) => nodes)) as Town["nodes"],
    ways: towns.flatMap(({ ways }) => ways),
    areas: towns.flatMap(({ areas = [] }) => areas),
  };
}

export type Way = { from: Snap | null; to: Snap | null; walk: Walk | null };

/** The way between two points of the grid. */
export function walk(
  graph: WalkGraph,
  from: readonly [number, number],
  to: readonly [number, number],
  { profile = "foot", most_m = 5_000 }: { profile?: Profile; most_m?: number } = {},
): Way {
  const [a, b] = [from, to].map((at) => snap(graph, pointOf(at), { most_m: 100, profile })) as [
    Snap | null,
    Snap | null,
  ];
  const found =
    a === null ? null : new WalkSearch(graph).find(a, [b], { most_cm: most_m * 100, profile })[0]!;
  return { from: a, to: b, walk: found };
}

/** Metres of that way, rounded; null: there is none. */
export function metres(...given: Parameters<typeof walk>): number | null {
  const { walk: found } = walk(...given);
  return found && Math.round(found.length_cm / 100);
}
