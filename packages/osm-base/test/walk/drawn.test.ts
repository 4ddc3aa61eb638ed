/** Drawn networks: the search equals one that knows nothing of vertices, cells or packs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { outlineOf } from "../../walk/outline.ts";
import { WalkSearch } from "../../walk/walk-search.ts";
import { snap } from "../../walk/snap.ts";
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

function townOf(links: readonly Link[]): Town {
  const nodes: Record<string, readonly [number, number]> = {};
  for (let place = 0; place < SIDE * SIDE; place++) nodes[`n${place}`] = spot(place);
  const ways = links
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, tags }) => [`n${from} n${to}`, tags] as const);
  return join(mainland([0, 0]), {
    nodes,
    ways: [["west n0", { highway: "residential" }], ...ways],
  });
}

/** Metres from one place to all others, by looking at all links until nothing changes. */
function judge(links: readonly Link[], start: number, isWalked: (link: Link) => boolean): number[] {
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
        if (metres[from]! + length < metres[to]! - 1e-9) {
          metres[to] = metres[from]! + length;
          changed = true;
        }
    }
  }
  return metres;
}

test("ways over a drawn network are as long as another search finds them", () => {
  fc.assert(
    fc.property(
      NETWORK,
      fc.constantFrom("foot" as const, "step_free" as const),
      (links, profile) => {
        const graph = graphOf(townOf(links));
        const isWalked = ({ tags: { highway } }: Link): boolean =>
          highway !== "motorway" && (profile === "foot" || highway !== "steps");
        const judged = judge(links, 0, isWalked);
        // What lies on a vertex that no street leads to is set down elsewhere.
        const reached = judged.flatMap((length, place) => (length < 1_500 ? [place] : []));
        const isAlone = (place: number): boolean =>
          !links.some(({ from, to }) => from !== to && (from === place || to === place));
        const places = reached.filter((place) => place === 0 || !isAlone(place));
        const targets = places.map((place) =>
          snap(graph, pointOf(spot(place)), { most_m: 0.05, profile }),
        );
        const from = snap(graph, pointOf(spot(0)), { most_m: 0.05, profile: "foot" })!;
        const search = new WalkSearch(graph);
        const found = search.find(from, targets, { most_cm: 160_000, profile });
        places.forEach((place, i) => {
          if (targets[i] === null) return;
          const length_m = (found[i]?.length_cm ?? NaN) / 100;
          assert.ok(
            Math.abs(length_m - judged[place]!) < 0.5,
            `${place}: ${length_m} ${judged[place]}`,
          );
        });
      },
    ),
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
      const polygons = outlineOf(graph, search, from, wish);
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

type Polygons = ReturnType<typeof outlineOf>;

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
