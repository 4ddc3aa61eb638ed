/** Ways on foot: what is walked, how far it is, and where steps are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf } from "../../walk/way-line.ts";
import { STEPS } from "../../walk/walk-rules.ts";
import { PagedSearch, type Placed } from "../../walk/paged-search.ts";
import { WalkSearch } from "../../walk/walk-search.ts";
import { snap } from "../../walk/snap.ts";
import { graphOf, join, mainland, metres, pointOf, type Town, walk } from "./town.ts";

const ON_FOOT = { most_m: 100, profile: "foot" } as const;
const STREET = { highway: "residential" };
const WEST = mainland([0, 0]);

/** A street east from the mainland, a way of 100 m with tags of its own, and a street beyond it. */
function behind(tags: Readonly<Record<string, string>>, nodes: Town["nodes"] = {}): Town {
  const between = Object.keys(nodes);
  return join(WEST, {
    nodes: { a: [100, 0], ...nodes, b: [200, 0], c: [300, 0] },
    ways: [
      ["west a", STREET],
      [["a", ...between, "b"].join(" "), tags],
      ["b c", STREET],
    ],
  });
}

const WALKED: readonly (readonly [tags: Readonly<Record<string, string>>, isWalked: boolean])[] = [
  [{ highway: "footway" }, true],
  [{ highway: "motorway" }, false],
  [{ highway: "trunk", foot: "yes" }, true],
  [{ highway: "primary", motorroad: "yes" }, false],
  [{ highway: "service", access: "private" }, false],
  [{ highway: "service", access: "private", foot: "permissive" }, true],
  [{ highway: "service", access: "customers" }, true],
  [{ highway: "residential", foot: "use_sidepath" }, false],
  [{ highway: "construction", foot: "yes" }, false],
  [{ highway: "cycleway" }, true],
  [{ railway: "platform" }, true],
  [{ railway: "rail" }, false],
  [{ highway: "residential", oneway: "yes", vehicle: "no" }, true],
  [{ highway: "elevator" }, true],
  [{ route: "ferry", foot: "yes" }, false],
];

test("a way is walked by its tags, in both directions", () => {
  for (const [tags, isWalked] of WALKED) {
    const graph = graphOf(behind(tags));
    const name = JSON.stringify(tags);
    assert.equal(metres(graph, [50, 0], [250, 0]), isWalked ? 200 : null, name);
    assert.equal(metres(graph, [250, 0], [50, 0]), isWalked ? 200 : null, name);
  }
});

test("plain rules leave out what only the wide ones walk", () => {
  const graph = graphOf(behind({ highway: "cycleway" }), { ruleset: "plain" });
  assert.equal(metres(graph, [50, 0], [250, 0]), null);
});

const BARRIERS: readonly (readonly [tags: Readonly<Record<string, string>>, passed: boolean])[] = [
  [{ barrier: "gate" }, true],
  [{ barrier: "gate", access: "private" }, false],
  [{ barrier: "gate", access: "private", foot: "yes" }, true],
  [{ barrier: "gate", foot: "no" }, false],
  [{ barrier: "bollard" }, true],
  [{ access: "private" }, true],
];

test("a closed barrier is reached and not passed", () => {
  for (const [tags, passed] of BARRIERS) {
    const graph = graphOf(behind({ highway: "path" }, { gate: [150, 0, tags] }));
    const name = JSON.stringify(tags);
    assert.equal(metres(graph, [50, 0], [250, 0]), passed ? 200 : null, name);
    assert.equal(metres(graph, [50, 0], [150, 0]), 100, name);
  }
});

const STEP_TABLE: readonly (readonly [
  tags: Readonly<Record<string, string>>,
  steps: keyof typeof STEPS,
])[] = [
  [{ highway: "residential" }, "none"],
  [{ highway: "steps" }, "some"],
  [{ highway: "steps", "ramp:wheelchair": "yes" }, "none"],
  [{ highway: "steps", ramp: "yes" }, "some"],
  [{ highway: "footway" }, "unknown"],
  [{ highway: "footway", surface: "asphalt" }, "none"],
  [{ highway: "footway", footway: "sidewalk" }, "none"],
  [{ highway: "footway", footway: "crossing" }, "unknown"],
  [{ highway: "footway", footway: "crossing", kerb: "lowered" }, "none"],
  [{ highway: "footway", footway: "crossing", kerb: "raised" }, "some"],
  [{ highway: "footway", surface: "asphalt", incline: "12%" }, "unknown"],
  [{ highway: "footway", surface: "asphalt", incline: "-12%" }, "unknown"],
  [{ highway: "footway", surface: "asphalt", incline: "6%" }, "none"],
  [{ highway: "footway", surface: "asphalt", width: "0.8" }, "unknown"],
  [{ highway: "footway", surface: "asphalt", width: "0.9" }, "none"],
  [{ highway: "path", wheelchair: "yes" }, "none"],
  [{ highway: "residential", wheelchair: "no" }, "some"],
  [{ highway: "residential", wheelchair: "limited" }, "unknown"],
  [{ highway: "residential", surface: "sand" }, "unknown"],
  [{ highway: "footway", conveying: "yes" }, "some"],
  [{ highway: "elevator" }, "none"],
];

