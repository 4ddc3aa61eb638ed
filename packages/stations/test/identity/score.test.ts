/** Every rule of the table, on a pair that differs by nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveObservations } from "../../identity/match-stations.ts";
import type { Matching } from "../../identity/match-stations.ts";
import type { Feed, Observation } from "../../identity/observed-station.ts";
import { REASON_CODES, TUNING } from "../../identity/weights.ts";
import type { ReasonCode, Tuning } from "../../identity/weights.ts";
import { feedOf, observe } from "./world.ts";

const HUB: readonly Feed[] = [feedOf("g", "gbfs", ["Hub"]), feedOf("o", "openstreetmap", ["Hub"])];
const UNNAMED: readonly Feed[] = [HUB[0]!, feedOf("o", "openstreetmap", [])];

type Sides = {
  east_m?: number;
  a?: Partial<Observation>;
  b?: Partial<Observation>;
  feeds?: readonly Feed[];
  tuning?: Tuning;
};

function resolvePair({
  east_m = 5,
  a = {},
  b = {},
  feeds = HUB,
  tuning = TUNING,
}: Sides): Matching {
  const rows = [observe(0, "a", {}, a), observe(1, "b", { east_m }, b)];
  return resolveObservations(feeds, rows, undefined, tuning);
}

/** The reasons of every pair, candidates below any threshold included. */
function codes(sides: Sides): ReasonCode[] {
  const all = { ...TUNING, candidate: -1e9, possible: 0, merge: 2 };
  const { possible } = resolvePair({ ...sides, tuning: all });
  assert.equal(possible.length, 1);
  return possible[0]!.reasons.map(({ code }) => code);
}

const isMerged = (sides: Sides): boolean => resolvePair(sides).clusters.length === 1;

/** What would be one station if the rule weighed nothing. */
const NEGATIVE: readonly [keyof Tuning & ReasonCode, Sides][] = [
  ["name_different", { east_m: 20, a: { name: "Oak" }, b: { name: "Elm" } }],
  ["number_conflict", { a: { name: "28 Ave & 44 St" }, b: { name: "28 Ave & 45 St" } }],
  ["side_conflict", { a: { name: "Bay St East" }, b: { name: "Bay St West" } }],
  ["twin_conflict", { east_m: 20, a: { name: "Oak (1)" }, b: { name: "Oak (2)" } }],
  ["kinship_unknown", { feeds: UNNAMED }],
];

test("a negative rule keeps apart what without it would be one station", () => {
  for (const [rule, sides] of NEGATIVE) {
    assert.ok(codes(sides).includes(rule), `${rule} is reported`);
    assert.equal(isMerged(sides), false, `${rule} holds`);
    assert.equal(isMerged({ ...sides, tuning: { ...TUNING, [rule]: 0 } }), true, `${rule} decides`);
  }
});

const FINDINGS: readonly [ReasonCode, Sides][] = [
  ["name_equal", { a: { name: "Oak St" }, b: { name: "Oak Street" } }],
  ["name_literal", { a: { name: "Oak St" }, b: { name: "Oak St" } }],
  ["name_similar", { a: { name: "Oak St & 5 Ave" }, b: { name: "Oak St" } }],
  ["name_unknown", { a: { name: "渋谷" }, b: { name: "Oak" } }],
  ["twin_one_sided", { a: { name: "Oak (1)" }, b: { name: "Oak" } }],
  ["capacity_equal", { a: { capacity: 12 }, b: { capacity: 12 } }],
  ["capacity_differs", { a: { capacity: 10 }, b: { capacity: 21 } }],
  ["virtual_differs", { a: { virtual: true }, b: { virtual: false } }],
  ["key_equal", { a: { keys: { short_name: "7" } }, b: { keys: { ref: "7" } } }],
  ["distance", {}],
];

test("each finding is reported where it applies, and nowhere else", () => {
  const plain = codes({});
  for (const [code, sides] of FINDINGS) {
    assert.ok(codes(sides).includes(code), code);
    assert.equal(plain.includes(code), code === "distance" || code === "name_unknown", code);
  }
  const proved = new Set([...FINDINGS, ...NEGATIVE].map(([code]) => code));
  const elsewhere: ReasonCode[] = ["key_elsewhere", "coordinate_key"];
  assert.deepEqual(
    REASON_CODES.filter((code) => !proved.has(code)),
    elsewhere,
  );
});

