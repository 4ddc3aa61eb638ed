/**
 * Texts of live items (packages/api/live), joined from what the packs hold rendered:
 *
 *     {"id":"…","kind":"station","location": │ {…} │ ,"modes":[…],"network_id":… │ ,"name":… │ ,"state":…,"pickup":…,"return":… │ ,"vehicles":…,"docks":…,"capacity":…}
 *     head                                    head   by modes                      head        by state                           status, head
 *
 * The members have one order, so that equal things have equal texts.
 */
import { describeState } from "#core/nearby/action-state.ts";
import type { Blob } from "#kit/bytes.ts";
import { type Field, MODES_MASK, modesOf, withField } from "#stations/shard/bits.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { type StatusPack, UNKNOWN_COUNT } from "#stations/shard/shard-status.ts";
import type { Vehicles } from "#stations/shard/shard-vehicles.ts";
import { toPublicType } from "#stations/shard/vehicle-type.ts";
import type { CaseHit } from "#world/nearby-hits.ts";

/** Fields that `state`, `pickup` and `return` depend on. */
const STATION_FIELDS = [
  ...(["parking", "vehicles", "docks", "installed", "renting", "returning"] as const),
  ...(["data_class", "unknown", "closed"] as const),
];
const VEHICLE_FIELDS = ["vehicle", "reserved", "disabled", "unknown", "closed", "expired"] as const;
const STATION_MASK = maskOf(STATION_FIELDS);
const VEHICLE_MASK = maskOf(VEHICLE_FIELDS);

function maskOf(fields: readonly Field[]): number {
  return fields.reduce((mask, field) => withField(mask, field, -1), 0);
}

/** What items say of their states: results of a pure function, at most one for each state. */
export class LiveTexts {
  readonly #stations = new Map<number, string>();
  readonly #vehicles = new Map<number, string>();

  station(state: number): string {
    const key = state & STATION_MASK;
    let text = this.#stations.get(key);
    if (text === undefined) {
      const { service_status, action_state } = describeState(key);
      text =
        `,"state":"${service_status.state}","pickup":"${action_state.pickup}"` +
        `,"return":"${action_state.return}"`;
      this.#stations.set(key, text);
    }
    return text;
  }

  vehicle(state: number): string {
    const key = state & VEHICLE_MASK;
    let text = this.#vehicles.get(key);
    if (text === undefined) {
      const { service_status, action_state } = describeState(key);
      text = `,"state":"${service_status.state}","pickup":"${action_state.pickup}"`;
      this.#vehicles.set(key, text);
    }
    return text;
  }
}

/** By mask of modes. */
function kindTexts({ statics }: Shard): string[] {
  const network_id = JSON.stringify(statics.meta.network.id);
  return Array.from(
    { length: MODES_MASK + 1 },
    (_, mask) => `,"modes":${JSON.stringify(modesOf(mask))},"network_id":${network_id}`,
  );
}

/** Where the id begins in the text of every item. */
const ID_START = `{"id":"`;
/** What is between the members of a station that its head has. */
const TYPE = `","type":"station","name":`;
const LOCATION = `,"location":`;
const CAPACITY = `,"capacity":`;

export class StationTexts {
  readonly #status: StatusPack | null;
  readonly #head: Pieces;
  readonly #texts: LiveTexts;
  readonly #kinds: readonly string[];

  constructor(shard: Shard, texts: LiveTexts) {
    this.#status = shard.status?.data ?? null;
    this.#head = piecesOf(shard.statics.head);
    this.#texts = texts;
    this.#kinds = kindTexts(shard);
  }

  /** `match`: the station is more than its row. */
  of(row: number, state: number, match: CaseHit | null): string {
    if (match === null)
      return this.#join(readPiece(this.#head, row), state, countsText(this.#status, row));
    const { view, place } = match;
    const [shard, live_row] = view.liveRowOf(place) ?? [null, 0];
    const counts = countsText(shard?.status?.data ?? null, live_row);
    return this.#join(view.headOf(place), state, counts);
  }

