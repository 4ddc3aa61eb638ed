/**
 * A GTFS Realtime message (version 2.0 of the specification, and 1.0) from its bytes. What a bad
 * entity says is dropped with a reason, and the others are kept; extensions are passed over. Time
 * and memory are in proportion to the bytes.
 */
import type { LiveMessage } from "../live/live-model.ts";
import { createTrail } from "#kit/trail.ts";
import { readAlert } from "./alert-entities.ts";
import { inside, readIdField, readTimeField_s, Unusable, type FieldReading } from "./fields.ts";
import { readTripUpdate } from "./trip-updates.ts";
import { readVehicle } from "./vehicle-entities.ts";
import { lengthTag, varintTag, Wire } from "#kit/wire.ts";

export const MOST_MESSAGE_BYTES: number = 32 * 1024 * 1024;
const MOST_ENTITIES = 300_000;
const MOST_PARTS = 1_500_000;

const MESSAGE = { header: lengthTag(1), entity: lengthTag(2) };
const HEADER = { incrementality: varintTag(2), timestamp: varintTag(3) };
const ENTITY = {
  id: lengthTag(1),
  is_deleted: varintTag(2),
  trip_update: lengthTag(3),
  vehicle: lengthTag(4),
  alert: lengthTag(5),
};
const FULL_DATASET = 0;

type Read = { ok: true; message: LiveMessage } | { ok: false; problem: string };

/** Never throws. `problem`: one line that says why there is no message. */
export function readLiveMessage(bytes: Uint8Array): Read {
  if (bytes.length === 0) return { ok: false, problem: "an empty message" };
  if (bytes.length > MOST_MESSAGE_BYTES)
    return { ok: false, problem: `a message of ${bytes.length} bytes` };
  try {
    return readMessage(new Wire(bytes));
  } catch {
    return { ok: false, problem: "not a GTFS Realtime message, or a damaged one" };
  }
}

function readMessage(wire: Wire): Read {
  const trail = createTrail();
  const message: Omit<LiveMessage, "trail"> = {
    timestamp_s: null,
    trips: [],
    vehicles: [],
    alerts: [],
  };
  const reading: FieldReading = { trail, entity_id: "", parts: MOST_PARTS };
  let incrementality: number | null = null;
  let entities = 0;
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === MESSAGE.entity) {
      if (++entities > MOST_ENTITIES) {
        trail.drop("too_many_entities", `entity ${entities}`);
        wire.skip(tag);
      } else {
        reading.entity_id = `entity ${entities}`;
        takeEntity(wire, message, reading);
      }
    } else if (tag === MESSAGE.header) {
      reading.entity_id = "header";
      const header = inside(wire, (inner) => readHeader(inner, reading));
      ({ incrementality } = header);
      message.timestamp_s = header.timestamp_s;
    } else wire.skip(tag);
  }
  if (incrementality === null) return { ok: false, problem: "a message without a header" };
  if (incrementality !== FULL_DATASET)
    return { ok: false, problem: "a differential message, which the specification leaves open" };
  return { ok: true, message: { ...message, trail: trail.toTrail() } };
}

function readHeader(
  wire: Wire,
  reading: FieldReading,
): { incrementality: number; timestamp_s: number | null } {
  let incrementality = FULL_DATASET;
  let timestamp_s: number | null = null;
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === HEADER.incrementality) incrementality = wire.varint();
    else if (tag === HEADER.timestamp) timestamp_s = readTimeField_s(wire, reading);
    else wire.skip(tag);
  }
  return { incrementality, timestamp_s };
}

/** What is wrong within an entity ends with it: its length says where the next one begins. */
function takeEntity(wire: Wire, message: Omit<LiveMessage, "trail">, reading: FieldReading): void {
  const end = wire.span();
  const inner = new Wire(wire.bytes, wire.at, end);
  wire.at = end;
  try {
    if (isDeleted(new Wire(wire.bytes, inner.at, end), reading)) throw new Unusable("deleted");
    readEntity(inner, message, reading);
  } catch (error) {
    const reason = error instanceof Unusable ? error.reason : "damaged_entity";
    reading.trail.drop(reason, reading.entity_id);
  }
}

/** Also finds the id, wherever in the entity it is. */
function isDeleted(wire: Wire, reading: FieldReading): boolean {
  let deleted = false;
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === ENTITY.id) reading.entity_id = readIdField(wire) ?? reading.entity_id;
    else if (tag === ENTITY.is_deleted) deleted = wire.varint() !== 0;
    else wire.skip(tag);
  }
  return deleted;
}

function readEntity(
  wire: Wire,
  { trips, vehicles, alerts }: Omit<LiveMessage, "trail">,
  reading: FieldReading,
): void {
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === ENTITY.trip_update)
      trips.push(inside(wire, (each) => readTripUpdate(each, reading)));
    else if (tag === ENTITY.vehicle)
      vehicles.push(inside(wire, (each) => readVehicle(each, reading)));
    else if (tag === ENTITY.alert) alerts.push(inside(wire, (each) => readAlert(each, reading)));
    else wire.skip(tag);
  }
}
