/** Trip updates: which run is meant, and what is said of its calls. */
import { dayOfCell } from "../gtfs/cell-values.ts";
import type {
  LiveStop,
  LiveTime,
  LiveTrip,
  StopRelation,
  TripProperties,
  TripRef,
  TripRelation,
} from "../live/live-model.ts";
import {
  inside,
  readEnum,
  readIdField,
  readInt32,
  readStart,
  readTextField,
  readTimeField_s,
  readUint32,
  secondsOfField,
  takePart,
  Unusable,
  type FieldReading,
} from "./fields.ts";
import { lengthTag, varintTag, type Wire } from "#kit/wire.ts";

/** In the order of their numbers; 4 was never used. */
const TRIP_RELATIONS: readonly (TripRelation | null)[] = [
  "scheduled",
  "added",
  "unscheduled",
  "canceled",
  null,
  "replacement",
  "duplicated",
  "deleted",
  "new",
];
const STOP_RELATIONS: readonly StopRelation[] = ["scheduled", "skipped", "no_data", "unscheduled"];
const BOARDING = [0, 1, 2, 3] as const;

const REF = {
  trip_id: lengthTag(1),
  start_time: lengthTag(2),
  start_date: lengthTag(3),
  relation: varintTag(4),
  route_id: lengthTag(5),
  direction: varintTag(6),
};

export function readTripRef(wire: Wire): TripRef {
  const trip: TripRef = {
    trip_id: null,
    route_id: null,
    direction: null,
    start_day: null,
    start_s: null,
    relation: "scheduled",
  };
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === REF.trip_id) trip.trip_id = readIdField(wire);
    else if (tag === REF.start_time) trip.start_s = readStart(wire, secondsOfField);
    else if (tag === REF.start_date) trip.start_day = readStart(wire, dayOfCell);
    else if (tag === REF.relation) trip.relation = readEnum(wire, TRIP_RELATIONS);
    else if (tag === REF.route_id) trip.route_id = readIdField(wire);
    else if (tag === REF.direction) trip.direction = readUint32(wire);
    else wire.skip(tag);
  }
  return trip;
}

const VEHICLE_LABEL = lengthTag(2);

/** What passengers see on the vehicle. */
export function readLabel(wire: Wire): string | null {
  let label: string | null = null;
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === VEHICLE_LABEL) label = readTextField(wire);
    else wire.skip(tag);
  }
  return label;
}

const UPDATE = {
  trip: lengthTag(1),
  stop: lengthTag(2),
  vehicle: lengthTag(3),
  timestamp: varintTag(4),
  delay: varintTag(5),
  properties: lengthTag(6),
};

export function readTripUpdate(wire: Wire, reading: FieldReading): LiveTrip {
  let trip: TripRef | null = null;
  const update: Omit<LiveTrip, "trip"> = {
    entity_id: reading.entity_id,
    timestamp_s: null,
    delay_s: null,
    vehicle_label: null,
    properties: null,
    stops: [],
  };
  const stopOf = (inner: Wire): LiveStop => readStop(inner, reading);
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === UPDATE.stop) {
      if (takePart(reading)) update.stops.push(inside(wire, stopOf));
      else wire.skip(tag);
    } else if (tag === UPDATE.trip) trip = inside(wire, readTripRef);
    else if (tag === UPDATE.vehicle) update.vehicle_label = inside(wire, readLabel);
    else if (tag === UPDATE.timestamp) update.timestamp_s = readTimeField_s(wire, reading);
    else if (tag === UPDATE.delay) update.delay_s = readInt32(wire);
    else if (tag === UPDATE.properties) update.properties = inside(wire, readProperties);
    else wire.skip(tag);
  }
  if (trip === null) throw new Unusable("update_without_trip");
  return { ...update, trip };
}

const PROPERTIES = {
  trip_id: lengthTag(1),
  start_date: lengthTag(2),
  start_time: lengthTag(3),
  headsign: lengthTag(5),
  short_name: lengthTag(6),
};

function readProperties(wire: Wire): TripProperties {
  const properties: TripProperties = {
    trip_id: null,
    start_day: null,
    start_s: null,
    headsign: null,
    short_name: null,
  };
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === PROPERTIES.trip_id) properties.trip_id = readIdField(wire);
    else if (tag === PROPERTIES.start_date) properties.start_day = readStart(wire, dayOfCell);
    else if (tag === PROPERTIES.start_time) properties.start_s = readStart(wire, secondsOfField);
    else if (tag === PROPERTIES.headsign) properties.headsign = readTextField(wire);
    else if (tag === PROPERTIES.short_name) properties.short_name = readTextField(wire);
    else wire.skip(tag);
  }
  return properties;
}

const STOP = {
  sequence: varintTag(1),
  arrival: lengthTag(2),
  departure: lengthTag(3),
  stop_id: lengthTag(4),
  relation: varintTag(5),
  properties: lengthTag(6),
};

function readStop(wire: Wire, reading: FieldReading): LiveStop {
  const stop: LiveStop = {
    sequence: null,
    stop_id: null,
    arrival: null,
    departure: null,
    relation: "scheduled",
    assigned_stop_id: null,
    headsign: null,
    pickup: null,
    drop_off: null,
  };
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === STOP.sequence) stop.sequence = readUint32(wire);
    else if (tag === STOP.stop_id) stop.stop_id = readIdField(wire);
    else if (tag === STOP.arrival) stop.arrival = readEvent(wire, reading);
    else if (tag === STOP.departure) stop.departure = readEvent(wire, reading);
    else if (tag === STOP.relation) stop.relation = readEnum(wire, STOP_RELATIONS);
    else if (tag === STOP.properties) inside(wire, (inner) => readStopProperties(inner, stop));
    else wire.skip(tag);
  }
  return stop;
}

const STOP_PROPERTIES = {
  assigned: lengthTag(1),
  headsign: lengthTag(2),
  pickup: varintTag(3),
  drop_off: varintTag(4),
};

function readStopProperties(wire: Wire, stop: LiveStop): void {
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === STOP_PROPERTIES.assigned) stop.assigned_stop_id = readIdField(wire);
    else if (tag === STOP_PROPERTIES.headsign) stop.headsign = readTextField(wire);
    else if (tag === STOP_PROPERTIES.pickup) stop.pickup = readEnum(wire, BOARDING);
    else if (tag === STOP_PROPERTIES.drop_off) stop.drop_off = readEnum(wire, BOARDING);
    else wire.skip(tag);
  }
}

const EVENT = { delay: varintTag(1), time: varintTag(2), scheduled: varintTag(4) };

/** A time that is stated and cannot be used leaves nothing known, whatever the delay says. */
function readEvent(wire: Wire, reading: FieldReading): LiveTime {
  const event: LiveTime = { delay_s: null, time_s: null, scheduled_s: null };
  const end = wire.span();
  const outer = wire.end;
  let isUsable = true;
  wire.end = end;
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === EVENT.delay) event.delay_s = readInt32(wire);
    else if (tag === EVENT.time) {
      event.time_s = readTimeField_s(wire, reading);
      isUsable = event.time_s !== null;
    } else if (tag === EVENT.scheduled) event.scheduled_s = readTimeField_s(wire, reading);
    else wire.skip(tag);
  }
  wire.end = outer;
  if (!isUsable) event.delay_s = null;
  return event;
}
