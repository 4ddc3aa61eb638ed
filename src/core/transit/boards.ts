/**
 * Departures of several publishers at the same stations, each physical departure once. Two are the
 * same when line, station, planned minute and destination are (docs/design/departures.md). One
 * publisher is never merged with itself.
 */
import { createLexicon, type Lexicon, prepareName } from "#core/identity/name.ts";
import { compareNames } from "#core/identity/similarity.ts";
import { type MergedStation, mergeStations } from "./merge.ts";
import type { TransitOperator, TransitProvider, TransitRoute, TransitStation } from "./station.ts";

/** A departure or arrival as one publisher describes it. Unknown is null. */
export type FoundDeparture = {
  source: {
    provider: TransitProvider;
    feed_id: string | null;
    trip_id: string | null;
    /** YYYY-MM-DD. */
    service_date: string | null;
  };
  /** Names this call of this run among all others of the publisher. */
  key: string;
  route: TransitRoute;
  operator: TransitOperator | null;
  headsign: string | null;
  planned_ms: number | null;
  expected_ms: number | null;
  realtime: "live" | "planned_only" | "unknown";
  status: "scheduled" | "cancelled" | "skipped" | "added";
  platform: { planned: string | null; live: string | null } | null;
  headway_s: number | null;
  approximate: boolean;
  wheelchair: "yes" | "no" | "unknown";
  /** As what the vehicle goes on, riders in it; null: as nothing, or it is unknown. */
  continues: { feed_id: string; route: TransitRoute; headsign: string | null } | null;
  /** Ids of alerts. */
  alerts: readonly string[];
  /** When the live feed was made; null: it says nothing of this call. */
  observed_ms: number | null;
};

/** A departure on a board: what boards are merged and ordered by, and the rest when it is shown. */
export type BoardEntry = Pick<
  FoundDeparture,
  "route" | "planned_ms" | "expected_ms" | "realtime" | "status"
> & { read(): FoundDeparture };

export type Board = { station: TransitStation; departures: readonly BoardEntry[] };

/** A departure with all who publish it; the first leads. */
export type MergedDeparture = Omit<FoundDeparture, "source"> & {
  station: MergedStation;
  sources: readonly FoundDeparture["source"][];
};

/** The same before it is shown. `at_ms`: the time by which it is listed. */
export type MergedEntry = {
  station: MergedStation;
  route: TransitRoute;
  at_ms: number;
  read(): MergedDeparture;
};

const MINUTE_MS = 60_000;
/** Of core/identity's similarity. */
const ALIKE = 0.6;

/** Merges the boards of several publishers, leading ones first, in order of time. */
export function mergeBoards(publishers: readonly (readonly Board[])[]): MergedEntry[] {
  const boards = new Map(publishers.flat().map((board) => [keyOf(board.station.source), board]));
  const stations = mergeStations(publishers.map((own) => own.map(({ station }) => station)));
  const lexicon = createLexicon();
  return stations
    .flatMap((station) => {
      const lists = station.sources.map((source) => boards.get(keyOf(source))!.departures);
      return groupEntries(lexicon, lists).map((group) => toEntry(station, group));
    })
    .sort((a, b) => a.at_ms - b.at_ms || compare(nameOf(a), nameOf(b)));
}

/** What is written on the vehicle. */
export function nameOf({ route }: Pick<FoundDeparture, "route">): string {
  return (route.short_name ?? route.long_name ?? route.id).trim().toLowerCase();
}

function keyOf({ provider, feed_id, source_id }: TransitStation["source"]): string {
  return JSON.stringify([provider, feed_id, source_id]);
}

/** One departure as its publishers list it, the leading one first. */
type Group = [BoardEntry, ...BoardEntry[]];

function groupEntries(
  lexicon: Lexicon,
  [leading = [], ...others]: readonly (readonly BoardEntry[])[],
): Group[] {
  const groups = leading.map((entry): Group => [entry]);
  for (const followers of others) {
    const slots = Map.groupBy(
      groups.filter(([{ planned_ms }]) => planned_ms !== null),
      ([lead]) => slotOf(lead),
    );
    const taken = new Set<Group>();
    for (const follower of followers) {
      const found = (slots.get(slotOf(follower)) ?? []).find(
        (group) => !taken.has(group) && goAlike(lexicon, group[0], follower),
      );
      if (follower.planned_ms === null || found === undefined) groups.push([follower]);
      else {
        taken.add(found);
        found.push(follower);
      }
    }
  }
  return groups;
}

/** Line and planned minute. What is in no timetable is like nothing else. */
function slotOf(entry: BoardEntry): string {
  return `${Math.floor((entry.planned_ms ?? 0) / MINUTE_MS)} ${nameOf(entry)}`;
}

/** Both directions of a line may leave in one minute. A destination that is not stated is no objection. */
function goAlike(lexicon: Lexicon, a: BoardEntry, b: BoardEntry): boolean {
  const headsigns = [a.read().headsign, b.read().headsign];
  if (headsigns.includes(null)) return true;
  const [one, other] = headsigns.map((name) => prepareName(lexicon, name!, []));
  return compareNames(lexicon, one!, other!).similarity >= ALIKE;
}

function toEntry(station: MergedStation, group: Group): MergedEntry {
  const [lead] = group;
  const { expected_ms, planned_ms } = speakerOf(group);
  return {
    station,
    route: lead.route,
    at_ms: expected_ms ?? planned_ms ?? Infinity,
    read: () => toDeparture(station, group),
  };
}

/** The one that says what happens: the first that is live, else the leading one. */
function speakerOf(group: Group): BoardEntry {
  return group.find(({ realtime }) => realtime === "live") ?? group[0];
}

function toDeparture(station: MergedStation, group: Group): MergedDeparture {
  const whole = group.map((entry) => entry.read());
  const { source: _, ...lead } = whole[0]!;
  const speaker = whole[group.indexOf(speakerOf(group))]!;
  const { expected_ms, realtime, status, platform, observed_ms } = speaker;
  return {
    ...lead,
    station,
    expected_ms,
    realtime,
    status,
    observed_ms,
    platform: platform ?? lead.platform,
    headsign: whole.find(({ headsign }) => headsign !== null)?.headsign ?? null,
    wheelchair: whole.find(({ wheelchair }) => wheelchair !== "unknown")?.wheelchair ?? "unknown",
    continues: whole.find(({ continues }) => continues !== null)?.continues ?? null,
    alerts: [...new Set(whole.flatMap(({ alerts }) => alerts))],
    sources: whole.map(({ source }) => source),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
