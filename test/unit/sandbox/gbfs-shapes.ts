// What each version of GBFS says its files must and may hold, written from gbfs.md at the tags v1.0,
// v2.3 and v3.0. A check returns complaints; a member the version does not know is one of them.

export type Check = (value: unknown, path: string) => string[];
type Members = Readonly<Record<string, Check>>;

const is =
  (what: string, test: (value: unknown) => boolean): Check =>
  (value, path) =>
    test(value) ? [] : [`${path} is not ${what}: ${JSON.stringify(value)}`];

const text = is("a text", (v) => typeof v === "string" && v.length > 0);
const count = is("a count", (v) => Number.isInteger(v) && (v as number) >= 0);
const number = is("a number from 0", (v) => typeof v === "number" && v >= 0);
const share = is("a share", (v) => typeof v === "number" && v >= 0 && v <= 1);
const boolean = is("a boolean", (v) => typeof v === "boolean");
const flag = is("0 or 1", (v) => v === 0 || v === 1);
const lat = is("a latitude", (v) => typeof v === "number" && Math.abs(v) <= 90);
const lon = is("a longitude", (v) => typeof v === "number" && Math.abs(v) <= 180);
const posix = is(
  "a POSIX time",
  (v) => Number.isInteger(v) && (v as number) > 1_450_155_600 && (v as number) < 4e9,
);
const time = is(
  "an RFC 3339 time",
  (v) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(String(v)) && typeof v === "string",
);
const date = is("a date", (v) => /^\d{4}-\d\d-\d\d$/.test(String(v)));
const url = is("an address", (v) => typeof v === "string" && /^https?:\/\/[^ ]+$/.test(v));
const uri = is("a URI", (v) => typeof v === "string" && /^[a-z][a-z0-9.+-]*:\/\/[^ ]+$/i.test(v));
const email = is("an e-mail address", (v) => /^[^@ ]+@[^@ ]+$/.test(String(v)));
const phone = is("an E.164 number", (v) => /^\+[1-9]\d{1,14}$/.test(String(v)));
const zone = is("a time zone", (v) => Intl.supportedValuesOf("timeZone").includes(String(v)));
const language = is("a language tag", (v) => /^[a-z]{2,3}(-[A-Z]{2})?$/.test(String(v)));
const currency = is("a currency", (v) => /^[A-Z]{3}$/.test(String(v)));
const one = (...words: readonly unknown[]): Check =>
  is(`one of ${words.join(", ")}`, (v) => words.includes(v));
const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? [] : check(value, path);

const list =
  (check: Check, least = 0): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return [`${path} is not a list`];
    if (value.length < least) return [`${path} is empty`];
    return value.flatMap((element: unknown, i) => check(element, `${path}[${i}]`));
  };

const object =
  (required: Members, optional: Members = {}): Check =>
  (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return [`${path} is not an object`];
    const missing = Object.keys(required).filter((name) => !Object.hasOwn(value, name));
    return [
      ...missing.map((name) => `${path}.${name} is missing`),
      ...Object.entries(value).flatMap(([name, member]) => {
        const check = required[name] ?? optional[name];
        return check === undefined
          ? [`${path}.${name} is unknown here`]
          : check(member, `${path}.${name}`);
      }),
    ];
  };

const map =
  (key: Check, check: Check): Check =>
  (value, path) =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([k, v]) => [
          ...key(k, `${path}{${k}}`),
          ...check(v, `${path}.${k}`),
        ])
      : [`${path} is not a map`];

const localised = list(object({ text, language }), 1);
const localisedUrl = list(object({ text: url, language }), 1);
const uris = object({}, { android: uri, ios: uri, web: url });
const rentalApps = map(one("android", "ios"), object({ store_uri: uri, discovery_uri: uri }));
const ring: Check = (value, path) => {
  const points = value as [number, number][];
  if (!Array.isArray(points) || points.length < 4) return [`${path} is no ring`];
  const [first, last] = [points[0], points.at(-1)];
  const open = JSON.stringify(first) !== JSON.stringify(last);
  return [
    ...(open ? [`${path} is open`] : []),
    ...points.flatMap((p) => [...lon(p[0], path), ...lat(p[1], path)]),
  ];
};
const multipolygon = object({ type: one("MultiPolygon"), coordinates: list(list(ring, 1), 1) });

const feedEntry = (names: readonly string[]): Check => object({ name: one(...names), url });
const V1_NAMES = [
  "system_information",
  "station_information",
  "station_status",
  "free_bike_status",
];
const V2_NAMES = [
  ...V1_NAMES,
  "gbfs_versions",
  "vehicle_types",
  "system_pricing_plans",
  "system_alerts",
  "geofencing_zones",
];
const V3_NAMES = V2_NAMES.map((name) => (name === "free_bike_status" ? "vehicle_status" : name));
const feedsByLanguage = (names: readonly string[]): Check =>
  map(language, object({ feeds: list(feedEntry(names), 1) }));

