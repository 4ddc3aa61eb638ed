/**
 * InPost: parcel lockers of eleven European countries, from the points API behind its own map, keyless
 * and not guaranteed. Reference: timrogers/inpost, alltheplaces inpost spiders (places.md 6.1).
 */
import { Type } from "typebox";
import { distance_m } from "#kit/geo.ts";
import { type Place, toAddressParts } from "#core/places/place.ts";
import { type Row, toBool, toRow, toText, toTexts } from "#kit/coerce.ts";
import { listIn } from "#providers/json-lists.ts";
import { readFacts } from "#providers/stated-facts.ts";
import { inpostOpening, toOpeningHours } from "#providers/inpost/inpost-hours.ts";
import type { AroundQuery, LookupSettings, ReadAnswer } from "#providers/lookup.ts";
import {
  type Dropped,
  joinAddress,
  readPlaces,
  toDegrees,
  toLocation,
} from "#providers/place-rows.ts";
import { address, lookupSettings } from "#providers/settings.ts";
import { type AroundReader, defineSource } from "#providers/source.ts";

/** Settings; `countries`: base addresses of countries with one of their own; `url` knows all of them. */
export type InPostSettings = LookupSettings & { countries: Readonly<Record<string, string>> };

/**
 * Countries where InPost or a partner network of its own has lockers; elsewhere the open map is
 * asked.
 */
export const INPOST_COUNTRIES: ReadonlySet<string> = new Set([
  ...["PL", "GB", "IT", "FR", "ES", "BE", "NL", "LU", "PT", "AT", "DE"],
]);

/** What is asked for, and what is kept: the source gives more than it was asked for. */
const MAX_LOCKERS = 100;
const MAX_RADIUS_M = 50_000;

/** Lockers around a point (§4.6; places.md 11.2). */
export const inpostLockers: AroundReader<InPostSettings> = {
  operation: "getServicesNearby",
  keyOf: ({ lat, lon, radius_m, country }) => JSON.stringify([lat, lon, radius_m, country]),
  request: (query, settings) => {
    const base = baseOf(query, settings);
    const country = base === settings.url ? query.country : null;
    return {
      url: `${base}/v1/points?${toParameters(query, country)}`,
      headers: { accept: "application/json" },
    };
  },
  read: (wire, query, { trail }) => {
    const read = readPlaces(wire, { list, id_member: "name", toPlace: toLocker }, trail);
    return read.ok ? { ...read, value: cut(read, query) } : read;
  },
};

const descriptor = defineSource({
  id: "inpost",
  name: "InPost",
  kind: "lookup",
  operations: ["getServicesNearby"],
  terms: {
    attribution: null,
    attribution_url: null,
    licence: null,
    licence_url: null,
    // Nothing is granted: answers live for as long as one question needs them. What is kept is the
    // locker's code, which is written on the locker itself and names it without describing it.
    store: "ids",
  },
  // A hundred lockers are some 300 KiB.
  limits: { max_bytes: 2 * 1_024 * 1_024 },
  lifecycle: "active",
  config: lookupSettings("InPost: parcel lockers. A public source that guarantees nothing.", {
    url: address("Base address, before /v1/points.", "https://api-global-points.easypack24.net"),
    countries: Type.Record(
      Type.String({ format: "country" }),
      Type.String({ format: "http-url" }),
      { default: {}, description: "Addresses of their own, by country." },
    ),
  }),
  policy: { cache_s: 300, places: 4, retry: false },
  precedence: 40,
  covers: (country) => country !== null && INPOST_COUNTRIES.has(country),
  // Decisions, Urban services: the open map is asked where it has no coverage.
  instead_of_tiles: true,
  around: [{ kind: "locker", reader: inpostLockers }],
});
export default descriptor;

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
    // Hosts differ in which of the two they honour.
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
  return listIn(json, "items");
}

