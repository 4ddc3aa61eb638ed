/** Parcel lockers around a point (§4.6; places.md 6.1, 11.2). */
import type { Place } from "#core/places/place.ts";
import { distance_m } from "#core/geo.ts";
import { toList, toRow } from "#providers/coerce.ts";
import descriptor from "#providers/inpost/index.ts";
import { toLocker } from "#providers/inpost/locker.ts";
import type { AroundLookup, AroundQuery, LookupSettings, Read } from "#providers/lookup.ts";
import { readPlaces, REFUSAL_BYTES, toDegrees } from "#providers/place-rows.ts";

/** `countries`: base addresses of countries that have one of their own; `url` knows all of them. */
export type InPostSettings = LookupSettings & { countries: Readonly<Record<string, string>> };

/** Where InPost or a partner network of its own has lockers; elsewhere the open map is asked. */
export const INPOST_COUNTRIES: ReadonlySet<string> = new Set([
  ...["PL", "GB", "IT", "FR", "ES", "BE", "NL", "LU", "PT", "AT", "DE"],
]);

/** What is asked for, and what is kept: the source gives more than it was asked for. */
const MAX_LOCKERS = 100;
const MAX_RADIUS_M = 50_000;

/** Lockers of InPost around a point. */
export const inpost: AroundLookup<InPostSettings> = {
  id: `${descriptor.id}.getServicesNearby`,
  provider: descriptor,
  keyOf: ({ lat, lon, radius_m, country }) => JSON.stringify([lat, lon, radius_m, country]),
  request: (query, settings) => {
    const base = baseOf(query, settings);
    const country = base === settings.url ? query.country : null;
    return {
      url: `${base}/v1/points?${toParameters(query, country)}`,
      headers: { accept: "application/json" },
      ...{ max_bytes: descriptor.limits.max_bytes, refusal_bytes: REFUSAL_BYTES },
      timeout_ms: settings.timeout_ms,
    };
  },
  read: (wire, query, { trail }) => {
    const read = readPlaces(wire, { list, id_member: "name", toPlace: toLocker }, trail);
    return read.ok ? { ...read, value: cut(read, query) } : read;
  },
};

function baseOf({ country }: AroundQuery, { url, countries }: InPostSettings): string {
  return country !== null && Object.hasOwn(countries, country) ? toBase(countries[country]!) : url;
}

function toBase(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}

function toParameters({ lat, lon, radius_m }: AroundQuery, country: string | null): string {
  const parameters = new URLSearchParams({
    relative_point: `${toDegrees(lat)},${toDegrees(lon)}`,
    max_distance: String(Math.min(Math.ceil(radius_m), MAX_RADIUS_M)),
    // Hosts differ in which of the two they heed.
    limit: String(MAX_LOCKERS),
    per_page: String(MAX_LOCKERS),
    sort_by: "distance_to_relative_point",
    sort_order: "asc",
    type: "parcel_locker",
    functions: "parcel_collect",
    status: "Operating",
    ...(country === null ? {} : { country }),
  });
  // The comma of the point is understood either way; as it is, it can be read.
  return parameters.toString().replace("%2C", ",");
}

function list(json: unknown): readonly unknown[] | null {
  const items = toRow(json)?.["items"];
  return Array.isArray(items) ? toList(items) : null;
}

/** The nearest; their order is not trusted either. */
function cut({ value }: Extract<Read<Place[]>, { ok: true }>, { lat, lon }: AroundQuery): Place[] {
  if (value.length <= MAX_LOCKERS) return value;
  const metres = new Map(
    value.map((place) => [place, distance_m(lat, lon, place.lat, place.lon)] as const),
  );
  return value.toSorted((a, b) => metres.get(a)! - metres.get(b)!).slice(0, MAX_LOCKERS);
}