const METHODS = [
  "key",
  "creditcard",
  "paypass",
  "applepay",
  "androidpay",
  "transitcard",
  "accountnumber",
  "phone",
];
const ACCESSORIES = [
  "air_conditioning",
  "automatic",
  "manual",
  "convertible",
  "cruise_control",
  "doors_2",
  "doors_3",
  "doors_4",
  "doors_5",
  "navigation",
];
const FORMS = [
  "bicycle",
  "cargo_bicycle",
  "car",
  "moped",
  "scooter_standing",
  "scooter_seated",
  "other",
];
const POWER = [
  "human",
  "electric_assist",
  "electric",
  "combustion",
  "combustion_diesel",
  "hybrid",
  "plug_in_hybrid",
  "hydrogen_fuel_cell",
];
const typeCount = list(object({ vehicle_type_id: text, count }));
const typesCount = list(object({ vehicle_type_ids: list(text, 1), count }));

const systemOptional: Members = {
  short_name: text,
  operator: text,
  url,
  purchase_url: url,
  start_date: date,
  phone_number: phone,
  email,
  license_url: url,
};
const systemOld: Members = { system_id: text, language, name: text, timezone: zone };
const stationOptional: Members = { address: text, post_code: text, capacity: count };

const vehicleType =
  (name: Check, forms: readonly string[]): Check =>
  (value, path) => [
    ...object(
      { vehicle_type_id: text, form_factor: one(...forms), propulsion_type: one(...POWER) },
      {
        name,
        make: name,
        model: name,
        max_range_meters: number,
        rider_capacity: count,
        wheel_count: count,
        max_permitted_speed: count,
        vehicle_accessories: list(one(...ACCESSORIES), 1),
        default_reserve_time: count,
        return_constraint: one("free_floating", "roundtrip_station", "any_station", "hybrid"),
        default_pricing_plan_id: text,
        pricing_plan_ids: list(text, 1),
      },
    )(value, path),
    ...rangeRule(value, path),
  ];

/** max_range_meters is required of everything with a motor. */
function rangeRule(value: unknown, path: string): string[] {
  const type = value as { propulsion_type?: unknown; max_range_meters?: unknown };
  return type.propulsion_type !== "human" && type.max_range_meters === undefined
    ? [`${path} needs a range`]
    : [];
}

const segment = object({ start: count, rate: number, interval: number }, { end: count });
const plan = (words: Check): Check =>
  object(
    {
      plan_id: text,
      name: words,
      currency,
      price: number,
      is_taxable: boolean,
      description: words,
    },
    { url, per_km_pricing: list(segment), per_min_pricing: list(segment), surge_pricing: boolean },
  );

const stationModern: Members = {
  ...stationOptional,
  rental_methods: list(one(...METHODS), 1),
  is_virtual_station: boolean,
  station_area: multipolygon,
  parking_type: one(
    "parking_lot",
    "street_parking",
    "underground_parking",
    "sidewalk_parking",
    "other",
  ),
  is_charging_station: boolean,
  rental_uris: uris,
};

const vehicleModern: Members = {
  lat,
  lon,
  vehicle_type_id: text,
  current_range_meters: number,
  current_fuel_percent: share,
  station_id: text,
  home_station_id: text,
  pricing_plan_id: text,
  rental_uris: uris,
  available_until: time,
};

/** Coordinates both or neither, and a station where there are none. */
const placed =
  (check: Check): Check =>
  (value, path) => {
    const row = value as { lat?: unknown; lon?: unknown; station_id?: unknown };
    const lost =
      (row.lat === undefined) !== (row.lon === undefined) ||
      (row.lat === undefined && row.station_id === undefined);
    return [...check(value, path), ...(lost ? [`${path} is nowhere`] : [])];
  };

const alert = (when: Check, words: Check, address: Check): Check =>
  object(
    {
      alert_id: text,
      type: one("system_closure", "station_closure", "station_move", "other"),
      summary: words,
    },
    {
      times: list(object({ start: when }, { end: when }), 1),
      station_ids: list(text, 1),
      url: address,
      description: words,
      last_updated: when,
    },
  );
const zones = (words: Check, rule: Check): Check =>
  object({
    type: one("FeatureCollection"),
    features: list(
      object({
        type: one("Feature"),
        geometry: multipolygon,
        properties: object({ rules: list(rule, 1) }, { name: words }),
      }),
      1,
    ),
  });
const rule3 = object(
  { ride_start_allowed: boolean, ride_end_allowed: boolean, ride_through_allowed: boolean },
  { vehicle_type_ids: list(text), maximum_speed_kph: count, station_parking: boolean },
);
const versions = object({ versions: list(object({ version: text, url }), 1) });

