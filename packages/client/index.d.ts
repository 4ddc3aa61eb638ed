// Made by npm run generate, from the table of operations of the service.

export type ClientOptions = {
  /** Where the service answers, without a path. */
  url: string;
  api_key?: string;
  /** Milliseconds that one answer may take (default: 10 000). */
  timeout_ms?: number;
  /** Sends the requests (default: the global `fetch`). */
  fetch?: typeof fetch;
};

/** Coordinates and language of the legacy routes of weather; `language` is a code of theirs, such as `fr`. */
export type WeatherQuery = { lat: number; lon: number; language: string };

export type Reply<T> =
  | { kind: "ok"; body: T }
  /** No answer in time; `reason` is a short token such as ECONNREFUSED. */
  | { kind: "unreachable"; reason: string }
  /** The service refused, with a status and a code of its own (docs/errors.md). */
  | { kind: "refused"; status: number; code: string; message: string }
  /** Something answered that is not this service. */
  | { kind: "stranger"; status: number; content_type: string };

export type StreamOptions = {
  /** Ends the stream where it is aborted. */
  signal?: AbortSignal;
  /** `id` of the last event of an earlier stream over the same box: it goes on there, within 60 s. */
  last_event_id?: string;
};

/** `refused`, `unreachable` and `stranger` are the last of a stream; after each other one it goes on. */
export type LiveEvent =
  /** All that is in the box: the first event, and whenever nothing can be built on. */
  | { kind: "snapshot"; id: string; body: LiveSnapshot }
  /** What has changed since the event before. */
  | { kind: "delta"; id: string; body: LiveDelta }
  /** Sources whose age has changed. */
  | { kind: "status"; body: LiveStatus }
  /** The service ends this connection; another one follows by itself. */
  | { kind: "bye"; body: LiveBye }
  /**
   * The connection was lost, or was not to be had; another one follows after `retry_after_ms`.
   * `reason` is a short token such as ECONNREFUSED, or a code of the service (docs/errors.md);
   * `status` of its answer is null where there was none.
   */
  | { kind: "interrupted"; reason: string; status: number | null; retry_after_ms: number }
  /** The service refused, with a status and a code of its own (docs/errors.md). */
  | { kind: "refused"; status: number; code: string; message: string }
  /** The url of the client is none. */
  | { kind: "unreachable"; reason: string }
  /** Something answered that is not this service. */
  | { kind: "stranger"; status: number; content_type: string };

/** One method for each operation. */
export type Client = {
  /** Shared mobility around a point: GET /v1/nearby. */
  nearby(query: NearbyQuery): Promise<Reply<Nearby>>;
  /** Address to coordinates: GET /v1/geocode. */
  geocode(query: GeocodeQuery): Promise<Reply<Geocoding>>;
  /** Places and points of interest by text: GET /v1/place-search. */
  searchPlaces(query: SearchPlacesQuery): Promise<Reply<Geocoding>>;
  /** Coordinates to address: GET /v1/reverse-geocode. */
  reverseGeocode(query: ReverseGeocodeQuery): Promise<Reply<Geocoding>>;
  /** Urban services around a point: GET /v1/services/nearby. */
  services(query: ServicesQuery): Promise<Reply<Services>>;
  /** Parking around a point: GET /v1/parking/nearby. */
  parking(query: ParkingQuery): Promise<Reply<Parking>>;
  /** EV charging around a point: GET /v1/charging/nearby. */
  charging(query: ChargingQuery): Promise<Reply<Charging>>;
  /** Places of some classes around a point: GET /v1/places/nearby. */
  places(query: PlacesQuery): Promise<Reply<Places>>;
  /** Public transport stations around a point: GET /v1/transport/nearby. */
  transport(query: TransportQuery): Promise<Reply<Transport>>;
  /** The next departures around a point: GET /v1/departures/nearby. */
  departures(query: DeparturesQuery): Promise<Reply<Departures>>;
  /** The way on foot from one point to another: GET /v1/walk. */
  walk(query: WalkQuery): Promise<Reply<Way>>;
  /** What can be reached on foot within some minutes: GET /v1/reach. */
  reach(query: ReachQuery): Promise<Reply<Reach>>;
  /** Sources of the data: GET /v1/sources. */
  sources(query?: SourcesQuery): Promise<Reply<Sources>>;
  /** Health of the service: GET /health. */
  health(): Promise<Reply<Health>>;
  /** Description of this API: GET /openapi.json. */
  openapi(): Promise<Reply<OpenApiDocument>>;
  /** Weather at a point: GET /realtime/{coords}/weather/{lang}. */
  weather(query: WeatherQuery): Promise<Reply<Weather>>;
  /** Weather of the next five days at a point: GET /realtime/{coords}/forecast/{lang}. */
  forecast(query: WeatherQuery): Promise<Reply<Forecast>>;
  /** Quality of a source: GET /v1/sources/{id}/quality. */
  sourceQuality(source_id: string): Promise<Reply<SourceQuality>>;
  /** The next departures or arrivals of a station: GET /v1/departures/{station_id}. */
  stationDepartures(
    station_id: string,
    query?: StationDeparturesQuery,
  ): Promise<Reply<StationDepartures>>;
  /** What enters, changes and leaves a box: GET /v1/nearby/stream. */
  snapshot(query: StreamQuery): Promise<Reply<LiveSnapshot>>;
  /** What enters, changes and leaves a box, as events, for as long as they are taken: GET /v1/nearby/stream. It comes again by itself. */
  stream(query: StreamQuery, options?: StreamOptions): AsyncGenerator<LiveEvent, void, undefined>;
};

/** Returns one method for each operation; nothing is sent until one is called. */
export declare function createClient(options: ClientOptions): Client;

/** Brings the items of a box, and its sources, to the state after an event. */
export declare function applyEvent(
  items: Map<string, LiveItem>,
  event: LiveEvent,
  sources?: Map<string, LiveSource>,
): void;

/** Reason of a failed `fetch` as a short token, such as ECONNREFUSED. */
export declare function reasonOf(error: unknown): string;

export type NearbyQuery = {
  /** Latitude, WGS 84 degrees. */
  lat: number;
  /** Longitude, WGS 84 degrees. `lng` is an alias; both given must agree. */
  lon: number;
  /** Metres. Above 400 it is reduced to 400 and `warnings` says so. Default: 400. */
  radius?: number;
  /** Comma-separated modes. Default: "bicycle,scooter,moped,car". */
  modes?: string | ReadonlyArray<"bicycle" | "scooter" | "moped" | "car">;
  /** Comma-separated result families. `zones` and `prices` are in preview. Default: "stations,vehicles". */
  include?:
    | string
    | ReadonlyArray<"places" | "lines" | "stations" | "vehicles" | "alerts" | "zones" | "prices">;
  /** Stations, vehicles and places in the answer. Above the plan's maximum it is reduced and `warnings` says so. Default: 100. */
  limit?: number;
  /** How many stations, vehicles and places to skip. The plan bounds it (403). Default: 0. */
  offset?: number;
  /** With `include=prices`: the length of the ride whose cost is estimated. Default: 10. */
  ride_minutes?: number;
  /** Leaves out stations known to have fewer vehicles. Vehicles that are parked freely stay: `include=stations` leaves them out. What is unknown is kept and counted in `summary.unknown_vehicles`. Default: 0. */
  min_vehicles?: number;
  /** Leaves out stations known to have fewer free docks. Vehicles that are parked freely stay: `include=stations` leaves them out. What is unknown is kept and counted in `summary.unknown_docks`. Default: 0. */
  min_docks?: number;
  /** Comma-separated propulsions: leaves out what is known to have none of them. A vehicle is judged by `vehicle_type`; a station by `vehicle_types`, which it is made for, and by the count `availability.electric`. What is unknown is kept and counted in `summary.unknown_propulsion`. */
  propulsion?:
    | string
    | ReadonlyArray<
        | "human"
        | "electric_assist"
        | "electric"
        | "combustion"
        | "combustion_diesel"
        | "hybrid"
        | "plug_in_hybrid"
        | "hydrogen_fuel_cell"
      >;
  /** Comma-separated form factors: leaves out what is known to have none of them now; `scooter` is one with a seat or without. A vehicle is judged by `vehicle_type`; a station by the counts `availability.by_type`, where there are none by `vehicle_types`, which it is made for. What is unknown is kept and counted in `summary.unknown_form_factors`. */
  form_factors?:
    | string
    | ReadonlyArray<
        | "bicycle"
        | "cargo_bicycle"
        | "car"
        | "moped"
        | "scooter"
        | "scooter_standing"
        | "scooter_seated"
        | "other"
      >;
  /** Leaves out stations and vehicles of others. Comma-separated ids or whole names of networks, brands and providers, as in answers; case and accents do not matter. */
  operators?: string;
  /** Leaves out, and counts, what is not known to fit a filter. Default: false. */
  strict?: boolean;
  /** Adds to each result how long it takes to walk there. `false` next to a parameter that asks for ways on foot is refused. Default: false. */
  walk?: boolean;
  /** `walk`: the nearest on foot come first; what has no known way comes last. Default: "distance". */
  sort?: "distance" | "walk";
  /** Leaves out what is not reached on foot within this time. What is unknown is kept and counted in `walking.unknown`. */
  within_minutes?: number;
  /** `step_free`: only ways of which no step is known are walked. Default: "foot". */
  profile?: "foot" | "step_free";
  /** Metres a second on foot. Default: 1.33. */
  speed?: number;
  /** Adds diagnostics to the answer. Default: false. */
  debug?: boolean;
};

export type GeocodeQuery = {
  /** What to look for: an address, a place, a point of interest. In any language. */
  q: string;
  /** Preferred language of names, a BCP 47 tag; a provider that lacks it uses its own. */
  language?: string;
  /** Only results of this country, ISO 3166-1 alpha-2. */
  country?: string;
};

export type SearchPlacesQuery = {
  /** What to look for: an address, a place, a point of interest. In any language. */
  q: string;
  /** Latitude, WGS 84 degrees; together with the other one; results near the point go first. */
  lat?: number;
  /** Longitude, WGS 84 degrees; together with the other one; results near the point go first. */
  lon?: number;
  /** Preferred language of names, a BCP 47 tag; a provider that lacks it uses its own. */
  language?: string;
  /** true: the last word of `q` is the beginning of one, as at each keystroke. Only imported bases honour it. Default: false. */
  prefix?: boolean;
};

export type ReverseGeocodeQuery = {
  /** Latitude, WGS 84 degrees. */
  lat: number;
  /** Longitude, WGS 84 degrees. */
  lon: number;
  /** Preferred language of names, a BCP 47 tag; a provider that lacks it uses its own. */
  language?: string;
};

export type ServicesQuery = {
  /** Latitude, WGS 84 degrees. */
  lat: number;
  /** Longitude, WGS 84 degrees. */
  lon: number;
  /** Comma-separated types. `drinking_water` is an alias of `fountain`: either finds drinking points and fountains; asked together, each counts once. With `drinking_water` alone water of unknown quality comes last, as `fountain`. */
  types:
    | string
    | ReadonlyArray<
        | "aed"
        | "toilets"
        | "drinking_water"
        | "fountain"
        | "wifi"
        | "parking"
        | "charging"
        | "locker"
      >;
  /** Hint for sources that need it, ISO 3166-1 alpha-2; without it the country of the point. */
  country?: string;
  /** Metres. Above 10000 it is reduced to 10000. Default: 1500. */
  radius?: number;
  /** At most this many of the nearest, over all types. Above 200 it is reduced to 200. Default: 50. */
  limit?: number;
  /** Leaves out what is known to be closed now, or at a time; `attributes.usable` and `local_time` are of that time. What is unknown is kept and counted in `unknown.hours`. Default: "any". */
  usable?: string;
  /** `yes`: leaves out what is known not to be fully accessible with a wheelchair. What is unknown is kept and counted in `unknown.wheelchair`. Default: "any". */
  wheelchair?: "any" | "yes";
  /** `no`: leaves out what is known to cost something. What is unknown is kept and counted in `unknown.fee`. Default: "any". */
  fee?: "any" | "no";
  /** `public`: leaves out what is known not to be for all, such as for customers only. What is unknown is kept and counted in `unknown.access`. Default: "any". */
  access?: "any" | "public";
  /** Leaves out, and counts, what is not known to fit a filter. Default: false. */
  strict?: boolean;
  /** Comma-separated types: leaves out chargers known to have none of these connectors. With `min_kw`, and with `usable=now` free now, it must be one and the same. What is unknown is kept and counted in `unknown.connector`. */
  connector?:
    | string
    | ReadonlyArray<
        "J1772" | "Type 2" | "CHAdeMO" | "CCS1" | "CCS2" | "NACS" | "Tesla" | "GB/T" | "Other"
      >;
  /** Leaves out chargers known to have no connector of this power, kW. With `usable=now` it must be free. What is unknown is kept and counted in `unknown.connector`. Default: 0. */
  min_kw?: number;
  /** Adds to each result how long it takes to walk there. `false` next to a parameter that asks for ways on foot is refused. Default: false. */
  walk?: boolean;
  /** `walk`: the nearest on foot come first; what has no known way comes last. Default: "distance". */
  sort?: "distance" | "walk";
  /** Leaves out what is not reached on foot within this time. What is unknown is kept and counted in `walking.unknown`. */
  within_minutes?: number;
  /** `step_free`: only ways of which no step is known are walked. Default: "foot". */
  profile?: "foot" | "step_free";
  /** Metres a second on foot. Default: 1.33. */
  speed?: number;
  /** Preferred language of names, a BCP 47 tag: what has no name of its own is called by its kind in it. English where it is left out or not known. */
  language?: string;
  /** Adds diagnostics to the answer. Default: false. */
  debug?: boolean;
};

