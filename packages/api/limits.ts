/** Every default, cap and maximum of §8, and the transport limits around them. */
export const LIMITS = {
  lat: { min: -90, max: 90 },
  lon: { min: -180, max: 180 },
  geocode: { q_min: 1, q_max: 200, results_max: 5, country_length: 2 },
  services: {
    radius_default: 1500,
    radius_max: 10_000,
    limit_default: 50,
    limit_max: 200,
    maps_category_max: 20,
    locker_max: 100,
    results_max: 200,
  },
  /** Places by class. Of those that a filter is asked of, the nearest `candidates_max` are looked at. */
  places: {
    radius_default: 1500,
    radius_max: 10_000,
    limit_default: 20,
    limit_max: 100,
    candidates_max: 400,
  },
  /** Parking and charging. */
  facilities: { radius_default: 1500, radius_max: 10_000, limit_default: 20, limit_max: 20 },
  transport: {
    radius_default: 1000,
    radius_max: 5000,
    limit_default: 50,
    limit_max: 200,
    stations_max: 200,
    /** Routes, and operators, of one station. */
    routes_max: 200,
  },
  /** Minutes of `within`. */
  departures: {
    radius_default: 400,
    radius_max: 2000,
    within_default: 60,
    within_max: 360,
    limit_default: 20,
    limit_max: 100,
    alerts_max: 50,
    /** Ids of alerts of one departure, and periods of one alert. */
    named_alerts_max: 20,
    periods_max: 20,
  },
  nearby: {
    radius_min: 1,
    radius_default: 400,
    radius_max: 400,
    limit_min: 1,
    limit_default: 100,
    offset_min: 0,
    offset_default: 0,
    /** Lines and alerts of the circle (decisions, Global nearby). */
    lines_max: 200,
    alerts_max: 200,
    /** Ids of stations of one alert, or of one line. */
    named_stations_max: 20,
    /** Zones of one system, rules of one zone, and kinds of vehicle of one rule. */
    zones_max: 50,
    zone_rules_max: 20,
    zone_types_max: 20,
  },
  /** Plans of one system, steps of one plan and of all, plans of one kind of vehicle, tariffs of one place. */
  prices: {
    plans_max: 300,
    steps_max: 100,
    all_steps_max: 2_000,
    type_plans_max: 20,
    tariffs_max: 20,
    ride_minutes_default: 10,
    ride_minutes_max: 1_440,
  },
  /** A larger circle than half the Earth's circumference holds nothing more. */
  sources: {
    radius_default: 400,
    radius_max: 20_037_508,
    /** Sources of one answer with their history, which has 5 kB each: of all, and around a point. */
    history_max: 500,
    history_near_max: 100,
  },
  /** Ways on foot. Results that are looked at for them, the nearest by beeline first: `candidates_max`. */
  walk: {
    minutes_min: 1,
    minutes_max: 30,
    speed_min: 0.3,
    speed_max: 2.5,
    speed_default: 1.33,
    meters_max: 4500,
    candidates_max: 500,
    /** Of one station. */
    platforms_max: 50,
  },
  /** The live layer: area and sides of a box, zooms of tiles; from `tile_objects_from` they have the things themselves. */
  live: { box_km2_max: 25, box_side_km_max: 25, tile_zoom_max: 18, tile_objects_from: 14 },
  capabilities: { correlation_max: 128 },
  /** The legacy routes (decisions, Legacy routes). */
  legacy: {
    radius: 400,
    vehicles_max: 100,
    water: {
      distance: { min: 1, default: 500, max: 5000 },
      rows: { min: 1, default: 10, max: 100 },
      objectid_max: 2_147_483_647,
    },
  },
  /** Seconds a complete anonymous answer may be cached (decisions, Conventions). */
  cache_max_age_s: 30,
  body_bytes: 65_536,
  url_bytes: 8192,
  header_bytes: 16_384,
  compress_from_bytes: 1024,
} as const;
