/**
 * An urban service as one source observes it (§2.3 to §2.5), before a question gives it a distance
 * and a `service_type`. Providers make these; `core/places` merges, names and ranks them.
 */
import type { Location } from "#core/entities.ts";
import type { Opening } from "./opening.ts";

/**
 * Kinds that are looked for. `water` is every drinking point and fountain: which of the two tokens
 * of §4.6 it answers to is decided by the question (decisions, Urban services).
 */
export const PLACE_KINDS = [
  "aed",
  "toilets",
  "water",
  "wifi",
  "parking",
  "charging",
  "locker",
] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

type SourceType = "partner_api" | "community";

export type Place = Location & {
  kind: PlaceKind;
  /** Id of the provider whose observation it is (`openstreetmap`, `inpost`, …). */
  source_id: string;
  source_type: SourceType;
  /** As the provider knows it: `node/123`, a place id, a register's number. Stable. */
  external_id: string;
  /** Never empty: name, else brand, else operator, else what it is ("Public toilets"). */
  name: string;
  /** false: the name is only what it is, and says nothing for or against another observation. */
  named: boolean;
  /** Names by language tag, where the source has some: for questions that ask for a language. */
  names?: Readonly<Record<string, string>>;
  /** Operator or contributor, where that is not the source itself. */
  provider?: { id: string; name: string };
  /** JSON values; a member that is unknown is absent (decisions, Conventions). */
  attributes: Readonly<Record<string, unknown>>;
  /** Hours as the source publishes them, in any form; absent: it publishes none. */
  opening?: Opening;
  /** For records that keep the parts apart (§2.11); what results show is in the attributes. */
  address?: AddressParts;
  /** Keys of other registers that are the same thing: `osm:node/123`, `geodae:123`. Its own too. */
  keys: readonly string[];
};

/** Parts of an address, as far as they are known. */
export type AddressParts = { street?: string; number?: string; post_code?: string };

/** Names of unnamed things (decisions, Urban services). */
export const KIND_NAMES: Readonly<Record<PlaceKind, string>> = {
  aed: "Defibrillator",
  toilets: "Public toilets",
  water: "Drinking water",
  wifi: "Wi-Fi",
  parking: "Car park",
  charging: "Charging station",
  locker: "Parcel locker",
};
/** Name of a `water` that is a fountain and not known to be potable. */
export const FOUNTAIN_NAME = "Fountain";