export type ParkingQuery = {
  /** Latitude, WGS 84 degrees. */
  lat: number;
  /** Longitude, WGS 84 degrees. */
  lon: number;
  /** Preferred language of names, a BCP 47 tag; a provider that lacks it uses its own. */
  language?: string;
  /** Metres. Above 10000 it is reduced to 10000. Default: 1500. */
  radius?: number;
  /** At most this many of the nearest. Above 20 it is reduced to 20. Default: 20. */
  limit?: number;
  /** Leaves out what is known to be closed now, or at a time; `attributes.usable` and `local_time` are of that time. What is unknown is kept and counted in `unknown.hours`. Default: "any". */
  usable?: string;
  /** `yes`: leaves out what is known not to be fully accessible with a wheelchair. What is unknown is kept and counted in `unknown.wheelchair`. Default: "any". */
  wheelchair?: "any" | "yes";
  /** `no`: leaves out what is known to cost something. What is unknown is kept and counted in `unknown.fee`. Default: "any". */
  fee?: "any" | "no";
  /** `public`: leaves out what is known not to be for all, such as for customers only. What is unknown is kept and counted in `unknown.access`. Default: "any". */
  access?: "any" | "public";
  /** Leaves out, and counts, what is not known to fit a filter. Default: false. */
  strict?: boolean;
  /** Adds to each result how long it takes to walk there. `false` next to a parameter that asks for ways on foot is refused. Default: false. */
  walk?: boolean;
  /** `walk`: the nearest on foot come first; what has no known way comes last. Default: "distance". */
  sort?: "distance" | "walk";
  /** Leaves out what is not reached on foot within this time. What is unknown is kept and counted in `walking.unknown`. */
  within_minutes?: number;
  /** `step_free`: only ways of which no step is known are walked. Default: "foot". */
  profile?: "foot" | "step_free";
  /** Metres a second on foot. Default: 1.33. */
  speed?: number;
  /** Adds diagnostics to the answer. Default: false. */
  debug?: boolean;
};

export type ChargingQuery = {
  /** Latitude, WGS 84 degrees. */
  lat: number;
  /** Longitude, WGS 84 degrees. */
  lon: number;
  /** Preferred language of names, a BCP 47 tag; a provider that lacks it uses its own. */
  language?: string;
  /** Metres. Above 10000 it is reduced to 10000. Default: 1500. */
  radius?: number;
  /** At most this many of the nearest. Above 20 it is reduced to 20. Default: 20. */
  limit?: number;
  /** Leaves out what is known to be closed now, or at a time; `attributes.usable` and `local_time` are of that time. What is unknown is kept and counted in `unknown.hours`. Default: "any". */
  usable?: string;
  /** `yes`: leaves out what is known not to be fully accessible with a wheelchair. What is unknown is kept and counted in `unknown.wheelchair`. Default: "any". */
  wheelchair?: "any" | "yes";
  /** `no`: leaves out what is known to cost something. What is unknown is kept and counted in `unknown.fee`. Default: "any". */
  fee?: "any" | "no";
  /** `public`: leaves out what is known not to be for all, such as for customers only. What is unknown is kept and counted in `unknown.access`. Default: "any". */
  access?: "any" | "public";
  /** Leaves out, and counts, what is not known to fit a filter. Default: false. */
  strict?: boolean;
  /** Comma-separated types: leaves out chargers known to have none of these connectors. With `min_kw`, and with `usable=now` free now, it must be one and the same. What is unknown is kept and counted in `unknown.connector`. */
  connector?:
    | string
    | ReadonlyArray<
        "J1772" | "Type 2" | "CHAdeMO" | "CCS1" | "CCS2" | "NACS" | "Tesla" | "GB/T" | "Other"
      >;
  /** Leaves out chargers known to have no connector of this power, kW. With `usable=now` it must be free. What is unknown is kept and counted in `unknown.connector`. Default: 0. */
  min_kw?: number;
  /** Adds to each result how long it takes to walk there. `false` next to a parameter that asks for ways on foot is refused. Default: false. */
  walk?: boolean;
  /** `walk`: the nearest on foot come first; what has no known way comes last. Default: "distance". */
  sort?: "distance" | "walk";
  /** Leaves out what is not reached on foot within this time. What is unknown is kept and counted in `walking.unknown`. */
  within_minutes?: number;
  /** `step_free`: only ways of which no step is known are walked. Default: "foot". */
  profile?: "foot" | "step_free";
  /** Metres a second on foot. Default: 1.33. */
  speed?: number;
  /** Adds diagnostics to the answer. Default: false. */
  debug?: boolean;
};

export type PlacesQuery = {
  /** Latitude, WGS 84 degrees. */
  lat: number;
  /** Longitude, WGS 84 degrees. */
  lon: number;
  /** Comma-separated classes, such as pharmacy, supermarket, cafe, atm, playground, or a type of `/v1/services/nearby`. One that is not known is refused with those that are meant, also of a word in another language. */
  classes:
    | string
    | ReadonlyArray<
        | "toilets"
        | "drinking_water"
        | "fountain"
        | "aed"
        | "wifi"
        | "parking"
        | "charging"
        | "locker"
        | "bicycle_parking"
        | "atm"
        | "post_box"
        | "pharmacy"
        | "hospital"
        | "doctor"
        | "clinic"
        | "dentist"
        | "veterinary"
        | "police"
        | "fire_station"
        | "post_office"
        | "bank"
        | "bureau_de_change"
        | "restaurant"
        | "cafe"
        | "fast_food"
        | "bar"
        | "pub"
        | "nightclub"
        | "ice_cream"
        | "fuel"
        | "car_wash"
        | "car_repair"
        | "car_rental"
        | "taxi_stand"
        | "supermarket"
        | "convenience"
        | "kiosk"
        | "bakery"
        | "butcher"
        | "greengrocer"
        | "market"
        | "shopping_mall"
        | "department_store"
        | "hardware"
        | "clothes"
        | "shoes"
        | "electronics"
        | "books"
        | "florist"
        | "optician"
        | "drugstore"
        | "bicycle_shop"
        | "hairdresser"
        | "laundry"
        | "hotel"
        | "hostel"
        | "guest_house"
        | "camp_site"
        | "museum"
        | "gallery"
        | "attraction"
        | "tourist_information"
        | "viewpoint"
        | "picnic_site"
        | "school"
        | "kindergarten"
        | "university"
        | "library"
        | "cinema"
        | "theatre"
        | "community_centre"
        | "town_hall"
        | "embassy"
        | "courthouse"
        | "place_of_worship"
        | "swimming_pool"
        | "sports_centre"
        | "gym"
        | "park"
        | "playground"
        | "stadium"
        | "zoo"
        | "beach"
        | "castle"
        | "monument"
        | "recycling"
        | "cemetery"
        | "shower"
      >;
  /** Metres. Above 10000 it is reduced to 10000. Default: 1500. */
  radius?: number;
  /** At most this many of the nearest, over all classes. Above 100 it is reduced to 100. Default: 20. */
  limit?: number;
  /** Preferred language of names, a BCP 47 tag; a provider that lacks it uses its own. */
  language?: string;
  /** Leaves out what is known to be closed now, or at a time; `attributes.usable` and `local_time` are of that time. What is unknown is kept and counted in `unknown.hours`. Default: "any". */
  usable?: string;
  /** `yes`: leaves out what is known not to be fully accessible with a wheelchair. What is unknown is kept and counted in `unknown.wheelchair`. Default: "any". */
  wheelchair?: "any" | "yes";
  /** Leaves out, and counts, what is not known to fit a filter. Default: false. */
  strict?: boolean;
  /** Adds to each result how long it takes to walk there. `false` next to a parameter that asks for ways on foot is refused. Default: false. */
  walk?: boolean;
  /** `walk`: the nearest on foot come first; what has no known way comes last. Default: "distance". */
  sort?: "distance" | "walk";
  /** Leaves out what is not reached on foot within this time. What is unknown is kept and counted in `walking.unknown`. */
  within_minutes?: number;
  /** `step_free`: only ways of which no step is known are walked. Default: "foot". */
  profile?: "foot" | "step_free";
  /** Metres a second on foot. Default: 1.33. */
  speed?: number;
  /** Adds diagnostics to the answer. Default: false. */
  debug?: boolean;
};

export type TransportQuery = {
  /** Latitude, WGS 84 degrees. */
  lat: number;
  /** Longitude, WGS 84 degrees. `lng` is an alias; both given must agree. */
  lon: number;
  /** Metres. Above 5000 it is reduced to 5000. Default: 1000. */
  radius?: number;
  /** At most this many of the nearest. Above 200 it is reduced to 200. Default: 50. */
  limit?: number;
  /** Comma-separated modes; a station is given when one of them serves it. With `providers=gbfs` alone the default is the modes that GBFS has. */
  modes?:
    | string
    | ReadonlyArray<
        | "bus"
        | "tram"
        | "metro"
        | "rail"
        | "rapid_transit"
        | "ferry"
        | "coach"
        | "cable_transport"
        | "bicycle"
        | "scooter"
        | "car_share"
        | "carpool"
        | "taxi"
        | "rideshare"
        | "demand_responsive"
        | "shared_mobility"
        | "other"
      >;
  /** Comma-separated providers; those that are named are asked, and no others. Left out, navitia is asked; where it is not configured, does not cover the point or finds nothing, the deployment's others are asked in turn (gtfs, transitland, gbfs) until one finds something. Each source names its true provider. */
  providers?: string | ReadonlyArray<"navitia" | "transitland" | "gtfs" | "gbfs">;
  /** A preference, reserved: departures and alerts are never fetched; the reply only says whether they exist. Default: false. */
  realtime?: boolean;
  /** Preferred language of names, a BCP 47 tag; a provider that lacks it uses its own. */
  language?: string;
  /** Leaves out, and counts, what is not known to fit a filter. Default: false. */
  strict?: boolean;
  /** Adds to each result how long it takes to walk there. `false` next to a parameter that asks for ways on foot is refused. Default: false. */
  walk?: boolean;
  /** `walk`: the nearest on foot come first; what has no known way comes last. Default: "distance". */
  sort?: "distance" | "walk";
  /** Leaves out what is not reached on foot within this time. What is unknown is kept and counted in `walking.unknown`. */
  within_minutes?: number;
  /** `step_free`: only ways of which no step is known are walked. Default: "foot". */
  profile?: "foot" | "step_free";
  /** Metres a second on foot. Default: 1.33. */
  speed?: number;
  /** Adds diagnostics to the answer. Default: false. */
  debug?: boolean;
};

export type DeparturesQuery = {
  /** Latitude, WGS 84 degrees. */
  lat: number;
  /** Longitude, WGS 84 degrees. */
  lon: number;
  /** Metres. Above 2000 it is reduced to 2000. Default: 400. */
  radius?: number;
  /** Minutes from now, or from `at`. Above 360 it is reduced to 360. Default: 60. */
  within?: number;
  /** At most this many of the next ones. Above 100 it is reduced to 100. Default: 20. */
  limit?: number;
  /** Comma-separated modes; all when left out. */
  modes?:
    | string
    | ReadonlyArray<
        | "bus"
        | "tram"
        | "metro"
        | "rail"
        | "rapid_transit"
        | "ferry"
        | "coach"
        | "cable_transport"
        | "bicycle"
        | "scooter"
        | "car_share"
        | "carpool"
        | "taxi"
        | "rideshare"
        | "demand_responsive"
        | "shared_mobility"
        | "other"
      >;
  /** Comma-separated lines, as the vehicles show them; upper and lower case are the same. */
  lines?: string;
  /** From this time on in place of now: an RFC 3339 time (in a query + is %2B), or as clocks of the place show it. Outside what the timetables here know it is refused, with what they know. */
  at?: string;
  /** Only the first departure of each line and direction on the service day of `at`, at the nearest station it leaves from; without `at` the next first one. A service day ends at four in the morning, or with the last run of its timetable. `within` has no effect. Default: false. */
  first?: boolean;
  /** Only the last departure of each line and direction on the service day of `at`, or of now, as with `first`. One that is gone says `departed`. Default: false. */
  last?: boolean;
  /** Leaves out what is known not to go there: words of the name of a later stop, or of the headsign. What is unknown is kept, with `toward` null, and counted in `unknown.toward`. */
  toward?: string;
  /** Preferred language of names, a BCP 47 tag; a provider that lacks it uses its own. */
  language?: string;
  /** Adds to each departure the way on foot to its station, and in how many seconds one must leave for it. `false` with a parameter that asks for ways on foot is refused. Default: false. */
  walk?: boolean;
  /** `step_free`: only ways of which no step is known are walked. Default: "foot". */
  profile?: "foot" | "step_free";
  /** Metres a second on foot. Default: 1.33. */
  speed?: number;
  /** Adds diagnostics to the answer. Default: false. */
  debug?: boolean;
};

