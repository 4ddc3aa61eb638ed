/**
 * Defibrillators of OpenAEDMap (places.md 4.2): one document per country, points whose properties are
 * the tags of the open map beside `@osm_type` and `@osm_id`.
 */
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#core/trail.ts";
import { toList, toRow } from "#providers/coerce.ts";
import { openFeatures } from "#providers/geojson-features.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import { elementId, placed, type Tags, toTags } from "#providers/openstreetmap/element.ts";
import { isShown, placeOf } from "#providers/openstreetmap/tags.ts";
import openaedmap from "./index.ts";

/** `countries`: two upper-case letters each; none means the whole world. */
export type OpenAedMapSettings = LookupSettings & { countries: readonly string[] };

const WORLD = "WORLD";

export const openAedMap: Registry<OpenAedMapSettings> = {
  id: "openaedmap.defibrillators",
  provider: openaedmap,
  kind: "aed",
  requests: ({ url, timeout_ms, countries }) =>
    (countries.length > 0 ? [...new Set(countries)] : [WORLD]).map((country) => ({
      url: `${url}/api/v1/countries/${country}.geojson`,
      headers: { accept: "application/geo+json, application/json" },
      max_bytes: openaedmap.limits.max_bytes,
      timeout_ms,
    })),
  open(body, { trail }) {
    const features = openFeatures(body);
    if (features?.bare) trail.repair("envelope_missing", openaedmap.id);
    return features && toPlaces(features.rows(), trail);
  },
};

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
  return placeOf({ element, also: [] }, "aed", "openaedmap");
}

function tagsOf(properties: Record<string, unknown>): Tags {
  return new Map([...toTags(properties)].filter(([key]) => !key.startsWith("@")));
}

function dropped(reason: string, index: number, trail: TrailRecorder): null {
  trail.drop(reason, `#${index}`);
  return null;
}