export const SHAPES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  "1.0": {
    gbfs: feedsByLanguage(V1_NAMES),
    system_information: object(systemOld, systemOptional),
    station_information: object({
      stations: list(
        object(
          { station_id: text, name: text, lat, lon },
          {
            ...stationOptional,
            short_name: text,
            rental_methods: list(one(...METHODS.map((m) => m.toUpperCase()))),
          },
        ),
      ),
    }),
    station_status: object({
      stations: list(
        object(
          // null where an operator cannot count: the one departure from 1.0, seen in real feeds
          {
            station_id: text,
            num_bikes_available: count,
            num_docks_available: orNull(count),
            is_installed: flag,
            is_renting: flag,
            is_returning: flag,
            last_reported: posix,
          },
          { num_bikes_disabled: count, num_docks_disabled: count },
        ),
      ),
    }),
    free_bike_status: object({
      bikes: list(object({ bike_id: text, lat, lon, is_reserved: flag, is_disabled: flag })),
    }),
  },
  "2.3": {
    gbfs: feedsByLanguage(V2_NAMES),
    gbfs_versions: versions,
    system_information: object(systemOld, {
      ...systemOptional,
      feed_contact_email: email,
      terms_url: url,
      rental_apps: rentalApps,
      terms_last_updated: date,
    }),
    vehicle_types: object({ vehicle_types: list(vehicleType(text, [...FORMS, "scooter"]), 1) }),
    system_pricing_plans: object({ plans: list(plan(text), 1) }),
    station_information: object({
      stations: list(
        object(
          { station_id: text, name: text, lat, lon },
          {
            ...stationModern,
            vehicle_capacity: map(text, count),
            vehicle_type_capacity: map(text, count),
          },
        ),
      ),
    }),
    station_status: object({
      stations: list(
        object(
          {
            station_id: text,
            num_bikes_available: count,
            is_installed: boolean,
            is_renting: boolean,
            is_returning: boolean,
            last_reported: posix,
          },
          {
            num_bikes_disabled: count,
            num_docks_available: count,
            num_docks_disabled: count,
            vehicle_types_available: typeCount,
            vehicle_docks_available: typesCount,
          },
        ),
      ),
    }),
    free_bike_status: object({
      bikes: list(
        placed(
          object(
            { bike_id: text, is_reserved: boolean, is_disabled: boolean },
            { ...vehicleModern, last_reported: posix },
          ),
        ),
      ),
    }),
    system_alerts: object({ alerts: list(alert(posix, text, url)) }),
    geofencing_zones: object({
      geofencing_zones: zones(
        text,
        object(
          { ride_allowed: boolean, ride_through_allowed: boolean },
          { vehicle_type_id: list(text), maximum_speed_kph: count },
        ),
      ),
    }),
  },
  "3.0": {
    gbfs: object({ feeds: list(feedEntry(V3_NAMES), 1) }),
    gbfs_versions: versions,
    system_information: object(
      {
        system_id: text,
        languages: list(language, 1),
        name: localised,
        opening_hours: text,
        feed_contact_email: email,
        timezone: zone,
      },
      {
        operator: localised,
        url,
        purchase_url: url,
        start_date: date,
        phone_number: phone,
        email,
        license_id: text,
        license_url: url,
        attribution_organization_name: localised,
        attribution_url: url,
        terms_url: localisedUrl,
        terms_last_updated: date,
        brand_assets: object({ brand_last_modified: date, brand_image_url: url }, { color: text }),
        rental_apps: rentalApps,
      },
    ),
    vehicle_types: object({ vehicle_types: list(vehicleType(localised, FORMS), 1) }),
    system_pricing_plans: object({ plans: list(plan(localised), 1) }),
    station_information: object({
      stations: list(
        object(
          { station_id: text, name: localised, lat, lon },
          {
            ...stationModern,
            station_opening_hours: text,
            vehicle_types_capacity: typesCount,
            vehicle_docks_capacity: typesCount,
          },
        ),
      ),
    }),
    station_status: object({
      stations: list(
        object(
          {
            station_id: text,
            num_vehicles_available: count,
            is_installed: boolean,
            is_renting: boolean,
            is_returning: boolean,
            last_reported: time,
          },
          {
            num_vehicles_disabled: count,
            num_docks_available: count,
            num_docks_disabled: count,
            vehicle_types_available: typeCount,
            vehicle_docks_available: typesCount,
          },
        ),
      ),
    }),
    vehicle_status: object({
      vehicles: list(
        placed(
          object(
            { vehicle_id: text, is_reserved: boolean, is_disabled: boolean },
            { ...vehicleModern, last_reported: time },
          ),
        ),
      ),
    }),
    system_alerts: object({ alerts: list(alert(time, localised, localisedUrl)) }),
    geofencing_zones: object({
      geofencing_zones: zones(localised, rule3),
      global_rules: list(rule3),
    }),
  },
};

/** The envelope: no `version` in 1.0, times as numbers before 3.0. */
export const envelope = (version: string, data: Check): Check =>
  object({
    last_updated: version === "3.0" ? time : posix,
    ttl: count,
    ...(version === "1.0" ? {} : { version: one(version) }),
    data,
  });
