/**
 * What each cell of the fault matrix must answer (decisions, Global nearby; R6, R7, R14), and the
 * one function that holds a cell to it. Written from the rules: nothing here asks the service.
 */
import assert from "node:assert/strict";
import {
  type Cell,
  type Look,
  type Moment,
  NEIGHBOUR,
  type State,
  type Subject,
  SUBJECTS,
} from "./fault-matrix.ts";
import type { FaultName } from "./place-fault-lanes.ts";
import type { Body, Station, Vehicle } from "./support.ts";

type Verdict = "success" | "partial" | "either";

/** Files without which a system cannot be read at all; a snapshot held does without any of them. */
const NEEDED: ReadonlySet<Subject> = new Set(["gbfs", "vehicle_types", "station_information"]);
const LIVE: ReadonlySet<Subject> = new Set([
  "station_status",
  "free_bike_status",
  "vehicle_status",
  "system_alerts, asked for",
]);
const FLEETS: ReadonlySet<Subject> = new Set(["free_bike_status", "vehicle_status"]);
/** These take longer than a load with a short deadline may wait for what it can do without. */
const LENGTHY: ReadonlySet<FaultName> = new Set(["timeout", "late", "huge"]);

function decide({ fault, subject, state }: Cell, moment: Moment): Verdict {
  if (fault === "slow" || moment === "before" || moment === "after") return "success";
  if (subject === "control") return "success";
  if (state === "warm") return LIVE.has(subject) ? decideWarm(subject, moment) : "success";
  if (NEEDED.has(subject) || LIVE.has(subject)) return "partial";
  // Optional files: done without, as soon as it is clear that they will not come.
  return moment === "at once" && LENGTHY.has(fault) ? "either" : "success";
}

/** The bound of alerts is two times their 300 s; of the others 120 s. */
function decideWarm(subject: Subject, moment: Moment): Verdict {
  const early = moment === "at once" || moment === "gate open";
  return subject === "system_alerts, asked for" && early ? "success" : "partial";
}

/** §2.7 of the failing source; `huge` may meet the time limit before the size limit. */
const STATUSES: Record<FaultName, RegExp> = {
  timeout: /^timeout:.*deadline$/,
  slow: /^ok:$/,
  late: /^timeout:.*deadline$/,
  http_500: /^error:.*http_500$/,
  http_429: /^error:.*http_429$/,
  http_401: /^unauthorized:.*http_401$/,
  garbage: /^error:.*wrong_shape$/,
  truncated: /^error:.*(connection_reset|bad_http|bad_encoding)$/,
  empty: /^error:.*not_json$/,
  huge: /^(error:.*body_too_large|timeout:.*deadline)$/,
  reset: /^error:.*connection_reset$/,
};
/** Names of ours for files that versions call differently. */
const OWN_NAMES: Partial<Record<Subject, string>> = {
  gbfs: "discovery",
  free_bike_status: "vehicle_status",
  "system_alerts, asked for": "system_alerts",
};

export function checkCell(cell: Cell): void {
  for (const look of cell.looks) {
    const where = `${cell.fault} × ${cell.subject} × ${cell.state}, ${look.moment}`;
    checkLook(cell, look, where);
  }
  if (cell.state === "warm" && LIVE.has(cell.subject) && cell.fault !== "slow") checkAgeing(cell);
  checkRecovered(cell);
}

function checkLook(cell: Cell, { moment, body, elapsed_ms }: Look, where: string): void {
  const verdict = decide(cell, moment);
  if (verdict === "either") assert.notEqual(body.status, "empty", where);
  else assert.equal(body.status, verdict, where);
  const { deadline_ms } = cell;
  if (deadline_ms !== null)
    assert.ok(elapsed_ms <= deadline_ms + 100, `${where}: ${Math.round(elapsed_ms)} ms`);
  if (body.status === "success") assert.ok(body.total > 0, `${where}: nothing found`);
  else assert.ok(body.message, where);
  if (verdict === "partial") checkSource(cell, body, where);
  if (cell.subject === "station_status") checkNeighbour(body, where);
}

/** (d) of the fault table: which source failed, how, and at which file. */
function checkSource({ fault, subject, state }: Cell, body: Body, where: string): void {
  const source = body.debug!.sources.find((one) => one.source_id === SUBJECTS[subject]);
  const reported = `${source?.status}:${source?.reason ?? ""}`;
  if (isUnsurveyed(state, subject)) {
    assert.equal(reported, "unavailable:not_surveyed", where);
    return;
  }
  assert.match(reported, STATUSES[fault], where);
  const name = OWN_NAMES[subject] ?? subject;
  assert.ok(
    reported.includes(`:${name}:`) || reported === "timeout:deadline",
    `${where}: ${reported}`,
  );
}

