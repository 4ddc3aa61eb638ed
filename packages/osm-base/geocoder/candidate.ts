/** A geocoding candidate as a maps provider gives it (§2.2), in its order of relevance. */
import type { Location } from "#kit/geo.ts";

export const CANDIDATE_TYPES = [
  "address",
  "street",
  "locality",
  "city",
  "neighborhood",
  "region",
  "country",
  "poi",
  "station",
  "airport",
  "railway_station",
  "transit_station",
  "establishment",
  "unknown",
] as const;
export type CandidateType = (typeof CANDIDATE_TYPES)[number];

export const MATCH_QUALITIES = [
  "rooftop",
  "range_interpolated",
  "geometric_center",
  "approximate",
] as const;
export type MatchQuality = (typeof MATCH_QUALITIES)[number];

/** Imported data that an answer was made of; unknown is null. */
type BaseStatement = {
  id: string;
  data_at: string | null;
  licence: string | null;
  attribution: string | null;
};

/** Unknown is null. `country` is its name as the provider gives it (decisions, Geocoding). */
export type Address = {
  formatted: string | null;
  street: string | null;
  street_number: string | null;
  city: string | null;
  postal_code: string | null;
  region: string | null;
  country: string | null;
};

export type Candidate = {
  name: string;
  label: string;
  type: CandidateType;
  location: Location;
  address: Address;
  /** null where the provider has no stable identifier. */
  source_place_id: string | null;
  /** Precision the provider reports; absent where it reports none. */
  match_quality?: MatchQuality;
  /** Imported data that it is of; absent: a server answered. */
  base?: BaseStatement;
};