test("unknown capacity, mode and kind of station are no evidence", () => {
  assert.deepEqual(codes({ a: { capacity: null }, b: { capacity: 12 } }), codes({}));
  assert.deepEqual(codes({ a: { virtual: null }, b: { virtual: true } }), codes({}));
  assert.deepEqual(codes({ a: { modes: 0 }, b: { modes: 8 } }), codes({}));
});

test("reasons add up to the score", () => {
  const { clusters } = resolvePair({
    a: { name: "Oak", capacity: 9 },
    b: { name: "Oak", capacity: 9 },
  });
  const { score, reasons } = clusters[0]!.pairs[0]!;
  const sum = reasons.reduce((total, { weight }) => total + weight, 0);
  assert.ok(Math.abs(1 / (1 + Math.exp(-sum)) - score) < 0.001);
});

test("the further apart, the less likely; nothing but keys speaks beyond the bound", () => {
  const scores = [0, 5, 20, 60, 120, 149]
    .map((east_m) =>
      resolvePair({
        east_m,
        a: { name: "Oak" },
        b: { name: "Oak" },
        tuning: { ...TUNING, possible: 0 },
      }),
    )
    .map(({ clusters, possible }) => (clusters[0]?.pairs[0] ?? possible[0])!.score);
  assert.deepEqual(
    scores,
    scores.toSorted((x, y) => y - x),
  );
  const beyond = resolvePair({ east_m: 151, a: { name: "Oak" }, b: { name: "Oak" } });
  assert.deepEqual(beyond, { clusters: [], possible: [], crowded: [] });
  const { lat, lon } = observe(1, "b", { east_m: 120, north_m: 120 });
  const diagonal = { a: { name: "Oak" }, b: { name: "Oak", lat, lon } };
  assert.equal(isMerged(diagonal), false);
});

test("equal keys merge within the bound, and are a conflict beyond it, never merged", () => {
  const keys = {
    a: { name: "Oak", keys: { external_id: "x" } },
    b: { name: "Elm", keys: { external_id: "x" } },
  };
  assert.equal(isMerged({ ...keys, east_m: 149 }), true);
  for (const east_m of [151, 16_000]) {
    const { clusters, possible } = resolvePair({ ...keys, east_m });
    assert.deepEqual(clusters, []);
    const result = possible[0]!.reasons.map(({ code }) => code);
    assert.ok(result.includes("key_equal") && result.includes("too_far"));
  }
});

test("a key found elsewhere speaks against the neighbour that took the place", () => {
  const rows = [
    observe(0, "a", {}, { keys: { short_name: "7" } }),
    observe(1, "next", { east_m: 3 }),
    observe(1, "moved", { east_m: 5_000 }, { keys: { ref: "7" } }),
  ];
  const { clusters, possible } = resolveObservations(HUB, rows);
  assert.deepEqual(clusters, []);
  assert.deepEqual(
    possible.map(({ a, b }) => [a, b]),
    [[0, 2]],
  );
  const weightless = { ...TUNING, key_elsewhere: 0 };
  const planted = resolveObservations(HUB, rows, undefined, weightless);
  assert.deepEqual(planted.clusters[0]?.members, [0, 1]);
});

test("short keys say nothing where their network is unknown; long ones do", () => {
  const pair = (key: string): Sides => ({
    feeds: UNNAMED,
    a: { keys: { short_name: key } },
    b: { keys: { ref: key } },
  });
  assert.equal(isMerged(pair("7")), false);
  assert.equal(isMerged(pair("66dc8db1-0aca-11e7")), true);
});

