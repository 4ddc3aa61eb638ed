/** GET /v1/walk: one way, its line, and why there is none. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { WayQuestion } from "#app/walk/one-way.ts";
import { LIMITS } from "#api/limits.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import type { Walker } from "#osm/walking.ts";
import type { WaysBetween } from "#ports/walks.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import {
  drawFrom,
  findWayOver,
  listStreets,
  openTown,
  pointIn,
  sideOf,
  type Town,
  walksOf,
  withWalker,
} from "../../../support/street-town.ts";
import { sized } from "../../../support/size.ts";

const TOWN = { lat: 48, lon: 9, side: 16 };
const EAST = { lat: 48, lon: 9.1, side: 8 };
const PLAIN = { profile: "foot", speed: LIMITS.walk.speed_default, format: "json" } as const;

let [town, east]: Town[] = [];
before(async () => {
  const base = await openTown("town", listStreets({ ...TOWN, random: drawFrom(7) }));
  // And the fields around it.
  town = { ...base, covers: (_, lon) => lon > 8 && lon < 9.05, coversCircle: () => true };
  east = await openTown("east", listStreets({ ...EAST, random: drawFrom(8) }));
});

const ask = async (
  from: Location,
  to: Location,
  more: Partial<WayQuestion> = {},
  bases = [town!],
) => (await findWayOver(walksOf(...bases))({ from, to, ...PLAIN, ...more })).body;

function anyPair(random: () => number): [Location, Location] {
  const any = () => pointIn(TOWN, random() * 1.1 * sideOf(TOWN), random() * 1.1 * sideOf(TOWN));
  return [any(), any()];
}

function lengthOf(line: readonly (readonly [number, number])[]): number {
  return line
    .slice(1)
    .reduce((sum, [lon, lat], i) => sum + distance_m(line[i]![1], line[i]![0], lat, lon), 0);
}

test("a thousand ways are those of the walker, drawn from end to end, and as long on the way back", async () => {
  const random = drawFrom(42);
  const seen = { ways: 0, stairs: 0, none: 0 };
  for (let i = 0; i < sized(1_000, 10_000); i++) {
    const [from, to] = anyPair(random);
    const profile = i % 2 === 0 ? "foot" : "step_free";
    const speed = 0.3 + 2.2 * random();
    const body = await ask(from, to, { profile, speed });
    const options = { most_m: LIMITS.walk.meters_max, profile } as const;
    const [way] = town!.page.walker!.walkTo(from, [to], options);
    const back = await ask(to, from, { profile, speed });
    if (typeof way === "string") {
      seen.none++;
      assert.equal(body.reason, way);
      assert.equal(body.status, "empty");
      assert.deepEqual(
        [body.meters, body.seconds, body.step_free, body.geometry],
        [null, null, null, null],
      );
      assert.equal(back.meters, null, `${i}: back`);
      continue;
    }
    seen.ways++;
    if (way!.step_free === false) seen.stairs++;
    assert.equal(body.status, "success");
    assert.equal(body.meters, Math.floor(way!.meters + 0.5));
    assert.equal(body.seconds, Math.ceil(way!.meters / speed));
    assert.equal(body.step_free, way!.step_free);
    const line = body.geometry!.coordinates;
    const ends = [line[0]!, line.at(-1)!].map(([lon, lat]) => ({ lat, lon }));
    for (const [at, point] of [from, to].entries()) {
      const { lat, lon } = ends[at]!;
      assert.ok(distance_m(lat, lon, point.lat, point.lon) < 0.02, `${i}: end ${at}`);
    }
    assert.ok(
      Math.abs(lengthOf(line) - way!.meters) < 0.5,
      `${i}: ${lengthOf(line)} ${way!.meters}`,
    );
    assert.ok(way!.meters >= distance_m(from.lat, from.lon, to.lat, to.lon) - 0.1, `${i}: beeline`);
    assert.equal(back.meters, body.meters, `${i}: back`);
    assert.equal(back.step_free, body.step_free, `${i}: steps on the way back`);
    assert.deepEqual(
      [back.from_snap_meters, back.to_snap_meters],
      [body.to_snap_meters, body.from_snap_meters],
    );
  }
  assert.ok(seen.ways > 300 && seen.stairs > 5 && seen.none > 10, JSON.stringify(seen));
});

const HOME = pointIn(TOWN, 5, 5);
const REASONS: readonly [string, Location, Location, () => Town[], string, string, RegExp][] = [
  [
    "no base at all",
    HOME,
    HOME,
    () => [],
    "partial",
    "outside_bases",
    /no imported base covers both/i,
  ],
  ["at sea", HOME, { lat: 48, lon: -20 }, () => [town!], "partial", "outside_bases", /not known/],
  [
    "begins in a field",
    pointIn(TOWN, -160, 300),
    HOME,
    () => [town!],
    "empty",
    "start_off_network",
    /within 100 metres of `from`/,
  ],
  [
    "ends in a field",
    HOME,
    pointIn(TOWN, -160, 300),
    () => [town!],
    "empty",
    "target_off_network",
    /within 100 metres of `to`/,
  ],
  [
    "two bases",
    HOME,
    pointIn(EAST, 10, 10),
    () => [town!, east!],
    "partial",
    "different_bases",
    /different imported bases/,
  ],
];

for (const [name, from, to, bases, status, reason, words] of REASONS)
  test(`${name}: the answer says ${reason}, and is ${status}`, async () => {
    const body = await ask(from, to, {}, bases());
    assert.deepEqual([body.status, body.reason, body.geometry], [status, reason, null]);
    assert.match(body.message!, words);
    assert.equal(body.notices![0]!.message, body.message);
  });

test("an older base is named as such, and the points are not said to be outside", async () => {
  const body = await ask(HOME, HOME, {}, [withWalker(town!, null)]);
  assert.deepEqual([body.status, body.reason], ["partial", "base_without_walking"]);
  assert.match(body.message!, /need a new import/);
});

test("of two bases over one place, one that holds both points answers", async () => {
  const near = { ...east!, covers: (lat: number, lon: number) => lat < 48.001 && lon < 9.01 };
  const body = await ask(HOME, pointIn(TOWN, 900, 900), {}, [near, town!]);
  assert.equal(body.walking.base?.id, "town");
  assert.notEqual(body.reason, "different_bases");
});

test("what is further than ways are looked for is said in metres, with and without steps", async () => {
  const wide = { ...town!, covers: () => true };
  const far = await ask(HOME, pointIn(TOWN, 5_000, 0), {}, [wide]);
  assert.equal(far.reason, "target_off_network");
  const walker = { drawWay: () => "not_reached", looked_m: 4_500 } as unknown as Walker;
  const both = withWalker(wide, walker);
  const apart = await ask(HOME, pointIn(TOWN, 5_000, 0), {}, [both]);
  assert.match(apart.message!, /^The points are \d+ metres apart, .* up to 4500 metres\.$/);
  const near = await ask(HOME, pointIn(TOWN, 50, 50), { profile: "step_free" }, [both]);
  assert.equal(
    near.message,
    "No way without steps of at most 4500 metres leads from one point to the other.",
  );
});

test("a search that ended early has not looked further, which is not that there is no way", async () => {
  const walker = { drawWay: () => "not_reached", looked_m: 1_234.5 } as unknown as Walker;
  const body = await ask(HOME, pointIn(TOWN, 50, 50), {}, [withWalker(town!, walker)]);
  assert.deepEqual([body.status, body.reason], ["partial", "not_looked"]);
  assert.equal(body.walking.within_meters, 1_234);
  assert.match(body.message!, /at most 1234 metres is known .* beyond what is looked at/);
});

test("where a way may lead around outside of the base, it is not known that there is none", async () => {
  const walker = { drawWay: () => "not_reached", looked_m: 4_500 } as unknown as Walker;
  const radii: number[] = [];
  const coversCircle = ({ radius_m }: { radius_m: number }) => (radii.push(radius_m), false);
  const ends = { ...withWalker(town!, walker), covers: () => true, coversCircle };
  const body = await ask(HOME, pointIn(TOWN, 50, 50), {}, [ends]);
  assert.deepEqual([body.status, body.reason, radii], ["partial", "not_looked", [4_500]]);
  // Whatever is around it: this far apart no way is short enough.
  const far = await ask(HOME, pointIn(TOWN, 5_000, 0), {}, [ends]);
  assert.equal(far.reason, "not_reached");
});

test("a way to the same point has a line of two points and no length", async () => {
  const at = pointIn(TOWN, 0, 40);
  const body = await ask(at, at);
  assert.equal(body.status, "success");
  assert.ok(body.geometry!.coordinates.length >= 2);
  assert.equal(body.meters! <= 2 * body.from_snap_meters! + 1, true);
});

test("streets that are not read in time are not known, and the answer leaves in its time", async () => {
  const clock = createManualClock(0);
  const walks: WaysBetween = {
    pinBetween: (_from, _to, { signal }) =>
      new Promise((resolve) => {
        const none = { base: "base_unreadable", [Symbol.dispose]: () => {} } as const;
        signal!.addEventListener("abort", () => resolve(none));
      }),
  };
  const [from, to] = [pointIn(TOWN, 0, 0), pointIn(TOWN, 100, 0)];
  const reply = findWayOver(walks, clock)({ from, to, ...PLAIN });
  clock.advance(3_000);
  const { body, max_age_s, metered } = await reply;
  assert.deepEqual([body.status, body.reason], ["partial", "base_unreadable"]);
  assert.deepEqual([max_age_s, metered.void], [null, true]);
});
