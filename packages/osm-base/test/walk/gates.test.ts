/** What lies right at the edge of a page: barriers, kerbs, stairs, dead ends, islands and squares. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Walker } from "../../walk/walker.ts";
import { WalkSearch } from "../../walk/walk-search.ts";
import { PagedSearch } from "../../walk/paged-search.ts";
import { snap } from "../../walk/snap.ts";
import { GATE } from "../../walk/walk-layout.ts";
import {
  countsOf,
  graphOf,
  join,
  mainland,
  pagesOf,
  pointOf,
  type Town,
  walkerOf,
} from "./town.ts";

type Tags = Readonly<Record<string, string>>;
type Spot = readonly [x: number, y: number];

const STREET = { highway: "residential" };
/** Cells of about a hundred metres. */
const Z = 18;
const [FOOT, STEP_FREE] = [
  { most_m: 2_000, profile: "foot" },
  { most_m: 2_000, profile: "step_free" },
] as const;

const toPoint = (spot: Spot) => {
  const { lat7, lon7 } = pointOf(spot);
  return { lat: lat7 / 1e7, lon: lon7 / 1e7 };
};

/** A street to the east with a node every 20 m, over many cells, of which some have tags. */
function line(
  count: number,
  things: Readonly<Record<number, Tags>> = {},
  tags: Tags = STREET,
): Town {
  const names = Array.from({ length: count }, (_, i) => `l${i}`);
  return {
    nodes: Object.fromEntries(
      names.map((name, i) => [name, [20 * i, 0, { ...things[i] }] as const]),
    ),
    ways: [[names.join(" "), tags]],
  };
}

/** Numbers of the nodes of a street at which its pages meet. */
function gatesOf(count: number): number[] {
  const spots = Array.from({ length: count }, (_, i) => pointOf([20 * i, 0]).lon7);
  const places = pagesOf(line(count), Z).flatMap((graph) =>
    [...graph.columns.marks].flatMap((marks, vertex) =>
      (marks & GATE) === 0 ? [] : [spots.indexOf(graph.pointOf(vertex)[1])],
    ),
  );
  return [...new Set(places)].sort((a, b) => a - b);
}

const COUNT = 80;
const GATES = gatesOf(COUNT);

/** Ways by one graph, and the same by pages. */
function ask(town: Town, from: Spot, to: readonly Spot[], wish: typeof FOOT | typeof STEP_FREE) {
  const one = new Walker(graphOf(town)).walkTo(toPoint(from), to.map(toPoint), wish);
  const pages = walkerOf(pagesOf(town, Z)).walkTo(toPoint(from), to.map(toPoint), wish);
  assert.deepEqual(pages, one);
  return pages.map((way) => (typeof way === "string" ? way : Math.round(way.meters)));
}

test("a street of many pages is cut at pairs of nodes", () => {
  assert.ok(GATES.length > 20 && GATES.length % 2 === 0, GATES.join(" "));
  for (let i = 0; i < GATES.length; i += 2) assert.equal(GATES[i + 1], GATES[i]! + 1);
});

test("pages count what one graph counts", () => {
  const stairs = {
    nodes: { a: [115, 30], b: [115, 200] } as const,
    ways: [["l5 a b l8", { highway: "steps" }] as const],
  };
  const town = join(line(COUNT, { 9: { kerb: "raised" } }), stairs);
  const sum = (key: string) => countsOf(town, Z).reduce((all, counts) => all + counts[key]!, 0);
  const one = countsOf(town, 0)[0]!;
  assert.deepEqual(Object.fromEntries(Object.keys(one).map((key) => [key, sum(key)])), one);
  assert.deepEqual([one["edges"], one["stairs"]], [5, 1]);
});

