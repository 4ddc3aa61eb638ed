/**
 * GéoDAE: the French register of defibrillators. Reference: places.md 4.1; data.gouv.fr, data set
 * 61556e1e9d6adb2df86eb0fc. Its file is walked twice: first to find the points that mean
 * "somewhere", then to give out what remains.
 */
import type { Location } from "#kit/geo.ts";
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type Row, toBool, toId, toName, toRow } from "#kit/coerce.ts";
import { MAX_BYTES } from "#providers/define.ts";
import { type Features, openFeatures } from "#providers/geojson-features.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { address, lookupSettings } from "#providers/settings.ts";
import { defineSource, type RegisterReader } from "#providers/source.ts";
import {
  addressOf,
  addressPartsOf,
  attributesOf,
  openingOf,
  toStated,
} from "./geodae-attributes.ts";
import { geodaeLocation } from "./location.ts";

/** France and its territories: it knows no others. */
const FRENCH = new Set(["FR", "GP", "MQ", "GF", "RE", "YT", "PM", "BL", "MF", "WF", "PF", "NC"]);

export const geodaeRegister: RegisterReader<LookupSettings> = {
  dataset: "defibrillators",
  kind: "aed",
  requests: ({ url }) => [{ url, headers: { accept: "application/geo+json, application/json" } }],
  open(body, { trail }) {
    const features = openFeatures(body);
    if (features?.bare) trail.repair("envelope_missing", provider.id);
    return features && toPlaces(features, trail);
  },
};

const provider = defineSource({
  id: "geodae",
  name: "GéoDAE",
  kind: "feed",
  operations: ["getServicesNearby", "getNearby"],
  terms: {
    attribution: "Géo'DAE – Ministère de la Santé",
    attribution_url: "https://www.data.gouv.fr/datasets/61556e1e9d6adb2df86eb0fc",
    licence: "etalab-2.0",
    licence_url: "https://www.etalab.gouv.fr/licence-ouverte-open-licence/",
    store: "all",
  },
  // The whole country as GeoJSON: 187 000 rows of three dozen members.
  limits: { max_bytes: MAX_BYTES },
  lifecycle: "active",
  config: lookupSettings(
    "GéoDAE: France's register of defibrillators.",
    {
      url: address(
        "Address of the GeoJSON file.",
        "https://www.data.gouv.fr/api/1/datasets/r/86ea48a0-dd94-4a23-b71c-80d3041d7db2",
      ),
    },
    { timeout_ms: 300_000 },
  ),
  verbatim: true,
  role: "aed",
  without: () => "unasked",
  precedence: 10,
  covers: (country) => country !== null && FRENCH.has(country),
  registers: { readers: [geodaeRegister], renew_s: 86_400 },
});
export default provider;

type Entry = Location & { id: string; row: Row };

function* toPlaces(features: Features, trail: TrailRecorder): Generator<Place | null> {
  const points = createPoints();
  const remaining = new Uint8Array(features.count);
  const ids = new Set<string>();
  let index = 0;
  for (const feature of features.rows()) {
    const entry = toEntry(feature, index, trail);
    if (entry && ids.has(entry.id)) trail.drop("id_duplicate", entry.id);
    else if (entry) {
      ids.add(entry.id);
      remaining[index] = 1;
      points.add(entry, addressOf(entry.row));
    }
    index++;
    // There is no place yet, but the reader may pause here, too.
    yield null;
  }
  index = 0;
  for (const feature of features.rows()) {
    if (remaining[index] === 1) yield toPlace(readEntry(feature) as Entry, points, trail);
    index++;
  }
}

/** The entry, or null with its reason in the trail. */
function toEntry(feature: unknown, index: number, trail: TrailRecorder): Entry | null {
  const entry = readEntry(feature);
  if (typeof entry !== "string") return entry;
  const id = toId(toRow(toRow(feature)?.["properties"])?.["c_gid"]);
  trail.drop(entry, id ?? `#${index}`);
  return null;
}

/** Returns what is in service, with its location; else why it is left out. */
function readEntry(value: unknown): Entry | string {
  const feature = toRow(value);
  const row = toRow(feature?.["properties"]);
  if (!feature || !row) return "row_malformed";
  const id = toId(row["c_gid"]);
  if (id === null) return "id_missing";
  const reason = exclusionOf(row);
  if (reason !== null) return reason;
  const location = geodaeLocation(feature, row);
  return typeof location === "string" ? location : { ...location, id, row };
}

const EXCLUSIONS: readonly (readonly [reason: string, holds: (row: Row) => boolean])[] = [
  ["not_working", (row) => lower(row["c_etat_fonct"]) !== "en fonctionnement"],
  ["not_active", (row) => (lower(row["c_etat"]) ?? "actif") !== "actif"],
  ["duplicate", (row) => toBool(row["c_doublon"]) === true],
  ["mobile", (row) => toBool(row["c_dae_mobile"]) === true],
];

function exclusionOf(row: Row): string | null {
  return EXCLUSIONS.find(([, holds]) => holds(row))?.[0] ?? null;
}

function lower(value: unknown): string | null {
  return toStated(value)?.toLowerCase() ?? null;
}

function toPlace({ id, lat, lon, row }: Entry, points: Points, trail: TrailRecorder): Place | null {
  if (points.isPlaceholder({ lat, lon })) {
    trail.drop("placeholder_point", id);
    return null;
  }
  const opening = openingOf(row);
  return {
    kind: "aed",
    source_id: "geodae",
    source_type: "partner_api",
    external_id: id,
    lat,
    lon,
    name: toName(toStated(row["c_nom"])),
    provider: { id: "geodae", name: "GéoDAE" },
    attributes: attributesOf(row),
    ...addressPartsOf(row),
    ...(opening && { opening }),
    keys: [`geodae:${id}`],
  };
}

/** A point shared by this many different addresses is the initial value of some form. */
const TOO_MANY_ADDRESSES = 10;

type Points = {
  add(at: Location, address: string | null): void;
  isPlaceholder(at: Location): boolean;
};

function createPoints(): Points {
  // Nearly every point has one address: a set is made for the second.
  const points = new Map<number, string | Set<string>>();
  return {
    add(at, street) {
      // An unknown address is not a different one.
      if (street === null) return;
      const key = keyOf(at);
      const text = street.toLowerCase();
      const known_point = points.get(key);
      if (known_point === undefined) points.set(key, text);
      else if (typeof known_point !== "string") known_point.add(text);
      else if (known_point !== text) points.set(key, new Set([known_point, text]));
    },
    isPlaceholder(at) {
      const known_point = points.get(keyOf(at));
      return known_point instanceof Set && known_point.size >= TOO_MANY_ADDRESSES;
    },
  };
}

/** To a metre, as one number. */
function keyOf({ lat, lon }: Location): number {
  return Math.round((lat + 90) * 1e5) * 36_000_001 + Math.round((lon + 180) * 1e5);
}
