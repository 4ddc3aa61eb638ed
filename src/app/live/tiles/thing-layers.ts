/**
 * Stations and vehicles of a tile, one point each, with what a map draws of them. What is listed, and in
 * which state, is what a question for the box would list (world/collect-hits); states are worded as in the
 * items of the stream (world/live/live-texts).
 */
import { LayerWriter, type OnlyText, type PropertyValue } from "#osm/tiles/mvt.ts";
import type { ByteWriter } from "#osm/tiles/tile-bytes.ts";
import { MODES_MASK, modesOf, withField } from "#stations/shard/bits.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { UNKNOWN_COUNT } from "#stations/shard/shard-status.ts";
import { toPublicType } from "#stations/shard/vehicle-type.ts";
import type { Blob } from "#kit/bytes.ts";
import { collectHits } from "#world/collect-hits.ts";
import { readId, startOfId } from "#world/head-id.ts";
import { LiveTexts, VehicleTexts } from "#world/live/live-texts.ts";
import { type CaseHit, caseOf, createHits, type Hits, isVehicle } from "#world/nearby-hits.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { boxOfTile, EXTENT, TileGrid, type TilePlace } from "./tile-place.ts";

export type ThingQuery = { place: TilePlace; stations: boolean; vehicles: boolean; now_ms: number };

/** A layer that has something in it. */
export type DrawnLayer = { writer: LayerWriter; objects: number };

const NO_PAGE = { from: 0, to: 0 };

export class ThingLayers {
  readonly #hits = createHits();
  readonly #texts = new LiveTexts();

