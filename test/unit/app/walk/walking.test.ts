/** Ways on foot of results: what asks for them, how far they are looked for, and what a wish keeps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findWalks, readWalkWish, selectOnFoot, type WalkWish } from "#app/walk/walking.ts";
import { walkToResults } from "#app/walk/walk-results.ts";
import { LIMITS } from "#api/limits.ts";
import type { WalkParameters } from "#api/walk.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import { createTurn } from "#kit/run/turn.ts";
import type { Walker } from "#osm/walking.ts";
import type { PinnedWalks } from "#ports/walks.ts";
import { forAll, HERE, moved } from "../../../support/domain.ts";
import { FAKE_BASE, fakeWalks, walksOfBase } from "../../../support/fake-walks.ts";
import { NO_WALKS } from "../../../support/walks.ts";

const WISH: WalkWish = { profile: "foot", speed: 1.33, within_s: null, sorts: false };
const { candidates_max, meters_max, speed_default } = LIMITS.walk;

test("ways are asked for by walk=true, and by each parameter that implies it", () => {
  const wishes: [Partial<WalkParameters>, WalkWish | null][] = [
    [{}, null],
    [{ sort: "distance", profile: "foot", speed: speed_default }, null],
    [{ walk: true }, WISH],
    [{ sort: "walk" }, { ...WISH, sorts: true }],
    [{ within_minutes: 7.5 }, { ...WISH, within_s: 450 }],
    [{ profile: "step_free" }, { ...WISH, profile: "step_free" }],
    [{ speed: 1 }, { ...WISH, speed: 1 }],
  ];
  for (const [change, wish] of wishes)
    assert.deepEqual(readWalkWish({ ...NO_WALKS, ...change }), wish, JSON.stringify(change));
});

const steadily = fakeWalks((point) => ({
  meters: 1.5 * distance_m(HERE.lat, HERE.lon, point.lat, point.lon),
  step_free: null,
}));

test("metres are rounded as all that are stated, and seconds up", () => {
  const ways = [100.4, 100.5, 133].map((meters) => {
    const walks = fakeWalks(() => ({ meters, step_free: true }));
    return findWalks(walks, HERE, [HERE], WISH).ways[0];
  });
  assert.deepEqual(ways, [
    { meters: 100, seconds: 76, step_free: true },
    { meters: 101, seconds: 76, step_free: true },
    { meters: 133, seconds: 100, step_free: true },
  ]);
});

test("ways are looked for as far as a detour to the farthest result is, or as is walked in the time", () => {
  const within = (metres: number, wish: Partial<WalkWish> = {}): number =>
    findWalks(steadily, HERE, [moved(HERE, metres)], { ...WISH, ...wish }).walking.within_meters;
  assert.deepEqual([within(10), within(499), within(3_000)], [1_500, 1_500, meters_max]);
  assert.ok(Math.abs(within(1_000) - 3_000) <= 1);
  assert.equal(within(100, { within_s: 600 }), 798);
  assert.equal(within(100, { within_s: 1_800, speed: 2.5 }), meters_max);
});

test("what is farther by beeline than the bound is no question to streets, with a base or without", () => {
  const requested: Location[] = [];
  const walks = fakeWalks((point) => {
    requested.push(point);
    return "target_off_network";
  });
  const targets = [moved(HERE, 790), moved(HERE, 806), moved(HERE, 10)];
  const wish = { ...WISH, within_s: 600 };
  const { ways, walking } = findWalks(walks, HERE, targets, wish);
  assert.deepEqual(ways, ["target_off_network", "not_reached", "target_off_network"]);
  assert.deepEqual(requested, [targets[0], targets[2]]);
  assert.deepEqual([walking.not_reached, walking.unknown], [1, 2]);
  const none = findWalks(undefined, HERE, targets, wish);
  assert.deepEqual(none.ways, ["outside_bases", "not_reached", "outside_bases"]);
  assert.deepEqual([none.walking.base, none.walking.reason], [null, "outside_bases"]);
});

test("what is nearer than the nearest street is kept, and counted as unknown", () => {
  const walks = fakeWalks(() => "no_street_between");
  const wish = { ...WISH, within_s: 60 };
  const { ways, walking } = findWalks(walks, HERE, [HERE], wish);
  assert.deepEqual([walking.reached, walking.not_reached, walking.unknown], [0, 0, 1]);
  assert.deepEqual(selectOnFoot(["seat"], ways, wish), [{ item: "seat", walk: null }]);
});

test("where a base ends, what its streets do not reach is kept, unless it is too far by beeline", () => {
  const walks = fakeWalks(() => "not_reached");
  const radii: number[] = [];
  const coversCircle = ({ radius_m }: { radius_m: number }) => (radii.push(radius_m), false);
  const { base } = walks;
  assert.ok(typeof base === "object");
  const ending = walksOfBase({ ...base, coversCircle });
  const targets = [moved(HERE, 100), moved(HERE, 900)];
  const count = (given: PinnedWalks) => {
    const { walking } = findWalks(given, HERE, targets, { ...WISH, within_s: 600 });
    return [walking.reached, walking.not_reached, walking.unknown];
  };
  assert.deepEqual(count(ending), [0, 1, 1]);
  assert.deepEqual(radii, [798]);
  assert.deepEqual(count(walks), [0, 2, 0]);
});

test("a way that takes a second more than the wished time is known to take it", () => {
  const walks = fakeWalks(() => ({ meters: 600 * 1.33, step_free: true }));
  const bySeconds = (within_s: number) =>
    findWalks(walks, HERE, [HERE], { ...WISH, within_s }).walking;
  assert.deepEqual([bySeconds(601).reached, bySeconds(599).not_reached], [1, 1]);
});

/** A base whose search ends after some metres. */
function endingAt(looked_m: number): PinnedWalks {
  const walker: Pick<Walker, "walkSteps"> = {
    // oxlint-disable-next-line require-yield -- there is nothing to give way for
    *walkSteps(_start, points) {
      return { ways: points.map(() => "not_reached" as const), looked_m };
    },
  };
  return walksOfBase({ statement: FAKE_BASE, walker: walker as Walker });
}

