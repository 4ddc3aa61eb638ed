/** Results reduced to the members that an agent decides by (packages/api/agent-results), bounded. */
import { SHOWN } from "#api/agent-results.ts";
import type { MatchBody } from "#api/filter-match.ts";
import type { ReplyAt } from "#api/operations.ts";
import { type Notice, listOmitted } from "#core/notices.ts";
import { cutText } from "#kit/text/cut.ts";
import { growthOf } from "./local.ts";
import type { AnswerOf } from "./tool.ts";

type Nearby = ReplyAt<"/v1/nearby">["results"];
type Station = Nearby["stations"][number];
type Vehicle = Nearby["vehicles"][number];
type Service = Nearby["places"][number];
type ClassPlace = ReplyAt<"/v1/places/nearby">["results"][number];
type ShownClassPlace = AnswerOf<"find_places">["results"][number];
type Transit = ReplyAt<"/v1/transport/nearby">["results"]["stations"][number];
type Departure = ReplyAt<"/v1/departures/nearby">["results"]["departures"][number];
type Place = ReplyAt<"/v1/geocode">["results"][number];
type Item = AnswerOf<"read_dataset">["results"][number];
/** A result without what its sources are. */
type Brief<R> = Omit<R, "sources">;
type OfKind<K extends Item["kind"]> = Brief<Extract<Item, { kind: K }>>;
type Location = { lat: number; lon: number };

/** Shortens a source's name, which may be as long as its publisher likes. */
export function toBriefName(name: string): string {
  return cutText(name, SHOWN.name_max);
}

/** A tenth of a metre, and no digits that only cost. */
const PLACES = 1e6;

export function toBriefLocation({ lat, lon }: Location): Location {
  return { lat: Math.round(lat * PLACES) / PLACES, lon: Math.round(lon * PLACES) / PLACES };
}

/** Reduces a station. Where only ids may be kept, every member but the id may be missing. */
export function toBriefStation(station: Station): OfKind<"station"> {
  const { id, name, network, mode, location, distance_meters, availability } = station;
  const { service_status } = station;
  const { vehicles, docks, electric, by_mode, by_type = [] } = availability;
  const { is_renting, is_returning, observed_at } = availability;
  return {
    kind: "station",
    id,
    name: name && toBriefName(name),
    network: network.name && toBriefName(network.name),
    mode: mode ?? null,
    location: toBriefLocation(location),
    distance_meters,
    ...(service_status ? { state: service_status.state } : {}),
    availability: {
      vehicles,
      docks,
      is_renting,
      is_returning,
      observed_at,
      ...(electric === null ? {} : { electric }),
      ...(by_mode === null || Object.keys(by_mode).length < 2 ? {} : { by_mode }),
      ...toBriefKinds(by_type, mode),
    },
  };
}

type Kinds = NonNullable<Station["availability"]["by_type"]>;

/** Kinds that are there now, where mode and electric do not say it; a kind that is not named has none. */
function toBriefKinds(by_type: Kinds, mode: string | null | undefined): { by_type?: Kinds } {
  const kinds = by_type.filter(({ count }) => count > 0);
  const isPlain = kinds.every(({ form_factor }) => form_factor?.split("_")[0] === mode);
  return isPlain ? {} : { by_type: kinds };
}