/** The nearest; their order is not trusted either. */
function cut(
  { value }: Extract<ReadAnswer<Place[]>, { ok: true }>,
  { lat, lon }: AroundQuery,
): Place[] {
  if (value.length <= MAX_LOCKERS) return value;
  const metres = new Map(
    value.map((place) => [place, distance_m(lat, lon, place.lat, place.lon)] as const),
  );
  return value.toSorted((a, b) => metres.get(a)! - metres.get(b)!).slice(0, MAX_LOCKERS);
}

const LOCKER_TYPES: ReadonlySet<string> = new Set(["parcel_locker", "parcel_locker_only"]);

/**
 * Rows for the source's own tests, in capitals; "TESTOWE" is the Polish province for them. A word of
 * its own: LA TESTE-DE-BUCH and TESTICO are towns.
 */
const TEST_PLACE = /(?<!\p{L})TEST(OW[AEY])?(?!\p{L})/u;
const TEST_NAME = /^TEST|(?<!\p{L})TEST(?!\p{L})/u;

/** The place, or why it is dropped. `id`: the point's `name`, which is a code. */
function toLocker(row: Row, id: string): Place | Dropped {
  const types = Array.isArray(row["type"]) ? toTexts(row["type"]) : toTexts([row["type"]]);
  if (!types.some((type) => LOCKER_TYPES.has(type))) return "not_a_locker";
  // Without a status it has passed the filter that was asked for.
  if ((toText(row["status"]) ?? "Operating") !== "Operating") return "not_operating";
  const details = toRow(row["address_details"]);
  if (isTest(id, details)) return "test_row";
  const at = toRow(row["location"]);
  const location = toLocation(at?.["latitude"], at?.["longitude"]);
  if (typeof location === "string") return location;
  const opening = inpostOpening(row);
  return {
    kind: "locker",
    ...location,
    source_id: descriptor.id,
    source_type: "partner_api",
    external_id: id,
    // It is called by its code (decisions, Names).
    name: null,
    provider: { id: descriptor.id, name: descriptor.name },
    attributes: toAttributes(row, id, details),
    address: toAddressParts({
      street: toText(details?.["street"]),
      post_code: toText(details?.["post_code"]),
      area: toText(details?.["city"]),
    }),
    ...(opening && { opening }),
    keys: [`${descriptor.id}:${id}`],
  };
}

function isTest(id: string, details: Row | null): boolean {
  const places = [toText(details?.["province"]), toText(details?.["city"])];
  return TEST_NAME.test(id) || places.some((place) => place !== null && TEST_PLACE.test(place));
}

const PLACES: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ indoor: true, outdoor: false }),
);

function toAttributes(row: Row, id: string, details: Row | null): Record<string, unknown> {
  const functions = toTexts(row["functions"]);
  const can = (name: string): boolean | null =>
    functions.length > 0 ? functions.includes(name) : null;
  return readFacts("locker", {
    code: id,
    operator: descriptor.name,
    address: toAddress(row, details),
    opening_hours: toOpeningHours(row) ?? (toBool(row["location_247"]) === true ? "24/7" : null),
    indoor: PLACES.get(toText(row["location_type"])?.toLowerCase() ?? ""),
    location_note: toText(row["location_description"]) ?? hostOf(details),
    payment_available: toBool(row["payment_available"]),
    parcel_pickup: can("parcel_collect"),
    parcel_mail_in: can("parcel_send"),
    image_url: row["image_url"],
  });
}

/** British points hide the shop they belong to behind the building number: "24/7 Locker - Corner Shop". */
function hostOf(details: Row | null): string | null {
  const building = toText(details?.["building_number"]) ?? "";
  const at = building.indexOf(" - ");
  const rest = at === -1 ? "" : building.slice(at + 3);
  return /\p{L}/u.test(rest) ? rest : null;
}

function toAddress(row: Row, details: Row | null): string | null {
  const lines = toRow(row["address"]);
  const of = (member: string): string | null => toText(details?.[member]);
  return (
    joinAddress([toText(lines?.["line1"])], [toText(lines?.["line2"])]) ??
    joinAddress([of("street"), of("building_number")], [of("post_code"), of("city")])
  );
}