test("what a search that ends early did not come to is unknown within a time, and is kept", () => {
  const targets = [moved(HERE, 100), moved(HERE, 700)];
  const within = { ...WISH, within_s: 600 };
  const cut = findWalks(endingAt(400), HERE, targets, within);
  assert.deepEqual(cut.ways, ["not_looked", "not_looked"]);
  const { within_meters, not_reached, unknown } = cut.walking;
  assert.deepEqual([within_meters, not_reached, unknown], [400, 0, 2]);
  assert.equal(selectOnFoot(targets, cut.ways, within).length, 2);
  const whole = findWalks(endingAt(798), HERE, targets, within);
  assert.equal(selectOnFoot(targets, whole.ways, within).length, 0);
  const untimed = findWalks(endingAt(400), HERE, targets, WISH);
  assert.deepEqual([untimed.ways[0], untimed.walking.within_meters], ["not_reached", 400]);
});

type Row = { id: number; rank: number; seconds: number | null };

test("the order of ways is by rank, then by seconds, unknown ones last, else as it was", () => {
  const rows = fc.array(
    fc.record({
      id: fc.nat(),
      rank: fc.constantFrom(0, 0, 1),
      seconds: fc.option(fc.nat(5), { nil: null }),
    }),
  );
  forAll(
    fc.property(rows, (list: Row[]) => {
      const ways = list.map(({ seconds }) =>
        seconds === null
          ? ("target_off_network" as const)
          : { meters: 1, seconds, step_free: null },
      );
      const sorted = selectOnFoot(list, ways, { ...WISH, sorts: true }, ({ rank }) => rank);
      const keyOf = ({ rank, seconds }: Row): number => rank * 100 + (seconds ?? 99);
      const expected = list
        .map((row, at) => ({ row, at }))
        .toSorted((a, b) => keyOf(a.row) - keyOf(b.row) || a.at - b.at);
      assert.deepEqual(
        sorted.map(({ item }) => item),
        expected.map(({ row }) => row),
      );
    }),
  );
});

/** Results in a row to the north, 1 m apart. */
const ROW = Array.from({ length: candidates_max + 100 }, (_, i) => ({
  location: moved(HERE, 1 + i),
  distance_meters: 1 + i,
}));

/** What the first of them and the last that were looked at take on foot. */
async function lookAt(wish: Partial<WalkWish>, limit: number, detour: number) {
  const walks = fakeWalks(({ lat, lon }) => ({
    meters: detour * distance_m(HERE.lat, HERE.lon, lat, lon),
    step_free: true,
  }));
  const turn = createTurn({});
  const search = { walks, start: HERE, wish: { ...WISH, ...wish }, turn };
  const candidates = { items: ROW.slice(0, candidates_max), total: ROW.length };
  return await walkToResults(search, candidates, limit);
}

test("what was not looked at is said where it can matter, and only there", async () => {
  const sorts = { sorts: true };
  // The page ends at 40 m on foot; what was not looked at is farther by beeline alone.
  assert.equal((await lookAt(sorts, 20, 2)).unwalked, null);
  const { unwalked } = await lookAt(sorts, 300, 2);
  assert.ok(unwalked !== null);
  assert.deepEqual(unwalked.cut, { shown: 500, total: null, within_m: 500 });
  assert.match(unwalked.message, /beyond 500 metres some may be nearer on foot/);
  // A page by beeline is what it is, whatever ways the others have.
  assert.equal((await lookAt({}, 300, 2)).unwalked, null);
  const within = await lookAt({ within_s: 600 }, 20, 1);
  assert.match(within.unwalked!.message, /beyond 500 metres some may be missing/);
  assert.equal(within.total, candidates_max);
});
