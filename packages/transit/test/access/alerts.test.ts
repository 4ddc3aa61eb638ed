/** Which lifts and ways alerts put out of order or in doubt (docs/walking.md, Within stations). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { countLifts, type LiftStatement, toStationState } from "../../access/lift-states.ts";
import { findPlatformAccess } from "../../access/station-network.ts";
import type { AccessIssues } from "../../live/live-table.ts";
import {
  type AlertOf,
  STATION,
  stationFeed,
  tableOfAlerts,
} from "../../../../test/support/stations.ts";

const FEED = stationFeed();
const ROW = FEED.findStation("S")!;
const NETWORK = FEED.access!.network(ROW)!;
const AT_S = 1_000;

function issuesOf(alerts: readonly AlertOf[], feed = FEED): AccessIssues | null {
  const row = feed.findStation("S")!;
  const station = { row, places: feed.access!.placesOf(row)! };
  return tableOfAlerts(feed, alerts, AT_S).accessIssues(station, AT_S);
}

type Known = { issues?: AccessIssues | null; statements?: LiftStatement[]; lost?: boolean };

/** Answers of P1 and P2, and the lifts. */
function answersOf({ issues, statements = [], lost = false }: Known, network = NETWORK) {
  const state = toStationState(network, { issues, statements, is_register_lost: lost });
  const [one, two] = findPlatformAccess(network, state).map(({ to_street }) => to_street);
  const { total, ...counts } = countLifts(network, state);
  assert.equal(
    total,
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  );
  return { one, two, ...counts };
}

const UNSTATED = { in_service: 0, out_of_order: 0, unknown: 1 };
const OUT = { in_service: 0, out_of_order: 1, unknown: 0 };
const REACHED = { one: true, two: true, ...UNSTATED };

for (const [what, alerts, expected] of [
  ["no alert", [], REACHED],
  ["the node at one end of a lift", [{ stop_id: "N" }], { one: false, two: true, ...OUT }],
  ["the node at the other end", [{ stop_id: "H" }], { one: false, two: true, ...OUT }],
  ["the entrance that it is reached by", [{ stop_id: "E" }], { one: null, two: true, ...UNSTATED }],
  ["another entrance", [{ stop_id: "F" }], { one: true, two: null, ...UNSTATED }],
  ["the platform", [{ stop_id: "P1" }], { one: null, two: true, ...UNSTATED }],
  ["a node without ways", [{ stop_id: "X" }], { one: null, two: null, ...UNSTATED }],
  ["the station", [{ stop_id: "S" }], { one: null, two: null, ...UNSTATED }],
  [
    "the station of a line",
    [{ stop_id: "S", route_id: "GONE" }],
    { one: null, two: null, ...UNSTATED },
  ],
  ["another station", [{ stop_id: "T" }], REACHED],
  ["no stop", [{ stop_id: null, route_id: "R1" }], REACHED],
  ["a stop that is not there", [{ stop_id: "GONE" }], REACHED],
  ["a delay at the node", [{ stop_id: "N", effect: "significant_delays" }], REACHED],
  [
    "a closed entrance",
    [{ stop_id: "E", effect: "no_service" }],
    { one: null, two: true, ...UNSTATED },
  ],
  ["a platform without service", [{ stop_id: "P1", effect: "no_service" }], REACHED],
  ["a station without service", [{ stop_id: "S", effect: "no_service" }], REACHED],
  ["the node, from then on", [{ stop_id: "N", period: { from_s: AT_S + 1, to_s: null } }], REACHED],
  ["the node, until then", [{ stop_id: "N", period: { from_s: null, to_s: AT_S } }], REACHED],
  [
    "the node, now",
    [{ stop_id: "N", period: { from_s: AT_S, to_s: AT_S + 1 } }],
    { one: false, two: true, ...OUT },
  ],
] as const)
  test(`an alert about ${what} makes ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(answersOf({ issues: issuesOf(alerts) }), expected);
  });

test("a node with two lifts may mean either, and none is out of order for certain", () => {
  const ways = `${STATION["pathways.txt"]}\nL2,H,P2,5,1,`;
  const feed = stationFeed({ "pathways.txt": ways });
  const network = feed.access!.network(feed.findStation("S")!)!;
  const issues = issuesOf([{ stop_id: "H" }], feed);
  const counts = { in_service: 0, out_of_order: 0, unknown: 2 };
  assert.deepEqual(answersOf({ issues }, network), { one: null, two: true, ...counts });
});

test("alerts that are not known leave every lift unknown", () => {
  assert.deepEqual(answersOf({ issues: null }), { one: null, two: true, ...UNSTATED });
  const statements: LiftStatement[] = [{ state: "in_service", pathways: ["L1"] }];
  assert.equal(answersOf({ issues: null, statements }).one, true);
});

for (const [state, pathways, expected] of [
  ["in_service", ["L1"], { one: true, two: true, in_service: 1, out_of_order: 0, unknown: 0 }],
  ["out_of_order", ["L1"], { one: false, two: true, ...OUT }],
  ["unknown", ["L1"], { one: null, two: true, ...UNSTATED }],
  ["in_service", null, REACHED],
  ["out_of_order", null, { one: null, two: null, ...UNSTATED }],
  ["unknown", null, { one: null, two: null, ...UNSTATED }],
] as const)
  test(`a register's ${state} of ${pathways ? "the lift" : "the station"} makes ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(answersOf({ statements: [{ state, pathways }] }), expected);
  });

test("the worse of a register and an alert holds, whichever it is", () => {
  const issues = issuesOf([{ stop_id: "N" }]);
  const fine: LiftStatement[] = [{ state: "in_service", pathways: ["L1"] }];
  assert.equal(answersOf({ issues, statements: fine }).out_of_order, 1);
  const broken: LiftStatement[] = [{ state: "out_of_order", pathways: ["L1"] }];
  assert.equal(
    answersOf({ issues: { places: [], anywhere: false }, statements: broken }).one,
    false,
  );
  assert.equal(answersOf({ statements: [...fine, ...broken] }).one, false);
  assert.equal(answersOf({ statements: [...broken, ...fine] }).one, false);
});

test("a register that cannot be read leaves the lifts that it is joined with unknown", () => {
  assert.deepEqual(answersOf({ lost: true }), { one: null, two: true, ...UNSTATED });
});

test("alerts about places within stations are no alerts of departures, and none is unknown", () => {
  const table = tableOfAlerts(FEED, [{ stop_id: "N" }, { stop_id: "GONE" }]);
  const { dropped } = table.meta.trail;
  assert.deepEqual(dropped, [{ reason: "alert_of_unknown_entity", count: 1, examples: ["A1"] }]);
  const shown = new Set<number>();
  const call = { trip: 0, day: 0, start_s: 0, route: 0, stop: 0, station: ROW };
  table.addAlerts(call, 0, shown);
  assert.equal(shown.size, 0);
});

test("more alerts about places than are kept leave lifts unknown", () => {
  const alerts = (times: number): AlertOf[] => [{ stop_id: "F", times }];
  assert.deepEqual(issuesOf(alerts(50_000)), issuesOf(alerts(1)));
  assert.equal(issuesOf(alerts(50_001)), null);
});
