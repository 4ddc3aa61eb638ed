// GTFS Realtime messages from protobuf's JSON form (names of fields in camel case, enumerations by
// name, 64-bit numbers as texts), for the simulator and tests. A table of its own: what a reader
// takes for a field is checked against it.

export type Json = string | number | boolean | null | Json[] | { readonly [name: string]: Json };

type Kind = "text" | "int" | "bool" | "float" | readonly string[] | (() => Shape);
type Shape = Readonly<Record<string, readonly [field: number, kind: Kind]>>;

const VARINT = 0;
const LENGTH = 2;
const FIXED_32 = 5;

const translated = (): Shape => ({
  translation: [1, () => ({ text: [1, "text"], language: [2, "text"] })],
});

const trip = (): Shape => ({
  tripId: [1, "text"],
  startTime: [2, "text"],
  startDate: [3, "text"],
  scheduleRelationship: [
    4,
    [
      "SCHEDULED",
      "ADDED",
      "UNSCHEDULED",
      "CANCELED",
      "",
      "REPLACEMENT",
      "DUPLICATED",
      "DELETED",
      "NEW",
    ],
  ],
  routeId: [5, "text"],
  directionId: [6, "int"],
});

const vehicle = (): Shape => ({ id: [1, "text"], label: [2, "text"], licensePlate: [3, "text"] });

const event = (): Shape => ({
  delay: [1, "int"],
  time: [2, "int"],
  uncertainty: [3, "int"],
  scheduledTime: [4, "int"],
});

const boarding = ["REGULAR", "NONE", "PHONE_AGENCY", "COORDINATE_WITH_DRIVER"];

const stopTime = (): Shape => ({
  stopSequence: [1, "int"],
  arrival: [2, event],
  departure: [3, event],
  stopId: [4, "text"],
  scheduleRelationship: [5, ["SCHEDULED", "SKIPPED", "NO_DATA", "UNSCHEDULED"]],
  stopTimeProperties: [
    6,
    () => ({
      assignedStopId: [1, "text"],
      stopHeadsign: [2, "text"],
      pickupType: [3, boarding],
      dropOffType: [4, boarding],
    }),
  ],
});

const tripUpdate = (): Shape => ({
  trip: [1, trip],
  stopTimeUpdate: [2, stopTime],
  vehicle: [3, vehicle],
  timestamp: [4, "int"],
  delay: [5, "int"],
  tripProperties: [
    6,
    () => ({
      tripId: [1, "text"],
      startDate: [2, "text"],
      startTime: [3, "text"],
      shapeId: [4, "text"],
      tripHeadsign: [5, "text"],
      tripShortName: [6, "text"],
    }),
  ],
});

const OCCUPANCY =
  "EMPTY MANY_SEATS_AVAILABLE FEW_SEATS_AVAILABLE STANDING_ROOM_ONLY CRUSHED_STANDING_ROOM_ONLY FULL NOT_ACCEPTING_PASSENGERS NO_DATA_AVAILABLE NOT_BOARDABLE";

const vehiclePosition = (): Shape => ({
  trip: [1, trip],
  position: [
    2,
    () => ({
      latitude: [1, "float"],
      longitude: [2, "float"],
      bearing: [3, "float"],
      speed: [5, "float"],
    }),
  ],
  currentStopSequence: [3, "int"],
  currentStatus: [4, ["INCOMING_AT", "STOPPED_AT", "IN_TRANSIT_TO"]],
  timestamp: [5, "int"],
  stopId: [7, "text"],
  vehicle: [8, vehicle],
  occupancyStatus: [9, OCCUPANCY.split(" ")],
});

const CAUSE =
  " UNKNOWN_CAUSE OTHER_CAUSE TECHNICAL_PROBLEM STRIKE DEMONSTRATION ACCIDENT HOLIDAY WEATHER MAINTENANCE CONSTRUCTION POLICE_ACTIVITY MEDICAL_EMERGENCY";
const EFFECT =
  " NO_SERVICE REDUCED_SERVICE SIGNIFICANT_DELAYS DETOUR ADDITIONAL_SERVICE MODIFIED_SERVICE OTHER_EFFECT UNKNOWN_EFFECT STOP_MOVED NO_EFFECT ACCESSIBILITY_ISSUE";

const alert = (): Shape => ({
  activePeriod: [1, () => ({ start: [1, "int"], end: [2, "int"] })],
  informedEntity: [
    5,
    () => ({
      agencyId: [1, "text"],
      routeId: [2, "text"],
      routeType: [3, "int"],
      trip: [4, trip],
      stopId: [5, "text"],
      directionId: [6, "int"],
    }),
  ],
  cause: [6, CAUSE.split(" ")],
  effect: [7, EFFECT.split(" ")],
  url: [8, translated],
  headerText: [10, translated],
  descriptionText: [11, translated],
  severityLevel: [14, ["", "UNKNOWN_SEVERITY", "INFO", "WARNING", "SEVERE"]],
});

const message = (): Shape => ({
  header: [
    1,
    () => ({
      gtfsRealtimeVersion: [1, "text"],
      incrementality: [2, ["FULL_DATASET", "DIFFERENTIAL"]],
      timestamp: [3, "int"],
    }),
  ],
  entity: [
    2,
    () => ({
      id: [1, "text"],
      isDeleted: [2, "bool"],
      tripUpdate: [3, tripUpdate],
      vehicle: [4, vehiclePosition],
      alert: [5, alert],
    }),
  ],
});

/** Bytes of a message; throws for a field that the format does not have. A number may be given instead of a name. */
export function encodeMessage(json: Json): Buffer {
  return encode(json, message());
}

function encode(json: Json, shape: Shape): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(json as Record<string, Json>)) {
    const entry = shape[name];
    if (entry === undefined) throw new Error(`no such field: ${name}`);
    for (const each of Array.isArray(value) ? value : [value]) parts.push(toField(...entry, each));
  }
  return Buffer.concat(parts);
}

function toField(field: number, kind: Kind, value: Json): Buffer {
  if (kind === "text") return toPart(field, Buffer.from(value as string));
  if (typeof kind === "function") return toPart(field, encode(value, kind()));
  if (kind === "float") {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(Number(value));
    return Buffer.concat([varint(field * 8 + FIXED_32), bytes]);
  }
  return Buffer.concat([varint(field * 8 + VARINT), varint(numberOf(kind, value))]);
}

function numberOf(kind: Kind, value: Json): bigint | number {
  if (!Array.isArray(kind) || typeof value === "number") return BigInt(value as string | number);
  const place = kind.indexOf(value);
  if (place < 0) throw new Error(`no such value: ${JSON.stringify(value)}`);
  return place;
}

function toPart(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + LENGTH), varint(bytes.length), bytes]);
}

function varint(value: bigint | number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
