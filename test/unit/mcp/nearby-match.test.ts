/** What rows of a search say of its filters, with the intent and the time on foot (mcp/tools/nearby-match). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MatchBody } from "#api/filter-match.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { judgeRow, keepPossible, toNearestKnown, toSummary } from "#mcp/tools/nearby-match.ts";

type Ranked = Parameters<typeof judgeRow>[0]["item"];

const AT = { lat: 48.85, lon: 2.35 };
const WALK = { meters: 90, seconds: 70, step_free: null };
const KNOWN: MatchBody = { match: "known", unknown: [] };
const NO_DOCKS: MatchBody = { match: "unknown", unknown: ["min_docks"] };

/** A station; `pickup`: what its source says of taking a vehicle. */
function station(id: string, pickup: string, match?: MatchBody): Ranked {
  const item = { id, action_state: { pickup }, ...match } as unknown as Ranked["item"];
  return { item, id, distance: Number(id), location: AT };
}
const body = (members: object): NearbyBodyValue => members as NearbyBodyValue;

test("an intent is a filter: what is not known stays and says so, unless the search is strict", () => {
  const all = [
    station("1", "unknown"),
    station("2", "unavailable_now"),
    station("3", "available_now"),
  ];
  const ids = (rows: readonly Ranked[]): string[] => rows.map(({ id }) => id);
  const kept = keepPossible(all, { intent: "pickup", strict: false });
  assert.deepEqual(
    [ids(kept.possible), ids(kept.usable)],
    [
      ["1", "3"],
      ["1", "3"],
    ],
  );
  const strict = keepPossible(all, { intent: "pickup", strict: true });
  assert.deepEqual([ids(strict.possible), ids(strict.usable)], [["1", "3"], ["3"]]);
  assert.equal(keepPossible(all, { intent: null, strict: true }).usable.length, 3);
  const beyond = { intent: "pickup", isWithin: false };
  const rows = kept.usable.map((item) => ({ item, walk: null }));
  assert.deepEqual(
    rows.map((row) => judgeRow(row, beyond)),
    [{ match: "unknown", unknown: ["intent"] }, KNOWN],
  );
  assert.deepEqual(toNearestKnown(body({}), rows, beyond), {
    nearest_known: { id: "3", distance_meters: 3, location: AT },
  });
});

test("what is not known of the dataset, the intent and the way adds up", () => {
  const beyond = { intent: "pickup", isWithin: true };
  const item = station("1", "unknown", NO_DOCKS);
  const judged = judgeRow({ item, walk: null }, beyond);
  assert.deepEqual(judged, {
    match: "unknown",
    unknown: ["min_docks", "intent", "within_minutes"],
  });
  const fits = station("1", "available_now", KNOWN);
  assert.deepEqual(judgeRow({ item: fits, walk: WALK }, beyond), KNOWN);
  assert.deepEqual(toNearestKnown(body({}), [{ item, walk: null }], beyond), {
    nearest_known: null,
  });
});

test("without a filter nothing is said; what the dataset could not keep is named by its own head", () => {
  const beyond = { intent: null, isWithin: false };
  const { match } = judgeRow({ item: station("1", "unknown"), walk: null }, beyond);
  assert.equal(match, undefined);
  assert.deepEqual(toNearestKnown(body({}), [], beyond), {});
  assert.deepEqual(toSummary(body({}), null), {});
  const nearest_known = { id: "9", distance_meters: 390, location: AT };
  const rows = [{ item: station("1", "unknown", NO_DOCKS), walk: null }];
  assert.deepEqual(toNearestKnown(body({ nearest_known }), rows, beyond), { nearest_known });
  const summary = { unknown_docks: 0, unknown_left_out: 2 };
  assert.deepEqual(toSummary(body({ summary }), 3), {
    summary: { unknown_docks: 0, unknown_left_out: 5 },
  });
});
