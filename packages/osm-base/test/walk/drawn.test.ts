/** Drawn networks: the search equals one that knows nothing of vertices, cells or packs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toEnd } from "#kit/steps.ts";
import { squaresOf } from "../../walk/outline.ts";
import type { Outline } from "../../walk/raster.ts";
import type { WalkGraph } from "../../walk/walk-graph.ts";
import { DEAD_END, isOpen } from "../../walk/walk-layout.ts";
import { WalkSearch } from "../../walk/walk-search.ts";
import { snap, type Snap } from "../../walk/snap.ts";
import { graphOf, join, mainland, pointOf, type Town } from "./town.ts";

const SIDE = 7;
const STEP_M = 70;
const TAGS = [
  { highway: "residential" },
  { highway: "steps" },
  { highway: "motorway" },
  { highway: "footway" },
] as const;

type Link = { from: number; to: number; tags: (typeof TAGS)[number] };

const PLACE = fc.integer({ min: 0, max: SIDE * SIDE - 1 });
const NETWORK = fc.array(fc.record({ from: PLACE, to: PLACE, tags: fc.constantFrom(...TAGS) }), {
  minLength: 20,
  maxLength: 90,
});
/** Not quite on a grid: no link passes over a place that it does not lead to. */
const spot = (place: number): readonly [number, number] => [
  (place % SIDE) * STEP_M + 25 * Math.sin(place ** 2),
  Math.floor(place / SIDE) * STEP_M + 25 * Math.cos(place ** 2 + place),
];

/** What is on a place: a gate that is closed, or a kerb. */
const GATE = { barrier: "gate", access: "private" } as const;
const KERB = { kerb: "raised" } as const;
type Things = ReadonlyMap<number, typeof GATE | typeof KERB>;
const THINGS: fc.Arbitrary<Things> = fc
  .array(fc.tuple(PLACE, fc.constantFrom(GATE, KERB)), { maxLength: 12 })
  .map((list) => new Map(list));

function townOf(links: readonly Link[], things: Things = new Map(), scale = 1): Town {
  const nodes: Record<string, readonly [number, number, Record<string, string>?]> = {};
  for (let place = 0; place < SIDE * SIDE; place++)
    nodes[`n${place}`] = [scale * spot(place)[0], scale * spot(place)[1], { ...things.get(place) }];
  const ways = links
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, tags }) => [`n${from} n${to}`, tags] as const);
  return join(mainland([0, 0]), {
    nodes,
    ways: [["west n0", { highway: "residential" }], ...ways],
  });
}

/** Metres from one place to all others, by looking at all links until nothing changes. */
function judge(
  links: readonly Link[],
  start: number,
  isWalked: (link: Link) => boolean,
  isPassed: (place: number) => boolean = () => true,
): number[] {
  const metres = Array.from({ length: SIDE * SIDE }, () => Infinity);
  metres[start] = 0;
  for (let changed = true; changed;) {
    changed = false;
    for (const link of links.filter(isWalked)) {
      const [a, b] = [spot(link.from), spot(link.to)];
      const length = Math.hypot(a[0] - b[0], a[1] - b[1]);
      for (const [from, to] of [
        [link.from, link.to],
        [link.to, link.from],
      ] as const)
        if ((from === start || isPassed(from)) && metres[from]! + length < metres[to]! - 1e-9) {
          metres[to] = metres[from]! + length;
          changed = true;
        }
    }
  }
  return metres;
}

type Profile = "foot" | "step_free";
const PROFILE = fc.constantFrom<Profile[]>("foot", "step_free");

/** Metres to the places that something leads to, the first included; Infinity: none does. */
function judgePlaces(
  links: readonly Link[],
  things: Things,
  profile: Profile,
): Map<number, number> {
  const isWalked = ({ tags: { highway } }: Link): boolean =>
    highway !== "motorway" && (profile === "foot" || highway !== "steps");
  const isPassed = (place: number): boolean => {
    const thing = things.get(place);
    return thing !== GATE && (profile === "foot" || thing !== KERB);
  };
  const judged = judge(links, 0, isWalked, isPassed);
  const isMet = (place: number): boolean =>
    links.some(
      (link) => isWalked(link) && link.from !== link.to && [link.from, link.to].includes(place),
    );
  const places = judged.flatMap((length, place): (readonly [number, number])[] =>
    place === 0 || isMet(place) ? [[place, length]] : [],
  );
  return new Map(places);
}

