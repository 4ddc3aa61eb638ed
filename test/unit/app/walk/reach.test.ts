/** GET /v1/reach: counts, the nearest on foot, what is not known, and the outline. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createFindReach, type FindReach, type ReachQuestion } from "#app/walk/reach.ts";
import type { Candidates, FindHeldFamilies, Gaps } from "#app/walk/reach-candidates.ts";
import { toReachCollection } from "#app/walk/walk-geojson.ts";
import { LIMITS } from "#api/limits.ts";
import { REACH_FAMILIES, type ReachFamily } from "#api/reach.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import { WHOLE } from "#osm/pages/page-cell.ts";
import type { Walker } from "#osm/walking.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import {
  drawFrom,
  listStreets,
  openTown,
  pointIn,
  sideOf,
  type Town,
  walksOf,
  withWalker,
} from "../../../support/street-town.ts";

const TOWN = { lat: 48, lon: 9, side: 16 };
const CENTRE = pointIn(TOWN, sideOf(TOWN) / 2, sideOf(TOWN) / 2);
const PLAIN = { profile: "foot", speed: LIMITS.walk.speed_default, format: "json" } as const;
const QUESTION = { ...CENTRE, ...PLAIN, minutes: 5, families: REACH_FAMILIES };
const NOW_MS = Date.UTC(2026, 10, 24, 9, 30);

let town: Town;
before(async () => {
  const base = await openTown("town", listStreets({ ...TOWN, random: drawFrom(7) }));
  town = { ...base, covers: (_, lon) => lon > 8 && lon < 9.05, coversCircle: () => true };
});

type Stored = Partial<Record<ReachFamily, Candidates | null>>;

function holding(families: Stored, gaps: Gaps = {}): FindHeldFamilies {
  return () =>
    Promise.resolve({
      families: new Map(Object.entries(families) as [ReachFamily, Candidates | null][]),
      gaps,
    });
}

/** Things at points, the nearest by beeline first. */
function thingsAt(points: readonly Location[], within_m: number | null = null): Candidates {
  const items = points
    .map((location, i) => ({
      location,
      distance_meters: Math.floor(
        distance_m(CENTRE.lat, CENTRE.lon, location.lat, location.lon) + 0.5,
      ),
      describe: () => ({ id: `thing ${i}`, name: i === 0 ? null : `Thing ${i}` }),
    }))
    .toSorted((a, b) => a.distance_meters - b.distance_meters);
  return { items, within_m };
}

async function ask(
  stored: readonly FindHeldFamilies[],
  change: Partial<ReachQuestion> = {},
  { bases = [town], clock = createManualClock(NOW_MS), signal = new AbortController().signal } = {},
): Promise<Awaited<ReturnType<FindReach>>> {
  const find = createFindReach({ clock, walks: walksOf(...bases), held: stored });
  const question = { ...QUESTION, ...change };
  return await find({ question, now_ms: NOW_MS, deadline_ms: NOW_MS + 3_000, signal });
}

function anyPoints(count: number, seed: number): Location[] {
  const random = drawFrom(seed);
  return Array.from({ length: count }, () =>
    pointIn(TOWN, random() * sideOf(TOWN), random() * sideOf(TOWN)),
  );
}

test("counts and the nearest are those of a search over all of them, of any number and minutes", async () => {
  for (const [seed, minutes] of [1, 3, 5, 10, 30].entries()) {
    const fields = Array.from({ length: 20 }, (_, i) => pointIn(TOWN, -160 - i, 30 * i));
    const points = [...anyPoints(430, seed), ...fields];
    const things = thingsAt(points);
    const { body } = await ask([holding({ toilets: things })], { minutes, families: ["toilets"] });
    const most_m = Math.min(LIMITS.walk.meters_max, minutes * 60 * PLAIN.speed);
    const ways = things.items.map(
      ({ location }) =>
        town.page.walker!.walkTo(CENTRE, [location], { most_m, profile: "foot" })[0]!,
    );
    const lengths = ways.flatMap((way) => (typeof way === "string" ? [] : [way.meters]));
    const reached = body.reached["toilets"]!;
    assert.equal(reached.count, lengths.length);
    const isUnknown = (way: (typeof ways)[number], i: number): boolean =>
      way === "target_off_network" && things.items[i]!.distance_meters <= most_m;
    assert.equal(reached.unknown, ways.filter(isUnknown).length);
    assert.equal(reached.unknown > 0, minutes >= 10, String(minutes));
    const least_s = Math.ceil(Math.min(...lengths) / PLAIN.speed);
    assert.equal(reached.nearest?.walk.seconds ?? Infinity, least_s);
    const { walking } = body;
    assert.equal(walking.reached + walking.not_reached + walking.unknown, 450);
    assert.equal(walking.reached, reached.count);
  }
});

