/**
 * Candidates from what a geocoder says of each thing (§2.2, places.md 11.1): in its order, at
 * most five; one that cannot be used is dropped with its reason, and the others stay.
 */
import type { Location } from "#kit/geo.ts";
import type { Address, Candidate, CandidateType, MatchQuality } from "#osm/geocoder/candidate.ts";
import { composeLabel } from "#osm/geocoder/label.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type Row, toList, toNumber, toRow } from "#kit/coerce.ts";
import type { ReadAnswer } from "#providers/lookup.ts";
import { WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import { MAX_CANDIDATES } from "#providers/open-geocoding/geocoding-asking.ts";

/** A candidate before its coordinates and texts have been looked at. */
export type Draft = {
  lat: unknown;
  lon: unknown;
  name: string | null;
  /** null: the provider has none, it is put together. */
  label: string | null;
  type: CandidateType;
  address: Omit<Address, "formatted">;
  source_place_id: string | null;
  match_quality: MatchQuality | null;
};

/** Why one was dropped: a token of the trail. */
type Reason = string;

const MALFORMED: Reason = "row_malformed";

/** A text instead of a draft: why there is none. */
export function gather(
  rows: readonly unknown[],
  toDraft: (row: Row) => Draft | Reason,
  trail: TrailRecorder,
): ReadAnswer<Candidate[]> {
  const candidates: Candidate[] = [];
  let malformed = 0;
  for (const [index, value] of rows.entries()) {
    const row = toRow(value);
    const draft = row ? toDraft(row) : MALFORMED;
    const candidate = typeof draft === "string" ? draft : toCandidate(draft);
    if (typeof candidate !== "string") candidates.push(candidate);
    else trail.drop(candidate, nameOf(draft, index));
    if (draft === MALFORMED) malformed++;
  }
  // A list of things that are nothing of the kind is no list of candidates that happens to be empty.
  if (malformed > 0 && malformed === rows.length) return { ok: false, ...WRONG_SHAPE };
  return { ok: true, value: candidates.slice(0, MAX_CANDIDATES), raw: rows.length };
}

/** Lists the features of a GeoJSON collection; null: it is none. */
export function featuresOf(json: unknown): readonly unknown[] | null {
  const features = toRow(json)?.["features"];
  return Array.isArray(features) ? features : null;
}

/** Properties and place of a GeoJSON feature; a text: why it is none. */
export function readFeature(feature: Row): { row: Row; lat: unknown; lon: unknown } | Reason {
  const row = toRow(feature["properties"]);
  if (!row) return MALFORMED;
  const [lon, lat] = toList(toRow(feature["geometry"])?.["coordinates"]);
  return { row, lat, lon };
}

function nameOf(draft: Draft | Reason, index: number): string {
  return (typeof draft === "string" ? null : draft.source_place_id) ?? `#${index}`;
}

function toCandidate(draft: Draft): Candidate | Reason {
  const { name, type, address, source_place_id, match_quality } = draft;
  const location = toLocation(draft.lat, draft.lon);
  if (typeof location === "string") return location;
  if (name === null) return "name_missing";
  const label = draft.label ?? composeLabel(name, address);
  return {
    name,
    label,
    type,
    location,
    source_place_id,
    address: { formatted: label, ...address },
    ...(match_quality === null ? {} : { match_quality }),
  };
}

/** places.md 0.1: missing, out of range or exactly 0,0 is no place. */
function toLocation(lat: unknown, lon: unknown): Location | Reason {
  const location = { lat: toNumber(lat), lon: toNumber(lon) };
  if (location.lat === null || location.lon === null) return "coordinates_missing";
  if (Math.abs(location.lat) > 90 || Math.abs(location.lon) > 180)
    return "coordinates_out_of_range";
  if (location.lat === 0 && location.lon === 0) return "coordinates_zero";
  return { lat: location.lat, lon: location.lon };
}