export type WalkQuery = {
  /** Where the way begins: `<lat>,<lon>`, WGS 84 degrees. */
  from: string;
  /** Where it ends: `<lat>,<lon>`, WGS 84 degrees. */
  to: string;
  /** `step_free`: only ways of which no step is known are walked. Default: "foot". */
  profile?: "foot" | "step_free";
  /** Metres a second on foot. Default: 1.33. */
  speed?: number;
};

export type ReachQuery = {
  /** Latitude, WGS 84 degrees. */
  lat: number;
  /** Longitude, WGS 84 degrees. */
  lon: number;
  /** How long one walks at most. */
  minutes: number;
  /** Comma-separated families: types of services, `stations` and `vehicles` of shared mobility, `transit` for stations of public transport. Default: "aed,toilets,drinking_water,wifi,parking,charging,locker,stations,vehicles,transit". */
  families?:
    | string
    | ReadonlyArray<
        | "aed"
        | "toilets"
        | "drinking_water"
        | "wifi"
        | "parking"
        | "charging"
        | "locker"
        | "stations"
        | "vehicles"
        | "transit"
      >;
  /** `step_free`: only ways of which no step is known are walked. Default: "foot". */
  profile?: "foot" | "step_free";
  /** Metres a second on foot. Default: 1.33. */
  speed?: number;
};

export type SourcesQuery = {
  /** Latitude, WGS 84 degrees; together with `lon`. */
  lat?: number;
  /** Longitude, WGS 84 degrees; together with `lat`. `lng` is an alias. */
  lon?: number;
  /** Metres around the point; without a point it has no effect. Default: 400. */
  radius?: number;
  /** `24h`: adds to each source how it did in the last 24 hours (`history`). */
  history?: "24h";
};

export type StationDeparturesQuery = {
  /** Minutes from now, or from `at`. Above 360 it is reduced to 360. Default: 60. */
  within?: number;
  /** At most this many of the next ones. Above 100 it is reduced to 100. Default: 20. */
  limit?: number;
  /** Arrivals in place of departures. Default: false. */
  arrivals?: boolean;
  /** Comma-separated modes; all when left out. */
  modes?:
    | string
    | ReadonlyArray<
        | "bus"
        | "tram"
        | "metro"
        | "rail"
        | "rapid_transit"
        | "ferry"
        | "coach"
        | "cable_transport"
        | "bicycle"
        | "scooter"
        | "car_share"
        | "carpool"
        | "taxi"
        | "rideshare"
        | "demand_responsive"
        | "shared_mobility"
        | "other"
      >;
  /** Comma-separated lines, as the vehicles show them; upper and lower case are the same. */
  lines?: string;
  /** From this time on in place of now: an RFC 3339 time (in a query + is %2B), or as clocks of the place show it. Outside what the timetables here know it is refused, with what they know. */
  at?: string;
  /** Only the first departure of each line and direction on the service day of `at`, at the nearest station it leaves from; without `at` the next first one. A service day ends at four in the morning, or with the last run of its timetable. `within` has no effect. Default: false. */
  first?: boolean;
  /** Only the last departure of each line and direction on the service day of `at`, or of now, as with `first`. One that is gone says `departed`. Default: false. */
  last?: boolean;
  /** Leaves out what is known not to go there: words of the name of a later stop, or of the headsign. What is unknown is kept, with `toward` null, and counted in `unknown.toward`. */
  toward?: string;
  /** Preferred language of names, a BCP 47 tag; a provider that lacks it uses its own. */
  language?: string;
  /** Adds diagnostics to the answer. Default: false. */
  debug?: boolean;
};

export type StreamQuery = {
  /** The box: west, south, east and north in degrees, at most 25 km², and no side longer than 25 km. Where it crosses the antimeridian, west is greater than east. */
  bbox: string;
  /** Comma-separated modes. Default: "bicycle,scooter,moped,car". */
  modes?: string | ReadonlyArray<"bicycle" | "scooter" | "moped" | "car">;
  /** Comma-separated families. Default: "stations,vehicles". */
  include?: string | ReadonlyArray<"stations" | "vehicles">;
};

export type AcceptedType = {
  form_factor?:
    | "bicycle"
    | "cargo_bicycle"
    | "car"
    | "moped"
    | "scooter"
    | "scooter_standing"
    | "scooter_seated"
    | "other";
  propulsion?:
    | "human"
    | "electric_assist"
    | "electric"
    | "combustion"
    | "combustion_diesel"
    | "hybrid"
    | "plug_in_hybrid"
    | "hydrogen_fuel_cell";
};

/** Something that can be done here. */
export type Action = {
  id: string;
  intent: "explore" | "pickup" | "return" | "depart" | "arrive" | "park" | "charge" | "reserve";
  mode: Mode;
};

/** Per action: whether it can be done now. */
export type ActionState = Record<string, "available_now" | "unavailable_now" | "unknown">;

/** Attributes of defibrillators. */
export type AedAttributes = {
  /** Address, as much of it as is known. */
  address?: string;
  /** Name of the operator. */
  operator?: string;
  /** Brand under which it is known. */
  brand?: string;
  /** Code or number written on it, such as that of a locker. */
  code?: string;
  /** Whether it can be used with a wheelchair; of toilets, the toilets themselves. */
  wheelchair?: "yes" | "limited" | "no" | "unknown";
  /** Who may use it: everybody by right, everybody until revoked, customers, or others under conditions. */
  access?: "yes" | "permissive" | "customers" | "restricted" | "unknown";
  /** Whether it costs something, at some hours at least; of wifi, the wifi. */
  fee?: boolean;
  /** Price, in the source's words. */
  charge?: string;
  /** Opening hours, in the source's words or as the open map writes them. */
  opening_hours?: string;
  usable?: Usable;
  /** Remark on the opening hours, in the source's words. */
  hours_note?: string;
  /** Whether it is inside a building. */
  indoor?: boolean;
  /** Floor, in the source's words. */
  level?: string;
  /** Where exactly it is or how it is reached, in the source's words. */
  location_note?: string;
  /** Remark of the source. */
  description?: string;
  /** Telephone number. */
  phone?: string;
  /** Page about it. */
  website?: string;
  /** Day of the last check on the spot. */
  checked_on?: string;
  /** Day on which the source last changed its record. */
  updated_on?: string;
  /** Number to call in order to get it. */
  emergency_phone?: string;
  /** Whether its register has checked the record. */
  validated?: boolean;
  /** Observations that it was merged from, the leading one first: `{source_id, external_id}`. */
  sources?: Array<{
    [member: string]: unknown;
  }>;
  /** Facts on which these sources disagree: `{name, values: [{source_id, value}]}`, the value that is shown first. */
  conflicts?: Array<{
    [member: string]: unknown;
  }>;
  [member: string]: unknown;
};

/** An alert of a system or station that is in force. */
export type Alert = {
  id: string;
  type: string | null;
  network_id: string;
  /** Of more than there is room for, the nearest in the circle; none: of the whole system. */
  station_ids: string[];
  /** How many stations there are, where they are not all listed. */
  station_count?: number;
  summary: string | null;
  description: string | null;
  url: string | null;
  starts_at: string | null;
  ends_at: string | null;
};

/** Consumers must display it. */
export type Attribution = {
  provider: string;
  display_name: string;
  required: true;
};

/** Live counts and flags; null is unknown. */
export type Availability = {
  vehicles: number | null;
  docks: number | null;
  disabled_vehicles: number | null;
  disabled_docks: number | null;
  by_mode: Partial<Record<"bicycle" | "scooter" | "moped" | "car" | "other", number>> | null;
  electric: number | null;
  is_installed: boolean | null;
  is_renting: boolean | null;
  is_returning: boolean | null;
  last_reported: string | null;
  observed_at: string | null;
  /** `vehicles` by form factor and propulsion: kinds that the source counts, 0 included. What an entry does not state is unknown. Absent: the source does not count by type, or its counts do not add up to `vehicles`. */
  by_type?: TypeCount[];
};

export type Beyond = {
  kind: "station" | "vehicle";
  /** `id` of a station, `source_id` of a vehicle. */
  id: string;
  distance_meters: number;
  /** Direction from the point, degrees clockwise from north. */
  bearing: number;
  lat: number;
  lon: number;
};

/** What the thing is for, whatever the time. */
export type Capabilities = {
  pickup: boolean;
  return: boolean;
  park: boolean;
  charge: boolean;
  reserve: boolean;
  navigate: boolean;
};

/** EV charging inside the circle. */
export type Charging = {
  status: Status;
  /** One sentence for people when the status is `empty` or `partial`. */
  message?: string;
  /** Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say. */
  notices?: Notice[];
  query_origin: Location;
  /** Found, before the limit. */
  total: number;
  /** The time that `usable` is of, with the offset of the point. */
  local_time?: string;
  /** Time zone of the point, as the IANA database names it. */
  time_zone?: string;
  walking?: Walking;
  nearest_known?: NearestKnown | null;
  /** The imported extract of the open map that answered. */
  base?: {
    /** Id of the base, as `vicinity bases` lists it. */
    id: string;
    data_at: string | null;
    licence: string | null;
    attribution: string | null;
  };
  debug?: ProvidersDebug;
  radius: number;
  /** Where a filter is set. */
  unknown?: {
    /** With the filter of that name: how many of `total` are not known to fit it. */
    hours?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    wheelchair?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    fee?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    access?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    connector?: number;
    /** With `strict`: how many may fit, and are left out. */
    left_out?: number;
  };
  /** Not sent any more: see `unknown`. */
  summary?: {
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_hours?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_wheelchair?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_fee?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_access?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_connector?: number;
  };
  results: ChargingService[];
  attribution: Attribution;
};

export type ChargingAttributes = {
  /** Name of the operator. */
  operator?: string;
  /** Brand under which it is known. */
  brand?: string;
  /** Code or number written on it, such as that of a locker. */
  code?: string;
  /** Whether it can be used with a wheelchair; of toilets, the toilets themselves. */
  wheelchair?: "yes" | "limited" | "no" | "unknown";
  /** Who may use it: everybody by right, everybody until revoked, customers, or others under conditions. */
  access?: "yes" | "permissive" | "customers" | "restricted" | "unknown";
  /** Whether it costs something, at some hours at least; of wifi, the wifi. */
  fee?: boolean;
  /** Price, in the source's words. */
  charge?: string;
  /** Prices as data: numbers only where the source's words leave no doubt, else its text alone. */
  prices?: Price[];
  usable?: Usable;
  /** Whether it is inside a building. */
  indoor?: boolean;
  /** Floor, in the source's words. */
  level?: string;
  /** Day of the last check on the spot. */
  checked_on?: string;
  /** Attribution of the source behind it, which must be displayed. */
  attribution?: {
    [member: string]: unknown;
  };
  /** Third parties that must be named wherever it is shown. */
  attributions?: Array<{
    [member: string]: unknown;
  }>;
  /** Observations that it was merged from, the leading one first: `{source_id, external_id}`. */
  sources?: Array<{
    [member: string]: unknown;
  }>;
  /** Facts on which these sources disagree: `{name, values: [{source_id, value}]}`, the value that is shown first. */
  conflicts?: Array<{
    [member: string]: unknown;
  }>;
  maps_place_id: string;
  address?: string;
  types: string[];
  open_status: "open" | "closed" | "unknown";
  opening_hours?: string[];
  maps_uri?: string;
  primary_type?: "electric_vehicle_charging_station";
  /** A member that the provider does not supply is absent, never 0. */
  charging: {
    connector_count?: number;
    available_count?: number;
    out_of_service_count?: number;
    availability_updated_at?: string;
    connectors: Connector[];
    /** Source of all of this where several were merged: the one that knows the state now, else the one that knows most. */
    source?: string;
  };
  [member: string]: unknown;
};

/** One of the maps provider's. */
export type ChargingService = {
  id: string;
  type: "service";
  service_type: "charging";
  provider?: {
    id: string;
    name: string;
  };
  external_id?: string;
  name: string;
  location: Location;
  distance_meters: number;
  walk?: Walk | null;
  match?: Match;
  unknown?: UnknownFilters;
  attributes: ChargingAttributes;
  source_id: "google_maps" | "openstreetmap" | "sandbox_maps" | (string & {});
  source_type: "partner_api";
};

/** Connectors of one type and power. */
export type Connector = {
  type: "J1772" | "Type 2" | "CHAdeMO" | "CCS1" | "CCS2" | "NACS" | "Tesla" | "GB/T" | "Other";
  max_kw?: number;
  count?: number;
  available_count?: number;
  out_of_service_count?: number;
  availability_updated_at?: string;
};

export type DataClass = "realtime" | "semi_static" | "static";

