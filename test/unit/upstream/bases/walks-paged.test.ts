/** Ways on foot over a base of many pages: those of a base of one, and what is said where a page is missing. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createFindWay } from "#app/walk/one-way.ts";
import { findWalks, pinWalks } from "#app/walk/walking.ts";
import { LIMITS } from "#api/limits.ts";
import type { Location } from "#kit/geo.ts";
import {
  drawFrom,
  listStreets,
  openTown,
  pointIn,
  sideOf,
  type Town,
  walksOf,
} from "../../../support/street-town.ts";
import { type PagedStreets, pageStreets } from "../../../support/paged-streets.ts";

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
        walks.map((each) => createFindWay(each)({ from, to, ...PLAIN, profile })),
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
          return pinned.base.walker.outline(start, { most_m: 400, profile });
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
  const ask = () => createFindWay(walks[1])({ from, to, ...PLAIN, profile: "foot" });
  const whole = (await ask()).body;
  assert.equal(whole.status, "success");
  for (const number of wall) streets.missing.add(number);
  const cut = (await ask()).body;
  assert.deepEqual([cut.status, cut.reason], ["partial", "not_looked"]);
  streets.missing.clear();
  streets.missing.add(streets.at(from)!);
  const lost = (await ask()).body;
  assert.deepEqual([lost.status, lost.reason], ["partial", "base_without_walking"]);
  streets.missing.clear();
  assert.deepEqual((await ask()).body, whole);
});