  /** Of one moment, in one call: nothing is published between two of them. */
  draw(systems: readonly SystemEntry[], query: ThingQuery): DrawnLayer[] {
    const { place, stations, vehicles, now_ms } = query;
    const hits = this.#hits;
    const conditions = { modes: MODES_MASK, stations, vehicles, now_ms, page: NO_PAGE };
    collectHits(hits, systems, { ...conditions, box: boxOfTile(place) });
    const layers: DrawnLayer[] = ["stations", "vehicles"].map((name) => ({
      writer: new LayerWriter(name, EXTENT),
      objects: 0,
    }));
    const looks = systems.map((entry) => entry.shard && new SystemLook(entry.shard, this.#texts));
    const grid = new TileGrid(place);
    for (let hit = 0; hit < hits.count; hit++) {
      const look = looks[hits.system[hit]!]!;
      const layer = layers[isVehicle(hits.state[hit]!) ? 1 : 0]!;
      if (look.add(hits, hit, { grid, writer: layer.writer })) layer.objects++;
    }
    hits.systems = [];
    hits.views = [];
    return layers.filter(({ objects }) => objects > 0);
  }
}

type Target = { grid: TileGrid; writer: LayerWriter };
type Property = [key: string, value: PropertyValue];

/** Bits of a state that say which of its pack's texts a row has, and what the question asked. */
const VEHICLE_MASK = ["text", "resolved", "matched"] as const;
const STATION_MASK = ["first_text", "listed", "hours_conflict", "matched"] as const;
const VEHICLE_BITS = VEHICLE_MASK.reduce((mask, field) => withField(mask, field, 0), -1);
const STATION_BITS = STATION_MASK.reduce((mask, field) => withField(mask, field, 0), -1);

/** How things of one system look; what many of them share is written once. */
class SystemLook {
  readonly #shard: Shard;
  readonly #texts: LiveTexts;
  readonly #network: Property[];
  #vehicle_texts: VehicleTexts | null = null;
  /** Tags by state, and by type of vehicle. */
  readonly #stations = new Map<number, ByteWriter>();
  readonly #vehicles = new Map<number, ByteWriter>();

  constructor(shard: Shard, texts: LiveTexts) {
    const { network, system } = shard.statics.meta;
    this.#shard = shard;
    this.#texts = texts;
    this.#network = [["network_id", network.id]];
    if (system?.color !== undefined) this.#network.push(["color", system.color]);
  }

  /** false: it is in another tile. */
  add(hits: Hits, hit: number, target: Target): boolean {
    const [row, state] = [hits.row[hit]!, hits.state[hit]!];
    return isVehicle(state)
      ? this.#addVehicle(row, state, target)
      : this.#addStation(row, state, caseOf(hits, hit), target);
  }

  #addStation(row: number, state: number, match: CaseHit | null, target: Target): boolean {
    const { statics, status } = this.#shard;
    const { grid, writer } = target;
    if (!grid.take(statics.index.lat[row]!, statics.index.lon[row]!)) return false;
    const own: Property[] = [];
    let only: OnlyText | undefined;
    if (match === null) {
      only = this.#idOf(statics.head, row, own);
      addCounts(own, { shard: this.#shard, row: status?.data ? row : -1 });
      addCount(own, "capacity", statics.capacity[row]!);
    } else addMerged(own, match);
    const key = state & STATION_BITS;
    let tags = this.#stations.get(key);
    if (!tags) this.#stations.set(key, (tags = this.#tagsOf(writer, this.#stationLook(state))));
    writer.point(grid, tags, own, only);
    return true;
  }

  #addVehicle(row: number, state: number, { grid, writer }: Target): boolean {
    const { index, head, charge, type } = this.#shard.vehicles!.data!;
    if (!grid.take(index.lat[row]!, index.lon[row]!)) return false;
    const own: Property[] = [];
    const only = this.#idOf(head, row, own);
    const energy = charge[row]!;
    if (!Number.isNaN(energy)) own.push(["battery", toTens(energy) ?? this.#readTens(row, state)]);
    const key = (state & VEHICLE_BITS) + type[row]! * 2 ** 32;
    let tags = this.#vehicles.get(key);
    if (!tags)
      this.#vehicles.set(key, (tags = this.#tagsOf(writer, this.#vehicleLook(state, type[row]!))));
    writer.point(grid, tags, own, only);
    return true;
  }

  /** The id in a rendered start, read where it lies; with an escape it is one more of `own`. */
  #idOf(head: Blob, row: number, own: Property[]): OnlyText | undefined {
    const { bytes } = head;
    const from = startOfId(head, row);
    let to = from;
    while (bytes[to] !== QUOTE && bytes[to] !== BACKSLASH) to++;
    if (bytes[to] === QUOTE) return { key: "id", bytes, from, to };
    own.push(["id", readId(head, row).toString()]);
    return undefined;
  }

  #readTens(row: number, state: number): number {
    const { data } = this.#shard.vehicles!;
    this.#vehicle_texts ??= new VehicleTexts(this.#shard, data!, this.#texts);
    const text = this.#vehicle_texts.of(row, state);
    return (JSON.parse(text) as { battery: number }).battery;
  }

  #tagsOf(writer: LayerWriter, look: Property[]): ByteWriter {
    return writer.tagsOf([...look, ...this.#network]);
  }

  #stationLook(state: number): Property[] {
    const modes = modesOf(state & MODES_MASK).join(",");
    return [["modes", modes], ...wordsOf(this.#texts.station(state))];
  }

  #vehicleLook(state: number, type: number): Property[] {
    const form = toPublicType(this.#shard.statics.meta.types[type] ?? null)?.form_factor;
    const modes: Property = ["modes", modesOf(state & MODES_MASK).join(",")];
    const look = [modes, ...wordsOf(this.#texts.vehicle(state))];
    return form === undefined ? look : [...look, ["form_factor", form]];
  }
}

/** `,"state":"…","pickup":"…"` */
function wordsOf(members: string): Property[] {
  return Object.entries(JSON.parse(`{${members.slice(1)}}`) as Record<string, string>);
}

/** The column has seven digits; the percent of an item was rounded before. */
const ROUNDING = 1e-4;

/** Percent, rounded down to tens; null: the column does not say which, as between 9 and 10 percent. */
function toTens(energy: number): number | null {
  const tens = (energy * 100 + 0.5) / 10;
  if (Math.abs(tens - Math.round(tens)) < ROUNDING) return null;
  return Math.floor(tens) * 10;
}

function addCount(own: Property[], key: string, count: number): void {
  if (count > UNKNOWN_COUNT) own.push([key, count]);
}

/** `row` -1: nothing is reported. */
function addCounts(own: Property[], { shard, row }: { shard: Shard; row: number }): void {
  if (row === -1) return;
  const { vehicles, docks } = shard.status!.data!;
  addCount(own, "vehicles", vehicles[row]!);
  addCount(own, "docks", docks[row]!);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const DISTANCE_END = "0}";

/** A station of several observations: its counts are those of the one that is followed. */
function addMerged(own: Property[], { view, place }: CaseHit): void {
  const { id, capacity } = JSON.parse(view.headOf(place) + DISTANCE_END) as {
    id: string;
    capacity: number | null;
  };
  own.push(["id", id]);
  const live = view.liveRowOf(place);
  if (live) addCounts(own, { shard: live[0], row: live[1] });
  if (capacity !== null) own.push(["capacity", capacity]);
}