/** Reduces a vehicle; `id`: as its source and the dataset name it. */
export function toBriefVehicle({ source, source_id, network_id }: Vehicle): OfKind<"vehicle"> {
  const { name, brand, mode, location, distance_meters, battery, range_m } = source;
  const { vehicle_type = {}, equipment, rental_uris, service_status, action_state } = source;
  const { return_constraint, rider_capacity } = vehicle_type;
  const type = toTypeWords(vehicle_type);
  return {
    kind: "vehicle",
    id: source_id,
    network_id,
    mode,
    ...(name === undefined ? {} : { name: toBriefName(name) }),
    ...(brand === undefined ? {} : { brand: toBriefName(brand) }),
    ...(type === "" ? {} : { vehicle_type: type }),
    ...(return_constraint?.endsWith("_station") ? { return_constraint } : {}),
    ...(rider_capacity === undefined || rider_capacity === 1 ? {} : { rider_capacity }),
    ...(equipment === undefined ? {} : { equipment }),
    state: service_status.state,
    pickup: action_state["pickup"] ?? "unknown",
    ...(location === undefined ? {} : { location: toBriefLocation(location) }),
    ...(distance_meters === undefined ? {} : { distance_meters }),
    ...(battery === undefined ? {} : { battery }),
    ...(range_m === undefined ? {} : { range_m }),
    ...toRentalLink(rental_uris),
  };
}

type VehicleType = { form_factor?: string | undefined; propulsion?: string | undefined };

/** Returns what kind of vehicle it is, in the words of GBFS; empty: it is not stated. */
export function toTypeWords({ form_factor, propulsion }: VehicleType): string {
  return [form_factor, propulsion].filter(Boolean).join(", ");
}

/** Characters of a link: a longer one would cost more than the rest. */
const LINK_MAX = 300;

/** Returns a link, or null where it is too long to be shown. */
export function toBriefLink(url: string | null): string | null {
  return url === null || url.length > LINK_MAX ? null : url;
}

/** Compares names as riders read them: 2 goes before 10. */
export function byName(a: string, b: string): number {
  return NAMES.compare(a, b);
}

const NAMES = new Intl.Collator("en", { numeric: true });

/** Picks the link that opens where most callers are; none where it is too long to be shown. */
export function toRentalLink(uris: Vehicle["source"]["rental_uris"]): { rental_url?: string } {
  const url = uris?.web ?? uris?.android ?? uris?.ios;
  return url === undefined || url.length > LINK_MAX ? {} : { rental_url: url };
}

export function toBriefService(service: Service): OfKind<"service"> {
  const { id, service_type, name, location, distance_meters } = service;
  const { attributes, omitted } = toBriefAttributes({ ...service.attributes });
  return {
    kind: "service",
    id,
    service_type,
    name: toBriefName(name),
    location: toBriefLocation(location),
    distance_meters,
    attributes,
    ...toBriefMatch(service),
    ...(omitted.length === 0 ? {} : { omitted }),
  };
}

export function toBriefClassPlace(place: ClassPlace): Brief<ShownClassPlace> {
  const { id, place_class, name, location, distance_meters } = place;
  const { attributes, omitted } = toBriefAttributes({ ...place.attributes });
  return {
    ...{ id, place_class, name: toBriefName(name), location: toBriefLocation(location) },
    ...{ distance_meters, attributes },
    ...toBriefMatch(place),
    ...(omitted.length === 0 ? {} : { omitted }),
  };
}

/** Of one result, in bytes of JSON. */
const ATTRIBUTES_BYTES = 600;

/** What a place is chosen by, the foremost first; other attributes follow in their own order. */
const DECIDING = [
  ...["usable", "availability", "charging", "parking", "wheelchair", "access", "fee"],
  ...["prices", "charge", "drinking_water", "code", "opening_hours", "attributions", "attribution"],
];
/** What only software goes on with: get_place has it. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set([
  ...["maps_place_id", "types", "primary_type", "sources", "image_url"],
]);
/** Taken where there is room. */
const LAST = "maps_uri";

/** As many as fit, those that decide first; what does not fit is named. */
function toBriefAttributes(input: Readonly<Record<string, unknown>>) {
  const names = Object.entries(toBriefFacts(input)).filter(
    ([name, value]) => value !== null && !FOR_PROGRAMS.has(name),
  );
  const entries = names.toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  const attributes: OfKind<"service">["attributes"] & Record<string, unknown> = {};
  const omitted: string[] = [];
  let left = ATTRIBUTES_BYTES;
  for (const [name, value] of entries) {
    const size = name.length + sizeOf(value);
    if (size <= left) {
      attributes[name] = value;
      left -= size;
    } else if (name !== LAST) omitted.push(name);
  }
  return { attributes, omitted };
}