  /** `head`: the rendered start of the station. */
  #join(head: string, state: number, counts: string): string {
    const id_end = head.indexOf(`"`, ID_START.length);
    const name_at = id_end + TYPE.length;
    // Bare, since quotes within a text are escaped.
    const name_end = head.indexOf(LOCATION, name_at);
    const location_at = name_end + LOCATION.length;
    const location_end = head.indexOf("}", location_at) + 1;
    const capacity_at = location_end + CAPACITY.length;
    return (
      `${head.slice(0, id_end)}","kind":"station","location":${head.slice(location_at, location_end)}` +
      `${this.#kinds[state & MODES_MASK]!},"name":${head.slice(name_at, name_end)}` +
      `${this.#texts.station(state)}${counts},"capacity":` +
      `${head.slice(capacity_at, head.indexOf(",", capacity_at))}}`
    );
  }
}

/** Rentable vehicles and free docks; null: unknown, or without a limit. */
function countsText(status: StatusPack | null, row: number): string {
  if (!status) return `,"vehicles":null,"docks":null`;
  return `,"vehicles":${numberText(status.vehicles[row]!)},"docks":${numberText(status.docks[row]!)}`;
}

function numberText(count: number): string {
  return count > UNKNOWN_COUNT ? `${count}` : "null";
}

/** The id of an item: a part of the text, which thus lies in memory once and in one piece. */
export function idOf(text: string): string {
  let end = ID_START.length;
  while (text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  const id = text.slice(ID_START.length, end);
  return id.includes("\\") ? (JSON.parse(`"${id}"`) as string) : id;
}

/** The first member of the head of a vehicle, and the last one. */
const SOURCE_ID = `{"source_id":"`;
const DISTANCE = `,"distance_meters":`;
const BRACE = 0x7b;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** Last letters of the names of the numbers before a location. */
const Y = 0x79;

export class VehicleTexts {
  readonly #vehicles: Vehicles;
  readonly #head: Pieces;
  readonly #texts: LiveTexts;
  readonly #kinds: readonly string[];
  /** By type. */
  readonly #forms: readonly string[];

  constructor(shard: Shard, vehicles: Vehicles, texts: LiveTexts) {
    this.#vehicles = vehicles;
    this.#head = piecesOf(vehicles.head);
    this.#texts = texts;
    this.#kinds = kindTexts(shard);
    this.#forms = shard.statics.meta.types.map((type) => formText(toPublicType(type)?.form_factor));
  }

  of(row: number, state: number): string {
    const { bytes, offsets } = this.#head;
    const id_at = offsets[row]! + SOURCE_ID.length;
    let id_end = id_at;
    while (bytes[id_end] !== QUOTE) id_end += bytes[id_end] === BACKSLASH ? 2 : 1;
    const id = bytes.toString("utf8", id_at, id_end);
    const location_end = offsets[row + 1]! - DISTANCE.length;
    let location_at = location_end - 1;
    while (bytes[location_at] !== BRACE) location_at--;
    const form = this.#forms[this.#vehicles.type[row]!] ?? NO_FORM;
    return (
      `${ID_START}${id}","kind":"vehicle","location":${bytes.toString("latin1", location_at, location_end)}` +
      `${this.#kinds[state & MODES_MASK]!}${this.#texts.vehicle(state)}` +
      `,"battery":${batteryText(bytes, location_at - LOCATION.length)}${form}`
    );
  }
}

/**
 * Tens of percent. `end`: where the members before the location end: the publisher's id, then the
 * battery and the range as whole numbers, where they are stated.
 */
function batteryText(bytes: Uint8Array, end: number): string {
  for (let at = end; bytes[at - 1] !== QUOTE;) {
    const number_end = at;
    while (bytes[at - 1] !== COLON) at--;
    if (bytes[at - 3] === Y) return tensText(bytes, at, number_end);
    // The comma before the name of the range.
    while (bytes[at - 1] !== COMMA) at--;
    at--;
  }
  return "null";
}

const COMMA = 0x2c;
const ZERO = 0x30;

function tensText(bytes: Uint8Array, at: number, end: number): string {
  let percent = 0;
  for (let i = at; i < end; i++) percent = 10 * percent + bytes[i]! - ZERO;
  return `${percent - (percent % 10)}`;
}

const NO_FORM = formText(undefined);

function formText(form_factor: string | undefined): string {
  return `,"form_factor":${JSON.stringify(form_factor ?? null)}}`;
}

/** A blob that texts are read from. */
type Pieces = { bytes: Buffer; offsets: Uint32Array };

function piecesOf({ bytes, offsets }: Blob): Pieces {
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), offsets };
}

function readPiece({ bytes, offsets }: Pieces, row: number): string {
  return bytes.toString("utf8", offsets[row], offsets[row + 1]);
}