test("steps are none, some or not known; without steps a way with some is not taken", () => {
  for (const [tags, steps] of STEP_TABLE) {
    const graph = graphOf(behind(tags));
    const name = JSON.stringify(tags);
    assert.equal(walk(graph, [50, 0], [250, 0]).walk?.steps, STEPS[steps], name);
    const free = walk(graph, [50, 0], [250, 0], { profile: "step_free" }).walk;
    assert.equal(free?.steps, steps === "some" ? undefined : STEPS[steps], name);
  }
});

const STEP_NODES: readonly (readonly [
  tags: Readonly<Record<string, string>>,
  steps: keyof typeof STEPS,
])[] = [
  [{ barrier: "bollard" }, "none"],
  [{ barrier: "stile" }, "some"],
  [{ barrier: "turnstile" }, "some"],
  [{ barrier: "cycle_barrier" }, "unknown"],
  [{ barrier: "cycle_barrier", wheelchair: "yes" }, "none"],
  [{ kerb: "raised" }, "some"],
  [{ barrier: "kerb" }, "unknown"],
  [{ barrier: "kerb", kerb: "flush" }, "none"],
  [{ highway: "elevator" }, "none"],
  [{ highway: "elevator", wheelchair: "no" }, "some"],
];

test("what is on a way is a step as well", () => {
  for (const [tags, steps] of STEP_NODES) {
    const graph = graphOf(behind({ highway: "cycleway" }, { it: [150, 0, tags] }));
    const name = JSON.stringify(tags);
    assert.equal(walk(graph, [50, 0], [250, 0]).walk?.steps, STEPS[steps], name);
    assert.equal(
      metres(graph, [50, 0], [250, 0], { profile: "step_free" }),
      steps === "some" ? null : 200,
      name,
    );
  }
});

test("what lies behind a closed barrier is not looked for, and what lies at it is reached", () => {
  const graph = graphOf(
    behind({ highway: "path" }, { gate: [150, 0, { barrier: "gate", foot: "no" }] }),
  );
  const at = (x: number) => snap(graph, pointOf([x, 0]), ON_FOOT)!;
  const search = new WalkSearch(graph);
  const find = (from: number, to: number) =>
    search.find(at(from), [at(to)], { most_cm: 100_000, profile: "foot" })[0];
  assert.equal(find(50, 250), null);
  assert.equal(search.reached().length, 0);
  for (const [from, to] of [
    [50, 150],
    [250, 150],
    [150, 50],
    [150, 250],
  ] as const)
    assert.equal(Math.round(find(from, to)!.length_cm / 100), 100, `${from} ${to}`);
});

test("without steps the way around is taken, and it is longer", () => {
  const graph = graphOf(
    join(behind({ highway: "steps" }), {
      nodes: { up: [100, 80], over: [200, 80] },
      ways: [["a up over b", { highway: "service" }]],
    }),
  );
  assert.equal(metres(graph, [50, 0], [250, 0]), 200);
  const around = walk(graph, [50, 0], [250, 0], { profile: "step_free" }).walk;
  assert.deepEqual([Math.round(around!.length_cm / 10), around!.steps], [3_600, STEPS.none]);
});

const SQUARE: Town = {
  nodes: {
    ...{ sw: [100, 0], se: [200, 0], ne: [200, 100], nw: [100, 100] },
    out: [300, 100],
  },
  ways: [
    ["west sw", STREET],
    ["sw se ne nw sw", { highway: "pedestrian" }],
    ["ne out", STREET],
  ],
};

test("a square is crossed between its entrances, around a hole and not outside of it", () => {
  const straight = 100 + Math.round(Math.hypot(100, 100));
  assert.equal(metres(graphOf(join(WEST, SQUARE)), [50, 0], [250, 100]), straight);
  const rim = graphOf(join(WEST, SQUARE), { squares: false });
  assert.equal(metres(rim, [50, 0], [250, 100]), 300);
  const pond: Town = {
    nodes: { p1: [120, 20], p2: [180, 20], p3: [180, 80], p4: [120, 80] },
    ways: [],
  };
  const { nodes, ways } = SQUARE;
  const relation: Town = {
    ...{ nodes, ways: ways.filter(([, tags]) => tags["highway"] !== "pedestrian") },
    areas: [[["sw se ne nw sw", "p1 p2 p3 p4 p1"], { highway: "pedestrian", area: "yes" }]],
  };
  const around = 100 + 2 * Math.hypot(80, 20);
  assert.equal(
    metres(graphOf(join(WEST, pond, relation)), [50, 0], [250, 100]),
    Math.round(around),
  );
  const open = { ...relation, areas: [[["sw se ne nw sw"], { highway: "pedestrian" }]] } as Town;
  assert.equal(metres(graphOf(join(WEST, open)), [50, 0], [250, 100]), straight);
  const street: Town = {
    ...SQUARE,
    ways: SQUARE.ways.map(([line, tags]) => [line, { ...tags, area: "no" }]),
  };
  assert.equal(metres(graphOf(join(WEST, street)), [50, 0], [250, 100]), 300);
});

