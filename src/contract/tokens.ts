/**
 * The tokens of `types` (§4.6), of connectors (§2.5), of `modes` and of `providers` (§4.7a), in the
 * contract's order.
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
