/** Results reduced to the members that an agent decides by (contract/agent-results), bounded. */
import { SHOWN } from "#contract/agent-results.ts";
import type { GeocodeBodyValue } from "#contract/geocoding.ts";
import type { NearbyBodyValue } from "#contract/nearby.ts";
import type { ServicesBodyValue } from "#contract/services.ts";
import type { TransportBodyValue } from "#contract/transit.ts";
import { type Notice, sayUnsaid } from "#core/notices.ts";
import { cutText } from "#core/text/cut.ts";

type Station = NearbyBodyValue["results"]["stations"][number];
type Vehicle = NearbyBodyValue["results"]["vehicles"][number];
type Service = ServicesBodyValue["results"][number];
type Transit = TransportBodyValue["results"]["stations"][number];
type Place = GeocodeBodyValue["results"][number];
type Location = { lat: number; lon: number };

/** Shortens a source's name, which may be as long as its publisher likes. */
export function toBriefName(name: string): string {
  return cutText(name, SHOWN.name_max);
}

/** A tenth of a metre, and no digits that only cost. */
const PLACES = 1e6;

function toBriefLocation({ lat, lon }: Location): Location {
  return { lat: Math.round(lat * PLACES) / PLACES, lon: Math.round(lon * PLACES) / PLACES };
}

/** Reduces a station. Where only ids may be kept, every member but the id may be missing. */
export function toBriefStation(station: Station): object {
  const { id, name, network, mode, location, distance_meters, availability } = station;
  const { vehicles, docks, electric, by_mode, is_renting, is_returning, observed_at } =
    availability;
  return {
    kind: "station",
    id,
    name: name && toBriefName(name),
    network: network.name && toBriefName(network.name),
    mode: mode ?? null,
    location: toBriefLocation(location),
    distance_meters,
    availability: {
      vehicles,
      docks,
      is_renting,
      is_returning,
      observed_at,
      ...(electric === null ? {} : { electric }),
      ...(by_mode === null || Object.keys(by_mode).length < 2 ? {} : { by_mode }),
    },
  };
}

export function toBriefVehicle({ source, source_id, network_id }: Vehicle): object {
  const { name, mode, location, distance_meters, battery, range_m } = source;
  return {
    kind: "vehicle",
    source_id,
    network_id,
    mode,
    ...(name === undefined ? {} : { name: toBriefName(name) }),
    ...(location === undefined ? {} : { location: toBriefLocation(location) }),
    ...(distance_meters === undefined ? {} : { distance_meters }),
    ...(battery === undefined ? {} : { battery }),
    ...(range_m === undefined ? {} : { range_m }),
  };
}

export function toBriefService(service: Service): object {
  const { id, service_type, name, location, distance_meters, source_id } = service;
  const { attributes, omitted } = toBriefAttributes({ ...service.attributes });
  return {
    kind: "service",
    id,
    service_type,
    name: toBriefName(name),
    location: toBriefLocation(location),
    distance_meters,
    attributes,
    ...(omitted.length === 0 ? {} : { omitted }),
    source_id,
  };
}

/** Of one result, in bytes of JSON. */
const ATTRIBUTES_BYTES = 500;

/** What only software goes on with: taken where there is room. */
const LAST: ReadonlySet<string> = new Set([
  ...["maps_place_id", "maps_uri", "types", "primary_type", "sources"],
]);

/** As many as fit, in their own order, the short ones preferred; what does not fit is named. */
function toBriefAttributes(attributes: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(toBriefUsable(attributes)).filter(([, value]) => value !== null);
  const sized = entries.map(([name, value]) => {
    const size = name.length + sizeOf(value);
    return { name, size, cost: LAST.has(name) ? ATTRIBUTES_BYTES + size : size };
  });
  const kept = new Set<string>();
  let left = ATTRIBUTES_BYTES;
  for (const { name, size } of sized.sort((a, b) => a.cost - b.cost)) {
    left -= size;
    if (left >= 0) kept.add(name);
  }
  return {
    attributes: Object.fromEntries(entries.filter(([name]) => kept.has(name))),
    omitted: entries.flatMap(([name]) => (kept.has(name) || LAST.has(name) ? [] : [name])),
  };
}

type Usable = { state: string; until: string | null };

/** Two members of `usable`, and nothing where nothing is known: `opening_hours` has the rule. */
function toBriefUsable(attributes: Readonly<Record<string, unknown>>) {
  const { usable, ...rest } = attributes as { usable?: Usable | null };
  const { state, until } = usable ?? { state: "unknown" };
  return state === "unknown" ? rest : { ...rest, usable: { state, until } };
}

const LINES_MAX = 10;

export function toBriefTransit(station: Transit): object {
  const { id, name, location, distance_meters, modes, routes, sources, accessibility } = station;
  const names = routes.flatMap(({ short_name, long_name }) => short_name ?? long_name ?? []);
  return {
    id,
    name: toBriefName(name),
    location: toBriefLocation(location),
    distance_meters,
    modes,
    lines: [...new Set(names.map(toBriefName))].slice(0, LINES_MAX),
    lines_total: routes.length,
    wheelchair: accessibility.wheelchair,
    providers: [...new Set(sources.map(({ provider }) => provider))],
  };
}

export function toBriefPlace(place: Place): object {
  const { name, label, type, location, address, match_quality, source_id } = place;
  return {
    name: toBriefName(name),
    label,
    type,
    location: toBriefLocation(location),
    city: address.city,
    country: address.country,
    ...(match_quality === undefined ? {} : { match_quality }),
    source_id,
  };
}

/** What the message and the counts of an answer do not say; nothing where that is all. */
export function toUnsaid(
  notices: readonly Pick<Notice, "cut" | "message">[] | undefined,
  message: string | undefined,
): { notices?: string[] } {
  const unsaid = sayUnsaid(notices, message);
  return unsaid.length > 0 ? { notices: unsaid } : {};
}

export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/**
 * Returns the answer with as many results as fit, at least one; `around` makes it from the first
 * ones. Larger results make fewer, never a longer answer.
 */
export function fit<T extends object>(
  results: readonly object[],
  most: number,
  around: (shown: readonly object[]) => T,
): T {
  let shown = results.slice(0, Math.min(most, SHOWN.items_max));
  let answer = around(shown);
  while (shown.length > 1 && sizeOf(answer) > SHOWN.bytes_max) {
    shown = shown.slice(0, -1);
    answer = around(shown);
  }
  return answer;
}