test("what is reached lies in the outline, and nothing in it is further away than the minutes go", async () => {
  const points = anyPoints(400, 99);
  const { body } = await ask([], { minutes: 6 });
  const most_m = 6 * 60 * PLAIN.speed;
  let [inside, outside] = [0, 0];
  for (const point of points) {
    const [way] = town.page.walker!.walkTo(CENTRE, [point], {
      most_m: most_m + 200,
      profile: "foot",
    });
    const isIn = isInOutline(body.outline!.coordinates, point);
    if (
      typeof way !== "string" &&
      way!.meters - way!.to_snap_meters <= most_m &&
      way!.to_snap_meters < 12
    )
      assert.ok(isIn, `${JSON.stringify(point)} ${way!.meters}`);
    const beeline_m = distance_m(CENTRE.lat, CENTRE.lon, point.lat, point.lon);
    assert.ok(!isIn || beeline_m < most_m + 75, `${JSON.stringify(point)} ${beeline_m}`);
    if (isIn) inside++;
    else outside++;
  }
  assert.ok(inside > 20 && outside > 20, `${inside} ${outside}`);
});

test("a family of which nothing is held is null and named, and never 0; what holds none is 0", async () => {
  const gaps = { unheld: ["wifi"] as const, unserved: ["locker"] };
  const { body } = await ask([holding({ wifi: null, locker: null, aed: thingsAt([]) }, gaps)], {
    families: ["wifi", "locker", "aed"],
  });
  assert.deepEqual(body.reached, {
    aed: { count: 0, unknown: 0, nearest: null },
    wifi: null,
    locker: null,
  });
  assert.equal(body.status, "partial");
  assert.match(body.message!, /wifi/);
  assert.match(body.message!, /no source of locker is configured/);
  assert.deepEqual(
    body.notices!.map(({ message }) => /wifi|locker/.exec(message)?.[0]),
    ["wifi", "locker"],
  );
});

// Parking of the maps provider is never stored, and was said to have no source that is configured.
test("a family that only its own search asks for is null, and is not said to be unconfigured", async () => {
  const gaps = { unstored: ["parking", "charging"] };
  const { body } = await ask([holding({ parking: null, charging: null }, gaps)], {
    families: ["parking", "charging"],
  });
  assert.deepEqual([body.status, body.reached], ["partial", { parking: null, charging: null }]);
  assert.match(body.message!, /nothing of parking or charging is held here/);
  assert.doesNotMatch(body.message!, /configured;|the operator/);
});

test("nothing in reach is empty, and says within which time", async () => {
  const { body, max_age_s, metered } = await ask([holding({ aed: thingsAt([]) })], {
    families: ["aed"],
    minutes: 1,
  });
  assert.deepEqual([body.status, max_age_s, metered.void], ["empty", 30, false]);
  assert.match(body.message!, /within 1 minute\.$/);
});

const NOWHERE: readonly [string, Location, () => Town[], string, string][] = [
  ["outside every base", { lat: 48, lon: -20 }, () => [town], "partial", "outside_bases"],
  ["an older base", CENTRE, () => [withWalker(town, null)], "partial", "base_without_walking"],
  ["a field", pointIn(TOWN, -160, 300), () => [town], "empty", "start_off_network"],
];
for (const [name, point, bases, status, reason] of NOWHERE)
  test(`${name}: every family is null, with ${reason}`, async () => {
    const stored = holding({ aed: thingsAt([CENTRE]) });
    const { body, metered } = await ask(
      [stored],
      { ...point, families: ["aed", "transit"] },
      { bases: bases() },
    );
    assert.deepEqual([body.status, body.walking.reason, body.outline], [status, reason, null]);
    assert.deepEqual(body.reached, { aed: null, transit: null });
    assert.equal(body.notices!.length, 1);
    assert.equal(metered.void, status === "partial");
  });

/** The town with a page elsewhere that cannot be read. */
function withoutPage(): Town {
  const cell = WHOLE;
  const pages: Town["pages"] = {
    ...{ rows: [], at: () => 0, around: () => [0, 1], ofTile: () => [] },
    pin: () =>
      Promise.resolve({
        pages: [{ number: 0, cell, page: town.page }],
        missing: [{ number: 1, cell, reason: "busy" }],
        [Symbol.dispose]: () => undefined,
      }),
  };
  return { ...town, pages };
}

test("where some of the streets could not be read, the answer is partial and names the base", async () => {
  const { body, max_age_s } = await ask(
    [holding({ aed: thingsAt([CENTRE]) })],
    { families: ["aed"] },
    { bases: [withoutPage()] },
  );
  assert.deepEqual([body.status, body.walking.reason], ["partial", undefined]);
  assert.equal(body.reached.aed!.count, 1);
  assert.equal(body.notices![0]!.source, "the base town");
  assert.equal(max_age_s, null);
});

