/**
 * Drinking fountains and public toilets of Paris, each a data set that is read whole from its export
 * (mobility.md 6.2). A row that cannot be used drops itself, with its reason.
 */
import { parseJsonBytes } from "#core/json.ts";
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#core/trail.ts";
import { toRow } from "#providers/coerce.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import { locationOf } from "./area.ts";
import provider from "./index.ts";
import { FOUNTAINS, type Reading, toPlace, TOILETS } from "./rows.ts";

export const fountains: Registry<LookupSettings> = registryOf(FOUNTAINS);
export const toilets: Registry<LookupSettings> = registryOf(TOILETS);

function registryOf(reading: Reading): Registry<LookupSettings> {
  const { dataset, kind } = reading;
  return {
    ...{ id: `${provider.id}.${dataset}`, provider, kind },
    requests: ({ url, timeout_ms }) => [
      {
        url: `${url}/api/explore/v2.1/catalog/datasets/${dataset}/exports/json?limit=-1`,
        headers: { accept: "application/json" },
        max_bytes: provider.limits.max_bytes,
        timeout_ms,
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
  reading: Reading,
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
function readRow(value: unknown, reading: Reading): Place | string {
  const row = toRow(value);
  if (!row) return "row_malformed";
  const at = locationOf(row);
  if (typeof at === "string") return at;
  const id = reading.idOf(row, at);
  return id === null ? "id_missing" : toPlace(row, id, { at, of: reading });
}
