/** Ways on foot over a base of many pages: those of a base of one, and what is said where a page is missing. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { findWalks, pinWalks } from "#app/walk/walking.ts";
import { LIMITS } from "#api/limits.ts";
import type { Location } from "#kit/geo.ts";
import { toEnd } from "#kit/steps.ts";
import {
  drawFrom,
  findWayOver,
  listStreets,
  openTown,
  pointIn,
  sideOf,
  type Town,
  walksOf,
} from "../../../support/street-town.ts";
import { type PagedStreets, pageStreets } from "../../../support/paged-streets.ts";

/** What one does about a page that is missing for a reason. */
const ADVICE = {
  damaged: /^the base town is unreadable, .*by importing it again$/i,
  unreadable: /^the base town is unreadable, .*ask again in a moment$/i,
  busy: /^the base town is over its allowance, .*ask again in a moment$/i,
  deadline: /^the base town is too slow, .*ask again in a moment$/i,
  aborted: /^the base town is too slow, .*ask again in a moment$/i,
} as const;
const TOWN = { lat: 48, lon: 9, side: 16 };
const ZOOM = 16;
const PLAIN = { speed: LIMITS.walk.speed_default, format: "json" } as const;
const PROFILES = ["foot", "step_free"] as const;

type Walks = ReturnType<typeof walksOf>;

let town: Town;
/** Of the base of one page, and of the one of many. */
let walks: readonly [Walks, Walks];
let streets: PagedStreets;
let paged: Town;
before(async () => {
  const objects = listStreets({ ...TOWN, random: drawFrom(7) });
  town = { ...(await openTown("town", objects)), covers: () => true, coversCircle: () => true };
  streets = pageStreets(objects, ZOOM);
  paged = { ...town, pages: streets };
  walks = [walksOf(town), walksOf(paged)];
});

const random = drawFrom(11);
const anyPoint = (): Location =>
  pointIn(TOWN, random() * 1.1 * sideOf(TOWN), random() * 1.1 * sideOf(TOWN));

test("one way is the same, with its line, and its pages are let go", async () => {
  let ways = 0;
  for (let i = 0; i < 60; i++) {
    const [from, to] = [anyPoint(), anyPoint()];
    for (const profile of PROFILES) {
      const [one, many] = await Promise.all(
        walks.map((each) => findWayOver(each)({ from, to, ...PLAIN, profile })),
      );
      assert.deepEqual(many!.body, one!.body);
      if (many!.body.geometry !== null) ways += 1;
    }
  }
  assert.ok(ways > 40, String(ways));
  assert.equal(streets.open, 0);
});

test("ways to results, and the outline of what is reached, are the same over the pages in reach", async () => {
  for (let i = 0; i < 24; i++) {
    const start = anyPoint();
    const targets = Array.from({ length: 12 }, anyPoint);
    for (const profile of PROFILES) {
      const wish = { profile, speed: 1.4, within_s: i % 2 === 0 ? 150 : null, sorts: true };
      streets.pinned.length = 0;
      const [one, many] = await Promise.all(
        walks.map(async (each) => {
          using pinned = await pinWalks(each, start, targets, wish);
          return findWalks(pinned, start, targets, wish);
        }),
      );
      assert.deepEqual(many, one);
      // In so short a time one comes no further than the next pages.
      if (i % 2 === 0) assert.ok(streets.pinned.length <= 9, streets.pinned.join(" "));
      const circle = { ...start, radius_m: 400 };
      const [whole, cut] = await Promise.all(
        walks.map(async (each) => {
          using pinned = await each.pin(circle);
          assert.ok(typeof pinned.base === "object");
          return toEnd(pinned.base.walker.outlineSteps(start, { most_m: 400, profile }));
        }),
      );
      assert.deepEqual(cut, whole);
    }
  }
});

test("where a page is missing, what may lead through it is not known, and nothing is said to be far", async () => {
  const [from, to] = [pointIn(TOWN, 600, 200), pointIn(TOWN, 600, 1_000)];
  const middle = streets.at(pointIn(TOWN, 600, 600))!;
  const column = streets.rows[middle]!.cell.x;
  const wall = [...streets.rows.keys()].filter((number) => streets.rows[number]!.cell.x === column);
  const ask = () => findWayOver(walks[1])({ from, to, ...PLAIN, profile: "foot" });
  const whole = (await ask()).body;
  assert.equal(whole.status, "success");
  for (const number of wall) streets.missing.add(number);
  const cut = (await ask()).body;
  assert.deepEqual([cut.status, cut.reason], ["partial", "not_looked"]);
  streets.missing.clear();
  streets.missing.add(streets.at(from)!);
  const lost = (await ask()).body;
  assert.deepEqual([lost.status, lost.reason], ["partial", "base_unreadable"]);
  streets.missing.clear();
  assert.deepEqual((await ask()).body, whole);
});