const AT_PLACE = 0.05;

test("ways over a drawn network are as long as another search finds them", () => {
  fc.assert(
    fc.property(NETWORK, THINGS, PROFILE, (links, things, profile) => {
      const graph = graphOf(townOf(links, things));
      const judged = judgePlaces(links, things, profile);
      const places = [...judged.keys()];
      const targets = places.map((place) =>
        snap(graph, pointOf(spot(place)), { most_m: AT_PLACE, profile }),
      );
      const from = snap(graph, pointOf(spot(0)), { most_m: AT_PLACE, profile: "foot" })!;
      const search = new WalkSearch(graph);
      const found = search.find(from, targets, { most_cm: 160_000, profile });
      places.forEach((place, i) => {
        const wanted_m = judged.get(place)!;
        // What is set down on an island is not in a network of 60 nodes.
        if (targets[i] === null) return;
        const length_m = (found[i]?.length_cm ?? Infinity) / 100;
        const isSame = wanted_m > 1_599 || Math.abs(length_m - wanted_m) < 0.5;
        assert.ok(isSame, `${place}: ${length_m} ${wanted_m}`);
      });
    }),
    { numRuns: 300 },
  );
});

/** Centimetres from a point on an edge to every vertex, by looking at all edges until nothing changes. */
function judgeVertices(graph: WalkGraph, from: Snap, profile: Profile): number[] {
  const { to, edges } = graph.columns;
  const costs = Array.from({ length: graph.vertices }, () => Infinity);
  const lower = (vertex: number, cost: number): boolean => {
    if (costs[vertex]! <= cost) return false;
    costs[vertex] = cost;
    return true;
  };
  if (!isOpen(edges[from.edge]!, profile)) return costs;
  lower(from.from, from.from_cm);
  lower(from.to, from.to_cm);
  for (let changed = true; changed;) {
    changed = false;
    for (let edge = 0; edge < graph.edges; edge++) {
      if (!isOpen(edges[edge]!, profile)) continue;
      const [a, b] = [graph.startOf(edge), to[edge]!];
      const length_cm = graph.lengthOf(edge);
      if (lower(a, costs[b]! + length_cm)) changed = true;
      if (lower(b, costs[a]! + length_cm)) changed = true;
    }
  }
  return costs;
}

test("where edges are as short as a hand, costs are exact, and a search ends at its goals", () => {
  const scale = fc.constantFrom(0.0005, 0.002, 0.005);
  const goal = fc.integer({ min: 0, max: 1_000 });
  fc.assert(
    fc.property(
      NETWORK,
      PROFILE,
      scale,
      fc.array(goal, { minLength: 2 }),
      (links, profile, by, numbers) => {
        const graph = graphOf(townOf(links, new Map(), by));
        const from = snap(graph, pointOf(spot(0)), { most_m: 100, profile: "foot" })!;
        const judged = judgeVertices(graph, from, profile);
        const search = new WalkSearch(graph);
        search.reach(from, { most_cm: 1_000_000, profile });
        judged.forEach((cost, vertex) =>
          assert.equal(search.costOf(vertex) ?? Infinity, cost, `vertex ${vertex}`),
        );
        const targets = numbers.map((number) => atStartOf(graph, number % graph.edges));
        const ways = search.find(from, targets, { most_cm: 1_000_000, profile });
        targets.forEach(({ edge, from: start, from_cm, to, to_cm }, i) => {
          const isWalked = isOpen(graph.columns.edges[edge]!, profile);
          const least = Math.min(judged[start]! + from_cm, judged[to]! + to_cm);
          const wanted = isWalked && least < Infinity ? least : undefined;
          if (edge !== from.edge) assert.equal(ways[i]?.length_cm, wanted, `edge ${edge}`);
        });
        // All goals that are reached are reached by then, and what comes a bucket later is not walked.
        const isAll = targets.every(
          ({ from: start, to }) => judged[start]! + judged[to]! < Infinity,
        );
        const last = Math.max(
          0,
          ...targets.flatMap(({ from: a, to: b }) => [judged[a]!, judged[b]!]),
        );
        if (isAll)
          for (const vertex of search.reached())
            assert.ok(
              isDeadEnd(graph, vertex) || judged[vertex]! < last + 64,
              `${judged[vertex]} ${last}`,
            );
      },
    ),
    { numRuns: 200 },
  );
});

