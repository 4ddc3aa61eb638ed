/**
 * The domain's nouns as the normalisers hand them over: plain values, one shape for every GBFS
 * version. Unknown is `null` (or an absent optional member), never 0 and never "".
 * Times are epoch seconds (`*_s`), distances metres (`*_m`), coordinates WGS 84 degrees.
 */
import type { Location } from "#kit/geo.ts";

/** Modes of §4.9 in reporting order (R2: "first of"); `other` is never returned, only counted. */
export const KNOWN_MODES = ["bicycle", "scooter", "moped", "car"] as const;
export const MODES = [...KNOWN_MODES, "other"] as const;
export type Mode = (typeof MODES)[number];

/** Deep links of a station or vehicle, already checked (https, or an app scheme for android/ios). */
export type RentalUris = { android?: string; ios?: string; web?: string };

/** GBFS system_information, flattened. */
export type SystemInfo = {
  system_id: string | null;
  name: string | null;
  short_name: string | null;
  operator: string | null;
  url: string | null;
  timezone: string | null;
  languages: string[];
  license_id: string | null;
  license_url: string | null;
  attribution: string | null;
  attribution_url: string | null;
  /** Brand name where the publisher states one (2.3+ brand_assets has none: then null). */
  brand: string | null;
  /** Name, short name, operator and brand in every language they are published in; absent: not read. */
  names?: readonly string[];
  opening_hours: string | null;
  terms_url: string | null;
  /** Colour of its brand, `#rrggbb`; absent: none is published. */
  color?: string;
  /** Schemes of its apps, without the colon, as `rental_apps` registers them; absent: none. */
  app_schemes?: readonly string[];
};

/** One row of GBFS vehicle_types. */
export type VehicleType = {
  id: string;
  mode: Mode;
  form_factor: string | null;
  propulsion: string | null;
  /** true for electric, electric_assist, hybrids; null when propulsion is unknown. */
  electric: boolean | null;
  name: string | null;
  make: string | null;
  model: string | null;
  max_range_m: number | null;
  /** default_reserve_time > 0; null when the publisher does not say. */
  reservable: boolean | null;
  accessories: string[];
  return_constraint: string | null;
  /** How many it carries, its driver included, and how fast it may go, km/h; absent: not stated. */
  rider_capacity?: number;
  max_permitted_speed?: number;
  /** The pricing plan of its vehicles, where a vehicle names no other. */
  pricing_plan_id?: string | null;
  /** All plans that its vehicles can have; absent: none is stated. */
  pricing_plan_ids?: readonly string[];
};

/** One row of station_information. */
export type StationInfo = {
  id: string;
  /** Never empty: the fall-backs of mobility.md 1.10 are applied. */
  name: string;
  short_name: string | null;
  lat: number;
  lon: number;
  /** >= 1 or null; the sum of typed capacities when the plain one is missing (R4). */
  capacity: number | null;
  /** Typed capacities as published, by vehicle type id; empty when none. */
  vehicle_capacity: { type_ids: string[]; count: number }[];
  dock_capacity: { type_ids: string[]; count: number }[];
  is_virtual: boolean | null;
  /** A station_area polygon is present (which makes the station virtual). */
  has_area: boolean;
  is_charging: boolean | null;
  address: string | null;
  cross_street: string | null;
  post_code: string | null;
  city: string | null;
  region_id: string | null;
  external_id: string | null;
  legacy_id: string | null;
  /** Keys an aggregator passes on: the operator's own of the station. */
  uid?: string | null;
  station_id?: string | null;
  /** The open map's `ref`. */
  ref?: string | null;
  parking_type: string | null;
  opening_hours: string | null;
  rental_methods: string[];
  rental_uris: RentalUris | null;
};

/** One row of station_status. */
export type StationStatus = {
  id: string;
  /** Rentable vehicles (R4, violations 4, 6, 7 applied); null unknown. */
  vehicles: number | null;
  disabled_vehicles: number | null;
  docks: number | null;
  /** num_docks_available absent under 2.0+: no dock limit (R4). */
  docks_unlimited: boolean;
  disabled_docks: number | null;
  /** Counts by vehicle type id where published; [] when not. */
  by_type: { type_id: string; count: number }[];
  /** Types of which a number is stated that is not known: they are named all the same (R2). */
  uncounted_type_ids?: string[];
  /** Type ids named by vehicle_docks_available. */
  dock_type_ids: string[];
  /** Rentable electric vehicles, when published outside by_type (violation 23); else null. */
  electric: number | null;
  is_installed: boolean | null;
  is_renting: boolean | null;
  /**
   * Of a source without flags: whether its counts are young enough to say what can be done (R9,
   * CityBikes). Absent: flags say it.
   */
  counts?: "fresh" | "old";
  is_returning: boolean | null;
  last_reported_s: number | null;
  /** Coordinates some publishers put here (violation 14); null otherwise. */
  location: Location | null;
  /** Represents a whole city (violation 5): never shown; `is_installed` is false then, too. */
  placeholder?: true;
};

/** One row of free_bike_status / vehicle_status. */
export type VehicleInfo = {
  id: string;
  /** null only when the vehicle is at a station and gives no position of its own. */
  location: Location | null;
  station_id: string | null;
  home_station_id: string | null;
  type_id: string | null;
  /** Mode the row itself reveals (Lyft `type`, violation 23); null: take it from the type (R1). */
  own_mode: Mode | null;
  name: string | null;
  is_reserved: boolean | null;
  is_disabled: boolean | null;
  last_reported_s: number | null;
  available_until_s: number | null;
  range_m: number | null;
  /** Remaining energy 0..1; null unknown (violation 18 applied). */
  charge: number | null;
  pricing_plan_id: string | null;
  equipment: string[];
  rental_uris: RentalUris | null;
};

/** One system_alerts entry. */
export type SystemAlert = {
  id: string;
  type: string | null;
  station_ids: string[];
  region_ids: string[];
  summary: string | null;
  description: string | null;
  url: string | null;
  /** [] means "in force for as long as it is published". */
  times: { start_s: number | null; end_s: number | null }[];
  last_updated_s: number | null;
};

/** geofencing_zones: rules and closed rings in [lon, lat] order; the first zone of several wins. */
export type GeofencingZones = {
  zones: { name: string | null; rules: ZoneRule[]; polygons: number[][][][] }[];
  global_rules: ZoneRule[];
};
export type ZoneRule = {
  type_ids: string[];
  ride_start_allowed: boolean | null;
  ride_end_allowed: boolean | null;
  ride_through_allowed: boolean | null;
  maximum_speed_kph: number | null;
  station_parking: boolean | null;
};