test("a barrier at either side of an edge is reached from both sides and not passed", () => {
  for (const at of GATES.slice(4, 8)) {
    const closed = line(COUNT, { [at]: { barrier: "gate", access: "private" } });
    const x = 20 * at;
    const spots: Spot[] = [
      [x, 0],
      [x + 5, 0],
      [x + 300, 0],
      [x - 5, 0],
    ];
    assert.deepEqual(ask(closed, [20, 0], spots, FOOT), [
      x - 20,
      "not_reached",
      "not_reached",
      x - 25,
    ]);
    assert.deepEqual(ask(closed, [x, 0], spots, FOOT), [0, 5, 300, 5]);
    assert.deepEqual(ask(closed, [x + 300, 0], spots, FOOT), [300, 295, 0, "not_reached"]);
  }
});

test("from a pocket behind a barrier the barrier is reached, on the street of another page", () => {
  for (const at of GATES.filter((place, i) => place > 50 && i % 2 === 1)) {
    const town = line(at + 2, { [at]: { barrier: "gate", access: "private" } });
    const gate = 20 * at;
    assert.deepEqual(ask(town, [gate + 10, 0], [[gate, 0]], FOOT), [10]);
    assert.deepEqual(ask(town, [gate, 0], [[gate + 10, 0]], FOOT), [10]);
    assert.deepEqual(ask(town, [gate + 10, 0], [[gate - 10, 0]], FOOT), ["not_reached"]);
  }
});

test("a kerb at an edge counts once, and for those alone who cannot take it", () => {
  for (const at of GATES.slice(4, 8)) {
    const raised = line(COUNT, { [at]: { kerb: "raised" } });
    const x = 20 * at;
    assert.deepEqual(ask(raised, [20, 0], [[x + 100, 0]], FOOT), [x + 80]);
    assert.deepEqual(ask(raised, [20, 0], [[x + 100, 0]], STEP_FREE), ["not_reached"]);
    const doubtful = walkerOf(pagesOf(line(COUNT, { [at]: { kerb: "rolled" } }), Z));
    const [way] = doubtful.walkTo(toPoint([20, 0]), [toPoint([x + 100, 0])], STEP_FREE);
    assert.ok(typeof way === "object" && way.step_free === null);
  }
});

test("stairs over an edge, and a way around them through other pages", () => {
  for (const at of GATES.slice(4, 8)) {
    const x = 20 * at;
    const nodes = { a: [x - 10, 0], b: [x + 30, 0], c: [x - 10, 250], d: [x + 30, 250] } as const;
    const stairs: Town = {
      nodes,
      ways: [
        ["a b", { highway: "steps" }],
        ["a c d b", STREET],
      ],
    };
    const town = join(mainland([x - 100, 0]), stairs, { nodes: {}, ways: [["west a", STREET]] });
    assert.deepEqual(
      ask(
        town,
        [x - 50, 0],
        [
          [x + 30, 0],
          [x + 10, 0],
        ],
        FOOT,
      ),
      [80, 60],
    );
    assert.deepEqual(ask(town, [x - 50, 0], [[x + 30, 0]], STEP_FREE), [580]);
  }
});

test("a dead end whose last node lies in another page is reached, and nothing beyond it", () => {
  for (const last of GATES.slice(40)
    .filter((_, i) => i % 2 === 1)
    .concat(GATES.at(-1)!)) {
    const town = line(last + 1);
    assert.deepEqual(
      ask(
        town,
        [20, 0],
        [
          [20 * last, 0],
          [20 * last + 30, 0],
        ],
        FOOT,
      ),
      [20 * last - 20, 20 * last - 20 + 30],
    );
  }
});

test("what hangs together over many pages is an island by the number of all its nodes", () => {
  for (const [count, wanted] of [
    [49, "start_off_network"],
    [50, 100],
  ] as const)
    assert.deepEqual(ask(line(count), [200, 5], [[300, 0]], FOOT), [
      typeof wanted === "number" ? wanted + 5 : wanted,
    ]);
  // A branch of few nodes in a page of its own, of a street that is none.
  const branch: Town = { nodes: { x: [400, 100], y: [400, 220] }, ways: [["l20 x y", STREET]] };
  assert.deepEqual(ask(join(line(60), branch), [400, 220], [[0, 0]], FOOT), [620]);
});