test("a concave square is crossed inside only", () => {
  // The notch from the north reaches down to the middle.
  const town: Town = {
    nodes: {
      ...{ sw: [100, 0], se: [200, 0], ne: [200, 100] },
      ...{ n1: [160, 100], n2: [150, 20], n3: [140, 100], nw: [100, 100] },
      ...{ left: [100, 150], right: [200, 150] },
    },
    ways: [
      ["west sw", STREET],
      ["sw se ne n1 n2 n3 nw sw", { highway: "pedestrian", area: "yes" }],
      ["nw left", STREET],
      ["ne right", STREET],
    ],
  };
  const round = 2 * Math.hypot(50, 80) + 80;
  assert.equal(metres(graphOf(join(WEST, town)), [100, 140], [200, 140]), Math.round(round));
});

test("a point comes to the nearest edge of no island; too far away it comes to none", () => {
  const island: Town = { nodes: { i: [50, 20], j: [150, 20] }, ways: [["i j", STREET]] };
  const graph = graphOf(join(behind(STREET), island));
  assert.equal(walk(graph, [60, 15], [250, 0]).from?.off_m.toFixed(1), "15.0");
  assert.equal(metres(graph, [60, 15], [250, 0]), 190);
  assert.equal(snap(graph, pointOf([150, 99]), ON_FOOT)?.off_m.toFixed(1), "99.0");
  assert.equal(snap(graph, pointOf([150, 101]), ON_FOOT), null);
  assert.equal(snap(graph, { lat7: 0, lon7: 0 }, ON_FOOT), null);
});

test("both ends on one edge: along it, or around where that is shorter", () => {
  const ring: Town = {
    nodes: { r1: [0, 200], r2: [100, 200], r3: [100, 100], r4: [0, 100] },
    ways: [
      ["west r4", STREET],
      ["r4 r1 r2 r3 r4", { highway: "residential" }],
    ],
  };
  const graph = graphOf(join(WEST, ring));
  assert.equal(metres(graph, [20, 200], [80, 200]), 60);
  assert.equal(metres(graph, [0, 120], [20, 100]), 40);
});

test("what is further than the bound is not reached, and a bound that is met is", () => {
  const graph = graphOf(behind(STREET));
  assert.equal(metres(graph, [50, 0], [250, 0], { most_m: 199 }), null);
  assert.equal(metres(graph, [50, 0], [250, 0], { most_m: 200.1 }), 200);
});

test("two nodes at one place that no way shares are not joined: a bridge", () => {
  const bridge: Town = {
    nodes: { under: [100, 0], over: [100, 0], north: [100, 100], south: [100, -100] },
    ways: [
      ["west under", STREET],
      ["north over south", STREET],
      ["north far", STREET],
    ],
  };
  const far: Town = { nodes: { far: [100, 300] }, ways: [] };
  const graph = graphOf(join(WEST, bridge, far, mainlandAt([100, 300], "n")));
  assert.equal(metres(graph, [50, 0], [100, 80]), null);
});

/** Another mainland, joined to `far`. */
function mainlandAt(at: readonly [number, number], prefix: string): Town {
  const { nodes, ways } = mainland(at);
  const rename = (name: string): string => `${prefix}${name}`;
  return {
    nodes: Object.fromEntries(Object.entries(nodes).map(([name, node]) => [rename(name), node])),
    ways: [
      ...ways.map(([line, tags]) => [line.split(" ").map(rename).join(" "), tags] as const),
      [`far ${rename("west")}`, STREET],
    ],
  };
}

test("the line of a way begins and ends at its points and has its length", () => {
  const graph = graphOf(
    join(behind({ highway: "path" }, { mid: [150, 40] }), {
      nodes: { d: [300, 60] },
      ways: [["c d", STREET]],
    }),
  );
  const [from, target] = [
    snap(graph, pointOf([50, 3]), ON_FOOT)!,
    snap(graph, pointOf([297, 50]), ON_FOOT)!,
  ];
  const search = new PagedSearch([graph]);
  const [start, end] = [from, target].map((at) => ({ page: 0, at })) as [Placed, Placed];
  const [found] = search.find(start, [end], { most_cm: 100_000, profile: "foot" });
  const line = lineOf(search, { from: start, target: end, walk: found! });
  const corners = [
    [50, 0],
    [100, 0],
    [150, 40],
    [200, 0],
    [300, 0],
    [300, 50],
  ] as const;
  assert.deepEqual(
    line.map(([lat7, lon7]) => [Math.round(lat7 / 30), Math.round(lon7 / 30)]),
    corners.map((at) => Object.values(pointOf(at)).map((value) => Math.round(value / 30))),
  );
  const back = search.find(end, [start], { most_cm: 100_000, profile: "foot" })[0]!;
  assert.equal(back.length_cm, found!.length_cm);
  assert.deepEqual(lineOf(search, { from: end, target: start, walk: back }), line.toReversed());
});
