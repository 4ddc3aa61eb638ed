/**
 * OCPI: how operators of charging stations exchange them; one endpoint is one operator, or a hub of
 * many. Reference: ocpi/ocpi 2.2.1 and 2.3.0, mod_locations and transport_and_format (places.md 7.2).
 */
import { Type } from "typebox";
import { parseJsonBytes } from "#kit/json.ts";
import { evseKey, stationKey, toEvseId } from "#core/places/evse-id.ts";
import { CHARGING_TYPE } from "#core/places/charging-facts.ts";
import { type Place, toAddressParts } from "#core/places/place.ts";
import { present } from "#kit/present.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { createStatedZones } from "#kit/stated-zones.ts";
import { type Row, toBool, toId, toList, toName, toNumber, toRow, toText } from "#kit/coerce.ts";
import { DEFAULT_MAX_BYTES } from "#providers/define.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { readLocations } from "#providers/ocpi/locations.ts";
import type { Auth } from "#providers/provider.ts";
import { address, flag, lookupSettings, secret } from "#providers/settings.ts";
import { defineSource, type RegisterReader } from "#providers/source.ts";

export type OcpiSettings = LookupSettings & {
  /** The whole address of the locations. */
  url: string;
  /** null: nothing is sent. */
  token: string | null;
  /** Sent as it is: what 2.1.1 says, and some servers of later versions want. */
  token_raw: boolean;
  /** Whose stations they are, where they do not say so themselves. */
  name: string;
  /** What has to be shown with them. */
  attribution: string | null;
};

/** Charging stations of one endpoint, page by page. */
export const ocpiLocations: RegisterReader<OcpiSettings> = {
  dataset: null,
  kind: "charging",
  requests: (settings) => [
    { url: settings.url, headers: { accept: "application/json" }, auth: toAuth(settings) },
  ],
  open: (body, { settings, trail }) => {
    const register = { ...settings, id: descriptor.id, label: descriptor.name, is_live: false };
    return readLocations(body, { register, trail });
  },
};

const descriptor = defineSource({
  id: "ocpi",
  name: "OCPI",
  kind: "feed",
  operations: ["getServicesNearby", "getChargingNearby"],
  terms: {
    // Each endpoint has its own: they are configured.
    attribution: null,
    attribution_url: null,
    licence: null,
    licence_url: null,
    store: "all",
  },
  limits: { max_bytes: DEFAULT_MAX_BYTES },
  lifecycle: "active",
  config: lookupSettings(
    "An operator's OCPI locations: supplements charging of the open adapter.",
    {
      url: address("Of the locations module."),
      token: secret("Write it as ${NAME} of an environment variable; null: an open endpoint."),
      token_raw: flag(false, "Sent as it is, not as base64."),
      name: Type.String({ format: "one-line", default: "OCPI" }),
    },
    { timeout_ms: 60_000 },
  ),
  verbatim: true,
  role: "supplement",
  precedence: 20,
  // Statuses of charging stations are worth reading again after five minutes.
  registers: { readers: [ocpiLocations], renew_s: 300 },
});
export default descriptor;

/** From 2.2 on the token is sent as Base64 of its UTF-8 bytes. */
function toAuth({ token, token_raw }: OcpiSettings): Auth {
  if (token === null) return { kind: "none" };
  const bytes = Array.from(new TextEncoder().encode(token), (byte) => String.fromCharCode(byte));
  const sent = token_raw ? token : btoa(bytes.join(""));
  return { kind: "headers", headers: { Authorization: `Token ${sent}` } };
}

/** Members under which servers list their locations, the standard's own first. */
const LISTS = ["data", "items", "locations", "results"] as const;

/**
 * Of the envelope, or of the bare array that some send. A status beyond 1xxx is a failure, whatever
 * HTTP says; a list of which nothing has coordinates is one of another module.
 */
function listLocations(json: unknown, trail: TrailRecorder): readonly unknown[] | null {
  const envelope = toRow(json);
  if (envelope && !isSuccess(envelope["status_code"])) return null;
  const rows = envelope ? LISTS.map((name) => envelope[name]).find(Array.isArray) : json;
  if (!Array.isArray(rows)) return null;
  const isOther = rows.length > 0 && !rows.some((row) => toRow(row)?.["coordinates"] != null);
  if (isOther) return null;
  if (!envelope || !Array.isArray(envelope["data"]))
    trail.repair("envelope_missing", descriptor.id);
  // Pages are followed by their `Link` header; this one is named in the body alone.
  const next = envelope?.["data"] === undefined ? toText(envelope?.["next"]) : null;
  if (next !== null) trail.drop("next_page_not_read", descriptor.id);
  return rows;
}

const SUCCESS: ReadonlySet<string> = new Set(["success", "ok"]);