test("a square over edges is crossed by ways that meet its rim in other pages, and there alone", () => {
  const SQUARE = { highway: "pedestrian", area: "yes" };
  const rim = {
    s0: [300, 0],
    s1: [420, 0],
    s2: [560, 0],
    s3: [560, 260],
    s4: [430, 260],
    s5: [300, 260],
  };
  const square = (kind: "ways" | "areas"): Town => ({
    nodes: { ...(rim as unknown as Town["nodes"]), far: [560, 400], out: [430, 400] },
    ways: [
      ["s3 far", STREET],
      ...(kind === "ways" ? [["s0 s1 s2 s3 s4 s5 s0", SQUARE] as const] : []),
    ],
    areas: kind === "areas" ? [[["s0 s1 s2 s3 s4 s5 s0"], SQUARE]] : [],
  });
  const across_m = Math.round(Math.hypot(260, 260));
  for (const kind of ["ways", "areas"] as const) {
    const street = join(mainland([200, 0]), square(kind), {
      nodes: {},
      ways: [["west s0", STREET]],
    });
    assert.deepEqual(
      ask(
        street,
        [200, 0],
        [
          [560, 260],
          [560, 400],
          [430, 130],
        ],
        FOOT,
      ),
      [100 + across_m, 240 + across_m, 100 + Math.round(Math.hypot(130, 130))],
    );
    // Of the middle of a side, where no way meets it, one walks along the rim.
    const [side] = ask(street, [200, 0], [[430, 260]], FOOT);
    assert.equal(
      side,
      kind === "ways" || kind === "areas" ? Math.min(490, 100 + across_m + 130) : 0,
    );
  }
});

test("a search that may look at few edges is right as far as it says, over all pages", () => {
  const side = 12;
  const nodes: Record<string, Spot> = {};
  const ways: [string, Tags][] = [];
  for (let x = 0; x < side; x++)
    for (let y = 0; y < side; y++) {
      nodes[`n${x}_${y}`] = [x * 55 + 9 * Math.sin(x * y), y * 55 + 9 * Math.cos(x + 3 * y)];
      if (x > 0) ways.push([`n${x - 1}_${y} n${x}_${y}`, STREET]);
      if (y > 0) ways.push([`n${x}_${y - 1} n${x}_${y}`, STREET]);
    }
  const town: Town = { nodes, ways };
  const [whole, graphs] = [graphOf(town), pagesOf(town, Z)];
  const at = (spot: Spot) => ({ most_m: 1, at: pointOf(spot) });
  const place = (spot: Spot) => {
    const found = graphs.map((graph) => snap(graph, at(spot).at, { most_m: 1, profile: "foot" }));
    const page = found.findIndex((each) => each !== null);
    return { page, at: found[page]! };
  };
  const spots = Object.values(nodes);
  const one = new WalkSearch(whole);
  const start = spots[5 * side + 5]!;
  const wanted = one.find(
    snap(whole, pointOf(start), { most_m: 1, profile: "foot" })!,
    spots.map((spot) => snap(whole, pointOf(spot), { most_m: 1, profile: "foot" })),
    { most_cm: 200_000, profile: "foot" },
  );
  const ends = new Set<number>();
  for (const most_looks of [0, 20, 100, 300, 600, 5_000]) {
    const search = new PagedSearch(graphs, { most_looks });
    const found = search.find(place(start), spots.map(place), {
      most_cm: 200_000,
      profile: "foot",
    });
    for (const [i, way] of wanted.entries())
      if (way!.length_cm <= search.searched_cm)
        assert.equal(found[i]?.length_cm, way!.length_cm, `${most_looks}: ${i}`);
      else assert.equal(found[i], null);
    ends.add(search.searched_cm);
  }
  assert.ok(ends.size >= 5 && ends.has(200_000), [...ends].join(" "));
});
