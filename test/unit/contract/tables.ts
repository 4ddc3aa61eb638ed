/**
 * The contract's tables (§2, §4) as they are read there, in a short form written by hand and not
 * derived from any schema of ours: `!` required, `|` one of, `=` constant.
 */

export type Rows = Readonly<Record<string, string>>;

const POINT = "! object";
const TEXT = "string";
const COUNT = "integer >=0";

/** Line of the contract → where its schema is in the description, and its members. */
export const RESOURCES: Readonly<Record<string, readonly [pointer: string, rows: Rows]>> = {
  "§2.1 health": [
    "Health",
    { status: "! =ok", service: "! string", version: "! string", time: "! date-time" },
  ],
  "§2.2 candidate": [
    "GeocodeCandidate",
    {
      svc_id: "! null",
      name: "! string",
      label: "! string",
      type: "! address|street|locality|city|neighborhood|region|country|poi|station|airport|railway_station|transit_station|establishment|unknown",
      location: POINT,
      address: "! object",
      source_id: "! =sandbox_maps",
      source_place_id: "! string or null",
      match_quality: "rooftop|range_interpolated|geometric_center|approximate",
    },
  ],
  "§2.2 address": [
    "GeocodeCandidate/properties/address",
    Object.fromEntries(
      ["formatted", "street", "street_number", "city", "postal_code", "region", "country"].map(
        (name) => [name, "! string or null"],
      ),
    ),
  ],
  "§2.2 meta": [
    "Geocoding/properties/meta",
    {
      source: "! =sandbox_maps",
      cache: "! hit|miss",
      total: "! integer",
      query: TEXT,
      origin: "object",
    },
  ],
  "§2.3 service result": [
    "Service",
    {
      id: "! string",
      type: "! =service",
      external_id: TEXT,
      name: "! string",
      service_type: "! aed|toilets|drinking_water|fountain|wifi|parking|charging|locker",
      provider: "object",
      location: POINT,
      distance_meters: "! integer >=0",
      attributes: "! object",
      // Each register of defibrillators that is enabled (decisions, Urban services).
      source_id: "! openaedmap|refuge_restrooms|openstreetmap|sandbox_maps|inpost|geodae|…",
      source_type: "! partner_api|community",
    },
  ],
  "§2.3 provider": ["Service/properties/provider", { id: "! string", name: "! string" }],
  "§2.3 parking and charging": [
    "ParkingService",
    {
      type: "! =service",
      service_type: "! =parking",
      source_id: "! =sandbox_maps",
      source_type: "! =partner_api",
      attributes: "! object",
    },
  ],
  "§2.4 parking attributes": [
    "ParkingAttributes",
    {
      maps_place_id: "! string",
      address: TEXT,
      types: "! array of string",
      primary_type: "parking|parking_garage|parking_lot",
      open_status: "! open|closed|unknown",
      opening_hours: "array of string",
      maps_uri: TEXT,
      parking: "! object",
    },
  ],
  "§2.4 kind and features": [
    "ParkingAttributes/properties/parking",
    {
      kind: "! parking|garage|lot",
      features:
        "! array of free_parking|paid_parking|free_street_parking|paid_street_parking|valet_parking|free_garage_parking|paid_garage_parking",
    },
  ],
  "§2.5 charging attributes": [
    "ChargingAttributes",
    {
      maps_place_id: "! string",
      address: TEXT,
      types: "! array of string",
      primary_type: "=electric_vehicle_charging_station",
      open_status: "! open|closed|unknown",
      opening_hours: "array of string",
      maps_uri: TEXT,
      charging: "! object",
    },
  ],
  "§2.5 counts": [
    "ChargingAttributes/properties/charging",
    {
      connector_count: COUNT,
      available_count: COUNT,
      out_of_service_count: COUNT,
      availability_updated_at: "date-time",
      connectors: "! array of object",
    },
  ],
  "§2.5 connector": [
    "Connector",
    {
      type: "! J1772|Type 2|CHAdeMO|CCS1|CCS2|NACS|Tesla|GB/T|Other",
      max_kw: "number >=0",
      count: COUNT,
      available_count: COUNT,
      out_of_service_count: COUNT,
      availability_updated_at: "date-time",
    },
  ],
  "§2.6 attribution": [
    "Attribution",
    { provider: "! =Sandbox Maps", display_name: "! =Sandbox Maps", required: "! =true" },
  ],
  "§2.7 debug block": [
    "ProvidersDebug",
    {
      providers: "! object",
      provider_calls: "! integer",
      cache: "! hit|miss|partial",
      requested_radius: "! number",
      applied_radius: "! number",
      requested_limit: "! integer",
      applied_limit: "! integer",
    },
  ],
  "§2.8 station": [
    "TransportStation",
    {
      id: "! string ^svc_transport_station_",
      type: "! =transport_station",
      name: "! string",
      location: POINT,
      distance_meters: "! integer >=0",
      modes:
        "! array of bus|tram|metro|rail|rapid_transit|ferry|coach|cable_transport|bicycle|scooter|car_share|carpool|taxi|rideshare|demand_responsive|shared_mobility|other",
      operators: "! array of object",
      routes: "! array of object",
      realtime: "! object",
      alerts: "! object",
      accessibility: "! object",
      freshness: "! object",
      sources: "! array of object",
    },
  ],
  "§2.8 never queried": [
    "TransportCapability",
    { available: "! boolean or null", queried: "! =false" },
  ],
  "§2.8 accessibility": [
    "TransportStation/properties/accessibility",
    { wheelchair: "! yes|no|unknown" },
  ],
  "§2.8 freshness": [
    "TransportStation/properties/freshness",
    { data_class: "! =static", fetched_at: "! date-time" },
  ],
  "§2.8 sources": [
    "TransportStation/properties/sources/items",
    {
      provider: "! navitia|transitland|gtfs|gbfs",
      region: "! string or null",
      source_id: "! string",
      operator_id: "! string or null",
      feed_id: "! string or null",
    },
  ],
  "§2.9 body": [
    "Nearby",
    {
      status: "! success|empty|partial",
      message: TEXT,
      query_origin: POINT,
      radius: "! number <=400",
      total: "! integer",
      results: "! object",
      available_actions: "! array of object",
      requested_radius: "! number",
      requested_limit: "! integer",
      limit: "! integer",
      warnings: "array of object",
      debug: "object",
    },
  ],
  "§2.9 families": [
    "Nearby/properties/results",
    Object.fromEntries(
      ["places", "lines", "stations", "vehicles", "alerts"].map((name) => [
        name,
        "! array of object",
      ]),
    ),
  ],
  "§2.9 station item": [
    "Station",
    {
      id: "! string ^svc_station_",
      type: "! =station",
      name: "! string",
      network: "! object",
      location: POINT,
      capacity: "integer or null",
      availability: "! object",
      distance_meters: "! number",
      entity_type:
        "bicycle_vehicle|bicycle_station|scooter_vehicle|motorscooter_vehicle|car_vehicle|parking|transit_stop|transit_station or null",
      data_class: "realtime|semi_static|static",
      service_status: "object",
      capabilities: "object",
      action_state: "object",
      context_actions: "array of object",
    },
  ],
  "§2.9 service status": [
    "ServiceStatus",
    { state: "! operational|degraded|unavailable|maintenance|unknown" },
  ],
  "§2.9 capabilities": [
    "Capabilities",
    Object.fromEntries(
      ["pickup", "return", "park", "charge", "reserve", "navigate"].map((name) => [
        name,
        "! boolean",
      ]),
    ),
  ],
  "§2.9 action item": [
    "Action",
    {
      id: "! string",
      mode: "! bicycle|scooter|moped|car|other",
      intent: "! explore|pickup|return|depart|arrive|park|charge|reserve",
    },
  ],
  "§2.9 vehicle item": [
    "Vehicle",
    {
      source: "! object",
      source_id: "! string",
      network_id: "! string",
      canonical_id: "null",
      resolution_status: "unresolved|merged|possible_match",
      svc_id: TEXT,
      entity_source: "=svc",
      resolution_confidence: "number >=0 <=1",
      provenance: "array of object",
      conflicts: "array of object",
    },
  ],
  "§2.9 provenance": [
    "Provenance",
    {
      kind: "! provider|svc_internal",
      source: "! string",
      provider: "! string",
      entity_id: "! string",
      source_id: "! string",
      network_id: "! string",
      fields: "! array of string",
    },
  ],
  "§2.9 vehicle source": [
    "VehicleSource",
    {
      entity_type:
        "! bicycle_vehicle|bicycle_station|scooter_vehicle|motorscooter_vehicle|car_vehicle|parking|transit_stop|transit_station or null",
      data_class: "! realtime|semi_static|static",
      service_status: "! object",
      capabilities: "! object",
      action_state: "! object",
      context_actions: "! array of object",
      id: TEXT,
      name: TEXT,
      location: "object",
      source_kind: "provider|gbfs",
      distance_meters: "number",
    },
  ],
  "§2.9 warning item": [
    "Warning",
    {
      code: "! radius_capped|limit_capped",
      message: "! string",
      requested: "! number",
      applied: "! number",
    },
  ],
  "§2.9 debug block": [
    "NearbyDebug",
    {
      sources: "! array of object",
      resolution: "! object",
      entities: "! array of object",
      realtime: "! object",
      warnings: "! array of string",
      usage: "! object",
      protection: "! object",
      orchestration: "! object",
      requested_radius: "! number",
      applied_radius: "! number",
      requested_limit: "! integer",
      applied_limit: "! integer",
      limit: "! integer",
      offset: "! integer",
      coverage: "! string",
    },
  ],
  "§2.13 error body": ["Error/properties/error", { code: "! string", message: "! string" }],
  "§4.3 body": ["Geocoding", { results: "! array of object max 5", meta: "! object" }],
  "§4.6 body": [
    "Services",
    {
      status: "! success|empty|partial",
      message: TEXT,
      query_origin: POINT,
      radius: "! number <=10000",
      total: "! integer >=0",
      summary: "! object",
      results: "! array of object max 200",
      attributions: "array of object",
      debug: "object",
    },
  ],
  "§4.7 body": [
    "Parking",
    {
      status: "! success|empty|partial",
      message: TEXT,
      query_origin: POINT,
      radius: "! number <=10000",
      total: "! integer >=0",
      results: "! array of object max 20",
      attribution: "! object",
      debug: "object",
    },
  ],
  "§4.7a body": [
    "Transport",
    {
      status: "! success|empty|partial",
      message: TEXT,
      query_origin: POINT,
      radius: "! number <=5000",
      total: "! integer >=0",
      results: "! object",
      debug: "object",
    },
  ],
  "§4.9 geojson": [
    "NearbyGeoJson",
    {
      query_origin: POINT,
      type: "! =FeatureCollection",
      features: "! array of object",
      available_actions: "! array of object",
      meta: "object",
    },
  ],
};

