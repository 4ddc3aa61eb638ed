/** Docks that are hard to distinguish, each with the outcome that is right. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveObservations } from "../../identity/match-stations.ts";
import type { Feed } from "../../identity/observed-station.ts";
import { feedOf, observe } from "./world.ts";

const FEEDS: readonly Feed[] = [
  feedOf("gbfs:hub", "gbfs", ["Hubway"]),
  feedOf("openstreetmap:hub", "openstreetmap", ["Hubway"]),
];

type Dock = { id: string; east_m: number; name: string; key?: string };

type Golden = {
  what: string;
  operator: Dock[];
  map: Dock[];
  /** Ids that are one station. */
  merged: string[][];
  possible: string[][];
};

const GOLDEN: Golden[] = [
  {
    what: "one dock, its suffix on one side alone",
    operator: [{ id: "a", east_m: 0, name: "Oak St (1)" }],
    map: [{ id: "x", east_m: 4, name: "Oak St" }],
    merged: [["a", "x"]],
    possible: [],
  },
  {
    what: "twins here, one drawing without a suffix there, at the first of them",
    operator: [
      { id: "a", east_m: 0, name: "Oak St (1)" },
      { id: "b", east_m: 40, name: "Oak St (2)" },
    ],
    map: [{ id: "x", east_m: 1, name: "Oak St" }],
    merged: [["a", "x"]],
    possible: [],
  },
  {
    what: "twins here, one drawing without a suffix half way: either may be meant, neither is merged",
    operator: [
      { id: "a", east_m: 0, name: "Oak St (1)" },
      { id: "b", east_m: 20, name: "Oak St (2)" },
    ],
    map: [{ id: "x", east_m: 10, name: "Oak St" }],
    merged: [],
    possible: [
      ["a", "x"],
      ["b", "x"],
    ],
  },
  {
    what: "twins on both sides, the suffixes on one side alone: the place decides",
    operator: [
      { id: "a", east_m: 0, name: "Oak St (1)" },
      { id: "b", east_m: 45, name: "Oak St (2)" },
    ],
    map: [
      { id: "x", east_m: 2, name: "Oak St" },
      { id: "y", east_m: 46, name: "Oak St" },
    ],
    merged: [
      ["a", "x"],
      ["b", "y"],
    ],
    possible: [],
  },
  {
    what: "twins whose suffixes contradict their places: the suffixes hold",
    operator: [
      { id: "a", east_m: 0, name: "Oak St (1)" },
      { id: "b", east_m: 12, name: "Oak St (2)" },
    ],
    map: [
      { id: "x", east_m: 8, name: "Oak St (1)" },
      { id: "y", east_m: 4, name: "Oak St (2)" },
    ],
    merged: [
      ["a", "x"],
      ["b", "y"],
    ],
    possible: [],
  },
  {
    what: "a dock drawn twice under its number: the nearer drawing is it, and no third joins",
    operator: [{ id: "a", east_m: 0, name: "Oak St", key: "7" }],
    map: [
      { id: "x", east_m: 3, name: "Oak St", key: "7" },
      { id: "y", east_m: 90, name: "Oak St", key: "7" },
    ],
    merged: [["a", "x"]],
    possible: [],
  },
];

function sorted<T>(rows: readonly T[]): T[] {
  return rows.toSorted((x, y) => (String(x) < String(y) ? -1 : 1));
}

for (const { what, operator, map, merged, possible } of GOLDEN)
  test(what, () => {
    for (const docks of [operator, operator.toReversed()]) {
      const observations = [docks, map].flatMap((side, feed) =>
        side.map(({ id, east_m, name, key }) => {
          const keys = key === undefined ? {} : feed === 0 ? { short_name: key } : { ref: key };
          return observe(feed, id, { east_m }, { name, keys });
        }),
      );
      const result = resolveObservations(FEEDS, observations);
      const call = (rows: readonly number[]): string[] =>
        rows.map((row) => observations[row]!.id).sort();
      assert.deepEqual(sorted(result.clusters.map(({ members }) => call(members))), merged);
      assert.deepEqual(sorted(result.possible.map(({ a, b }) => call([a, b]))), possible);
    }
  });
