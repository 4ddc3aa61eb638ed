/**
 * Locations of OCPI 2.1.1 to 3.0 as places, of any publisher: an endpoint with a token
 * (ocpi/index.ts), or an open file (ocpi_bulk). Reference: ocpi/ocpi 2.2.1 and 2.3.0, mod_locations
 * and transport_and_format (places.md 7.2).
 */
import type { Place } from "#core/places/place.ts";
import { stationKey } from "#core/places/evse-id.ts";
import { type Row, toBool, toId, toName, toNumber, toRow, toText } from "#kit/coerce.ts";
import { createStatedZones } from "#kit/stated-zones.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { Companions } from "#providers/lookup.ts";
import { type JsonList, openJsonList } from "#providers/json-list.ts";
import { type StatedStation, toChargingStation } from "#providers/charging-station.ts";
import { readEvses } from "#providers/ocpi/evses.ts";
import { toOpening, ocpiOpeningHours } from "#providers/ocpi/ocpi-hours.ts";
import { pricesOf, openTariffs, type Tariffs } from "#providers/ocpi/tariffs.ts";
import { type Dropped, type RowNotes, toLocation } from "#providers/place-rows.ts";

/** Whose locations are read. */
export type OcpiRegister = {
  /** Of the source. */
  id: string;
  /** Whose stations they are, where they do not say so themselves. */
  name: string;
  /** Of the source, where `name` is empty. */
  label: string;
  attribution: string | null;
  /** States come from its live half: the document says where, and not how they are. */
  is_live: boolean;
};

type ReadOptions = { register: OcpiRegister; trail: TrailRecorder };
type PlaceOptions = ReadOptions & {
  /** Documents of tariffs. */
  companions?: Companions | undefined;
};

/** Members under which servers list their locations, the standard's own first. */
const LISTS = ["data", "items", "locations", "results"] as const;

/**
 * Opens the list of the envelope, or the bare array that some send. A status beyond 1xxx is a failure,
 * whatever HTTP says.
 */
export function openList(body: Uint8Array, { register, trail }: ReadOptions): JsonList | null {
  const list = openJsonList(body, LISTS);
  if (!list || !isSuccess(list.others.get("status_code"))) return null;
  if (list.member !== LISTS[0]) trail.repair("envelope_missing", register.id);
  // Pages are followed by their `Link` header; this one is named in the body alone.
  const next = list.member === LISTS[0] ? null : toText(list.others.get("next"));
  if (next !== null) trail.drop("next_page_not_read", register.id);
  return list;
}

/** A list of which nothing has coordinates is one of another module. */
export function isLocations({ count, rows }: JsonList): boolean {
  if (count === 0) return true;
  for (const row of rows()) if (toRow(row)?.["coordinates"] != null) return true;
  return false;
}

/** Reads the places of a document, one by one; null: it is of another module, or says that it failed. */
export function readLocations(
  body: Uint8Array,
  { companions = { bodies: [] }, ...options }: PlaceOptions,
): Generator<Place | null, void> | null {
  const list = openList(body, options);
  if (!list || !isLocations(list)) return null;
  // The envelope may have them next to the locations.
  const own = { bodies: list.member === null ? [] : [body] };
  const tariffs = [
    openTariffs(companions, [...LISTS, ...OWN], options.trail),
    openTariffs(own, OWN, options.trail),
  ];
  return readAll(list.rows(), { ...options, tariffs });
}

const OWN = ["tariffs"] as const;

const SUCCESS: ReadonlySet<string> = new Set(["success", "ok"]);

/** A number from 1000 to 1999, by the standard; some servers write the word. */
function isSuccess(wire: unknown): boolean {
  if (wire == null) return true;
  const code = toNumber(wire);
  if (code === null) return SUCCESS.has(toText(wire)?.toLowerCase() ?? "");
  return code >= 1_000 && code < 2_000;
}

function* readAll(
  rows: Iterable<unknown>,
  { register, trail, tariffs }: ReadOptions & { tariffs: readonly Tariffs[] },
): Generator<Place | null, void> {
  const seen = new Set<string>();
  const zoneOf = createStatedZones(trail);
  let index = -1;
  for (const wire of rows) {
    index += 1;
    const row = toRow(wire);
    const id = toId(row?.["id"]);
    const text = !row ? "row_malformed" : toStation(row, { register, trail, zoneOf, tariffs });
    if (typeof text === "string") trail.drop(text, id ?? `#${index}`);
    else if (seen.has(text.external_id)) trail.drop("id_duplicate", text.external_id);
    else {
      seen.add(text.external_id);
      yield text;
      continue;
    }
    yield null;
  }
}

type Context = ReadOptions & {
  tariffs: readonly Tariffs[];
  /** The zone that a location states (OCPI 2.2.1, mod_locations: required). */
  zoneOf: ReturnType<typeof createStatedZones>;
};

/** The place, or why it is dropped. */
function toStation(row: Row, context: Context): Place | Dropped {
  const { register, trail } = context;
  const id = toId(row["id"]);
  if (id === null) return "id_missing";
  if (toBool(row["publish"]) === false) return "not_published";
  const location = toCoordinates(row, { trail, id });
  if (typeof location === "string") return location;
  const external_id = toExternalId(row, id, register);
  const evses = readEvses(row, external_id, trail);
  if (evses === null) return "no_evse_left";
  const times = toRow(row["opening_times"]);
  const hours = toOpening(times);
  const time_zone = hours && context.zoneOf(toText(row["time_zone"]), external_id);
  const stated: StatedStation = {
    ...{ id: external_id, location, evses },
    name: toName(row["name"]),
    operator: toName(toRow(row["operator"])?.["name"]) ?? register.name,
    street: toText(row["address"]),
    post_code: toText(row["postal_code"]),
    city: toText(row["city"]),
    opening: hours && { ...hours, ...(time_zone && { time_zone }) },
    hours: ocpiOpeningHours(times),
    facts: { prices: pricesOf(row, context) },
    keys: stationKeys(row, id),
  };
  return toChargingStation(stated, register);
}

/** Under which its operator has it in every endpoint. */
function stationKeys(row: Row, id: string): string[] {
  const party = `${toText(row["country_code"]) ?? ""}${toText(row["party_id"]) ?? ""}`;
  const key = stationKey(party, id);
  return key === null ? [] : [key];
}

/** Exactly 1,1 is typed where coordinates are missing; it lies in the sea. */
function toCoordinates(row: Row, notes: RowNotes): ReturnType<typeof toLocation> {
  const at = toRow(row["coordinates"]);
  const location = toLocation(at?.["latitude"], at?.["longitude"], notes);
  if (typeof location === "string") return location;
  return location.lat === 1 && location.lon === 1 ? "coordinates_placeholder" : location;
}

/**
 * `CC/PARTY/ID` names a location in all of OCPI. 2.1.1 has neither code and some leave the party
 * out: the endpoint's name replaces it, so that the "1" of two operators are two stations.
 */
export function toExternalId(row: Row, id: string, { name }: OcpiRegister): string {
  const country = toText(row["country_code"]) ?? toCountryCode(toText(row["country"])) ?? "";
  const party = toText(row["party_id"])?.toUpperCase() ?? name;
  return [country.toUpperCase(), party, id].filter((part) => part !== "").join("/");
}

/** "NLD" is a code, "Polska" is none. */
function toCountryCode(country: string | null): string | null {
  return country !== null && /^[A-Za-z]{2,3}$/.test(country) ? country : null;
}