const LAT = "! number >=-90 <=90";
const LON = "! number >=-180 <=180";
const EITHER = "number >=-180 <=180";
const COMMON: Rows = { token: "string" };
const FLAG = "boolean default false";
/** Additions that the contract does not list. */
const USABLE: Rows = {
  usable: "string default any",
  wheelchair: "any|yes default any",
  fee: "any|no default any",
  access: "any|public default any",
};
/** Ways on foot, an addition as well, and whether what a filter does not know of is left out. */
const WALKS: Rows = {
  strict: FLAG,
  walk: FLAG,
  sort: "distance|walk default distance",
  within_minutes: "number >=1 <=30",
  profile: "foot|step_free default foot",
  speed: "number >=0.3 <=2.5 default 1.33",
};
export const CONNECTORS: Rows = {
  connector: "string default J1772,Type 2,CHAdeMO,CCS1,CCS2,NACS,Tesla,GB/T,Other",
  min_kw: "number >=0 default 0",
};

/** Line of the contract → path and parameters; clamped ones have no maximum there. */
export const PARAMETERS: Readonly<Record<string, readonly [path: string, rows: Rows]>> = {
  "§4.3 parameters": [
    "/v1/geocode",
    { q: "! string 1..200", language: TEXT, country: TEXT, ...COMMON },
  ],
  "§4.4 parameters": [
    "/v1/place-search",
    {
      q: "! string 1..200",
      lat: "number >=-90 <=90",
      lon: "number >=-180 <=180",
      language: TEXT,
      // An addition that the contract does not list.
      prefix: FLAG,
      ...COMMON,
    },
  ],
  "§4.5 parameters": ["/v1/reverse-geocode", { lat: LAT, lon: LON, language: TEXT, ...COMMON }],
  "§4.6 parameters": [
    "/v1/services/nearby",
    {
      lat: LAT,
      lon: LON,
      types: "! string",
      country: "string ^[A-Za-z]{2}$",
      language: TEXT,
      radius: "number >0 default 1500",
      limit: "integer >=1 default 50",
      ...USABLE,
      ...CONNECTORS,
      ...WALKS,
      debug: FLAG,
      ...COMMON,
    },
  ],
  "§4.7 parameters": [
    "/v1/parking/nearby",
    {
      lat: LAT,
      lon: LON,
      language: TEXT,
      radius: "number >0 default 1500",
      limit: "integer >=1 default 20",
      ...USABLE,
      ...WALKS,
      debug: FLAG,
      ...COMMON,
    },
  ],
  "§4.7a parameters": [
    "/v1/transport/nearby",
    {
      lat: LAT,
      lng: EITHER,
      lon: EITHER,
      radius: "number >0 default 1000",
      limit: "integer >=1 default 50",
      modes: "string default bus,tram,metro,rail,rapid_transit,ferry,coach",
      providers: TEXT,
      realtime: FLAG,
      language: TEXT,
      ...WALKS,
      debug: FLAG,
      ...COMMON,
    },
  ],
  "§4.9 parameters": [
    "/v1/nearby",
    {
      lat: LAT,
      lon: EITHER,
      lng: EITHER,
      radius: "number >=1 default 400",
      modes: "string default bicycle,scooter,moped,car",
      include: "string default stations,vehicles",
      limit: "integer >=1 default 100",
      offset: "integer >=0 default 0",
      format: "json|geojson default json",
      // Additions that the contract does not list.
      ride_minutes: "integer >=1 <=1440 default 10",
      min_vehicles: "integer >=0 default 0",
      min_docks: "integer >=0 default 0",
      propulsion:
        "string default human,electric_assist,electric,combustion,combustion_diesel,hybrid,plug_in_hybrid,hydrogen_fuel_cell",
      form_factors:
        "string default bicycle,cargo_bicycle,car,moped,scooter,scooter_standing,scooter_seated,other",
      operators: "string",
      ...WALKS,
      debug: FLAG,
      ...COMMON,
    },
  ],
};