function rankOf(name: string): number {
  const at = DECIDING.indexOf(name);
  if (at >= 0) return at;
  return name === LAST ? DECIDING.length + 1 : DECIDING.length;
}

function toBriefFacts(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { opening_hours: hours, charging, open_status, ...rest } = toBriefUsable(input);
  return {
    ...rest,
    ...(open_status === undefined || open_status === "unknown" || "usable" in rest
      ? {}
      : { open_status }),
    ...(hours === undefined ? {} : { opening_hours: toBriefHours(hours) }),
    ...(charging === undefined ? {} : { charging: toBriefCharging(charging) }),
  };
}

/** Days of equal hours that follow each other are one: `Monday–Friday: 8–18; Saturday: 9–12`. */
function toBriefHours(hours: unknown): unknown {
  if (!Array.isArray(hours)) return hours;
  const days = hours.map((line) => /^([^:]{1,40}): (.+)$/.exec(String(line)));
  if (days.some((day) => day === null)) return hours;
  const runs: { from: string; to: string; hours: string }[] = [];
  for (const [, day = "", own = ""] of days as RegExpExecArray[]) {
    const last = runs.at(-1);
    if (last?.hours === own) last.to = day;
    else runs.push({ from: day, to: day, hours: own });
  }
  return runs
    .map(
      ({ from, to, hours: own_hours }) => `${from === to ? from : `${from}–${to}`}: ${own_hours}`,
    )
    .join("; ");
}

type Connector = { available_count?: number; max_kw?: number } & Record<string, unknown>;

/** Connectors with a free plug first, then the strongest; how many more there are is counted. */
function toBriefCharging(charging: unknown): unknown {
  if (typeof charging !== "object" || charging === null) return charging;
  const { connectors, ...counts } = charging as { connectors?: Connector[] };
  if (!Array.isArray(connectors)) return charging;
  const ranked = connectors.toSorted(
    (a, b) =>
      Number((b.available_count ?? 0) > 0) - Number((a.available_count ?? 0) > 0) ||
      (b.max_kw ?? 0) - (a.max_kw ?? 0),
  );
  const listed = ranked.slice(0, SHOWN.connectors_max);
  const more = ranked.length - listed.length;
  return {
    ...counts,
    // The time of the counts is that of the charger.
    connectors: listed.map((each) => ({ ...each, availability_updated_at: undefined })),
    ...(more > 0 ? { more_connectors: more } : {}),
  };
}

type Usable = { state: string; until: string | null };

/** Two members of `usable`, also where it is not known: `opening_hours` has the rule. */
function toBriefUsable(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { usable, ...rest } = attributes as { usable?: Usable | null };
  return usable ? { ...rest, usable: { state: usable.state, until: usable.until } } : rest;
}

/** Any result; without a filter it has neither. */
export type Judged = { [M in keyof MatchBody]?: MatchBody[M] | undefined };

/** Reduces what a result says of its filters: names are shown where there are some. */
export function toBriefMatch({ match, unknown = [] }: Judged): Partial<MatchBody> {
  return {
    ...(match === undefined ? {} : { match }),
    ...(unknown.length === 0 ? {} : { unknown }),
  };
}

