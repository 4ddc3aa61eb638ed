/**
 * The live map's view of one system: each station and vehicle that GET /v1/nearby shows now, with the
 * text that a map gets of it (LiveItem). A system is read in steps, so that a national one does not
 * keep the thread from anybody.
 */
import type { Box } from "#kit/geo.ts";
import { MODES_MASK } from "#stations/shard/bits.ts";
import { type BandIndex, createHitSink, searchBox } from "#stations/shard/band-index.ts";
import { type HitConditions, pushStations, pushVehicles } from "#world/collect-hits.ts";
import { caseOf, createHits, type Hits, isVehicle } from "#world/nearby-hits.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { linksAt } from "#world/vehicles/sightings.ts";
import { areLost } from "./live-source.ts";
import { idOf, LiveTexts, StationTexts, VehicleTexts } from "./live-texts.ts";

/** A station or vehicle as a map gets it. */
export type LiveRow = {
  /** `id` of a station, `source_id` of a vehicle. */
  id: string;
  lat: number;
  lon: number;
  /** Mask of all its modes (packages/stations/shard/bits), not 0. */
  modes: number;
  vehicle: boolean;
  /** JSON of its LiveItem (packages/api/live): equal where nothing of it differs. */
  text: string;
};

/** What a system shows at a moment. */
export type LiveRows = {
  /** By id. */
  rows: ReadonlyMap<string, LiveRow>;
  /** It has not been read, or its vehicles are too old to be shown. */
  lost: boolean;
};

/** `box`: only what lies in it, its edges included; absent: all. */
type Options = { box?: Box | undefined };

/** Rows that are judged in one go, then rendered. */
const CHUNK = 512;
const ALL_AT_ONCE = Infinity;

/** Reads systems, one step at a time. Owns the memory that every reading of it uses during a step. */
export class LiveReader {
  readonly #hits = createHits(CHUNK);
  readonly #texts = new LiveTexts();

  /** Begins to read a system as it is shown now, whatever is published before the last step. */
  begin(entry: SystemEntry, now_ms: number, options: Options = {}): LiveReading {
    return new LiveReading(entry, { now_ms, hits: this.#hits, texts: this.#texts, ...options });
  }

  /** Reads a system at once. */
  read(entry: SystemEntry, now_ms: number, options: Options = {}): LiveRows {
    const reading = this.begin(entry, now_ms, options);
    reading.step(ALL_AT_ONCE);
    return reading.result();
  }
}

type Context = Options & { now_ms: number; hits: Hits; texts: LiveTexts };

/** A system that is being read. */
export class LiveReading {
  readonly #entry: SystemEntry;
  readonly #hits: Hits;
  readonly #views: Hits["views"];
  readonly #query: HitConditions;
  readonly #lost: boolean;
  readonly #stations: Rows;
  readonly #vehicles: Rows;
  readonly #station_texts: StationTexts | null;
  readonly #vehicle_texts: VehicleTexts | null;
  readonly #rows = new Map<string, LiveRow>();

  constructor(entry: SystemEntry, { now_ms, hits, texts, box }: Context) {
    const { shard, roles } = entry;
    this.#entry = keptAsIs(entry, now_ms);
    this.#hits = hits;
    this.#views = [roles?.cases.viewAt(now_ms / 1000) ?? null];
    this.#query = { modes: MODES_MASK, stations: true, vehicles: false, now_ms };
    this.#lost = shard === null || areLost(shard, now_ms);
    const vehicles = shard?.vehicles;
    const listed = vehicles?.live && !this.#lost ? vehicles.data : null;
    this.#stations = shard
      ? rowsIn(roles?.shown?.index ?? shard.statics.index, roles?.shown?.rows ?? null, box)
      : NO_ROWS();
    this.#vehicles = listed ? rowsIn(listed.index, null, box) : NO_ROWS();
    this.#station_texts = shard && new StationTexts(shard, texts);
    this.#vehicle_texts = listed && new VehicleTexts(shard!, listed, texts);
  }

  /** Reads at most that number of rows; true: all are read. */
  step(rows_max: number): boolean {
    let left = rows_max;
    while (left > 0 && !this.#isDone()) {
      const isStation = this.#stations.next < this.#stations.count;
      left -= this.#readChunk(isStation ? this.#stations : this.#vehicles, left, !isStation);
    }
    return this.#isDone();
  }

  /** Returns what has been read; to be called when all is. */
  result(): LiveRows {
    return { rows: this.#rows, lost: this.#lost };
  }

  #isDone(): boolean {
    return (
      this.#stations.next === this.#stations.count && this.#vehicles.next === this.#vehicles.count
    );
  }

  /** Returns how many rows that was. */
  #readChunk(rows: Rows, most: number, vehicles: boolean): number {
    const hits = this.#hits;
    const { next, count, of } = rows;
    const taken = Math.min(CHUNK, most, count - next);
    for (let i = 0; i < taken; i++) hits.sink.rows[i] = of ? of[next + i]! : next + i;
    rows.next += taken;
    Object.assign(hits, { count: 0, systems: [this.#entry], views: this.#views });
    const span = { from: 0, to: taken };
    if (vehicles) {
      pushVehicles(hits, 0, this.#query, span);
      this.#addVehicles();
    } else {
      pushStations(hits, 0, this.#query, span);
      this.#addStations();
    }
    return taken;
  }

  #addStations(): void {
    const hits = this.#hits;
    const texts = this.#station_texts!;
    const { index } = this.#entry.shard!.statics;
    for (let hit = 0; hit < hits.count; hit++) {
      const row = hits.row[hit]!;
      const state = hits.state[hit]!;
      this.#add(index, row, state, texts.of(row, state, caseOf(hits, hit)));
    }
  }

  #addVehicles(): void {
    const hits = this.#hits;
    const texts = this.#vehicle_texts!;
    const { index } = this.#entry.shard!.vehicles!.data!;
    for (let hit = 0; hit < hits.count; hit++) {
      const row = hits.row[hit]!;
      const state = hits.state[hit]!;
      this.#add(index, row, state, texts.of(row, state));
    }
  }

  // oxlint-disable-next-line max-params -- once per row: no options object here
  #add({ lat, lon }: BandIndex, row: number, state: number, text: string): void {
    const id = idOf(text);
    this.#rows.set(id, {
      id,
      lat: lat[row]!,
      lon: lon[row]!,
      modes: state & MODES_MASK,
      vehicle: isVehicle(state),
      text,
    });
  }
}

/** Rows of a pack that are still to be read from place `next` on; `of` null: row i is at place i. */
type Rows = { of: Int32Array | Uint32Array | null; count: number; next: number };

const NO_ROWS = (): Rows => ({ of: null, count: 0, next: 0 });

/** `listed`: the rows that the index has, where it has not all. */
function rowsIn(index: BandIndex, listed: Uint32Array | null, box: Box | undefined): Rows {
  if (box === undefined) return { of: listed, count: index.lat.length, next: 0 };
  const sink = createHitSink();
  searchBox(index, box, sink);
  if (listed) for (let i = 0; i < sink.count; i++) sink.rows[i] = listed[sink.rows[i]!]!;
  return { of: sink.rows, count: sink.count, next: 0 };
}

/** A system with those that its vehicles are compared with, as they are shown now. */
export function keptAsIs(entry: SystemEntry, now_ms: number): SystemEntry {
  const links = linksAt(entry, now_ms);
  const vehicle_links = links?.map((link) => ({ ...link, other: { ...link.other } })) ?? null;
  return { ...entry, vehicle_links };
}