export type Departure = {
  /** The same for this call of this run as long as its timetable is in use. */
  id: string;
  /** `distance_meters`: from the point; null where none was asked about. */
  station: {
    id: string;
    name: string;
    location: Location;
    distance_meters: number | null;
  };
  platform: {
    planned: string | null;
    live: string | null;
  } | null;
  line: DepartureLine;
  operator: TransportOperator | null;
  /** What the vehicle shows; null: not published. */
  headsign: string | null;
  /** By the timetable, with the offset of the station; null: the run is not in it. */
  planned_at: string | null;
  /** By the live feed. null: it says nothing of this call, or is too old; that is never the planned time. */
  expected_at: string | null;
  /** Expected after planned; negative: early. null: unknown, which is not on time. */
  delay_seconds: number | null;
  /** `live`: the feed speaks of this call. `planned_only`: there is no live feed, or only intervals are promised. `unknown`: there is one, and it says nothing of this call or is too old. */
  realtime: "live" | "planned_only" | "unknown";
  /** `cancelled`: the run does not take place. `skipped`: it does not stop here. `added`: it is not in the timetable. */
  status: "scheduled" | "cancelled" | "skipped" | "added";
  /** Only this interval is promised; `planned_at` is one of the times it may be. */
  headway_seconds?: number;
  /** The timetable gives the time of this call as a rough one. */
  approximate?: true;
  wheelchair: "yes" | "no" | "unknown";
  walk?: Walk | null;
  platform_step_free?: boolean | null;
  leave_in_seconds?: number | null;
  /** It cannot be reached on foot in time: `leave_in_seconds` is negative. */
  missed?: true;
  /** It left before the moment of the answer. */
  departed?: true;
  /** With the parameter `toward`: the later stop, or the headsign, that it names. null: whether it goes there is not known. */
  toward?: {
    name: string;
    /** Arrival there by the timetable; null: not known. */
    planned_at: string | null;
  } | null;
  /** At its last stop the vehicle goes on as this, and riders may stay in it. null: it does not, or that is not published. */
  continues_as: {
    line: DepartureLine;
    headsign: string | null;
  } | null;
  /** Ids in `results.alerts`. */
  alerts: string[];
  /** How many alerts are about it, where they are not all listed. */
  alert_count?: number;
  /** When the live feed was made; null where `realtime` is not `live`. */
  observed_at: string | null;
  /** Who publishes it. Several: the same line at the same station in the same planned minute with the same destination, shown once. */
  sources: Array<{
    provider: "navitia" | "transitland" | "gtfs" | "gbfs";
    feed_id: string | null;
    trip_id: string | null;
    service_date: string | null;
  }>;
};

/** A notice of a publisher about these departures. */
export type DepartureAlert = {
  id: string;
  feed_id: string | null;
  cause: string | null;
  effect: string | null;
  header: string | null;
  description: string | null;
  url: string | null;
  /** The first ones that have not ended. */
  active_periods: Array<{
    from: string | null;
    to: string | null;
  }>;
};

export type DepartureLine = {
  id: string;
  short_name: string | null;
  long_name: string | null;
  mode:
    | "bus"
    | "tram"
    | "metro"
    | "rail"
    | "rapid_transit"
    | "ferry"
    | "coach"
    | "cable_transport"
    | "bicycle"
    | "scooter"
    | "car_share"
    | "carpool"
    | "taxi"
    | "rideshare"
    | "demand_responsive"
    | "shared_mobility"
    | "other";
  color?: string;
  text_color?: string;
};

/** The next departures inside the circle. */
export type Departures = {
  status: Status;
  /** One sentence for people when the status is `empty` or `partial`. */
  message?: string;
  /** With the offset of the place, as all times of the answer. */
  window: {
    from: string;
    to: string;
  };
  /** The time that `usable` is of, with the offset of the point. */
  local_time?: string;
  /** Time zone of the point, as the IANA database names it. */
  time_zone?: string;
  /** Found, before the limit; a lower bound where a notice says that not all were looked at. */
  total: number;
  /** With `toward`: how many of `total` are not known to go there. */
  unknown?: {
    toward: number;
  };
  /** Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say. */
  notices?: Notice[];
  results: {
    departures: Departure[];
    alerts: DepartureAlert[];
  };
  debug?: DeparturesDebug;
  query_origin: Location;
  radius: number;
  walking?: Walking;
};

/** Only with `debug=true`; of a station without a radius. */
export type DeparturesDebug = {
  providers: Record<
    string,
    {
      status: "ok" | "timeout" | "error" | "unauthorized" | "unavailable";
      raw_count: number;
      returned_count: number;
      /** A short token: why it is not `ok`. An addition. */
      reason?: string;
    }
  >;
  provider_calls: number;
  cache: "hit" | "miss" | "partial";
  requested_limit: number;
  applied_limit: number;
  requested_radius?: number;
  applied_radius?: number;
};

/** Five days in steps of three hours. */
export type Forecast = {
  cod: "200";
  /** Of the deployment: metric (°C, m/s), standard (K, m/s) or imperial (°F, mph). */
  units?: "metric" | "standard" | "imperial";
  message: number;
  cnt: number;
  list: ForecastStep[];
  city: {
    id?: number;
    name?: string;
    coord: {
      lon: number;
      lat: number;
    };
    country?: string;
    population?: number;
    /** Offset from UTC, seconds. */
    timezone: number;
    /** Unix time, seconds. */
    sunrise?: number;
    /** Unix time, seconds. */
    sunset?: number;
  };
};

/** What is expected at one moment. */
export type ForecastStep = {
  /** Unix time, seconds. */
  dt: number;
  main: {
    temp: number;
    feels_like?: number;
    temp_min?: number;
    temp_max?: number;
    pressure?: number;
    humidity?: number;
    sea_level?: number;
    grnd_level?: number;
    temp_kf?: number;
  };
  weather: WeatherCondition[];
  visibility?: number;
  wind: {
    speed?: number;
    deg?: number;
    gust?: number;
  };
  clouds: {
    all?: number;
  };
  pop?: number;
  rain?: Precipitation;
  snow?: Precipitation;
  sys: {
    pod: "d" | "n";
  };
  /** In UTC. */
  dt_txt: string;
};

/** One candidate; unknown is null. */
export type GeocodeCandidate = {
  svc_id: null;
  name: string;
  label: string;
  type:
    | "address"
    | "street"
    | "locality"
    | "city"
    | "neighborhood"
    | "region"
    | "country"
    | "poi"
    | "station"
    | "airport"
    | "railway_station"
    | "transit_station"
    | "establishment"
    | "unknown";
  location: Location;
  address: {
    formatted: string | null;
    street: string | null;
    street_number: string | null;
    city: string | null;
    postal_code: string | null;
    region: string | null;
    country: string | null;
  };
  source_id: "google_maps" | "openstreetmap" | "sandbox_maps" | (string & {});
  source_place_id: string | null;
  /** Precision the provider reports; not a confidence of this service. */
  match_quality?: "rooftop" | "range_interpolated" | "geometric_center" | "approximate";
  /** Id of the imported data that it is of, as `meta.bases` lists them: `gazetteer` are GeoNames' places of the world, which no map has. */
  base_id?: string;
};

/** Up to five candidates in the provider's order of relevance; none is no error. */
export type Geocoding = {
  results: GeocodeCandidate[];
  meta: {
    source: "google_maps" | "openstreetmap" | "sandbox_maps" | (string & {});
    cache: "hit" | "miss";
    total: number;
    query?: string;
    origin?: Location;
    /** The imported data that the candidates are of. */
    bases?: Array<{
      /** Id of the base, as `vicinity bases` lists it. */
      id: string;
      data_at: string | null;
      licence: string | null;
      attribution: string | null;
    }>;
    /** `partial`: the place that the question names lies outside all imported data, so that no more than the place is known; absent: the whole question was answered. */
    status?: "partial";
    /** What one should know beyond the candidates, such as that there may be more. */
    notices?: string[];
  };
};

/** The service answers. */
export type Health = {
  status: "ok";
  service: string;
  version: string;
  time: string;
};

/** A public transport line of the stations in range. */
export type Line = {
  id: string;
  short_name: string | null;
  long_name: string | null;
  mode: string;
  operators: Array<{
    id: string;
    name: string | null;
    url?: string | null;
  }>;
  /** The first of them by id. */
  station_ids: string[];
  /** How many stations there are, where they are not all listed. */
  station_count?: number;
  color?: string;
  text_color?: string;
};

/** Longitude, latitude; RFC 7946. */
export type LineString = {
  type: "LineString";
  coordinates: Array<[number, number]>;
};

/** Why the stream ends. */
export type LiveBye = {
  /** `slow`: events were not taken in time. `units`: none are left. `time`: the stream has lasted its time; come again. `replaced`: another caller needs the place. `refused`: the key, or its account, may not read this any more; a new request says why. `large`: the box holds too much for a stream; make it smaller. `shutting_down`: this instance ends. `failed`: something of ours has failed. */
  reason: "slow" | "units" | "time" | "replaced" | "refused" | "large" | "shutting_down" | "failed";
  message: string;
  retry_after_s: number;
};

/** What has changed since. */
export type LiveDelta = {
  at: string;
  entered: LiveItem[];
  changed: LiveItem[];
  left: Array<{
    id: string;
    /** `gone`: its source has it no more. `moved`: it left the box. `merged`: another item shows it. `source_lost`: its source is not shown any more. */
    reason: "gone" | "moved" | "merged" | "source_lost";
  }>;
  /** Those that have changed. */
  sources?: LiveSource[];
};

/** A station or vehicle in the box. */
export type LiveItem = {
  /** `id` of a station, `source_id` of a vehicle, as in GET /v1/nearby. */
  id: string;
  kind: "station" | "vehicle";
  location: Location;
  modes: Array<"bicycle" | "scooter" | "moped" | "car">;
  network_id: string;
  /** Of a station. */
  name?: string;
  state: "operational" | "degraded" | "unavailable" | "maintenance" | "unknown";
  pickup: "available_now" | "unavailable_now" | "unknown";
  /** Of a station. */
  return?: "available_now" | "unavailable_now" | "unknown";
  /** Of a station; null: unknown. */
  vehicles?: number | null;
  /** Of a station; null: unknown. */
  docks?: number | null;
  /** Of a station; null: unknown. */
  capacity?: number | null;
  battery?: number | null;
  form_factor?:
    | "bicycle"
    | "cargo_bicycle"
    | "car"
    | "moped"
    | "scooter"
    | "scooter_standing"
    | "scooter_seated"
    | "other"
    | null;
};

/** All that is in the box now. */
export type LiveSnapshot = {
  at: string;
  bbox: number[];
  /** By `id`. */
  items: LiveItem[];
  /** By `source_id`. */
  sources: LiveSource[];
};

/** A source of the box and its age. */
export type LiveSource = {
  source_id: string;
  network: {
    id: string;
    name: string;
  } | null;
  color: string | null;
  /** `fresh`: as young as its publisher's pace. `old`: older. `lost`: what it had is not shown any more. `waiting`: it has not been read yet. */
  state: "fresh" | "old" | "lost" | "waiting";
  as_of: string | null;
};

/** Sources whose age has changed. */
export type LiveStatus = {
  at: string;
  sources: LiveSource[];
};

/** WGS 84 degrees. */
export type Location = {
  lat: number;
  lon: number;
};

/** Attributes of parcel lockers. */
export type LockerAttributes = {
  /** Address, as much of it as is known. */
  address?: string;
  /** Name of the operator. */
  operator?: string;
  /** Brand under which it is known. */
  brand?: string;
  /** Code or number written on it, such as that of a locker. */
  code?: string;
  /** Whether it can be used with a wheelchair; of toilets, the toilets themselves. */
  wheelchair?: "yes" | "limited" | "no" | "unknown";
  /** Who may use it: everybody by right, everybody until revoked, customers, or others under conditions. */
  access?: "yes" | "permissive" | "customers" | "restricted" | "unknown";
  /** Whether it costs something, at some hours at least; of wifi, the wifi. */
  fee?: boolean;
  /** Price, in the source's words. */
  charge?: string;
  /** Opening hours, in the source's words or as the open map writes them. */
  opening_hours?: string;
  usable?: Usable;
  /** Whether it is inside a building. */
  indoor?: boolean;
  /** Floor, in the source's words. */
  level?: string;
  /** Where exactly it is or how it is reached, in the source's words. */
  location_note?: string;
  /** Remark of the source. */
  description?: string;
  /** Telephone number. */
  phone?: string;
  /** Page about it. */
  website?: string;
  /** Day of the last check on the spot. */
  checked_on?: string;
  /** Whether parcels can be collected. */
  parcel_pickup?: boolean;
  /** Whether parcels can be sent. */
  parcel_mail_in?: boolean;
  /** Whether one can pay there. */
  payment_available?: boolean;
  /** Picture of it. */
  image_url?: string;
  /** Observations that it was merged from, the leading one first: `{source_id, external_id}`. */
  sources?: Array<{
    [member: string]: unknown;
  }>;
  /** Facts on which these sources disagree: `{name, values: [{source_id, value}]}`, the value that is shown first. */
  conflicts?: Array<{
    [member: string]: unknown;
  }>;
  [member: string]: unknown;
};

/** Where a filter is set: whether it is known to fit. */
export type Match = "known" | "unknown";

export type Mode = "bicycle" | "scooter" | "moped" | "car" | "other";

/** Outer rings turn left, holes right, and none crosses the antimeridian; RFC 7946. */
export type MultiPolygon = {
  type: "MultiPolygon";
  coordinates: Array<Array<Array<[number, number]>>>;
};

