/**
 * What a system publishes in GBFS, read in steps: each station and vehicle that GET /v1/nearby shows of it
 * now, so that what several sources have is published once, by the system that leads it. What the terms of a
 * source forbid to hand on is not read: neither its counts nor its names.
 */
import {
  type OutStation,
  type ReadStation,
  type StationSubject,
  toOutStation,
} from "#stations/gbfs-out/out-stations.ts";
import type { LeftOut } from "#stations/gbfs-out/out-stations.ts";
import type { VehicleSubject } from "#stations/gbfs-out/out-vehicles.ts";
import { readStatic, renderCase, sourceIdOf } from "#stations/identity/case-text.ts";
import { caseOfRole, isHidden, PLAIN } from "#stations/identity/roles.ts";
import { MODES_MASK } from "#stations/shard/bits.ts";
import type { SystemAlert } from "#stations/entities.ts";
import { readAlerts } from "#stations/shard/shard-alerts.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { type HitConditions, pushStations, pushVehicles } from "#world/collect-hits.ts";
import { readId } from "#world/head-id.ts";
import { keptAsIs } from "#world/live/live-rows.ts";
import { areLost } from "#world/live/live-source.ts";
import { type CaseHit, caseOf, createHits, type Hits } from "#world/nearby-hits.ts";
import type { SystemEntry } from "#world/system-entry.ts";

/** Rows that are read in one step. */
const CHUNK = 64;

/** How many things are not in a file, by reason; a reason that has none is absent. */
export type LeftOutCounts = Partial<Record<`left_out_${LeftOut}`, number>>;

/** Reports whether the terms of a system allow that what it has is handed on. */
export type IsOpen = (source_id: string) => boolean;

/** Owns the memory that every reading uses during a step. */
export class OutReader {
  readonly #hits = createHits(CHUNK);

