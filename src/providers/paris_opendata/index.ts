/**
 * Open data of the city of Paris: its drinking fountains and its public toilets, each a data set that
 * is read whole from its export. Reference: mobility.md 6.2, 6.3; opendata.paris.fr, an OpenDataSoft
 * portal. A row that cannot be used drops itself, with its reason.
 */
import type { Location } from "#kit/geo.ts";
import { parseJsonBytes } from "#kit/json.ts";
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type Row, toRow } from "#kit/coerce.ts";
import { readFacts } from "#providers/stated-facts.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { address, lookupSettings } from "#providers/settings.ts";
import { defineSource, type RegisterReader } from "#providers/source.ts";
import { areaLocation } from "./paris-area.ts";
import { FOUNTAINS, type RowReading, TOILETS } from "./paris-rows.ts";

export const fountains: RegisterReader<LookupSettings> = readerOf(FOUNTAINS);
export const toilets: RegisterReader<LookupSettings> = readerOf(TOILETS);

const provider = defineSource({
  id: "paris_opendata",
  name: "Paris Data",
  kind: "feed",
  operations: ["getLegacyWater"],
  terms: {
    attribution: "Ville de Paris / opendata.paris.fr",
    attribution_url: "https://opendata.paris.fr",
    licence: "ODbL-1.0",
    licence_url: "https://opendatacommons.org/licenses/odbl/1-0/",
    store: "all",
  },
  // Some two thousand rows, with their shapes.
  limits: { max_bytes: 16 * 1_024 * 1_024 },
  lifecycle: "active",
  config: lookupSettings(
    "Open data of Paris: fountains and toilets of the legacy water route.",
    { url: address("Base address, before /api/explore.", "https://opendata.paris.fr") },
    { timeout_ms: 60_000 },
  ),
  registers: { readers: [fountains, toilets], renew_s: 86_400 },
});
export default provider;

function readerOf(reading: RowReading): RegisterReader<LookupSettings> {
  const { dataset, kind } = reading;
  return {
    dataset,
    kind,
    requests: ({ url }) => [
      {
        url: `${url}/api/explore/v2.1/catalog/datasets/${dataset}/exports/json?limit=-1`,
        headers: { accept: "application/json" },
      },
    ],
    open(body, { trail }) {
      const rows = parseJsonBytes(body);
      // A list in which nothing has a place is no data set of places: it is something else.
      if (!Array.isArray(rows) || (rows.length > 0 && !rows.some(isRecord))) return null;
      return toPlaces(rows, reading, trail);
    },
  };
}

function isRecord(value: unknown): boolean {
  const row = toRow(value);
  return row !== null && ("geo_point_2d" in row || "geo_shape" in row);
}

function* toPlaces(
  rows: readonly unknown[],
  reading: RowReading,
  trail: TrailRecorder,
): Generator<Place | null> {
  const seen = new Set<string>();
  for (const [index, value] of rows.entries()) {
    const place = readRow(value, reading);
    if (typeof place === "string") trail.drop(place, `#${index}`);
    else if (seen.has(place.external_id)) trail.drop("id_duplicate", place.external_id);
    else {
      seen.add(place.external_id);
      yield place;
      continue;
    }
    yield null;
  }
}

/** The place, or why there is none. */
function readRow(value: unknown, reading: RowReading): Place | string {
  const row = toRow(value);
  if (!row) return "row_malformed";
  const at = areaLocation(row);
  if (typeof at === "string") return at;
  const id = reading.idOf(row, at);
  return id === null ? "id_missing" : toPlace(row, id, { at, of: reading });
}

function toPlace(row: Row, id: string, { at, of }: { at: Location; of: RowReading }): Place {
  const { dataset, kind } = of;
  const identifier = of.identifierOf(row);
  return {
    kind,
    source_id: provider.id,
    source_type: "partner_api",
    external_id: id,
    ...at,
    name: null,
    attributes: readFacts(kind, of.saidOf(row)),
    address: of.addressOf(row),
    record: { dataset, ...(identifier === null ? {} : { identifier }) },
    keys: [`${dataset}:${id}`],
  };
}
