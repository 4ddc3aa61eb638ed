/** A new operator's system on the docks of an old one, both published and named alike. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveObservations } from "#core/identity/match.ts";
import type { Feed } from "#core/identity/observation.ts";
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

test("where both live, neither does, or one does not say, they are merged as ever", () => {
  for (const [old, now] of [
    [true, true],
    [false, false],
    [null, true],
    [false, null],
  ] as const)
    assert.equal(resolveObservations(feeds(old, now), docks).clusters.length, KEYS.length);
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