  /** Begins to read a system as it is shown now, whatever is published before the last step. */
  begin(entry: SystemEntry & { shard: Shard }, now_ms: number, isOpen: IsOpen): OutReading {
    return new OutReading(entry, { now_ms, isOpen, hits: this.#hits });
  }
}

type Options = { now_ms: number; isOpen: IsOpen; hits: Hits };

/** A system that is being read. */
export class OutReading {
  readonly shard: Shard;
  readonly left_out: LeftOutCounts = {};
  /** Of the documents whose counts are published, the latest, epoch s; 0: none was read. */
  doc_s = 0;
  readonly #entry: SystemEntry;
  readonly #views: Hits["views"];
  readonly #query: HitConditions;
  readonly #options: Options;

  constructor(entry: SystemEntry & { shard: Shard }, options: Options) {
    const { now_ms, isOpen } = options;
    this.shard = entry.shard;
    this.#entry = keptAsIs(entry, now_ms);
    this.#views = [entry.roles?.cases.viewAt(now_ms / 1000) ?? null];
    const takes = ({ source_id }: Pick<SystemEntry, "source_id">): boolean => isOpen(source_id);
    this.#query = { modes: MODES_MASK, stations: true, vehicles: false, now_ms, takes };
    this.#options = options;
  }

  /** Reads the stations that can be published, a step at a time. */
  *stations(): Generator<OutStation[], void> {
    const { hits } = this.#options;
    const { count } = this.shard.statics;
    for (let from = 0; from < count; from += CHUNK) {
      const rows = this.#fill(from, count);
      pushStations(hits, 0, this.#query, { from: 0, to: rows });
      yield this.#stationsOf(hits);
    }
  }

  /** Reads the vehicles that are shown, with the station where each is parked. */
  *vehicles(parked: ReadonlyMap<number, string>): Generator<VehicleSubject[], void> {
    const { hits, now_ms } = this.#options;
    const { vehicles: part, statics } = this.shard;
    const vehicles = part?.data;
    if (!vehicles || areLost(this.shard, now_ms)) return;
    for (let from = 0; from < vehicles.count; from += CHUNK) {
      const rows = this.#fill(from, vehicles.count);
      pushVehicles(hits, 0, this.#query, { from: 0, to: rows });
      const subjects: VehicleSubject[] = [];
      for (let hit = 0; hit < hits.count; hit++) {
        const row = hits.row[hit]!;
        const id = readId(vehicles.head, row)
          .toString()
          .slice(statics.meta.system_id.length + 1);
        const station_id = parked.get(vehicles.station[row] ?? -1) ?? null;
        subjects.push({ vehicles, statics, row, state: hits.state[hit]!, id, station_id });
      }
      yield subjects;
    }
  }

  /** Reads the alerts, each with the ids of the stations that it names, as they are published. */
  *alerts(): Generator<{ alert: SystemAlert; station_ids: string[] }, void> {
    const alerts = this.shard.alerts?.data;
    if (!alerts) return;
    for (const [i, alert] of readAlerts(alerts).entries()) {
      const rows = alerts.rows.subarray(alerts.rows_at[i], alerts.rows_at[i + 1]);
      const ids = [...rows].flatMap((row) => (row === -1 ? [] : (this.#idOf(row) ?? [])));
      yield { alert, station_ids: [...new Set(ids)] };
    }
  }

  count(reason: LeftOut): void {
    const name = `left_out_${reason}` as const;
    this.left_out[name] = (this.left_out[name] ?? 0) + 1;
  }

  /** Puts the next rows where the search leaves those that it found; returns how many. */
  #fill(from: number, count: number): number {
    const { hits } = this.#options;
    const rows = Math.min(CHUNK, count - from);
    for (let i = 0; i < rows; i++) hits.sink.rows[i] = from + i;
    Object.assign(hits, { count: 0, systems: [this.#entry], views: this.#views });
    return rows;
  }

  #stationsOf(hits: Hits): OutStation[] {
    const stations: OutStation[] = [];
    // Of a row that is read alone the list is another.
    const found = Array.from({ length: hits.count }, (_, hit) => ({
      row: hits.row[hit]!,
      state: hits.state[hit]!,
      match: caseOf(hits, hit),
    }));
    for (const { row, state, match } of found) {
      const subject = match ? this.#caseAt(row, state, match) : this.#plainAt(row, state);
      const station = toOutStation(subject);
      if (typeof station === "string") this.count(station);
      else {
        this.doc_s = Math.max(this.doc_s, station.live.doc_s);
        stations.push(station);
      }
    }
    return stations;
  }

  #plainAt(row: number, state: number): StationSubject {
    const { statics, status } = this.shard;
    const read = readStatic({ statics, row }) as ReadStation;
    const live =
      status?.data && status.live
        ? { statics, status: status.data, row, doc_s: status.live.doc_s }
        : null;
    const sources = [sourceIdOf({ statics, row })];
    return { read, state, statics, row, live, sources };
  }

  /**
   * A station of several observations; of one of which some may not be handed on, what the others say, and
   * the counts of its own system.
   */
  #caseAt(row: number, state: number, { view, place }: CaseHit): StationSubject {
    const { members, id } = view.caseAt(place);
    const open = members.filter(({ entry }) => this.#options.isOpen(entry.source_id));
    if (open.length < members.length) {
      const { bytes, head_bytes } = renderCase({
        ...{ id, members: open, status: "merged", confidence: null },
      });
      const read = JSON.parse(
        `${Buffer.from(bytes.subarray(0, head_bytes)).toString()}0}`,
      ) as ReadStation;
      return {
        ...this.#plainAt(row, this.#stateAlone(row)),
        ...{ read, sources: open.map(sourceIdOf) },
      };
    }
    const [shard, live_row] = view.liveRowOf(place) ?? [null, 0];
    const status = shard?.status;
    const live =
      shard && status?.data && status.live
        ? { statics: shard.statics, status: status.data, row: live_row, doc_s: status.live.doc_s }
        : null;
    const read = JSON.parse(`${view.headOf(place)}0}`) as ReadStation;
    const { statics } = this.shard;
    return { read, state, statics, row, live, sources: members.map(sourceIdOf) };
  }

  #stateAlone(row: number): number {
    const { hits } = this.#options;
    hits.sink.rows[0] = row;
    const systems = [{ ...this.#entry, roles: null }];
    Object.assign(hits, { count: 0, systems, views: [null] });
    pushStations(hits, 0, this.#query, { from: 0, to: 1 });
    return hits.count === 0 ? 0 : hits.state[0]!;
  }

  /** The id under which a row is published; null: another system's row is. */
  #idOf(row: number): string | null {
    const { roles } = this.#entry;
    const role = roles?.of[row] ?? PLAIN;
    if (role === PLAIN) return readId(this.shard.statics.head, row).toString();
    return isHidden(role) ? null : roles!.cases.caseAt(caseOfRole(role)).id;
  }
}

/** Names of the sources of a system's stations: its own, and those that it shares stations with. */
export function sourcesOf({ source_id, roles }: SystemEntry): string[] {
  return [source_id, ...(roles?.cases.listSharing(source_id) ?? [])];
}

/** Whether a vehicle of the system is parked at a station of it. */
export function hasParked({ vehicles }: Shard): boolean {
  return (vehicles?.data?.holds.length ?? 0) > 0;
}