/** A number from 1000 to 1999, by the standard; some servers write the word. */
function isSuccess(wire: unknown): boolean {
  if (wire == null) return true;
  const code = toNumber(wire);
  if (code === null) return SUCCESS.has(toText(wire)?.toLowerCase() ?? "");
  return code >= 1_000 && code < 2_000;
}

function* readAll(
  rows: readonly unknown[],
  settings: OcpiSettings,
  trail: TrailRecorder,
): Generator<Place | null> {
  const seen = new Set<string>();
  const zoneOf = createStatedZones(trail);
  for (const [index, wire] of rows.entries()) {
    const row = toRow(wire);
    const id = toId(row?.["id"]);
    const text = !row ? "row_malformed" : toStation(row, { settings, trail, zoneOf });
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

type Context = {
  settings: OcpiSettings;
  trail: TrailRecorder;
  /** The zone that a location states (OCPI 2.2.1, mod_locations: required). */
  zoneOf: ReturnType<typeof createStatedZones>;
};

/** The place, or why it is dropped. */
function toStation(row: Row, context: Context): Place | Dropped {
  const { settings, trail } = context;
  const id = toId(row["id"]);
  if (id === null) return "id_missing";
  if (toBool(row["publish"]) === false) return "not_published";
  const location = toCoordinates(row);
  if (typeof location === "string") return location;
  const external_id = toExternalId(row, id, settings);
  const charging = ocpiCharging(row, external_id, trail);
  if (charging === null) return "no_evse_left";
  const hours = toOpening(toRow(row["opening_times"]));
  const time_zone = hours && context.zoneOf(toText(row["time_zone"]), external_id);
  const opening = hours && { ...hours, ...(time_zone && { time_zone }) };
  const operator = toName(toRow(row["operator"])?.["name"]) ?? settings.name;
  return {
    kind: "charging",
    ...location,
    source_id: descriptor.id,
    source_type: "partner_api",
    external_id,
    name: toName(row["name"]),
    provider: { id: descriptor.id, name: operator || descriptor.name },
    attributes: {
      ...toPlaceMembers(row, external_id),
      ...readFacts("charging", { operator, attribution: toAttribution(settings) }),
      charging,
    },
    address: toAddressParts({ street: toText(row["address"]), area: toText(row["city"]) }),
    ...(opening && { opening }),
    keys: [`${descriptor.id}:${external_id}`, ...listKeys(row, id)],
  };
}

/** Of a location that is larger the first ones find it. */
const MOST_POINTS = 200;

/** The id that its operator gives it, and those of its points. */
function listKeys(row: Row, id: string): string[] {
  const party = `${toText(row["country_code"]) ?? ""}${toText(row["party_id"]) ?? ""}`;
  const points = toList(row["evses"]).slice(0, MOST_POINTS);
  const ids = points.flatMap((evse) => toEvseId(toText(toRow(evse)?.["evse_id"])) ?? []);
  return [...new Set([stationKey(party, id) ?? [], ids.map(evseKey)].flat())];
}

/** Exactly 1,1 is typed where coordinates are missing; it lies in the sea. */
function toCoordinates(row: Row): ReturnType<typeof toLocation> {
  const at = toRow(row["coordinates"]);
  const location = toLocation(at?.["latitude"], at?.["longitude"]);
  if (typeof location === "string") return location;
  return location.lat === 1 && location.lon === 1 ? "coordinates_placeholder" : location;
}

/**
 * `CC/PARTY/ID` names a location in all of OCPI. 2.1.1 has neither code and some leave the party
 * out: the endpoint's name replaces it, so that the "1" of two operators are two stations.
 */
function toExternalId(row: Row, id: string, { name }: OcpiSettings): string {
  const country = toText(row["country_code"]) ?? toCountryCode(toText(row["country"])) ?? "";
  const party = toText(row["party_id"])?.toUpperCase() ?? name;
  return [country.toUpperCase(), party, id].filter((part) => part !== "").join("/");
}

/** "NLD" is a code, "Polska" is none. */
function toCountryCode(country: string | null): string | null {
  return country !== null && /^[A-Za-z]{2,3}$/.test(country) ? country : null;
}

function toPlaceMembers(row: Row, maps_place_id: string): Row {
  const of = (member: string): string | null => toText(row[member]);
  const times = toRow(row["opening_times"]);
  return present({
    maps_place_id,
    address: joinAddress([of("address")], [of("postal_code"), of("city")]),
    primary_type: CHARGING_TYPE,
    types: [CHARGING_TYPE],
    // Others are evaluated with the answer, where the moment and the time zone are known.
    open_status: isAlwaysOpen(times) ? "open" : "unknown",
    opening_hours: ocpiOpeningHours(times),
  });
}

/** As §2.6 has it, for the one endpoint. */
function toAttribution({ name, attribution }: OcpiSettings): Row | null {
  if (attribution === null) return null;
  return { provider: name, display_name: attribution, required: true };
}