export function toBriefTransit(
  station: Transit,
): Brief<AnswerOf<"find_transit_stations">["results"][number]> {
  const { id, name, location, distance_meters, modes, routes, accessibility } = station;
  const { to_street = null, lifts = null } = station.step_free ?? {};
  const short = routes.flatMap(({ short_name }) => short_name ?? []);
  const long = routes.flatMap(({ short_name, long_name }) => (short_name ? [] : (long_name ?? [])));
  const names = [short, long].flatMap((each) => each.toSorted(byName));
  const lines = [...new Set(names.map(toBriefName))];
  return {
    id,
    name: toBriefName(name),
    location: toBriefLocation(location),
    distance_meters,
    modes,
    lines: lines.slice(0, SHOWN.lines_max),
    lines_total: Math.max(lines.length, station.route_count ?? 0),
    wheelchair: accessibility.wheelchair,
    ...(to_street === null ? {} : { to_street }),
    ...(lifts === null ? {} : { lifts }),
    realtime: station.realtime.available,
    ...toBriefMatch(station),
  };
}

/** Reduces a departure; the notices about it are named by their ids. */
export function toBriefDeparture(
  departure: Departure,
): Brief<AnswerOf<"find_departures">["results"][number]> {
  const { planned_at, expected_at, delay_seconds, realtime, status, wheelchair } = departure;
  const { line, headsign, station, platform, headway_seconds, approximate } = departure;
  const { platform_step_free, departed, toward } = departure;
  const { alerts, alert_count = alerts.length } = departure;
  return {
    planned_at,
    expected_at,
    delay_seconds,
    realtime,
    status,
    line: toBriefName(line.short_name ?? line.long_name ?? line.id),
    mode: line.mode,
    headsign: headsign && toBriefName(headsign),
    station: toBriefName(station.name),
    station_id: station.id,
    distance_meters: station.distance_meters,
    platform: platform?.live ?? platform?.planned ?? null,
    ...(platform_step_free == null ? {} : { platform_step_free }),
    wheelchair,
    ...(headway_seconds === undefined ? {} : { headway_seconds }),
    ...(approximate && { approximate }),
    alerts: alerts.slice(0, SHOWN.headers_max),
    ...(alert_count > SHOWN.headers_max ? { alerts_total: alert_count } : {}),
    ...(departed && { departed }),
    ...(toward !== undefined && {
      toward: toward && { ...toward, name: toBriefName(toward.name) },
    }),
  };
}

export function toBriefPlace(place: Place): Brief<AnswerOf<"geocode">["results"][number]> {
  const { name, label, type, location, address, match_quality } = place;
  return {
    name: toBriefName(name),
    label,
    type,
    location: toBriefLocation(location),
    city: address.city,
    country: address.country,
    ...(match_quality === undefined ? {} : { match_quality }),
  };
}

/** What the message and the counts of an answer do not say; nothing where that is all. */
export function toOmitted(
  notices: readonly Pick<Notice, "cut" | "message">[] | undefined,
  message: string | undefined,
): { notices?: string[] } {
  const omitted = listOmitted(notices, message);
  return omitted.length > 0 ? { notices: omitted } : {};
}

export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** Size of an answer once its times have the offset of their place. */
export function sizeAtPlace(answer: object): number {
  const json = JSON.stringify(answer);
  return Buffer.byteLength(json) + ("time_zone" in answer ? growthOf(json) : 0);
}

/**
 * Returns the answer with as many results as fit, at least one; `around` makes it from the first
 * ones. Larger results make fewer, never a longer answer: it is made about five times, not once for
 * each result that is left out.
 */
export function fit<R extends object, T extends object>(
  results: readonly R[],
  most: number,
  around: (listed: readonly R[]) => T,
): T {
  const bound = Math.min(results.length, most, SHOWN.items_max);
  const all = around(results.slice(0, bound));
  if (bound < 2 || sizeAtPlace(all) <= SHOWN.bytes_max) return all;
  let [fitting, least] = [around(results.slice(0, 1)), 1];
  let above = bound;
  while (above - least > 1) {
    const middle = (least + above) >> 1;
    const answer = around(results.slice(0, middle));
    if (sizeAtPlace(answer) <= SHOWN.bytes_max) [fitting, least] = [answer, middle];
    else above = middle;
  }
  return fitting;
}
