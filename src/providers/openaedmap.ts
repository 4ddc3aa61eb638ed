/**
 * OpenAEDMap: the open map's defibrillators, country by country: points whose properties are the tags
 * of the open map with `@osm_type` and `@osm_id`. Reference: places.md 4.2;
 * openstreetmap-polska/openaedmap-backend, api/v1.
 */
import { OPEN_MAP_TERMS } from "#osm/terms.ts";
import { Type } from "typebox";
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toList, toRow } from "#kit/coerce.ts";
import { MAX_BYTES } from "#providers/define.ts";
import { openFeatures } from "#providers/geojson-features.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { elementId, placed, type Tags, toTags } from "#providers/openstreetmap/element.ts";
import { isShown, placeOfTags } from "#providers/openstreetmap/tags.ts";
import { address, lookupSettings } from "#providers/settings.ts";
import { defineSource, type RegisterReader } from "#providers/source.ts";

/** Settings of OpenAEDMap; `countries`: two upper-case letters each; none means the whole world. */
export type OpenAedMapSettings = LookupSettings & { countries: readonly string[] };

const WORLD = "WORLD";

export const openAedMap: RegisterReader<OpenAedMapSettings> = {
  dataset: "defibrillators",
  kind: "aed",
  requests: ({ url, countries }) =>
    (countries.length > 0 ? [...new Set(countries)] : [WORLD]).map((country) => ({
      url: `${url}/api/v1/countries/${country}.geojson`,
      headers: { accept: "application/geo+json, application/json" },
    })),
  open(body, { trail }) {
    const features = openFeatures(body);
    if (features?.bare) trail.repair("envelope_missing", openaedmap.id);
    return features && toPlaces(features.rows(), trail);
  },
};

const openaedmap = defineSource({
  id: "openaedmap",
  name: "OpenAEDMap",
  kind: "feed",
  operations: ["getServicesNearby", "getNearby"],
  terms: OPEN_MAP_TERMS,
  // The world as one file is among the documents.
  limits: { max_bytes: MAX_BYTES },
  lifecycle: "active",
  config: lookupSettings(
    "OpenAEDMap: defibrillators, read whole once a day.",
    {
      url: address("Base address, before /api/v1."),
      countries: Type.Array(Type.String({ format: "country" }), {
        default: [],
        description: "Whose files to read; empty: the whole world's.",
      }),
    },
    { timeout_ms: 120_000 },
  ),
  role: "aed",
  // Decisions, Identifiers: without an address the open map alone is asked.
  without: () => "unasked",
  precedence: 10,
  covers: (country, { countries }) =>
    countries.length === 0 || (country !== null && countries.includes(country)),
  registers: { readers: [openAedMap], renew_s: 86_400 },
});
export default openaedmap;

function* toPlaces(rows: Iterable<unknown>, trail: TrailRecorder): Generator<Place | null> {
  let index = 0;
  for (const row of rows) yield toPlace(row, index++, trail);
}

/** That it is a defibrillator the document says, whatever its tags leave out. */
function toPlace(value: unknown, index: number, trail: TrailRecorder): Place | null {
  const properties = toRow(toRow(value)?.["properties"]);
  if (!properties) return dropped("row_malformed", index, trail);
  const id = elementId(properties["@osm_type"] ?? "node", properties["@osm_id"]);
  if (id === null) return dropped("id_missing", index, trail);
  const geometry = toRow(toRow(value)?.["geometry"]);
  const [lon, lat] = geometry?.["type"] === "Point" ? toList(geometry["coordinates"]) : [];
  const element = placed(id, { lat, lon }, { tags: tagsOf(properties), trail });
  if (!element || !isShown(element, "aed", trail)) return null;
  return placeOfTags({ element, also: [] }, "aed", openaedmap.id);
}

function tagsOf(properties: Record<string, unknown>): Tags {
  return new Map([...toTags(properties)].filter(([key]) => !key.startsWith("@")));
}

function dropped(reason: string, index: number, trail: TrailRecorder): null {
  trail.drop(reason, `#${index}`);
  return null;
}
