/** A new operator's system on the docks of an old one, both published and named alike. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveObservations } from "../../identity/match-stations.ts";
import type { Feed } from "../../identity/observed-station.ts";
import { observe } from "./world.ts";

const KEYS = [0, 1, 2, 3];

function feeds(old_rents: boolean | null, new_rents: boolean | null, urls: string[] = []): Feed[] {
  const names = ["Hubway"];
  return [
    { id: "gbfs:old", kind: "gbfs", system_id: "old", names, urls, rents: old_rents },
    { id: "gbfs:new", kind: "gbfs", system_id: "new", names, urls, rents: new_rents },
  ];
}

const docks = [0, 1].flatMap((feed) =>
  KEYS.map((i) =>
    observe(feed, `${feed}-${i}`, { east_m: i * 200 + feed * 2 }, { name: `Oak ${i}` }),
  ),
);

test("where one has nothing to rent and the other lives, their docks may be one, and are not merged", () => {
  for (const [old, now] of [
    [false, true],
    [true, false],
  ] as const) {
    const { clusters, possible } = resolveObservations(feeds(old, now), docks);
    assert.deepEqual(clusters, []);
    assert.deepEqual(
      possible.map(({ a, b }) => [a, b].sort((x, y) => x - y)),
      KEYS.map((i) => [i, i + KEYS.length]),
    );
    for (const { reasons } of possible)
      assert.deepEqual(reasons.at(-1), { code: "succession", weight: 0 });
  }
});

test("where one does not say what it rents, and no operator is named, they are merged as ever", () => {
  for (const [old, now] of [
    [null, true],
    [false, null],
    [null, null],
  ] as const)
    assert.equal(resolveObservations(feeds(old, now), docks).clusters.length, KEYS.length);
});

test("two systems that both count their docks are merged by a key in common, and by no name", () => {
  const keyed = docks.map((dock) => ({ ...dock, keys: { external_id: `dock ${dock.name}` } }));
  for (const rents of [true, false]) {
    assert.equal(resolveObservations(feeds(rents, rents), keyed).clusters.length, KEYS.length);
    const { clusters, possible } = resolveObservations(feeds(rents, rents), docks);
    assert.deepEqual([clusters.length, possible.length], [0, KEYS.length]);
  }
});

test("two operators without a common key are two, one in other spelling is one", () => {
  for (const [one, other, merged] of [
    ["Hub Ltd", "Next Inc", 0],
    ["Hub Ltd", "HUB Ltd.", KEYS.length],
    ["Hub Ltd", null, KEYS.length],
  ] as const) {
    const [old, now] = feeds(null, null) as [Feed, Feed];
    const both = [
      { ...old, operator: one },
      { ...now, operator: other },
    ];
    assert.equal(resolveObservations(both, docks).clusters.length, merged, `${one} and ${other}`);
  }
});

const MANY = Array.from({ length: 45 }, (_, i) => i);

for (const renting of [0, 1, 22, 33, 45])
  for (const key of ["of its own", "in common"] as const)
    test(`with ${renting} of 45 outgoing docks renting, keys ${key}, a pair that contradicts itself stays two`, () => {
      const rows = [0, 1].flatMap((feed) =>
        MANY.map((i) =>
          observe(
            feed,
            key === "in common" ? `dock-${i}` : `${feed}-${i}`,
            { east_m: i * 200 + feed * 2 },
            { name: `Oak ${i}`, rents: feed === 1 || i < renting },
          ),
        ),
      );
      const { clusters, possible } = resolveObservations(feeds(renting > 0, true), rows);
      const together = clusters.map(({ members }) => members.map((row) => rows[row]!.rents));
      assert.deepEqual(
        together.filter(([a, b]) => a !== b),
        [],
      );
      assert.equal(clusters.length, key === "in common" ? renting : 0);
      assert.equal(possible.length, MANY.length - clusters.length);
    });

test("an aggregator's copy is one with its original, by a name and by a key that is a little late", () => {
  const [old, now] = feeds(true, true) as [Feed, Feed];
  const both = [old, { ...now, kind: "gbfs_aggregator" as const }];
  assert.equal(resolveObservations(both, docks).clusters.length, KEYS.length);
  const late = docks.map((dock, row) => ({ ...dock, id: dock.name, rents: row < KEYS.length }));
  assert.equal(resolveObservations(both, late).clusters.length, KEYS.length);
  const names = docks.map((dock, row) => ({ ...dock, rents: row < KEYS.length }));
  assert.equal(resolveObservations(both, names).clusters.length, 0);
});

test("one system seen under one address is no succession, whichever of the two is late", () => {
  const urls = ["https://gbfs.example.org/hub/gbfs.json"];
  assert.equal(resolveObservations(feeds(false, true, urls), docks).clusters.length, KEYS.length);
});

test("an operator's word goes before it", () => {
  const always = KEYS.map(
    (i) =>
      [
        { feed: "gbfs:old", id: `0-${i}` },
        { feed: "gbfs:new", id: `1-${i}` },
      ] as const,
  );
  const { clusters } = resolveObservations(feeds(false, true), docks, { always, never: [] });
  assert.equal(clusters.length, KEYS.length);
});
