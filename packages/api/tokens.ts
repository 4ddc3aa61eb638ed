/**
 * The tokens of `types` (§4.6), of connectors (§2.5), of `modes` and of `providers` (§4.7a), in the
 * contract's order, and those of vehicles. No schemas: threads that read feeds load this file.
 */
export const SERVICE_TYPES = [
  "aed",
  "toilets",
  "drinking_water",
  "fountain",
  "wifi",
  "parking",
  "charging",
  "locker",
] as const;

/** `Other`: another one, or one that the source does not name. */
export const CONNECTOR_TYPES = [
  "J1772",
  "Type 2",
  "CHAdeMO",
  "CCS1",
  "CCS2",
  "NACS",
  "Tesla",
  "GB/T",
  "Other",
] as const;

/** Those of a question that names none. */
export const TRANSPORT_DEFAULT_MODES = [
  "bus",
  "tram",
  "metro",
  "rail",
  "rapid_transit",
  "ferry",
  "coach",
] as const;

export const TRANSPORT_MODES = [
  ...TRANSPORT_DEFAULT_MODES,
  "cable_transport",
  "bicycle",
  "scooter",
  "car_share",
  "carpool",
  "taxi",
  "rideshare",
  "demand_responsive",
  "shared_mobility",
  "other",
] as const;

export const TRANSPORT_PROVIDERS = ["navitia", "transitland", "gtfs", "gbfs"] as const;

/** Form factors and propulsion types of GBFS, those before 3.0 included (mobility.md 1.5). */
export const FORM_FACTORS = [
  "bicycle",
  "cargo_bicycle",
  "car",
  "moped",
  "scooter",
  "scooter_standing",
  "scooter_seated",
  "other",
] as const;
export const PROPULSIONS = [
  "human",
  "electric_assist",
  "electric",
  "combustion",
  "combustion_diesel",
  "hybrid",
  "plug_in_hybrid",
  "hydrogen_fuel_cell",
] as const;
/** Where a ride of a vehicle may end, what its kind has, and what one of them has besides (GBFS). */
export const RETURN_CONSTRAINTS = [
  "roundtrip_station",
  "any_station",
  "hybrid",
  "free_floating",
] as const;
export const ACCESSORIES = [
  ...(["air_conditioning", "automatic", "manual", "convertible", "cruise_control"] as const),
  ...(["doors_2", "doors_3", "doors_4", "doors_5", "navigation"] as const),
] as const;
export const EQUIPMENT = [
  ...(["child_seat_a", "child_seat_b", "child_seat_c", "winter_tires", "snow_chains"] as const),
] as const;
