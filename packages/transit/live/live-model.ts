/**
 * What a realtime feed says, before it meets a timetable. Unknown is null; days are counted from
 * 1970-01-01, times of a service day from noon minus twelve hours (departures.md, Service days).
 */
import type { Location } from "#kit/geo.ts";
import type { Trail } from "#kit/trail.ts";

/** One message: all that the feed knew at a moment. */
export type LiveMessage = {
  /** When the feed made it, epoch s. */
  timestamp_s: number | null;
  trips: LiveTrip[];
  vehicles: LiveVehicle[];
  alerts: LiveAlert[];
  trail: Trail;
};

export type TripRelation =
  | "scheduled"
  | "added"
  | "unscheduled"
  | "canceled"
  | "replacement"
  | "duplicated"
  | "deleted"
  | "new";
export type StopRelation = "scheduled" | "skipped" | "no_data" | "unscheduled";

/** Which run of which trip is meant. */
export type TripRef = {
  trip_id: string | null;
  route_id: string | null;
  direction: number | null;
  start_day: number | null;
  start_s: number | null;
  /** null: a value that the specification did not have when this was written. */
  relation: TripRelation | null;
};

/** What the feed says of one run. */
export type LiveTrip = {
  entity_id: string;
  trip: TripRef;
  /** When the vehicle's progress was measured, epoch s. */
  timestamp_s: number | null;
  delay_s: number | null;
  vehicle_label: string | null;
  /** Of a run that is not in the timetable, or differs from it. */
  properties: TripProperties | null;
  stops: LiveStop[];
};

export type TripProperties = {
  trip_id: string | null;
  start_day: number | null;
  start_s: number | null;
  headsign: string | null;
  short_name: string | null;
};

/** One call of a run. `arrival`, `departure` null: not spoken of. */
export type LiveStop = {
  sequence: number | null;
  stop_id: string | null;
  arrival: LiveTime | null;
  departure: LiveTime | null;
  /** null: a value that is not known. */
  relation: StopRelation | null;
  /** The stop that it calls at instead: another platform, as a rule. */
  assigned_stop_id: string | null;
  headsign: string | null;
  /** 0 regular, 1 none, 2 by phone, 3 ask the driver. */
  pickup: number | null;
  drop_off: number | null;
};

/** All null: the feed speaks of the event and does not know its time. */
export type LiveTime = {
  delay_s: number | null;
  /** Epoch s; it counts more than the delay. */
  time_s: number | null;
  /** As planned, where no timetable says so; epoch s. */
  scheduled_s: number | null;
};

export type LiveVehicle = {
  entity_id: string;
  trip: TripRef | null;
  label: string | null;
  location: Location | null;
  stop_id: string | null;
  sequence: number | null;
  status: (typeof VEHICLE_STATUSES)[number] | null;
  occupancy: (typeof OCCUPANCIES)[number] | null;
  timestamp_s: number | null;
};

/** In the order of their numbers. */
export const VEHICLE_STATUSES = ["incoming_at", "stopped_at", "in_transit_to"] as const;
export const OCCUPANCIES = [
  "empty",
  "many_seats_available",
  "few_seats_available",
  "standing_room_only",
  "crushed_standing_room_only",
  "full",
  "not_accepting_passengers",
  null,
  "not_boardable",
] as const;

export type LiveText = { text: string; language: string | null };

export type LiveAlert = {
  id: string;
  cause: string | null;
  effect: string | null;
  severity: string | null;
  header: LiveText[];
  description: LiveText[];
  /** http or https. */
  url: LiveText[];
  /** When it is to be shown, epoch s; empty: as long as the feed has it. */
  periods: { from_s: number | null; to_s: number | null }[];
  /** Whom it concerns; never empty. */
  selectors: LiveSelector[];
};

/** An alert as it is kept: whom it concerns is looked up from there. */
export type ShownAlert = Omit<LiveAlert, "selectors">;

/** All that are not null must hold. */
export type LiveSelector = {
  agency_id: string | null;
  route_id: string | null;
  route_type: number | null;
  stop_id: string | null;
  direction: number | null;
  trip: TripRef | null;
};