/** Stations and vehicles inside the circle. */
export type Nearby = {
  status: Status;
  /** One sentence for people when the status is `empty` or `partial`. */
  message?: string;
  query_origin: Location;
  /** Applied radius, metres. */
  radius: number;
  /** Objects after identity resolution, before pagination and plan limits. */
  total: number;
  summary?: NearbySummary;
  results: {
    places: Service[];
    lines: Line[];
    stations: Station[];
    vehicles: Vehicle[];
    alerts: Alert[];
    /** With `include=zones`: geofencing by system. A system that publishes no zones here, or whose zones have not been read yet, is absent. */
    zones?: SystemZones[];
    /** With `include=prices`: pricing plans by system. A system that publishes none that can be read is absent: what it costs is unknown. */
    prices?: SystemPrices[];
  };
  available_actions: Action[];
  requested_radius: number;
  requested_limit: number;
  /** Applied limit. */
  limit: number;
  /** Present when a value was reduced. */
  warnings?: Warning[];
  /** Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say. */
  notices?: Notice[];
  walking?: Walking;
  nearest_known?: NearestKnown | null;
  /** Where no station and no vehicle of the question lies in the circle, or none that fits: the nearest one outside it that does, of what is in memory, up to 10 km. null: none is known. */
  beyond?: Beyond | null;
  debug?: NearbyDebug;
};

/** Diagnostics, only with debug=true. */
export type NearbyDebug = {
  sources: Array<{
    source_id: string;
    status: "ok" | "timeout" | "error" | "unauthorized" | "unavailable";
    raw_count: number;
    matched_count: number;
    reason: string | null;
  }>;
  /** Counts by resolution status. */
  resolution: {
    unresolved: number;
    merged: number;
    possible_match: number;
  } & Record<string, number>;
  entities: Array<{
    id: string;
    observations: Array<{
      source_id: string;
      network_id: string;
      entity_id: string;
      location: Location | null;
      observed_at: string | null;
      /** Of the document that it is from. */
      age_s: number | null;
      /** Of the report of this station, which decides whose counts are shown; null: the source states no time, and that of its document counts. Absent of vehicles. */
      report_age_s?: number | null;
      merged: boolean;
      score: number | null;
      reasons: string[];
    }>;
    near_misses: Array<{
      [member: string]: unknown;
    }>;
  }>;
  realtime: {
    [member: string]: unknown;
  };
  warnings: string[];
  usage: {
    units: number;
    plan: string;
    remaining: number | null;
  };
  protection: {
    [member: string]: unknown;
  };
  orchestration: {
    deadline_ms: number;
    elapsed_ms: number;
    sources: Array<{
      source_id: string;
      started_ms: number | null;
      elapsed_ms: number | null;
      cache: "hit" | "miss" | "revalidated" | null;
      age_s: number | null;
    }>;
  };
  requested_radius: number;
  applied_radius: number;
  requested_limit: number;
  applied_limit: number;
  limit: number;
  offset: number;
  coverage: string;
};

/** Where a filter is set. */
export type NearbySummary = {
  /** With the filter of that name: how many of `total` are not known to fit it. */
  unknown_vehicles?: number;
  /** With the filter of that name: how many of `total` are not known to fit it. */
  unknown_docks?: number;
  /** With the filter of that name: how many of `total` are not known to fit it. */
  unknown_propulsion?: number;
  /** With the filter of that name: how many of `total` are not known to fit it. */
  unknown_form_factors?: number;
  /** With `strict`: how many may fit, and are left out. */
  unknown_left_out?: number;
};

/** The first of the results that is known to fit the filters, on this page or not. */
export type NearestKnown = {
  id: string;
  distance_meters: number;
  location: Location;
};

/** The nearest on foot. */
export type NearestOnFoot = {
  id: string;
  /** null: its source has none. */
  name: string | null;
  /** By beeline. */
  distance_meters: number;
  walk: Walk;
  location: Location;
};

export type Notice = {
  /** Name of the source; null: of no single one. */
  source: string | null;
  /** What is wrong, in a word; null: nothing is, or it has no name. */
  cause:
    | "refused our key"
    | "too slow"
    | "answers with errors"
    | "unreadable"
    | "unreachable"
    | "does not cover this point"
    | "not configured"
    | "over its allowance"
    | "of another version"
    | "has ended"
    | "has not begun"
    | null;
  /** Age of the data shown in place of newer ones; null: none are shown. */
  age_s: number | null;
  cut: {
    shown: number;
    /** null: the source does not say. */
    total: number | null;
    /** Distance of the last one shown, in whole metres; of a list by id, by time or by time on foot the radius. */
    within_m: number;
  } | null;
  /** One sentence for people: show it as it is. */
  message: string;
};

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  openapi: string;
  info: {
    title: string;
    version: string;
    [member: string]: unknown;
  };
  paths: {
    [member: string]: unknown;
  };
  [member: string]: unknown;
};

/** Parking inside the circle. */
export type Parking = {
  status: Status;
  /** One sentence for people when the status is `empty` or `partial`. */
  message?: string;
  /** Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say. */
  notices?: Notice[];
  query_origin: Location;
  /** Found, before the limit. */
  total: number;
  /** The time that `usable` is of, with the offset of the point. */
  local_time?: string;
  /** Time zone of the point, as the IANA database names it. */
  time_zone?: string;
  walking?: Walking;
  nearest_known?: NearestKnown | null;
  /** The imported extract of the open map that answered. */
  base?: {
    /** Id of the base, as `vicinity bases` lists it. */
    id: string;
    data_at: string | null;
    licence: string | null;
    attribution: string | null;
  };
  debug?: ProvidersDebug;
  radius: number;
  /** Where a filter is set. */
  unknown?: {
    /** With the filter of that name: how many of `total` are not known to fit it. */
    hours?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    wheelchair?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    fee?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    access?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    connector?: number;
    /** With `strict`: how many may fit, and are left out. */
    left_out?: number;
  };
  /** Not sent any more: see `unknown`. */
  summary?: {
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_hours?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_wheelchair?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_fee?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_access?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_connector?: number;
  };
  results: ParkingService[];
  attribution: Attribution;
};

export type ParkingAttributes = {
  /** Name of the operator. */
  operator?: string;
  /** Brand under which it is known. */
  brand?: string;
  /** Code or number written on it, such as that of a locker. */
  code?: string;
  /** Whether it can be used with a wheelchair; of toilets, the toilets themselves. */
  wheelchair?: "yes" | "limited" | "no" | "unknown";
  /** Who may use it: everybody by right, everybody until revoked, customers, or others under conditions. */
  access?: "yes" | "permissive" | "customers" | "restricted" | "unknown";
  /** Whether it costs something, at some hours at least; of wifi, the wifi. */
  fee?: boolean;
  /** Price, in the source's words. */
  charge?: string;
  /** Prices as data: numbers only where the source's words leave no doubt, else its text alone. */
  prices?: Price[];
  usable?: Usable;
  /** Whether it is inside a building. */
  indoor?: boolean;
  /** Floor, in the source's words. */
  level?: string;
  /** Day of the last check on the spot. */
  checked_on?: string;
  /** Spaces in all, where the source publishes it. */
  capacity?: number;
  availability?: ParkingAvailability;
  /** Attribution of the source behind it, which must be displayed. */
  attribution?: {
    [member: string]: unknown;
  };
  /** Third parties that must be named wherever it is shown. */
  attributions?: Array<{
    [member: string]: unknown;
  }>;
  /** Observations that it was merged from, the leading one first: `{source_id, external_id}`. */
  sources?: Array<{
    [member: string]: unknown;
  }>;
  /** Facts on which these sources disagree: `{name, values: [{source_id, value}]}`, the value that is shown first. */
  conflicts?: Array<{
    [member: string]: unknown;
  }>;
  maps_place_id: string;
  address?: string;
  types: string[];
  open_status: "open" | "closed" | "unknown";
  opening_hours?: string[];
  maps_uri?: string;
  primary_type?: "parking" | "parking_garage" | "parking_lot";
  parking: {
    kind: "parking" | "garage" | "lot";
    features: Array<
      | "free_parking"
      | "paid_parking"
      | "free_street_parking"
      | "paid_street_parking"
      | "valet_parking"
      | "free_garage_parking"
      | "paid_garage_parking"
    >;
  };
  [member: string]: unknown;
};

/** Spaces that are free now. Absent: nothing live is known, or what was last known is older than the bound of its source. A member that is not known is absent, never 0. */
export type ParkingAvailability = {
  free?: number;
  capacity?: number;
  /** Of spaces that some cars alone may use. */
  by_group?: {
    disabled?: {
      free?: number;
      capacity?: number;
    };
    women?: {
      free?: number;
      capacity?: number;
    };
    family?: {
      free?: number;
      capacity?: number;
    };
    electric?: {
      free?: number;
      capacity?: number;
    };
    carsharing?: {
      free?: number;
      capacity?: number;
    };
    residents?: {
      free?: number;
      capacity?: number;
    };
    short_stay?: {
      free?: number;
      capacity?: number;
    };
    park_and_ride?: {
      free?: number;
      capacity?: number;
    };
    truck?: {
      free?: number;
      capacity?: number;
    };
    bus?: {
      free?: number;
      capacity?: number;
    };
    motorcycle?: {
      free?: number;
      capacity?: number;
    };
    bicycle?: {
      free?: number;
      capacity?: number;
    };
  };
  /** How it changes, as the source says. */
  trend?: "filling" | "steady" | "emptying";
  /** Whether it is open now, as the live source says. */
  is_open?: boolean;
  /** When it was observed, with the offset of the place. */
  observed_at: string;
  source: string;
  /** What the source says that cannot all be true; its numbers are shown as they are. `capacity_differs`: its live capacity is not that of its register. */
  contradictions?: Array<
    "free_above_capacity" | "occupied_above_capacity" | "counts_do_not_add_up" | "capacity_differs"
  >;
};

/** One of the maps provider's. */
export type ParkingService = {
  id: string;
  type: "service";
  service_type: "parking";
  provider?: {
    id: string;
    name: string;
  };
  external_id?: string;
  name: string;
  location: Location;
  distance_meters: number;
  walk?: Walk | null;
  match?: Match;
  unknown?: UnknownFilters;
  attributes: ParkingAttributes;
  source_id: "google_maps" | "openstreetmap" | "sandbox_maps" | (string & {});
  source_type: "partner_api";
};

/** A place of a class. */
export type Place = {
  /** Stable; of an urban service, that of `/v1/services/nearby`. */
  id: string;
  type: "place";
  place_class:
    | "toilets"
    | "drinking_water"
    | "fountain"
    | "aed"
    | "wifi"
    | "parking"
    | "charging"
    | "locker"
    | "bicycle_parking"
    | "atm"
    | "post_box"
    | "pharmacy"
    | "hospital"
    | "doctor"
    | "clinic"
    | "dentist"
    | "veterinary"
    | "police"
    | "fire_station"
    | "post_office"
    | "bank"
    | "bureau_de_change"
    | "restaurant"
    | "cafe"
    | "fast_food"
    | "bar"
    | "pub"
    | "nightclub"
    | "ice_cream"
    | "fuel"
    | "car_wash"
    | "car_repair"
    | "car_rental"
    | "taxi_stand"
    | "supermarket"
    | "convenience"
    | "kiosk"
    | "bakery"
    | "butcher"
    | "greengrocer"
    | "market"
    | "shopping_mall"
    | "department_store"
    | "hardware"
    | "clothes"
    | "shoes"
    | "electronics"
    | "books"
    | "florist"
    | "optician"
    | "drugstore"
    | "bicycle_shop"
    | "hairdresser"
    | "laundry"
    | "hotel"
    | "hostel"
    | "guest_house"
    | "camp_site"
    | "museum"
    | "gallery"
    | "attraction"
    | "tourist_information"
    | "viewpoint"
    | "picnic_site"
    | "school"
    | "kindergarten"
    | "university"
    | "library"
    | "cinema"
    | "theatre"
    | "community_centre"
    | "town_hall"
    | "embassy"
    | "courthouse"
    | "place_of_worship"
    | "swimming_pool"
    | "sports_centre"
    | "gym"
    | "park"
    | "playground"
    | "stadium"
    | "zoo"
    | "beach"
    | "castle"
    | "monument"
    | "recycling"
    | "cemetery"
    | "shower";
  /** As its source knows it. */
  external_id?: string;
  /** Its own, else what its class is called in the language. */
  name: string;
  location: Location;
  distance_meters: number;
  walk?: Walk | null;
  attributes: PlaceAttributes;
  source_id: string;
  match?: Match;
  unknown?: UnknownFilters;
};

/** What is known of it; what is not is absent. Of an urban service they are those of `/v1/services/nearby`. */
export type PlaceAttributes = {
  /** Address, as much of it as is known. */
  address?: string;
  /** Name of the operator. */
  operator?: string;
  /** Brand under which it is known. */
  brand?: string;
  /** Whether it can be used with a wheelchair; of toilets, the toilets themselves. */
  wheelchair?: "yes" | "limited" | "no" | "unknown";
  /** Who may use it: everybody by right, everybody until revoked, customers, or others under conditions. */
  access?: "yes" | "permissive" | "customers" | "restricted" | "unknown";
  /** Whether it costs something, at some hours at least; of wifi, the wifi. */
  fee?: boolean;
  /** Price, in the source's words. */
  charge?: string;
  /** Opening hours, in the source's words or as the open map writes them. */
  opening_hours?: string;
  usable?: Usable;
  /** Whether it is inside a building. */
  indoor?: boolean;
  /** Floor, in the source's words. */
  level?: string;
  /** Remark of the source. */
  description?: string;
  /** Telephone number. */
  phone?: string;
  /** Page about it. */
  website?: string;
  /** Day of the last check on the spot. */
  checked_on?: string;
  /** Third parties that must be named wherever it is shown. */
  attributions?: Array<{
    [member: string]: unknown;
  }>;
  /** Of a restaurant, in the words of the open map. */
  cuisine?: string[];
  maps_place_id?: string;
  maps_uri?: string;
  types?: string[];
  [member: string]: unknown;
};

