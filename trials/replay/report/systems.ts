/** What became of each system's files: the rows of the report and their totals. */
import { droppedCount, mergeTrails } from "#kit/trail.ts";
import type { Trail } from "#kit/trail.ts";
import type { FeedFile } from "#stations/index.ts";
import type { FileReport } from "#stations/shards.ts";
import type { ReplaySystem } from "../host.ts";
import type { Reports } from "./runtime.ts";

export type Counts = { seen: number; accepted: number; dropped: number };
export type Reason = { reason: string; effect: "dropped" | "repaired"; count: number };

export type SystemRow = {
  id: string;
  path: string;
  version: string | null;
  /** null: the system has no such file. */
  stations: Counts | null;
  statuses: Counts | null;
  vehicles: Counts | null;
  reasons: Reason[];
  /** Age of the live file, else of the static one, when it was read. */
  age_s: number | null;
  empty: boolean;
  /** Listed by the publisher and not captured: the service rightly misses them. */
  missing: string[];
  /** Captured files that the service did not read, or read badly: each one is a difference. */
  lost: string[];
};

export type Totals = {
  systems: number;
  stations: Counts;
  statuses: Counts;
  vehicles: Counts;
  reasons: Reason[];
};

/** Where the service reads what it knows under another name. */
const READ_AS = new Map<string, FeedFile>([
  ["system_information", "system_information"],
  ["vehicle_types", "vehicle_types"],
  ["station_information", "station_information"],
  ["station_status", "station_status"],
  ["free_bike_status", "vehicle_status"],
  ["vehicle_status", "vehicle_status"],
  ["system_alerts", "system_alerts"],
  ["geofencing_zones", "geofencing_zones"],
]);

/** A status without a station is no row that was misread: it is dropped after it was accepted. */
const AFTER_READING = "status_without_station";

export function rowOf(
  system: ReplaySystem,
  from: { reports: Reports; loaded: string; now_ms: number },
): SystemRow {
  const { reports } = from;
  const isLoaded = from.loaded === "ok" || system.missing.length > 0;
  const good = [...reports.values()].filter((report) => report.ok);
  return {
    id: system.id,
    path: system.set.path,
    version: system.set.version,
    stations: countsOf(reports.get("station_information")),
    statuses: countsOf(reports.get("station_status")),
    vehicles: countsOf(reports.get("vehicle_status")),
    reasons: reasonsOf(mergeTrails(good.map(({ trail }) => trail))),
    age_s: ageOf(reports, from.now_ms),
    empty: system.set.empty,
    missing: system.missing,
    lost: [...(isLoaded ? [] : [from.loaded]), ...lostFiles(system, reports)],
  };
}

export function totalsOf(rows: readonly SystemRow[]): Totals {
  const reasons = new Map<string, Reason>();
  for (const reason of rows.flatMap((row) => row.reasons)) {
    const key = `${reason.effect} ${reason.reason}`;
    const known_reason = reasons.get(key);
    reasons.set(key, { ...reason, count: reason.count + (known_reason?.count ?? 0) });
  }
  return {
    systems: rows.length,
    stations: sum(rows.map((row) => row.stations)),
    statuses: sum(rows.map((row) => row.statuses)),
    vehicles: sum(rows.map((row) => row.vehicles)),
    reasons: [...reasons.values()].sort((a, b) => b.count - a.count),
  };
}

/** A feed is lost when it was captured and not read, or when rows went without a reason. */
function lostFiles(system: ReplaySystem, reports: Reports): string[] {
  return system.files.flatMap((name) => {
    const file = READ_AS.get(name);
    if (file === undefined) return [];
    const report = reports.get(file);
    if (!report) return [`${name}: not read`];
    if (!report.ok) return [`${name}: ${report.reason}`];
    if (report.seen > 0 && report.accepted === 0) return [`${name}: no row was accepted`];
    if (file === "system_alerts" || file === "geofencing_zones") return [];
    const silent = report.seen - report.accepted - droppedRows(report.trail);
    return silent === 0 ? [] : [`${name}: ${silent} rows went without a reason`];
  });
}

function droppedRows(trail: Trail): number {
  const late = trail.dropped.find(({ reason }) => reason === AFTER_READING)?.count ?? 0;
  return droppedCount(trail) - late;
}

function countsOf(report: FileReport | undefined): Counts | null {
  if (!report?.ok) return null;
  const { seen, accepted } = report;
  return { seen, accepted, dropped: droppedCount(report.trail) };
}

function reasonsOf(trail: Trail): Reason[] {
  return (["dropped", "repaired"] as const).flatMap((effect) =>
    trail[effect].map(({ reason, count }) => ({ reason, effect, count })),
  );
}

function ageOf(reports: Reports, now_ms: number): number | null {
  for (const file of ["station_status", "vehicle_status", "station_information"] as const) {
    const report = reports.get(file);
    if (report?.ok && report.last_updated_s !== null) {
      return Math.max(0, Math.round(now_ms / 1000 - report.last_updated_s));
    }
  }
  return null;
}

function sum(counts: readonly (Counts | null)[]): Counts {
  const total = { seen: 0, accepted: 0, dropped: 0 };
  for (const each of counts) {
    total.seen += each?.seen ?? 0;
    total.accepted += each?.accepted ?? 0;
    total.dropped += each?.dropped ?? 0;
  }
  return total;
}
