/**
 * What the stations of a system have, as GET /v1/nearby shows it now: free vehicles and docks, with the
 * time of the document that says so. Read in steps, as the live map reads them.
 */
import { UNKNOWN_COUNT } from "#stations/shard/shard-status.ts";
import { MODES_MASK, UNKNOWN_BIT } from "#stations/shard/bits.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { readId } from "#world/head-id.ts";
import { pushStations } from "#world/collect-hits.ts";
import { caseOf, createHits, headOf, type Hits } from "#world/nearby-hits.ts";
import type { SystemEntry } from "#world/system-entry.ts";

/** `vehicles` and `docks`: null: unknown, or without a limit; `at_ms`: of the document, epoch ms. */
export type StationCount = {
  id: string;
  at_ms: number;
  vehicles: number | null;
  docks: number | null;
};

/** Rows that are read in one go. */
const CHUNK = 256;

/**
 * Gives `use` each station of a system whose counts are known now: those of a report that is too old are
 * not. Each step is at most 256 rows.
 */
export function* readStationCounts(
  entry: SystemEntry,
  now_ms: number,
  use: (count: StationCount) => void,
): Generator<void, void> {
  const { shard, roles } = entry;
  if (shard === null) return;
  const hits = createHits(CHUNK);
  const listed = roles?.shown?.rows ?? null;
  const total = listed?.length ?? shard.statics.count;
  // What is published meanwhile is read by the next reading.
  const systems = [{ ...entry }];
  const views = [roles?.cases.viewAt(now_ms / 1_000) ?? null];
  const query = { modes: MODES_MASK, stations: true, vehicles: false, now_ms };
  for (let next = 0; next < total; next += CHUNK) {
    const taken = Math.min(CHUNK, total - next);
    for (let i = 0; i < taken; i++) hits.sink.rows[i] = listed ? listed[next + i]! : next + i;
    Object.assign(hits, { count: 0, systems, views });
    pushStations(hits, 0, query, { from: 0, to: taken });
    for (let hit = 0; hit < hits.count; hit++) {
      const count = (hits.state[hit]! & UNKNOWN_BIT) === 0 ? toCount(hits, hit, shard) : null;
      if (count !== null) use(count);
    }
    yield;
  }
}

/** null: how many there are is unknown. */
function toCount(hits: Hits, hit: number, own: Shard): StationCount | null {
  const merged = caseOf(hits, hit);
  const live = merged === null ? ([own, hits.row[hit]!] as const) : toLive(merged);
  const part = live?.[0].status;
  if (!live || !part?.data || !part.live) return null;
  const vehicles = toKnown(part.data.vehicles[live[1]]!);
  const docks = toKnown(part.data.docks[live[1]]!);
  if (vehicles === null && docks === null) return null;
  const id = merged
    ? merged.view.caseAt(merged.place).id
    : readId(headOf(hits, hit), hits.row[hit]!).toString();
  return { id, at_ms: part.live.doc_s * 1_000, vehicles, docks };
}

function toLive({ view, place }: NonNullable<ReturnType<typeof caseOf>>) {
  return view.liveRowOf(place);
}

function toKnown(count: number): number | null {
  return count > UNKNOWN_COUNT ? count : null;
}