/** Places inside the circle. */
export type Places = {
  status: Status;
  /** One sentence for people when the status is `empty` or `partial`. */
  message?: string;
  /** Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say. */
  notices?: Notice[];
  query_origin: Location;
  radius: number;
  /** Found, before the limit. */
  total: number;
  /** The time that `usable` is of, with the offset of the point. */
  local_time?: string;
  /** Time zone of the point, as the IANA database names it. */
  time_zone?: string;
  walking?: Walking;
  nearest_known?: NearestKnown | null;
  /** The imported extract of the open map that answered. */
  base?: {
    /** Id of the base, as `vicinity bases` lists it. */
    id: string;
    data_at: string | null;
    licence: string | null;
    attribution: string | null;
  };
  /** What was found of every requested class, zero included, before the limit. */
  summary: Record<string, number>;
  /** Where a filter is set. */
  unknown?: {
    /** With the filter of that name: how many of `total` are not known to fit it. */
    hours?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    wheelchair?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    fee?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    access?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    connector?: number;
    /** With `strict`: how many may fit, and are left out. */
    left_out?: number;
  };
  results: Place[];
  /** Where the maps provider was asked. */
  attributions?: Attribution[];
  debug?: ProvidersDebug;
};

export type PlanType = {
  mode: string;
  form_factor?:
    | "bicycle"
    | "cargo_bicycle"
    | "car"
    | "moped"
    | "scooter"
    | "scooter_standing"
    | "scooter_seated"
    | "other";
  propulsion?:
    | "human"
    | "electric_assist"
    | "electric"
    | "combustion"
    | "combustion_diesel"
    | "hybrid"
    | "plug_in_hybrid"
    | "hydrogen_fuel_cell";
  name?: string;
  /** The default plan first. */
  plan_ids: string[];
};

/** Millimetres of the last hour or three. */
export type Precipitation = {
  "1h"?: number;
  "3h"?: number;
};

/** A price as data; null: unknown. */
export type Price = {
  /** The publisher's id of the plan. */
  plan_id?: string;
  name?: string;
  currency: string | null;
  unlock: number | null;
  per_minute: number | null;
  /** Of an hour, as the text has it. */
  per_hour?: number;
  per_kwh: number | null;
  /** Of a plan that states no rate: whether it is the price of a ride or of a pass is unknown. */
  flat?: number;
  /** Where `per_minute` does not say all of it. */
  minute_steps?: PriceStep[];
  km_steps?: PriceStep[];
  reservation?: ReservationPrice;
  /** true: tax is added; false: it is included, or none is due. */
  is_taxable?: boolean;
  /** true: it may be higher at times of much demand. */
  surge_pricing?: boolean;
  /** The source lists fees that are no part of this. */
  has_fees?: true;
  text: string | null;
  url: string | null;
};

export type PriceStep = {
  /** From there it is charged. */
  start: number;
  /** Of each interval that has begun; below 0: a discount. */
  rate: number;
  /** 0: it is charged once. */
  interval: number;
  end: number | null;
};

/** `ride`: of `ride_minutes`; null: it is not known. */
export type PricingPlan = {
  /** The publisher's id of the plan. */
  plan_id?: string;
  name?: string;
  currency: string | null;
  unlock: number | null;
  per_minute: number | null;
  /** Of an hour, as the text has it. */
  per_hour?: number;
  per_kwh: number | null;
  /** Of a plan that states no rate: whether it is the price of a ride or of a pass is unknown. */
  flat?: number;
  /** Where `per_minute` does not say all of it. */
  minute_steps?: PriceStep[];
  km_steps?: PriceStep[];
  reservation?: ReservationPrice;
  /** true: tax is added; false: it is included, or none is due. */
  is_taxable?: boolean;
  /** true: it may be higher at times of much demand. */
  surge_pricing?: boolean;
  /** The source lists fees that are no part of this. */
  has_fees?: true;
  text: string | null;
  url: string | null;
  ride: RideCost | null;
};

/** Which source gave which members. */
export type Provenance = {
  kind: "provider" | "svc_internal";
  source: string;
  provider: string;
  entity_id: string;
  source_id: string;
  network_id: string;
  fields: string[];
};

/** Only with `debug=true`. */
export type ProvidersDebug = {
  providers: Record<
    string,
    {
      status: "ok" | "timeout" | "error" | "unauthorized" | "unavailable";
      raw_count: number;
      returned_count: number;
      /** A short token: why it is not `ok`. An addition. */
      reason?: string;
    }
  >;
  provider_calls: number;
  cache: "hit" | "miss" | "partial";
  requested_radius: number;
  applied_radius: number;
  requested_limit: number;
  applied_limit: number;
};

/** What can be reached on foot. */
export type Reach = {
  status: Status;
  /** One sentence for people when the status is `empty` or `partial`. */
  message?: string;
  /** Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say. */
  notices?: Notice[];
  query_origin: Location;
  minutes: number;
  /** By family. null: nothing of it is held here, or no way is known from this point; what is not requested is absent. */
  reached: Partial<
    Record<
      | "aed"
      | "toilets"
      | "drinking_water"
      | "wifi"
      | "parking"
      | "charging"
      | "locker"
      | "stations"
      | "vehicles"
      | "transit",
      ReachedFamily | null
    >
  >;
  walking: Walking;
  /** null: no way is known from this point. */
  outline: MultiPolygon | null;
};

/** What is reached of one family. */
export type ReachedFamily = {
  /** How many are reached. */
  count: number;
  /** How many lie near enough by beeline, and no way to them is known. */
  unknown: number;
  nearest: NearestOnFoot | null;
};

/** Where to rent it: `https`, or for `android` and `ios` a scheme that the system registers for its app. Other links are left out. */
export type RentalUris = {
  android?: string;
  ios?: string;
  web?: string;
};

export type ReservationPrice = {
  flat: number | null;
  per_minute: number | null;
};

/** What a ride costs by its plan. */
export type RideCost = {
  minutes: number;
  /** Rounded half up to the smallest coin of the currency. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** true: all that the plan states is in `amount`. */
  is_exact: boolean;
  /** `distance_not_counted`: `amount` is the least. */
  assumptions: Array<
    "distance_not_counted" | "tax_not_included" | "surge_not_included" | "fees_not_included"
  >;
};

export type RuleAtPoint = {
  ride_start_allowed?: boolean;
  /** false: a ride must not end here (no parking). */
  ride_end_allowed?: boolean;
  /** false: no riding here. */
  ride_through_allowed?: boolean;
  maximum_speed_kph?: number;
  /** true: a ride may only end at a station. */
  station_parking?: boolean;
  /** Kinds of vehicle it is for. Absent: all that were asked for. */
  vehicle_types?: VehicleType[];
  /** `global`: it holds wherever no zone has a rule. */
  scope: "zone" | "global";
  zone?: string;
};

/** An urban service. */
export type Service = {
  id: string;
  type: "service";
  service_type:
    | "aed"
    | "toilets"
    | "drinking_water"
    | "fountain"
    | "wifi"
    | "parking"
    | "charging"
    | "locker";
  provider?: {
    id: string;
    name: string;
  };
  external_id?: string;
  name: string;
  location: Location;
  distance_meters: number;
  walk?: Walk | null;
  match?: Match;
  unknown?: UnknownFilters;
  /** Facts by kind. A fact has one name, type and set of values over all sources; one that is not known is absent. */
  attributes:
    | AedAttributes
    | ToiletsAttributes
    | WaterAttributes
    | WifiAttributes
    | LockerAttributes
    | ParkingAttributes
    | ChargingAttributes;
  source_id:
    | "openaedmap"
    | "refuge_restrooms"
    | "openstreetmap"
    | "google_maps"
    | "sandbox_maps"
    | "inpost"
    | "geodae"
    | (string & {});
  source_type: "partner_api" | "community";
};

export type ServiceStatus = {
  state: "operational" | "degraded" | "unavailable" | "maintenance" | "unknown";
};

/** Urban services inside the circle. */
export type Services = {
  status: Status;
  /** One sentence for people when the status is `empty` or `partial`. */
  message?: string;
  /** Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say. */
  notices?: Notice[];
  query_origin: Location;
  /** Found, before the limit. */
  total: number;
  /** The time that `usable` is of, with the offset of the point. */
  local_time?: string;
  /** Time zone of the point, as the IANA database names it. */
  time_zone?: string;
  walking?: Walking;
  nearest_known?: NearestKnown | null;
  /** The imported extract of the open map that answered. */
  base?: {
    /** Id of the base, as `vicinity bases` lists it. */
    id: string;
    data_at: string | null;
    licence: string | null;
    attribution: string | null;
  };
  debug?: ProvidersDebug;
  radius: number;
  /** What was found of every requested type, zero included, before the limit. */
  summary: {
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_hours?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_wheelchair?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_fee?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_access?: number;
    /** Not sent any more: the count is a member of `unknown`. */
    unknown_connector?: number;
  } & Partial<
    Record<
      | "aed"
      | "toilets"
      | "drinking_water"
      | "fountain"
      | "wifi"
      | "parking"
      | "charging"
      | "locker",
      number
    >
  >;
  /** Where a filter is set. */
  unknown?: {
    /** With the filter of that name: how many of `total` are not known to fit it. */
    hours?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    wheelchair?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    fee?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    access?: number;
    /** With the filter of that name: how many of `total` are not known to fit it. */
    connector?: number;
    /** With `strict`: how many may fit, and are left out. */
    left_out?: number;
  };
  /** With `drinking_water` or `fountain`: places inside the circle whose water is known not to be potable. They never count as `drinking_water`, and are results only where `fountain` is requested. */
  not_potable?: number;
  /** With `drinking_water` and without `fountain`: how many of `total` are not known to be potable. They count under no type of `summary`, their `service_type` is `fountain`, and they come after all other results. */
  potable_unknown?: number;
  results: Service[];
  /** With parking or charging. */
  attributions?: Attribution[];
};

/** One source of data; unknown is null. */
export type Source = {
  id: string;
  name: string;
  /** `feed`: read whole, in the background. `lookup`: asked per question. */
  kind: "feed" | "lookup";
  operations: string[];
  state:
    | "ok"
    | "timeout"
    | "error"
    | "unauthorized"
    | "unavailable"
    | "idle"
    | "not_surveyed"
    | "disabled";
  licence: string | null;
  licence_url: string | null;
  attribution: string | null;
  attribution_url: string | null;
  /** Of its brand; absent: none is published. */
  color?: string;
  /** What else its terms ask of those who show it. */
  terms: {
    /** `own`: results may be shown on no map but the source's own. */
    map: "any" | "own";
  };
  entity_count: number | null;
  bbox: {
    south: number;
    west: number;
    north: number;
    east: number;
  } | null;
  areas: Array<{
    south: number;
    west: number;
    north: number;
    east: number;
  }> | null;
  problem: {
    /** What is wrong, in a word. */
    word:
      | "refused our key"
      | "too slow"
      | "answers with errors"
      | "unreadable"
      | "unreachable"
      | "does not cover this point"
      | "not configured"
      | "over its allowance"
      | "of another version"
      | "has ended"
      | "has not begun";
    /** A machine token, such as `station_status:http_500`. */
    reason: string;
    /** The cause in one sentence. */
    message: string;
  } | null;
  last_success_at: string | null;
  age_s: number | null;
  error_rate_5m: number | null;
  /** Of an imported base alone. */
  base?: {
    data_at: string | null;
    imported_at: string;
    bytes: number;
    /** What it holds, by part and kind, such as `services.toilets`. Without `walk`, minutes on foot need a new import. */
    holds: Record<string, Record<string, number>>;
    /** Of a base alone. */
    pages?: {
      /** Parts of which the file is made; 1: it is whole. */
      total: number;
      /** Those that could not be read: places in them are missing. */
      failed: number;
    };
  };
  /** Of an imported timetable alone. */
  timetable?: {
    trips: number;
    calls: number;
    /** null: never. */
    runs_from: string | null;
    runs_until: string | null;
    time_zone: string | null;
    /** Its live data; null: none are configured. */
    live: {
      problem: {
        /** What is wrong, in a word. */
        word:
          | "refused our key"
          | "too slow"
          | "answers with errors"
          | "unreadable"
          | "unreachable"
          | "does not cover this point"
          | "not configured"
          | "over its allowance"
          | "of another version"
          | "has ended"
          | "has not begun";
        /** A machine token, such as `station_status:http_500`. */
        reason: string;
        /** The cause in one sentence. */
        message: string;
      } | null;
      /** They are old since no caller asks for departures, which is no failure. */
      resting: boolean;
      /** Of the data in use; null: none are. */
      made_at: string | null;
      /** Trips of a day that the data speak of. */
      runs: number;
      /** How many of them the timetable has; null: there are none. */
      matched_share: number | null;
      alerts: number;
    } | null;
  };
  /** Its reading, of a register alone; absent: it is not read now. Large documents are read in turns, by their bytes. */
  reading?: {
    state: "waiting" | "reading";
    /** Readings that have to end before it; 0 while it is read. */
    ahead: number;
    /** How long it has been in this state. */
    for_s: number;
  };
  /** Live half of a register of car parks or charging points alone. */
  live?: {
    state:
      | "ok"
      | "timeout"
      | "error"
      | "unauthorized"
      | "unavailable"
      | "idle"
      | "not_surveyed"
      | "disabled";
    problem: {
      /** What is wrong, in a word. */
      word:
        | "refused our key"
        | "too slow"
        | "answers with errors"
        | "unreadable"
        | "unreachable"
        | "does not cover this point"
        | "not configured"
        | "over its allowance"
        | "of another version"
        | "has ended"
        | "has not begun";
      /** A machine token, such as `station_status:http_500`. */
      reason: string;
      /** The cause in one sentence. */
      message: string;
    } | null;
    /** It is not read since no caller asks near its places, which is no failure. */
    resting: boolean;
    last_success_at: string | null;
    /** Since its states were read, or were confirmed; null: never. */
    age_s: number | null;
    /** Of sites that are known; null: it was never read. */
    states: number | null;
    /** States of sites that its register does not have, which are left out. */
    unknown_sites: number | null;
    /** A state that was observed longer ago is unknown. */
    max_age_s: number;
    /** Its reading, of a register alone; absent: it is not read now. Large documents are read in turns, by their bytes. */
    reading?: {
      state: "waiting" | "reading";
      /** Readings that have to end before it; 0 while it is read. */
      ahead: number;
      /** How long it has been in this state. */
      for_s: number;
    };
  };
  /** With `history=24h` alone, as the process that answers saw it; null: it was not asked in that time, or is not among the 500 of the list (100 around a point) that were asked most. */
  history?: {
    /** Length of a slot, 900. */
    step_s: number;
    /** When the first slot begins. */
    from: string;
    /** 96 of them, the oldest first; the last one is under way. null: nothing is known of that time. */
    slots: Array<{
      /** Readings or calls that ended in this time. */
      attempts: number;
      /** How many of them failed. */
      failures: number;
      /** The worst that was seen. */
      state:
        | "ok"
        | "timeout"
        | "error"
        | "unauthorized"
        | "unavailable"
        | "idle"
        | "not_surveyed"
        | "disabled";
      /** The oldest that its data were seen; null: unknown, or it was not asked. */
      age_s: number | null;
    } | null>;
  } | null;
};

