/** The page of a search for stations with ways on foot. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toStationPage } from "#app/transit/station-page.ts";
import type { WalkWish } from "#app/walk/walking.ts";
import { LIMITS } from "#api/limits.ts";
import { distance_m } from "#kit/geo.ts";
import { toEnd } from "#kit/steps.ts";
import { createTurn } from "#kit/run/turn.ts";
import { toTransitItems } from "#transit/schedule/schedule-results.ts";
import { NOW_MS } from "../../../support/domain.ts";
import { fakeWalks } from "../../../support/fake-walks.ts";
import { CENTRE, stationOf } from "../../../support/transit.ts";

const WISH: WalkWish = { profile: "foot", speed: 1.33, within_s: null, sorts: false };
const { candidates_max } = LIMITS.walk;

/** Stations in a row to the north; the nearest are the farthest on foot. */
function pageOf(stations: number, wish: WalkWish | null, limit: number) {
  const list = Array.from({ length: stations }, (_, n) =>
    stationOf({ name: `${n}`, metres: 150 * (n + 1), source: { source_id: `${n}` } }),
  );
  const radius_m = 150 * stations + 10;
  const items = toEnd(toTransitItems([list], { ...CENTRE, radius_m, modes: ["bus"] }));
  const walks = fakeWalks(({ lat, lon }) => {
    const beeline_m = distance_m(CENTRE.lat, CENTRE.lon, lat, lon);
    return { meters: beeline_m < 400 ? 1_400 - beeline_m : beeline_m, step_free: null };
  });
  const turn = createTurn({});
  const { signal } = new AbortController();
  const query = { now_ms: NOW_MS, until_ms: NOW_MS + 3_000, signal, keyed: false };
  const onFoot = { walks, access: undefined, query, start: CENTRE, wish, turn };
  return toStationPage(items, onFoot, { radius_m, limit });
}

const namesOf = ({ stations }: Awaited<ReturnType<typeof pageOf>>) =>
  stations.map(({ name }) => name);

test("without a wish for ways a page has none, and is what it was", async () => {
  const page = await pageOf(4, null, 3);
  assert.deepEqual(namesOf(page), ["0", "1", "2"]);
  assert.ok(page.stations.every((station) => !("walk" in station)));
  assert.equal(page.walking, null);
  assert.match(page.cuts[0]!.message, /^shown are the nearest 3 of 4, up to 450 metres away;/);
});

test("the order and the time are those of ways, and the page says where it ends", async () => {
  const walked = await pageOf(4, WISH, 3);
  assert.deepEqual(namesOf(walked), ["0", "1", "2"]);
  assert.deepEqual(
    walked.stations.map(({ walk }) => walk!.meters),
    [1_250, 1_100, 450],
  );
  assert.equal(walked.walking!.reached, 3, "those of the page alone");
  const sorted = await pageOf(4, { ...WISH, sorts: true }, 3);
  assert.deepEqual(namesOf(sorted), ["2", "3", "1"]);
  assert.match(sorted.cuts[0]!.message, /^shown are the nearest 3 of 4 on foot, up to 14 minutes/);
  const within = await pageOf(4, { ...WISH, within_s: 600 }, 3);
  assert.deepEqual([namesOf(within), within.total, within.cuts], [["2", "3"], 2, []]);
});

test("of a heap the nearest are walked to, and what may be missing is said", async () => {
  const slow = { ...WISH, sorts: true };
  const page = await pageOf(4 * candidates_max, slow, 3);
  assert.equal(page.total, 4 * candidates_max);
  // What was not looked at is farther than the page by beeline already.
  assert.equal(page.cuts.length, 1);
  const { walking } = page;
  assert.equal(walking!.reached + walking!.not_reached, candidates_max);
});
