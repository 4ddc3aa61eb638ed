/** Counts of a station of several observations: the member that is shown, and those that differ. */
import { NO_STATUS_BIT } from "#stations/shard/bits.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { type StatusPack, UNKNOWN_COUNT } from "#stations/shard/shard-status.ts";

/** Age from which on a document counts as unknown, s (R7). */
export const DOCUMENT_OLD_S = 3600;

/** Reports whether the state of a document of that time is unknown by now (R7). */
export function isDocumentOld(doc_s: number, now_s: number): boolean {
  return now_s - doc_s > DOCUMENT_OLD_S;
}

/** What a member reports of its station. */
export type Report = {
  state: number;
  /** Epoch seconds; 0: unknown. */
  reported_s: number;
  is_old: boolean;
  /** Of the report, else of its document, epoch s. */
  at_s: number;
};

/** Returns what a row of a system reports; null: nothing. */
export function reportOf({ status }: Shard, row: number, now_s: number): Report | null {
  const data = status?.data;
  if (!data || !status.live) return null;
  const state = data.state[row]!;
  if (state & NO_STATUS_BIT) return null;
  const { doc_s } = status.live;
  const reported_s = data.last_reported[row]!;
  const at_s = reported_s === 0 ? doc_s : reported_s;
  return { state, reported_s, is_old: isDocumentOld(doc_s, now_s), at_s };
}

/** Compares reports (mobility.md 2.2): young documents first, then the later one. */
export function isFresher(a: Report, b: Report | null): boolean {
  if (b === null) return true;
  return a.is_old === b.is_old ? a.at_s > b.at_s : b.is_old;
}

/** A member's counts, and its source id as JSON. */
type Counted = { status: StatusPack | null; row: number; source_id: () => string };

/**
 * The conflict of the counts, as an item of `conflicts`; empty: no member has other counts than the
 * one that is shown. `live`: that member; -1: none.
 */
export function countConflict(members: readonly Counted[], live: number): string {
  if (live === -1) return "";
  const counts = members.map(countsOf);
  const listed = counts[live]!;
  const others = counts.flatMap((each, i) =>
    i !== live && each && differ(listed, each)
      ? [`{"source_id":${members[i]!.source_id()},"value":${countsJson(each)}}`]
      : [],
  );
  if (others.length === 0) return "";
  return (
    `{"field":"availability","source_id":${members[live]!.source_id()},` +
    `"value":${countsJson(listed)},"others":[${others.join(",")}]}`
  );
}

/** Rentable vehicles and free docks; at or below UNKNOWN: no number. null: no status is held. */
type Counts = { vehicles: number; docks: number } | null;

function countsOf({ status, row }: Counted): Counts {
  return status ? { vehicles: status.vehicles[row]!, docks: status.docks[row]! } : null;
}

function differ(a: NonNullable<Counts>, b: NonNullable<Counts>): boolean {
  return isOther(a.vehicles, b.vehicles) || isOther(a.docks, b.docks);
}

/** Unknown, and without a limit, are no numbers to differ from. */
function isOther(a: number, b: number): boolean {
  return a > UNKNOWN_COUNT && b > UNKNOWN_COUNT && a !== b;
}

function countsJson({ vehicles, docks }: NonNullable<Counts>): string {
  return `{"vehicles":${toNumber(vehicles)},"docks":${toNumber(docks)}}`;
}

function toNumber(count: number): number | null {
  return count > UNKNOWN_COUNT ? count : null;
}