export type SourceFinding = {
  /** A machine token, such as `coordinates_zero`. */
  reason: string;
  /** The file or operation in which it was found; null: the source has no parts. */
  part: string | null;
  /** Entities, in the last reading that had any. */
  count: number;
  /** Readings that had any, since `first_at`. */
  readings: number;
  /** Whether the last reading of the part had it. */
  current: boolean;
  /** As the source calls them. Empty of a source that is asked per question: they would show where callers ask. */
  examples: string[];
  /** What is wrong, in a sentence. */
  meaning: string;
  /** What the publisher could do. */
  advice: string;
  first_at: string;
  last_at: string;
};

/** How a source did, as the process that answers saw it, and what was found wrong in it in the last 30 days. */
export type SourceQuality = {
  source: Source;
  generated_at: string;
  /** Whether it was asked in the last 30 days, as far as is known. */
  requested: boolean;
  last_24_hours: SourceSpan;
  last_30_days: SourceSpan;
  /** Of the last reading that said what it found; null: none has. */
  last_reading_at: string | null;
  /** Entities that were left out. null: no reading of it says so. */
  dropped: SourceFinding[] | null;
  /** Entities that were kept, though a value of them departs from the format. null: no reading of it says so. */
  repaired: SourceFinding[] | null;
  /** Statements that cannot be true together; nothing was left out for them. null: no reading of it says so. */
  contradictions: SourceFinding[] | null;
};

/** In slots of 15 minutes. */
export type SourceSpan = {
  /** When the first slot begins. */
  from: string;
  until: string;
  /** Length of a slot: 900 of 24 hours, 86400 of 30 days. */
  step_s: number;
  /** Readings or calls that ended in this time. */
  attempts: number;
  /** How many of them failed. */
  failures: number;
  /** Share of the attempts that succeeded; null: none was made. */
  availability: number | null;
  /** Age of its data while it was in use: the median, the 99th percentile and the greatest. Of 24 hours those of the oldest of each slot; of 30 days those of a look every 15 minutes, rounded up to classes of age. null: none was seen. */
  age: {
    p50_s: number;
    p99_s: number;
    max_s: number;
  } | null;
  /** The oldest first; the last one is under way. null: nothing is known of that time. */
  slots: Array<{
    /** Readings or calls that ended in this time. */
    attempts: number;
    /** How many of them failed. */
    failures: number;
    /** The worst that was seen. */
    state:
      | "ok"
      | "timeout"
      | "error"
      | "unauthorized"
      | "unavailable"
      | "idle"
      | "not_surveyed"
      | "disabled";
    /** The oldest that its data were seen; null: unknown, or it was not asked. */
    age_s: number | null;
  } | null>;
};

/** The sources, or those that may cover the circle. */
export type Sources = {
  sources: Source[];
};

/** A station, merged from every source that observes it. */
export type Station = {
  id: string;
  type: "station";
  name: string;
  network: {
    id: string;
    name: string;
  };
  capacity?: number | null;
  availability: Availability;
  /** Straight-line metres from query_origin. */
  distance_meters: number;
  walk?: Walk | null;
  match?: Match;
  unknown?: UnknownFilters;
  entity_type?:
    | "bicycle_vehicle"
    | "bicycle_station"
    | "scooter_vehicle"
    | "motorscooter_vehicle"
    | "car_vehicle"
    | "parking"
    | "transit_stop"
    | "transit_station"
    | null;
  mode?: Mode | null;
  data_class?: DataClass;
  service_status?: ServiceStatus;
  capabilities?: Capabilities;
  action_state?: ActionState;
  context_actions?: Action[];
  resolution_status?: "unresolved" | "merged" | "possible_match";
  resolution_confidence?: number;
  provenance?: Provenance[];
  conflicts?: Array<{
    [member: string]: unknown;
  }>;
  /** As published. */
  address?: string;
  /** Hours of the station, else of its system, as published. */
  opening_hours?: string;
  rental_uris?: RentalUris;
  /** Kinds of vehicle that the station is made for, where it says so. */
  vehicle_types?: AcceptedType[];
  /** Vehicles parked here are objects of `vehicles`, too, each with this `station_id`: do not add `availability.vehicles` to theirs. Absent: they are not listed. */
  vehicles_listed?: true;
  location: Location;
};

/** The next departures of a station. */
export type StationDepartures = {
  status: Status;
  /** One sentence for people when the status is `empty` or `partial`. */
  message?: string;
  /** With the offset of the place, as all times of the answer. */
  window: {
    from: string;
    to: string;
  };
  /** The time that `usable` is of, with the offset of the point. */
  local_time?: string;
  /** Time zone of the point, as the IANA database names it. */
  time_zone?: string;
  /** Found, before the limit; a lower bound where a notice says that not all were looked at. */
  total: number;
  /** With `toward`: how many of `total` are not known to go there. */
  unknown?: {
    toward: number;
  };
  /** Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say. */
  notices?: Notice[];
  results: {
    departures: Departure[];
    alerts: DepartureAlert[];
  };
  debug?: DeparturesDebug;
  station: {
    id: string;
    name: string;
    location: Location;
  };
  kind: "departures" | "arrivals";
};

/** `empty`: no results. `partial`: a source failed or coverage is incomplete. `success`: otherwise. */
export type Status = "success" | "empty" | "partial";

/** With ways on foot: ways without steps within the station. */
export type StepFree = {
  to_street: boolean | null;
  /** Those that the ways of a timetable name; empty: none is known. */
  platforms: Array<{
    /** As the timetable names it. */
    stop_id: string;
    /** What is written there; null: not stated. */
    code: string | null;
    /** Name of its level; null: not stated. */
    level: string | null;
    to_street: boolean | null;
    /** From the nearest entrance without steps; null: there is none, or it is unknown. */
    meters: number | null;
  }>;
  /** How many platforms there are, where they are not all listed. */
  platform_count?: number;
  lifts: {
    total: number;
    in_service: number;
    out_of_order: number;
    unknown: number;
  } | null;
};

/** What vehicles of one system cost. */
export type SystemPrices = {
  network: {
    id: string;
    name: string;
  };
  /** `pricing_plan_id` of a vehicle names one of them, or one that is unknown. */
  plans: PricingPlan[];
  /** Kinds of vehicle of the system, each with its plans. */
  vehicle_types: PlanType[];
};

/** Where vehicles of one system may be ridden, parked, and how fast. */
export type SystemZones = {
  network: {
    id: string;
    name: string;
  };
  /** What holds at the point: for each kind of vehicle the rule of the first zone that has one. What a rule does not state is unknown. */
  rules: RuleAtPoint[];
  /** Those that touch the circle, nearest first. */
  zones: Zone[];
  /** Zones that touch the circle, before the list was cut. */
  total: number;
};

/** Attributes of toilets. */
export type ToiletsAttributes = {
  /** Address, as much of it as is known. */
  address?: string;
  /** Name of the operator. */
  operator?: string;
  /** Brand under which it is known. */
  brand?: string;
  /** Code or number written on it, such as that of a locker. */
  code?: string;
  /** Whether it can be used with a wheelchair; of toilets, the toilets themselves. */
  wheelchair?: "yes" | "limited" | "no" | "unknown";
  /** Who may use it: everybody by right, everybody until revoked, customers, or others under conditions. */
  access?: "yes" | "permissive" | "customers" | "restricted" | "unknown";
  /** Whether it costs something, at some hours at least; of wifi, the wifi. */
  fee?: boolean;
  /** Price, in the source's words. */
  charge?: string;
  /** Opening hours, in the source's words or as the open map writes them. */
  opening_hours?: string;
  usable?: Usable;
  /** Whether it is inside a building. */
  indoor?: boolean;
  /** Floor, in the source's words. */
  level?: string;
  /** Where exactly it is or how it is reached, in the source's words. */
  location_note?: string;
  /** Remark of the source. */
  description?: string;
  /** Telephone number. */
  phone?: string;
  /** Page about it. */
  website?: string;
  /** Day of the last check on the spot. */
  checked_on?: string;
  /** Day on which the source last changed its record. */
  updated_on?: string;
  /** Whether there is a changing table. */
  changing_table?: boolean;
  /** Whether there are toilets for all genders. */
  unisex?: boolean;
  /** Whether there are toilets for men. */
  male?: boolean;
  /** Whether there are toilets for women. */
  female?: boolean;
  /** Whether there is a shower. */
  shower?: boolean;
  /** Key that opens it, such as eurokey. */
  centralkey?: string;
  /** Kind of toilet. */
  disposal?: "flush" | "pitlatrine" | "dry_toilet" | "chemical" | "bucket" | "tank";
  /** Users of the source who recommend it. */
  upvotes?: number;
  /** Users of the source who advise against it. */
  downvotes?: number;
  /** Observations that it was merged from, the leading one first: `{source_id, external_id}`. */
  sources?: Array<{
    [member: string]: unknown;
  }>;
  /** Facts on which these sources disagree: `{name, values: [{source_id, value}]}`, the value that is shown first. */
  conflicts?: Array<{
    [member: string]: unknown;
  }>;
  [member: string]: unknown;
};

/** Stations inside the circle. */
export type Transport = {
  status: Status;
  /** One sentence for people when the status is `empty` or `partial`. */
  message?: string;
  query_origin: Location;
  radius: number;
  /** Found, before the limit. */
  total: number;
  /** Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say. */
  notices?: Notice[];
  walking?: Walking;
  nearest_known?: NearestKnown | null;
  unknown?: {
    /** With `strict`: how many may fit, and are left out. */
    left_out?: number;
  };
  results: {
    stations: TransportStation[];
  };
  debug?: ProvidersDebug;
};

/** Whether it exists; null when unknown. It is never queried. */
export type TransportCapability = {
  available: boolean | null;
  queried: false;
};

export type TransportOperator = {
  id: string;
  name: string;
  url?: string;
};

export type TransportRoute = {
  id: string;
  short_name: string | null;
  long_name: string | null;
  mode:
    | "bus"
    | "tram"
    | "metro"
    | "rail"
    | "rapid_transit"
    | "ferry"
    | "coach"
    | "cable_transport"
    | "bicycle"
    | "scooter"
    | "car_share"
    | "carpool"
    | "taxi"
    | "rideshare"
    | "demand_responsive"
    | "shared_mobility"
    | "other";
  operator_id: string | null;
  color?: string;
  text_color?: string;
};