const ENDS = [pointIn(TOWN, 600, 200), pointIn(TOWN, 600, 1_000)] as const;

async function without<T>(points: readonly Location[], ask: () => Promise<T>): Promise<T> {
  // With all pages from which a street may be next to them.
  const near = points.flatMap((point) => [...streets.around({ ...point, radius_m: 110 })]);
  for (const number of near) streets.missing.add(number);
  try {
    return await ask();
  } finally {
    streets.missing.clear();
    streets.reason = "damaged";
  }
}

for (const [reason, advice] of Object.entries(ADVICE) as [keyof typeof ADVICE, RegExp][])
  test(`${reason}: the base is named with what to do, at either end of a way and for results`, async () => {
    const [from, to] = ENDS;
    for (const end of ENDS) {
      streets.reason = reason;
      const { body, max_age_s, metered } = await without([end], () =>
        findWayOver(walks[1])({ from, to, ...PLAIN, profile: "foot" }),
      );
      assert.deepEqual([body.status, body.reason], ["partial", "base_unreadable"]);
      assert.deepEqual([body.walking.base, max_age_s, metered.void], [null, null, true]);
      const [notice] = body.notices!;
      assert.match(notice!.message.replace(/\.$/, ""), advice);
      assert.equal(notice!.source, "the base town");
    }
    const wish = { profile: "foot" as const, speed: 1.4, within_s: null, sorts: true };
    streets.reason = reason;
    const walked = await without([from], async () => {
      using pinned = await pinWalks(walks[1], from, [to], wish);
      return findWalks(pinned, from, [to], wish);
    });
    assert.deepEqual(walked.ways, ["base_unreadable"]);
    assert.deepEqual([walked.walking.reason, walked.walking.base], ["base_unreadable", null]);
    assert.match(walked.notice!.message, advice);
  });

test("a result in a page that is missing has no known way, and is not said to be off the streets", async () => {
  const [from, to] = ENDS;
  const wish = { profile: "foot" as const, speed: 1.4, within_s: null, sorts: true };
  const near = pointIn(TOWN, 600, 300);
  const { ways, walking, notice } = await without([to], async () => {
    using pinned = await pinWalks(walks[1], from, [near, to], wish);
    return findWalks(pinned, from, [near, to], wish);
  });
  assert.equal(typeof ways[0], "object");
  assert.equal(ways[1], "base_unreadable");
  assert.deepEqual([walking.reason, walking.base?.id, walking.unknown], [undefined, "town", 1]);
  assert.equal(notice, null);
});

test("where streets next to a start are missing, none is said to begin there, but it is not known", async () => {
  let lost = 0;
  for (let i = 0; i < 120; i++) {
    // In the fields around the town, and next to its edge.
    const from = pointIn(TOWN, 10 * i, i % 2 === 0 ? -90 : sideOf(TOWN) + 90);
    const find = () => findWayOver(walks[1])({ from, to: ENDS[1], ...PLAIN, profile: "foot" });
    const whole = (await find()).body;
    const own = streets.at(from);
    const near = [...streets.around({ ...from, radius_m: 101 })].filter((each) => each !== own);
    for (const number of near) streets.missing.add(number);
    const { body } = await find();
    streets.missing.clear();
    if (near.length > 0) assert.notEqual(body.reason, "start_off_network");
    if (body.reason === "base_unreadable") lost += 1;
    if (near.length === 0) assert.deepEqual(body, whole);
  }
  assert.ok(lost > 0);
});

test("of two bases over a point the one that can be read answers, and both are let go", async () => {
  const both = walksOf(paged, { ...town, statement: { ...town.statement, id: "other" } });
  const [from, to] = ENDS;
  const { body } = await without([from], () =>
    findWayOver(both)({ from, to, ...PLAIN, profile: "foot" }),
  );
  assert.deepEqual([body.status, body.walking.base?.id], ["success", "other"]);
  assert.equal(streets.open, 0);
});