/** It is reached together with what leads there. */
function isDeadEnd(graph: WalkGraph, vertex: number): boolean {
  return (graph.columns.marks[vertex]! & DEAD_END) !== 0;
}

function atStartOf(graph: WalkGraph, edge: number): Snap {
  const [lat7, lon7] = graph.pointOf(graph.startOf(edge));
  const ends = { from: graph.startOf(edge), to: graph.columns.to[edge]! };
  return { edge, ...ends, from_cm: 0, to_cm: graph.lengthOf(edge), off_m: 0, lat7, lon7 };
}

test("a search that may look at few edges finds the nearest, says how far it looked, and no more", () => {
  fc.assert(
    fc.property(NETWORK, PROFILE, fc.integer({ min: 0, max: 60 }), (links, profile, looks) => {
      const graph = graphOf(townOf(links));
      const from = snap(graph, pointOf(spot(0)), { most_m: AT_PLACE, profile: "foot" })!;
      const targets = Array.from({ length: SIDE * SIDE }, (_, place) =>
        snap(graph, pointOf(spot(place)), { most_m: AT_PLACE, profile }),
      );
      const [whole, short] = [new WalkSearch(graph), new WalkSearch(graph, looks)];
      const wish = { most_cm: 160_000, profile } as const;
      const wanted = whole.find(from, targets, wish);
      assert.equal(whole.searched_cm, 160_000);
      const found = short.find(from, targets, wish);
      assert.ok(short.searched_cm <= 160_000);
      for (const [i, way] of wanted.entries()) {
        const isNear = way !== null && way.length_cm <= short.searched_cm;
        assert.equal(found[i]?.length_cm, isNear ? way.length_cm : undefined, `place ${i}`);
      }
      short.reach(from, wish);
      whole.reach(from, wish);
      const near = [...whole.reached()].filter((at) => whole.costOf(at)! <= short.searched_cm);
      assert.deepEqual(new Set(short.reached()), new Set(near));
      for (const vertex of near) assert.equal(short.costOf(vertex), whole.costOf(vertex));
      assert.ok(short.reached().length <= looks + 2);
    }),
  );
});

test("an outline holds what is reached and nothing that lies beyond", () => {
  fc.assert(
    fc.property(NETWORK, fc.integer({ min: 50, max: 500 }), (links, most_m) => {
      const graph = graphOf(townOf(links));
      const from = snap(graph, pointOf(spot(0)), { most_m: 0.05, profile: "foot" })!;
      const search = new WalkSearch(graph);
      const wish = { most_cm: most_m * 100, profile: "foot" } as const;
      search.reach(from, wish);
      const polygons = toEnd(squaresOf([search], { page: 0, at: from }, wish).outlineSteps());
      for (const vertex of search.reached())
        assert.ok(isIn(polygons, graph.pointOf(vertex)), `vertex ${vertex}`);
      for (const rings of polygons)
        for (const [i, ring] of rings.entries()) {
          assert.deepEqual(ring[0], ring.at(-1));
          assert.equal(areaOf(ring) > 0, i === 0, "outer rings turn left, holes right");
          for (const [lon, lat] of ring) {
            const [east, north] = [(lon - 9) * 111_195 * Math.cos(0.8378), (lat - 48) * 111_195];
            const away_m = Math.hypot(east - spot(0)[0], north - spot(0)[1]);
            assert.ok(away_m <= most_m + 75, `${away_m} m from the start`);
          }
        }
    }),
  );
});

type Polygons = Outline;

function isIn(polygons: Polygons, [lat7, lon7]: readonly [number, number]): boolean {
  const [y, x] = [lat7 / 1e7, lon7 / 1e7];
  let inside = false;
  for (const ring of polygons.flat())
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!];
      if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
    }
  return inside;
}

function areaOf(ring: Polygons[number][number]): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++)
    sum += ring[i - 1]![0] * ring[i]![1] - ring[i]![0] * ring[i - 1]![1];
  return sum;
}