test("a field next to streets that could not be read is not said to have none", async () => {
  const { body, max_age_s, metered } = await ask(
    [holding({ aed: thingsAt([CENTRE]) })],
    { ...pointIn(TOWN, -160, 300), families: ["aed"] },
    { bases: [withoutPage()] },
  );
  assert.deepEqual([body.status, body.walking.reason], ["partial", "base_unreadable"]);
  assert.deepEqual([body.walking.base, body.reached, body.outline], [null, { aed: null }, null]);
  assert.match(body.message!, /^The base town is .* ask again in a moment\.$/);
  assert.deepEqual([max_age_s, metered.void], [null, true]);
});

test("the list that ends is said to end, and up to where", async () => {
  const { body } = await ask([holding({ vehicles: thingsAt(anyPoints(20, 3), 321.9) })], {
    families: ["vehicles"],
  });
  const [notice] = body.notices!;
  assert.deepEqual(notice!.cut, { shown: 20, total: null, within_m: 321 });
  assert.match(
    notice!.message,
    /^Vehicles: the nearest 20 by beeline were looked at: beyond 321 metres/,
  );
  assert.equal(body.status, "success");
});

test("whose time is up is null, and the answer says so", async () => {
  const { body } = await ask(
    [holding({ aed: thingsAt([CENTRE]), toilets: thingsAt([]) })],
    { families: ["aed", "toilets"] },
    { signal: AbortSignal.abort() },
  );
  assert.deepEqual(body.reached, { aed: null, toilets: { count: 0, unknown: 0, nearest: null } });
  assert.equal(body.status, "partial");
  assert.match(body.message!, /search for ways to aed/);
});

test("of no station is it certain that the way there has no step: its platform may be below stairs", async () => {
  const families = ["toilets", "transit"] as const;
  const things = thingsAt(anyPoints(60, 5));
  const stored = holding({ toilets: things, transit: { ...things, hasInside: true } });
  for (const step_free of [true, false, null]) {
    const walker = allOf(step_free);
    const { body } = await ask([stored], { families }, { bases: [withWalker(town, walker)] });
    const { toilets, transit } = body.reached;
    assert.equal(toilets!.nearest!.walk.step_free, step_free);
    const within = step_free === false ? false : null;
    assert.deepEqual(transit!.nearest!.walk, { ...toilets!.nearest!.walk, step_free: within });
    assert.equal(transit!.count, toilets!.count);
    const unknown = { true: transit!.count, false: 0, null: 2 * transit!.count };
    assert.equal(body.walking.step_free_unknown, unknown[`${step_free}`]);
  }
});

/** The town, of all whose streets the same is known. */
function allOf(step_free: boolean | null): Walker {
  const walker = town.page.walker!;
  const steps: Walker["walkSteps"] = function* (start, points, options) {
    const { ways, looked_m } = yield* walker.walkSteps(start, points, options);
    const same = ways.map((way) => (typeof way === "string" ? way : { ...way, step_free }));
    return { ways: same, looked_m };
  };
  return {
    outlineSteps: walker.outlineSteps.bind(walker),
    looked_m: LIMITS.walk.meters_max,
    walkSteps: steps,
  } as unknown as Walker;
}

test("without steps less is reached, and no way there has one", async () => {
  const stored = holding({ toilets: thingsAt(anyPoints(300, 5)) });
  const families = ["toilets"] as const;
  const [foot, free] = [
    await ask([stored], { families }),
    await ask([stored], { families, profile: "step_free" }),
  ].map(({ body }) => body);
  assert.ok(foot!.reached["toilets"]!.count > free!.reached["toilets"]!.count);
  assert.notEqual(free!.reached["toilets"]!.nearest!.walk.step_free, false);
});

test("the GeoJSON form has the outline first, then the nearest of each family", async () => {
  const stored = holding({ aed: thingsAt([CENTRE]), wifi: null, toilets: thingsAt([]) });
  const { body } = await ask([stored], { families: ["aed", "wifi", "toilets"] });
  const { features, meta } = toReachCollection(body);
  assert.deepEqual(
    features.map(({ id }) => id),
    ["outline", "thing 0"],
  );
  assert.deepEqual(features[0]!.geometry, body.outline);
  const { geometry, properties } = features[1]!;
  assert.deepEqual(geometry, {
    type: "Point",
    coordinates: [CENTRE.lon, CENTRE.lat].map((each) => Number(each.toFixed(7))),
  });
  assert.equal((properties as { family?: string }).family, "aed");
  assert.equal("outline" in meta, false);
  assert.deepEqual(meta.reached, body.reached);
});

type Coordinates = readonly (readonly (readonly (readonly [number, number])[])[])[];

function isInOutline(polygons: Coordinates, { lat, lon }: Location): boolean {
  let inside = false;
  for (const ring of polygons.flat())
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1]!, ring[i]!];
      if (ay > lat !== by > lat && lon < ax + ((bx - ax) * (lat - ay)) / (by - ay))
        inside = !inside;
    }
  return inside;
}
