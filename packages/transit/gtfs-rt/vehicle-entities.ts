/** Vehicle positions: where a vehicle is, and at which stop. */
import { OCCUPANCIES, VEHICLE_STATUSES, type LiveVehicle } from "../live/live-model.ts";
import { stationLocation } from "../schedule/schedule-stations.ts";
import {
  inside,
  readEnum,
  readIdField,
  readTimeField_s,
  readUint32,
  type FieldReading,
} from "./fields.ts";
import { readLabel, readTripRef } from "./trip-updates.ts";
import { floatTag, lengthTag, varintTag, type Wire } from "#kit/wire.ts";

const VEHICLE = {
  trip: lengthTag(1),
  position: lengthTag(2),
  sequence: varintTag(3),
  status: varintTag(4),
  timestamp: varintTag(5),
  stop_id: lengthTag(7),
  vehicle: lengthTag(8),
  occupancy: varintTag(9),
};

export function readVehicle(wire: Wire, reading: FieldReading): LiveVehicle {
  const vehicle: LiveVehicle = {
    entity_id: reading.entity_id,
    trip: null,
    label: null,
    location: null,
    stop_id: null,
    sequence: null,
    status: "in_transit_to",
    occupancy: null,
    timestamp_s: null,
  };
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === VEHICLE.trip) vehicle.trip = inside(wire, readTripRef);
    else if (tag === VEHICLE.position) {
      vehicle.location = inside(wire, readPosition);
      if (vehicle.location === null) reading.trail.repair("unusable_position", reading.entity_id);
    } else if (tag === VEHICLE.sequence) vehicle.sequence = readUint32(wire);
    else if (tag === VEHICLE.status) vehicle.status = readEnum(wire, VEHICLE_STATUSES);
    else if (tag === VEHICLE.timestamp) vehicle.timestamp_s = readTimeField_s(wire, reading);
    else if (tag === VEHICLE.stop_id) vehicle.stop_id = readIdField(wire);
    else if (tag === VEHICLE.vehicle) vehicle.label = inside(wire, readLabel);
    else if (tag === VEHICLE.occupancy) vehicle.occupancy = readEnum(wire, OCCUPANCIES);
    else wire.skip(tag);
  }
  return vehicle;
}

const LATITUDE = floatTag(1);
const LONGITUDE = floatTag(2);

function readPosition(wire: Wire): LiveVehicle["location"] {
  let lat: number | null = null;
  let lon: number | null = null;
  for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
    if (tag === LATITUDE) lat = wire.float();
    else if (tag === LONGITUDE) lon = wire.float();
    else wire.skip(tag);
  }
  return stationLocation(lat, lon);
}