/** The location of a system is unknown when its first survey fails: its stations, else its vehicles. */
function isUnsurveyed(state: State, subject: Subject): boolean {
  return state === "new" && (NEEDED.has(subject) || FLEETS.has(subject));
}

/** (a): the results of a healthy provider are shown alongside those of a failing one. */
function checkNeighbour(body: Body, where: string): void {
  const source = body.debug!.sources.find((one) => one.source_id === NEIGHBOUR);
  assert.equal(source?.status, "ok", where);
  const near = body.results.vehicles.filter((vehicle) => vehicle.network_id === NEIGHBOUR);
  assert.ok(near.length > 0, `${where}: the neighbour's vehicles`);
}

/** The last good snapshot is answered from, with the age it has by now (R6, R7). */
function checkAgeing(cell: Cell): void {
  const first = cell.looks[0]!.body;
  for (const { moment, body } of cell.looks.slice(1)) {
    if (moment === "after") continue;
    const where = `${cell.fault} × ${cell.subject} × warm, ${moment}`;
    if (cell.subject === "station_status") checkStations(first, body, { moment, where });
    if (FLEETS.has(cell.subject)) checkVehicles(first, body, { moment, where });
  }
}

type Place = { moment: Moment; where: string };

function checkStations(first: Body, body: Body, { moment, where }: Place): void {
  const stations = stationsOf(first);
  const listed = stationsOf(body);
  assert.deepEqual([...listed.keys()], [...stations.keys()], where);
  const data_class = moment === "at once" || moment === "gate open" ? "realtime" : "semi_static";
  for (const [id, station] of listed) {
    // The counts of the last good snapshot, with its time: neither nothing nor news.
    assert.deepEqual(station.availability, stations.get(id)!.availability, where);
    assert.equal(station.data_class, data_class, where);
    if (moment !== "70 min") continue;
    assert.equal(station.service_status!.state, "unknown", where);
    assert.equal(station.action_state!["pickup"], "unknown", where);
  }
}

function checkVehicles(first: Body, body: Body, { moment, where }: Place): void {
  if (moment === "70 min") return assert.equal(body.total, 0, where);
  const vehicles = vehiclesOf(first);
  const listed = vehiclesOf(body);
  assert.deepEqual([...listed.keys()], [...vehicles.keys()], where);
  const data_class = moment === "at once" || moment === "gate open" ? "realtime" : "semi_static";
  for (const { source } of listed.values()) {
    assert.equal(source.data_class, data_class, where);
    if (moment === "20 min") assert.equal(source.service_status.state, "unknown", where);
  }
}

function stationsOf({ results }: Body): Map<string, Station> {
  return new Map(results.stations.map((station) => [station.id, station]));
}

function vehiclesOf({ results }: Body): Map<string, Vehicle> {
  return new Map(results.vehicles.map((vehicle) => [vehicle.source_id, vehicle]));
}

/** What was never read is unknown, and never zero; what has come back is shown again. */
function checkRecovered(cell: Cell): void {
  for (const { moment, body } of cell.looks) {
    const unread = cell.subject === "station_status" && cell.state !== "warm";
    if (!unread || decide(cell, moment) !== "partial") continue;
    assert.ok(body.results.stations.length > 0);
    for (const { availability, data_class, service_status } of body.results.stations) {
      assert.deepEqual([availability.vehicles, availability.docks], [null, null]);
      assert.equal(data_class, "static");
      assert.equal(service_status!.state, "unknown");
    }
  }
  const { body } = cell.looks.at(-1)!;
  const source = body.debug!.sources.find((one) => one.source_id === SUBJECTS[cell.subject]);
  assert.equal(source?.status, "ok", `${cell.fault} × ${cell.subject} × ${cell.state}, after`);
  for (const station of body.results.stations) {
    assert.notEqual(station.availability.vehicles, null);
    assert.equal(station.data_class, "realtime");
  }
}

/** For the table: what was answered while the fault lasted. */
export function answersOf({ looks }: Cell): string {
  const during = looks.filter(({ moment }) => moment !== "before" && moment !== "after");
  return [...new Set(during.map(({ body }) => body.status))].join(", later ");
}

/** For the table: the status and reason of the failing source at the end; null: it was well. */
export function sourceOf({ looks, subject }: Cell): string | null {
  const { body } = looks.at(-2)!;
  const source = body.debug!.sources.find((one) => one.source_id === SUBJECTS[subject]);
  if (!source || source.status === "ok") return null;
  return `\`${source.status}\` \`${source.reason?.split(":").at(-1)}\``;
}
