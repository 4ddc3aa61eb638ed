/** Networks that are cut into pages answer as one graph does: ways, their lines, and what is reached. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Walker } from "../../walk/walker.ts";
import { graphOf, join, mainland, pagesOf, pointOf, type Town, walkerOf } from "./town.ts";

type Tags = Readonly<Record<string, string>>;
type Spot = readonly [x: number, y: number];

const PROFILES = ["foot", "step_free"] as const;

/** Zoom of cells that are about a hundred metres wide, and twice and four times as wide. */
const ZOOMS = [18, 17, 16] as const;

function toPoint(spot: Spot) {
  const { lat7, lon7 } = pointOf(spot);
  return { lat: lat7 / 1e7, lon: lon7 / 1e7 };
}

/** What one graph says and what its pages say, of all ways from a spot to others. */
function compare(town: Town, z: number, spots: readonly Spot[], most_m = 1_600): void {
  const one = new Walker(graphOf(town));
  const graphs = pagesOf(town, z);
  const paged = walkerOf(graphs);
  const points = spots.map(toPoint);
  const start = points[0]!;
  for (const profile of PROFILES) {
    const wish = { most_m, profile };
    const wanted = one.walkTo(start, points, wish);
    assert.deepEqual(paged.walkTo(start, points, wish), wanted, `${profile} in ${graphs.length}`);
    assert.equal(paged.looked_m, one.looked_m);
    for (const end of points.slice(1))
      assert.deepEqual(paged.drawWay(start, end, wish), one.drawWay(start, end, wish));
    for (const reach_m of [most_m / 8, most_m / 3]) {
      const reach = { most_m: reach_m, profile };
      assert.deepEqual(paged.outline(start, reach), one.outline(start, reach));
    }
  }
}

const SIDE = 7;
const PLACE = fc.integer({ min: 0, max: SIDE * SIDE - 1 });
const TAGS: readonly Tags[] = [
  { highway: "residential" },
  { highway: "residential" },
  { highway: "steps" },
  { highway: "footway" },
  { highway: "footway", surface: "asphalt" },
  { highway: "motorway" },
];
const THINGS: readonly Tags[] = [
  { barrier: "gate", access: "private" },
  { kerb: "raised" },
  { barrier: "bollard" },
];
const drawn = fc.record({
  links: fc.array(
    fc.tuple(fc.array(PLACE, { minLength: 2, maxLength: 5 }), fc.constantFrom(...TAGS)),
    {
      minLength: 10,
      maxLength: 40,
    },
  ),
  things: fc.array(fc.tuple(PLACE, fc.constantFrom(...THINGS)), { maxLength: 12 }),
  squares: fc.array(fc.tuple(PLACE, fc.boolean(), fc.boolean()), { maxLength: 3 }),
  houses: fc.array(fc.tuple(PLACE, fc.boolean(), fc.boolean()), { maxLength: 4 }),
  isEven: fc.boolean(),
  step_m: fc.constantFrom(20, 45, 70),
  spots: fc.array(
    fc.tuple(fc.integer({ min: -60, max: 480 }), fc.integer({ min: -60, max: 480 })),
    {
      minLength: 6,
      maxLength: 12,
    },
  ),
  z: fc.constantFrom(...ZOOMS),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** On a grid many ways are as long as others. */
function spotOf(place: number, { isEven, step_m }: Pick<Drawn, "isEven" | "step_m">): Spot {
  const [x, y] = [(place % SIDE) * step_m, Math.floor(place / SIDE) * step_m];
  return isEven ? [x, y] : [x + 9 * Math.sin(place ** 2), y + 9 * Math.cos(place ** 2 + place)];
}

function townOf(given: Drawn): Town {
  const nodes: Record<string, readonly [number, number, Tags?]> = {};
  const things = new Map(given.things);
  for (let place = 0; place < SIDE * SIDE; place++)
    nodes[`n${place}`] = [...spotOf(place, given), { ...things.get(place) }];
  const lines = given.links.map(
    ([line, tags]) => [line.map((at) => `n${at}`).join(" "), tags] as const,
  );
  const rim = (at: number): string => {
    const [x, y] = [Math.min(at % SIDE, SIDE - 3), Math.min(Math.floor(at / SIDE), SIDE - 3)];
    const ring = [0, 1, 2, SIDE + 2, 2 * SIDE + 2, 2 * SIDE + 1, 2 * SIDE, SIDE, 0];
    return ring.map((each) => `n${each + y * SIDE + x}`).join(" ");
  };
  const squares = given.squares.map(([at, isArea, isBent]) => {
    const names = rim(at)
      .split(" ")
      .filter((_, i) => !isBent || i !== 1);
    return { isArea, rim: names.join(" ") };
  });
  const houses = given.houses.map(([at, isArea, isDoubtful], i) => {
    const [x, y] = spotOf(at, given);
    // Two sides are as long as several cells, so that doors lie in other pages than places inside.
    const corners: Record<string, Spot> = {
      a: [4, 4],
      door: [60, 4],
      b: [110, 4],
      c: [110, 70],
      back: [30, 70],
      d: [4, 70],
    };
    const tagsOf = (name: string): Tags | undefined =>
      name === "door"
        ? { entrance: "main", wheelchair: isDoubtful ? "no" : "yes" }
        : name === "back"
          ? { entrance: "yes" }
          : undefined;
    for (const [name, [east, north]] of Object.entries(corners))
      nodes[`h${i}${name}`] = [x + east, y + north, { ...tagsOf(name) }];
    const ring = [...Object.keys(corners), "a"].map((name) => `h${i}${name}`).join(" ");
    return { isArea, ring };
  });
  const HOUSE = { building: "yes" };
  const SQUARE = { highway: "pedestrian", area: "yes" };
  return join(mainland([-30, 0]), {
    nodes,
    ways: [
      ["west n0", { highway: "residential" }],
      ...lines,
      ...squares.filter(({ isArea }) => !isArea).map((each) => [each.rim, SQUARE] as const),
      ...houses.filter(({ isArea }) => !isArea).map((each) => [each.ring, HOUSE] as const),
    ],
    areas: [
      ...squares.filter(({ isArea }) => isArea).map((each) => [[each.rim], SQUARE] as const),
      ...houses.filter(({ isArea }) => isArea).map((each) => [[each.ring], HOUSE] as const),
    ],
  });
}

test("drawn networks, with squares, stairs, barriers and houses, answer in pages as in one graph", () => {
  fc.assert(
    fc.property(drawn, (given) => {
      const spots = given.spots.map(([x, y], i): Spot => {
        const [home] = given.houses[i % 5] ?? [];
        if (i % 3 === 1 && home !== undefined) {
          const [east, north] = spotOf(home, given);
          return [east + 5 + (Math.abs(x) % 104), north + 5 + (Math.abs(y) % 64)];
        }
        if (i % 3 > 0) return [x, y];
        // At a place itself, where edges meet.
        return spotOf(Math.abs(x * y) % (SIDE * SIDE), given);
      });
      compare(townOf(given), given.z, spots);
    }),
    { numRuns: 60 },
  );
});
