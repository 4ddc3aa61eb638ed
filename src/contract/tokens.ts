/** The tokens of `types` (§4.6), of `modes` and of `providers` (§4.7a), in the contract's order. */
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