/** A public transport station: static data only. */
export type TransportStation = {
  id: string;
  type: "transport_station";
  name: string;
  location: Location;
  distance_meters: number;
  walk?: Walk | null;
  match?: Match;
  unknown?: UnknownFilters;
  step_free?: StepFree;
  modes: Array<
    | "bus"
    | "tram"
    | "metro"
    | "rail"
    | "rapid_transit"
    | "ferry"
    | "coach"
    | "cable_transport"
    | "bicycle"
    | "scooter"
    | "car_share"
    | "carpool"
    | "taxi"
    | "rideshare"
    | "demand_responsive"
    | "shared_mobility"
    | "other"
  >;
  operators: TransportOperator[];
  /** How many operators there are, where they are not all listed. */
  operator_count?: number;
  routes: TransportRoute[];
  /** How many routes there are, where they are not all listed. */
  route_count?: number;
  realtime: TransportCapability;
  alerts: TransportCapability;
  accessibility: {
    wheelchair: "yes" | "no" | "unknown";
  };
  freshness: {
    data_class: "static";
    fetched_at: string;
  };
  sources: Array<{
    provider: "navitia" | "transitland" | "gtfs" | "gbfs";
    region: string | null;
    source_id: string;
    operator_id: string | null;
    feed_id: string | null;
  }>;
};

export type TypeCount = {
  form_factor?:
    | "bicycle"
    | "cargo_bicycle"
    | "car"
    | "moped"
    | "scooter"
    | "scooter_standing"
    | "scooter_seated"
    | "other";
  propulsion?:
    | "human"
    | "electric_assist"
    | "electric"
    | "combustion"
    | "combustion_diesel"
    | "hybrid"
    | "plug_in_hybrid"
    | "hydrogen_fuel_cell";
  count: number;
};

/** Filters that it may not fit: what they ask is not known of it. */
export type UnknownFilters = Array<
  | "usable"
  | "wheelchair"
  | "fee"
  | "access"
  | "connector"
  | "min_kw"
  | "min_vehicles"
  | "min_docks"
  | "propulsion"
  | "form_factors"
  | "within_minutes"
  | "intent"
>;

/** Whether it is open at `local_time`, by its opening hours. `unknown`: it publishes none, or they cannot be read for certain. */
export type Usable = {
  state: "open" | "closed" | "unknown";
  until: string | null;
  rule: string | null;
  /** false: the state depends on public holidays that are not known here. */
  holidays_known: boolean;
};

/** A vehicle that is parked freely; `service_status` and `action_state` say whether it can be picked up. */
export type Vehicle = {
  source: VehicleSource;
  source_id: string;
  network_id: string;
  canonical_id?: null;
  svc_id?: string;
  entity_source?: "svc";
  resolution_status?: "unresolved" | "merged" | "possible_match";
  resolution_confidence?: number;
  provenance?: Provenance[];
  conflicts?: Array<{
    [member: string]: unknown;
  }>;
};

/** The vehicle as its source describes it. */
export type VehicleSource = {
  id?: string;
  name?: string;
  location?: Location;
  source_kind?: "provider" | "gbfs";
  /** Straight-line metres from query_origin. */
  distance_meters?: number;
  walk?: Walk | null;
  match?: Match;
  unknown?: UnknownFilters;
  entity_type:
    | "bicycle_vehicle"
    | "bicycle_station"
    | "scooter_vehicle"
    | "motorscooter_vehicle"
    | "car_vehicle"
    | "parking"
    | "transit_stop"
    | "transit_station"
    | null;
  mode: Mode | null;
  data_class: DataClass;
  service_status: ServiceStatus;
  capabilities: Capabilities;
  action_state: ActionState;
  context_actions: Action[];
  /** Name under which the public knows whose it is. */
  brand?: string;
  vehicle_type?: VehicleType;
  /** What this one has besides; child seats of at most 10 kg (a), of 9 to 18 kg (b), of 15 to 36 kg (c). */
  equipment?: Array<
    "child_seat_a" | "child_seat_b" | "child_seat_c" | "winter_tires" | "snow_chains"
  >;
  /** What is left in battery or tank, percent, as published. */
  battery?: number;
  /** What it can still go, as published. */
  range_m?: number;
  rental_uris?: RentalUris;
  /** The publisher's id of its pricing plan. */
  pricing_plan_id?: string;
  /** `id` of the virtual station where it is parked, and which counts it. */
  station_id?: string;
};

/** What the vehicle is, as published; members that are not stated are absent. */
export type VehicleType = {
  form_factor?:
    | "bicycle"
    | "cargo_bicycle"
    | "car"
    | "moped"
    | "scooter"
    | "scooter_standing"
    | "scooter_seated"
    | "other";
  propulsion?:
    | "human"
    | "electric_assist"
    | "electric"
    | "combustion"
    | "combustion_diesel"
    | "hybrid"
    | "plug_in_hybrid"
    | "hydrogen_fuel_cell";
  name?: string;
  /** Where a ride ends. roundtrip_station: where it began; any_station: at a station; free_floating: anywhere in the service area; hybrid: either. */
  return_constraint?: "roundtrip_station" | "any_station" | "hybrid" | "free_floating";
  /** People, the driver included. */
  rider_capacity?: number;
  /** km/h. */
  max_permitted_speed?: number;
  accessories?: Array<
    | "air_conditioning"
    | "automatic"
    | "manual"
    | "convertible"
    | "cruise_control"
    | "doors_2"
    | "doors_3"
    | "doors_4"
    | "doors_5"
    | "navigation"
  >;
};

/** The shortest way on foot. */
export type Walk = {
  /** Along streets, the ends off them included. */
  meters: number;
  /** At the speed of `walking`. */
  seconds: number;
  step_free: boolean | null;
};

/** With ways on foot. */
export type Walking = {
  profile: "foot" | "step_free";
  speed_meters_per_second: number;
  /** Longer ways are not looked for: `walk` is null then. */
  within_meters: number;
  /** Results looked at that have a way. */
  reached: number;
  /** Those with none within `within_meters`. */
  not_reached: number;
  /** Those of which it is not known. */
  unknown: number;
  /** Ways of which steps are not known for certain. */
  step_free_unknown: number;
  /** Why no result has a way. */
  reason?: "outside_bases" | "base_without_walking" | "base_unreadable" | "start_off_network";
  base: {
    /** Id of the base, as `vicinity bases` lists it. */
    id: string;
    data_at: string | null;
    licence: string | null;
    attribution: string | null;
  } | null;
};

/** A value that was reduced. */
export type Warning = {
  code: "radius_capped" | "limit_capped";
  message: string;
  requested: number;
  applied: number;
};

/** Attributes of drinking points and fountains. */
export type WaterAttributes = {
  /** Address, as much of it as is known. */
  address?: string;
  /** Name of the operator. */
  operator?: string;
  /** Brand under which it is known. */
  brand?: string;
  /** Code or number written on it, such as that of a locker. */
  code?: string;
  /** Whether it can be used with a wheelchair; of toilets, the toilets themselves. */
  wheelchair?: "yes" | "limited" | "no" | "unknown";
  /** Who may use it: everybody by right, everybody until revoked, customers, or others under conditions. */
  access?: "yes" | "permissive" | "customers" | "restricted" | "unknown";
  /** Whether it costs something, at some hours at least; of wifi, the wifi. */
  fee?: boolean;
  /** Price, in the source's words. */
  charge?: string;
  /** Opening hours, in the source's words or as the open map writes them. */
  opening_hours?: string;
  usable?: Usable;
  /** Whether it is inside a building. */
  indoor?: boolean;
  /** Floor, in the source's words. */
  level?: string;
  /** Where exactly it is or how it is reached, in the source's words. */
  location_note?: string;
  /** Remark of the source. */
  description?: string;
  /** Telephone number. */
  phone?: string;
  /** Page about it. */
  website?: string;
  /** Day of the last check on the spot. */
  checked_on?: string;
  /** What the water comes from, whether or not it may be drunk. */
  water_kind?: "drinking_point" | "bottle_refill" | "tap" | "spring" | "water_point" | "fountain";
  /** Whether the water may be drunk. */
  drinking_water?: "yes" | "no" | "unknown";
  /** Whether the water is officially declared drinkable. */
  drinking_water_legal?: boolean;
  /** Whether bottles can be filled. */
  bottle?: boolean;
  /** Whether it runs at some time of the year only. */
  seasonal?: boolean;
  /** Time of the year at which it runs, in the source's words. */
  season?: string;
  /** Observations that it was merged from, the leading one first: `{source_id, external_id}`. */
  sources?: Array<{
    [member: string]: unknown;
  }>;
  /** Facts on which these sources disagree: `{name, values: [{source_id, value}]}`, the value that is shown first. */
  conflicts?: Array<{
    [member: string]: unknown;
  }>;
  [member: string]: unknown;
};

/** The shortest way on foot between two points. */
export type Way = {
  status: Status;
  /** One sentence for people when the status is `empty` or `partial`. */
  message?: string;
  /** Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say. */
  notices?: Notice[];
  from: Location;
  to: Location;
  /** Why there is no way, or none is known. */
  reason?:
    | "outside_bases"
    | "base_without_walking"
    | "base_unreadable"
    | "start_off_network"
    | "target_off_network"
    | "not_reached"
    | "not_looked"
    | "different_bases";
  /** Along streets, the ends off them included. */
  meters: number | null;
  /** At the speed of `walking`. */
  seconds: number | null;
  /** Whether the way has no step; null: not known of all of it. */
  step_free: boolean | null;
  /** Between `from` and the first street. */
  from_snap_meters: number | null;
  /** Between the last street and `to`. */
  to_snap_meters: number | null;
  walking: WaySearch;
  /** From `from` to `to`. */
  geometry: LineString | null;
};

/** How the way was looked for. */
export type WaySearch = {
  profile: "foot" | "step_free";
  speed_meters_per_second: number;
  /** Longer ways are not looked for. */
  within_meters: number;
  base: {
    /** Id of the base, as `vicinity bases` lists it. */
    id: string;
    data_at: string | null;
    licence: string | null;
    attribution: string | null;
  } | null;
};

/** The weather at a point now. */
export type Weather = {
  coord: {
    lon: number;
    lat: number;
  };
  weather: WeatherCondition[];
  base: string;
  main: {
    temp: number;
    feels_like?: number;
    temp_min?: number;
    temp_max?: number;
    pressure?: number;
    humidity?: number;
    sea_level?: number;
    grnd_level?: number;
  };
  visibility?: number;
  wind: {
    speed?: number;
    deg?: number;
    gust?: number;
  };
  rain?: Precipitation;
  snow?: Precipitation;
  clouds: {
    all?: number;
  };
  /** Unix time, seconds. */
  dt: number;
  sys: {
    type?: number;
    id?: number;
    message?: number;
    country?: string;
    /** Unix time, seconds. */
    sunrise?: number;
    /** Unix time, seconds. */
    sunset?: number;
  };
  /** Offset from UTC, seconds. */
  timezone: number;
  id?: number;
  name?: string;
  cod: 200;
  /** Of the deployment: metric (°C, m/s), standard (K, m/s) or imperial (°F, mph). */
  units?: "metric" | "standard" | "imperial";
};

/** What the weather is, the foremost first. */
export type WeatherCondition = {
  /** Condition code, such as 500. */
  id: number;
  /** Group, in English, such as `Rain`. */
  main: string;
  /** In the language asked for. */
  description: string;
  icon: string;
};

/** Attributes of places with Wi-Fi. */
export type WifiAttributes = {
  /** Address, as much of it as is known. */
  address?: string;
  /** Name of the operator. */
  operator?: string;
  /** Brand under which it is known. */
  brand?: string;
  /** Code or number written on it, such as that of a locker. */
  code?: string;
  /** Whether it can be used with a wheelchair; of toilets, the toilets themselves. */
  wheelchair?: "yes" | "limited" | "no" | "unknown";
  /** Who may use it: everybody by right, everybody until revoked, customers, or others under conditions. */
  access?: "yes" | "permissive" | "customers" | "restricted" | "unknown";
  /** Whether it costs something, at some hours at least; of wifi, the wifi. */
  fee?: boolean;
  /** Price, in the source's words. */
  charge?: string;
  /** Opening hours, in the source's words or as the open map writes them. */
  opening_hours?: string;
  usable?: Usable;
  /** Whether it is inside a building. */
  indoor?: boolean;
  /** Floor, in the source's words. */
  level?: string;
  /** Where exactly it is or how it is reached, in the source's words. */
  location_note?: string;
  /** Remark of the source. */
  description?: string;
  /** Telephone number. */
  phone?: string;
  /** Page about it. */
  website?: string;
  /** Day of the last check on the spot. */
  checked_on?: string;
  /** Name of the network. */
  ssid?: string;
  /** Observations that it was merged from, the leading one first: `{source_id, external_id}`. */
  sources?: Array<{
    [member: string]: unknown;
  }>;
  /** Facts on which these sources disagree: `{name, values: [{source_id, value}]}`, the value that is shown first. */
  conflicts?: Array<{
    [member: string]: unknown;
  }>;
  [member: string]: unknown;
};

export type Zone = {
  name?: string;
  contains_point: boolean;
  /** From the point to the zone's outline; 0 inside. */
  distance_meters: number;
  rules: ZoneRule[];
};

export type ZoneRule = {
  ride_start_allowed?: boolean;
  /** false: a ride must not end here (no parking). */
  ride_end_allowed?: boolean;
  /** false: no riding here. */
  ride_through_allowed?: boolean;
  maximum_speed_kph?: number;
  /** true: a ride may only end at a station. */
  station_parking?: boolean;
  /** Kinds of vehicle it is for. Absent: all that were asked for. */
  vehicle_types?: VehicleType[];
};