test("CityBikes' id is the digest of the operator's coordinates", () => {
  const feeds = [HUB[0]!, feedOf("c", "citybikes", ["Hub"])];
  // md5("45000000,5000000")
  const id = "eafdf56926e9c9297f40b8d9f0bfff9b";
  const rows = [observe(0, "a", {}, { lat: 45, lon: 5 }), observe(1, id, {}, { lat: 45, lon: 5 })];
  const reasons = resolveObservations(feeds, rows).clusters[0]!.pairs[0]!.reasons;
  assert.ok(reasons.some(({ code }) => code === "coordinate_key"));
  const moved = [{ ...rows[0]!, lat: 45.000002 }, rows[1]!];
  const none = resolveObservations(feeds, moved).clusters[0]!.pairs[0]!.reasons;
  assert.ok(none.every(({ code }) => code !== "coordinate_key"));
});

test("rivals: of two equal docks neither is certain, and the nearer is not taken by chance", () => {
  const twins = [
    observe(0, "a", {}),
    observe(1, "x", { east_m: 6 }),
    observe(1, "y", { east_m: -7 }),
  ];
  const { clusters, possible } = resolveObservations(HUB, twins);
  assert.deepEqual(clusters, []);
  assert.equal(possible.length, 2);
  assert.equal(resolveObservations(HUB, twins.slice(0, 2)).clusters.length, 1);
});

test("of two docks named alike the spelling decides which is which", () => {
  const names = ["Oak St", "Oak St*"];
  const rows = [0, 1].flatMap((feed) =>
    names.map((name) => observe(feed, `${feed} ${name}`, { east_m: 5 * feed }, { name })),
  );
  const { clusters } = resolveObservations(HUB, rows);
  assert.deepEqual(
    clusters.map(({ members }) => members),
    [
      [0, 2],
      [1, 3],
    ],
  );
  const spelled = resolveObservations(HUB, rows, undefined, { ...TUNING, name_literal: 0 });
  assert.deepEqual(spelled.clusters, []);
});

test("a certain match removes rivals of others", () => {
  const rows = [
    observe(0, "a1", {}, { name: "Oak" }),
    observe(0, "a2", { east_m: 8 }),
    observe(1, "b1", { east_m: 1 }, { name: "Oak" }),
    observe(1, "b2", { east_m: 9 }),
  ];
  const { clusters } = resolveObservations(HUB, rows);
  assert.deepEqual(
    clusters.map(({ members }) => members),
    [
      [0, 2],
      [1, 3],
    ],
  );
});

test("no name and no key: geometry merges kin where nothing else is near, and strangers never", () => {
  assert.equal(isMerged({ east_m: 5 }), true);
  assert.equal(isMerged({ east_m: 0, feeds: UNNAMED }), false);
  const rival = [HUB[0]!, feedOf("o", "openstreetmap", ["Velozef"])];
  assert.equal(
    isMerged({ east_m: 0, feeds: rival, a: { name: "Oak" }, b: { name: "Oak" } }),
    false,
  );
});

test("an operator's word: always merges what nothing speaks for, never parts what everything does", () => {
  const far = [observe(0, "a", {}), observe(1, "b", { east_m: 900 })];
  const near = [observe(0, "a", {}, { name: "Oak" }), observe(1, "b", {}, { name: "Oak" })];
  const pair = [
    { feed: "o", id: "b" },
    { feed: "g", id: "a" },
  ] as const;
  const always = resolveObservations(HUB, far, { always: [pair], never: [] });
  assert.deepEqual(always.clusters[0]?.members, [0, 1]);
  assert.ok(always.clusters[0].pairs[0]!.reasons.some(({ code }) => code === "override"));
  assert.equal(resolveObservations(HUB, near).clusters.length, 1);
  for (const never of [
    { always: [], never: [pair] },
    { always: [pair], never: [pair] },
  ])
    assert.deepEqual(resolveObservations(HUB, near, never), {
      clusters: [],
      possible: [],
      crowded: [],
    });
  const keyed = far.map((row) => ({ ...row, keys: { ref: "7" } }));
  assert.deepEqual(resolveObservations(HUB, keyed, { always: [], never: [pair] }).possible, []);
});

test("an operator's word cannot put two of one feed into one station", () => {
  const rows = [observe(0, "a", {}, { name: "Oak" }), observe(0, "b", {}, { name: "Oak" })];
  const always = [
    [
      { feed: "g", id: "a" },
      { feed: "g", id: "b" },
    ],
  ] as const;
  assert.deepEqual(resolveObservations(HUB, rows, { always, never: [] }).clusters, []);
});
