/** What the live layer reads of the world, and how it waits for what has not been read from a source. */
import type { LeftReason, LiveSourceValue } from "#api/live.ts";
import { type Box, middleOf } from "#kit/geo.ts";
import type { Shard, ShardPart } from "#stations/shard/shard.ts";
import type { FindCountries } from "#app/country.ts";
import { everyNeeded, findUnsurveyed, waitFor } from "#app/gather.ts";
import type { Wants } from "#app/answer-types.ts";
import type { Clock, Feeds } from "#ports.ts";
import { LeftReasons } from "#world/live/left-reason.ts";
import { LiveReader, type LiveRow, type LiveRows } from "#world/live/live-rows.ts";
import { sourceOf } from "#world/live/live-source.ts";
import { mayChangeByTime } from "#world/live/live-time.ts";
import { neighboursOf } from "#world/live/neighbours.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { World } from "#world/world.ts";
import type { LiveScope } from "./live-types.ts";

/** A system that is being read, as it was when that began. */
export type SystemReading = {
  /** Reads at most this number of rows; true: all are read. */
  step(rows_max: number): boolean;
  result(): LiveRows;
};

/** What the rows of a system are made of. */
export type Makings = object;

/** A test has a small one in its place. */
export type LiveWorld = {
  /** Ids of the systems whose box touches this one. */
  listIn(box: Box): readonly string[];
  /** null: it has none, or none is known. */
  boxOf(source_id: string): Box | null;
  makingsOf(source_id: string): Makings;
  /** Reports whether its rows are still made of these; costs a few comparisons. */
  isMadeOf(source_id: string, makings: Makings): boolean;
  /** Ids of the systems whose rows may change with those of this one. */
  neighboursOf(source_id: string): ReadonlySet<string>;
  /** Reports whether its rows may be others than at an earlier moment though nothing was published. */
  mayChangeByTime(source_id: string, from_ms: number, to_ms: number): boolean;
  begin(source_id: string, now_ms: number): SystemReading;
  /** Says why a system does not show a row any more. */
  reasonOf(source_id: string, row: LiveRow, now_ms: number): LeftReason;
  sourceOf(source_id: string, now_ms: number): LiveSourceValue;
  /** Notes that a caller watches a system: its source is polled. */
  wake(source_id: string): void;
  /** Has those surveyed first whose place is not known and that may be in this box. */
  prioritise(box: Box): Promise<void>;
  /** Waits, until `deadline_ms` (epoch ms) at most, for those of the systems that were never read. */
  bring(
    source_ids: readonly string[],
    options: { wants: Pick<LiveScope, "stations" | "vehicles">; deadline_ms: number },
  ): Promise<void>;
};

export type LiveWorldDeps = {
  world: World;
  feeds: Feeds;
  clock: Clock;
  /** Loaded when the first box meets a system whose place is not known. */
  countries: () => Promise<FindCountries>;
};

export function createLiveWorld(deps: LiveWorldDeps): LiveWorld {
  const { world, feeds } = deps;
  const reader = new LiveReader();
  const reasons = new LeftReasons();
  const find = (source_id: string): SystemEntry => world.find(source_id)!;
  return {
    listIn(box) {
      const entries: SystemEntry[] = [];
      world.coveringBox(box, entries);
      return entries.map(({ source_id }) => source_id);
    },
    boxOf: (source_id) => world.find(source_id)?.box ?? null,
    makingsOf: (source_id) => makingsOf(find(source_id)),
    isMadeOf: (source_id, makings) => isMadeOf(find(source_id), makings as EntryMakings),
    neighboursOf: (source_id) => neighboursOf(find(source_id)),
    mayChangeByTime: (source_id, from_ms, to_ms) =>
      mayChangeByTime(find(source_id), from_ms, to_ms),
    begin: (source_id, now_ms) => reader.begin(find(source_id), now_ms),
    reasonOf: (source_id, row, now_ms) => reasons.of(find(source_id), row, now_ms),
    sourceOf: (source_id, now_ms) => sourceOf(find(source_id), now_ms),
    wake: (source_id) => feeds.wake(source_id),
    async prioritise(box) {
      const unsurveyed = await findUnsurveyed(deps, middleOf(box));
      for (const country of new Set(unsurveyed.map((entry) => entry.country)))
        if (country !== null) feeds.prioritise(country);
    },
    async bring(source_ids, { wants, deadline_ms }) {
      const late = source_ids.map(find).filter((entry) => isUnread(entry, wants));
      if (late.length === 0) return;
      await waitFor(late, deps, { begun_after_ms: 0, until_ms: deadline_ms });
    },
  };
}

type EntryMakings = Pick<SystemEntry, "shard" | "roles" | "vehicle_links" | "hours" | "closures">;

function makingsOf({ shard, roles, vehicle_links, hours, closures }: SystemEntry): EntryMakings {
  return { shard, roles, vehicle_links, hours, closures };
}

function isMadeOf(entry: SystemEntry, made: EntryMakings): boolean {
  return (
    entry.roles === made.roles &&
    entry.vehicle_links === made.vehicle_links &&
    entry.hours === made.hours &&
    entry.closures === made.closures &&
    (entry.shard === made.shard || areEqual(entry.shard, made.shard))
  );
}

/** Not the times at which its documents were confirmed: the rows are the same for them. */
function areEqual(a: Shard | null, b: Shard | null): boolean {
  if (!a || !b || a.statics !== b.statics) return false;
  return areEqualParts(a.status, b.status) && areEqualParts(a.vehicles, b.vehicles);
}

function areEqualParts(a: ShardPart<unknown> | null, b: ShardPart<unknown> | null): boolean {
  return (
    a?.data === b?.data && a?.live?.doc_s === b?.live?.doc_s && a?.live?.ttl_s === b?.live?.ttl_s
  );
}

function isUnread({ shard }: SystemEntry, wants: Pick<Wants, "stations" | "vehicles">): boolean {
  const isRead = ({ live }: ShardPart<unknown>): boolean => live !== null;
  return shard === null || !everyNeeded(shard, { ...wants, alerts: false }, isRead);
}
