/** What holds for every world (issue: order, repetition, strangers, locality, constraints). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distance_m } from "#kit/geo.ts";
import { DIFFERENT, kinshipOf, prepareFeed } from "../../identity/kinship.ts";
import { resolveObservations } from "../../identity/match-stations.ts";
import { TUNING } from "../../identity/weights.ts";
import { arbitraryWorld, describeMatching, feedOf, observe } from "./world.ts";
import type { World } from "./world.ts";
import { tries } from "../../../../test/support/size.ts";

const RUNS = { numRuns: tries(400) };

function resolve(world: World): ReturnType<typeof resolveObservations> {
  return resolveObservations(world.feeds, world.observations);
}

function describe(world: World): { clusters: unknown[]; possible: unknown[] } {
  return describeMatching(world, resolve(world)) as { clusters: unknown[]; possible: unknown[] };
}

/** Feeds and observations in another order. */
function shuffle(world: World, feedOrder: readonly number[], order: readonly number[]): World {
  return {
    feeds: feedOrder.map((feed) => world.feeds[feed]!),
    observations: order.map((row) => {
      const observation = world.observations[row]!;
      return { ...observation, feed: feedOrder.indexOf(observation.feed) };
    }),
  };
}

const permuted = arbitraryWorld().chain((world) =>
  fc.record({
    world: fc.constant(world),
    feedOrder: fc.shuffledSubarray(
      world.feeds.map((_, i) => i),
      { minLength: world.feeds.length },
    ),
    order: fc.shuffledSubarray(
      world.observations.map((_, i) => i),
      { minLength: world.observations.length },
    ),
  }),
);

test("the worlds of these tests hold merges, near misses and lone stations", () => {
  const worlds = fc.sample(arbitraryWorld(), { numRuns: 200, seed: 1 });
  const all = worlds.map((world) => resolve(world));
  assert.ok(all.reduce((sum, { clusters }) => sum + clusters.length, 0) > 100);
  assert.ok(all.reduce((sum, { possible }) => sum + possible.length, 0) > 50);
  assert.ok(all.some(({ clusters }) => clusters.some(({ members }) => members.length > 2)));
});

test("the order of feeds and observations changes nothing", () => {
  fc.assert(
    fc.property(permuted, ({ world, feedOrder, order }) => {
      assert.deepEqual(describe(shuffle(world, feedOrder, order)), describe(world));
    }),
    RUNS,
  );
});

test("asking again, or a station's observations alone, gives the same station", () => {
  fc.assert(
    fc.property(arbitraryWorld(), (world) => {
      const matching = resolve(world);
      assert.deepEqual(resolve(world), matching);
      for (const { members } of matching.clusters) {
        const alone = members.map((row) => world.observations[row]!);
        const again = resolveObservations(world.feeds, alone).clusters;
        assert.deepEqual(
          again.map((cluster) => cluster.members.length),
          [members.length],
        );
      }
    }),
    RUNS,
  );
});

test("a source of another operator next door changes nothing", () => {
  const stranger = feedOf("gbfs:stranger", "gbfs_aggregator", ["Quixotic"]);
  const unnamedAway = arbitraryWorld().map((world) => ({
    feeds: world.feeds,
    // Of sources that name their network: an unnamed one may belong to any.
    observations: world.observations.filter(({ feed }) => world.feeds[feed]!.names.length > 0),
  }));
  fc.assert(
    fc.property(unnamedAway, (world) => {
      const twins = world.observations.map((row, i) => ({
        ...row,
        feed: world.feeds.length,
        id: `stranger-${i}`,
      }));
      const more: World = {
        feeds: [...world.feeds, stranger],
        observations: [...twins, ...world.observations],
      };
      assert.deepEqual(describe(more), describe(world));
    }),
    RUNS,
  );
});

test("groups that no candidate connects are resolved together as they are alone", () => {
  const FAR_M = 2_000;
  fc.assert(
    fc.property(arbitraryWorld("a"), arbitraryWorld("b", FAR_M), (one, two) => {
      const both = { feeds: one.feeds, observations: [...one.observations, ...two.observations] };
      const [x, y, union] = [describe(one), describe(two), describe(both)];
      const sorted = (list: unknown[]): string[] => list.map((item) => JSON.stringify(item)).sort();
      assert.deepEqual(sorted(union.clusters), sorted([...x.clusters, ...y.clusters]));
      assert.deepEqual(sorted(union.possible), sorted([...x.possible, ...y.possible]));
    }),
    RUNS,
  );
});

test("no station holds two of one feed, other operators, other modes, or more than the bound", () => {
  fc.assert(
    fc.property(arbitraryWorld(), (world) => {
      const feeds = world.feeds.map(prepareFeed);
      const taken = new Set<number>();
      for (const { members, confidence, pairs } of resolve(world).clusters) {
        const rows = members.map((row) => world.observations[row]!);
        assert.equal(new Set(rows.map(({ feed }) => feed)).size, rows.length, "one of each feed");
        assert.ok(confidence >= TUNING.merge && confidence <= 1);
        assert.equal(pairs.length, (rows.length * (rows.length - 1)) / 2, "every pair is listed");
        for (const row of members) {
          assert.ok(!taken.has(row), "in one station only");
          taken.add(row);
        }
        for (const x of rows)
          for (const y of rows) {
            assert.ok(distance_m(x.lat, x.lon, y.lat, y.lon) <= TUNING.diameter_m * 1.001);
            assert.ok(x.modes === 0 || y.modes === 0 || (x.modes & y.modes) !== 0);
            if (x !== y) assert.notEqual(kinshipOf(feeds[x.feed]!, feeds[y.feed]!), DIFFERENT);
          }
      }
    }),
    RUNS,
  );
});

test("a chain A~B~C does not join an A and a C that are too far apart", () => {
  const world: World = {
    feeds: [
      feedOf("a", "gbfs", ["Hub"]),
      feedOf("b", "citybikes", ["Hub"]),
      feedOf("c", "motis", ["Hub"]),
    ],
    observations: [0, 100, 200].map((east_m, feed) =>
      observe(feed, String(feed), { east_m }, { name: "Oak" }),
    ),
  };
  const { clusters } = resolve(world);
  assert.deepEqual(
    clusters.map(({ members }) => members.length),
    [2],
  );
});

test("of two merges that exclude one another the surer one is made", () => {
  const world: World = {
    feeds: [
      feedOf("a", "gbfs", ["Hub"]),
      feedOf("b", "citybikes", ["Hub"]),
      feedOf("c", "motis", ["Hub"]),
    ],
    observations: [0, 110, 160].map((east_m, feed) =>
      observe(feed, String(feed), { east_m }, { name: "Oak" }),
    ),
  };
  assert.deepEqual(resolve(world).clusters[0]?.members, [1, 2]);
});

test("best source first, then the feed's id", () => {
  const world: World = {
    feeds: [
      feedOf("m", "openstreetmap", ["Hub"]),
      feedOf("c", "citybikes", ["Hub"]),
      feedOf("g", "gbfs", ["Hub"]),
    ],
    observations: [0, 1, 2].map((feed) => observe(feed, "1", { east_m: feed }, { name: "Oak" })),
  };
  assert.deepEqual(resolve(world).clusters[0]?.members, [2, 1, 0]);
});
