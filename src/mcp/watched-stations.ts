/** Docking stations as resources: what a search showed under an id can be read again, alone. */
import type { StationReading } from "#app/stations/station-read.ts";
import { isStationId } from "#app/stations/look.ts";
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import { STATION_RESOURCE } from "#api/agent-tools.ts";
import { type Clocks, localAt, withPlaceTimes } from "./local.ts";
import { toCredits } from "./answer-sources.ts";

const [BEFORE_ID = ""] = STATION_RESOURCE.split("{id}");

export function toStationUri(id: string): string {
  return BEFORE_ID + id;
}

/** The id of a station in its URI; null: it is none. */
export function findStationId(uri: string): string | null {
  const id = uri.startsWith(BEFORE_ID) ? uri.slice(BEFORE_ID.length) : "";
  return isStationId(id) ? id : null;
}

/** The resource as text, by the clocks of the station. Names in it are texts of sources, as in every answer. */
export async function toStationText(
  { source_ids, max_age_s, now_ms, ...body }: StationReading,
  { termsOf, ...clocks }: Clocks & { termsOf: TermsOf },
): Promise<string> {
  const local = await localAt(clocks, body.station.location, {
    at_ms: now_ms,
    sources: source_ids,
  });
  const answer = {
    ...body,
    ...local,
    untrusted_text: true,
    freshness: { answered_at: new Date(now_ms).toISOString(), valid_for_s: max_age_s },
    attribution: toCredits([{ sources: source_ids }], termsOf),
  };
  return JSON.stringify(withPlaceTimes(answer));
}
