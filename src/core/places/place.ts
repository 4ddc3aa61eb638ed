/**
 * An urban service as one source observes it (§2.3 to §2.5), before a question gives it a distance
 * and a `service_type`. Providers make these; `core/places` merges, names and ranks them.
 */
import type { PlaceKind } from "#api/attributes.ts";
import type { Location } from "#kit/geo.ts";
import { present } from "#kit/present.ts";
import type { LiveKeys } from "./live-state.ts";
import type { Opening } from "./opening.ts";

export { PLACE_KINDS, type PlaceKind } from "#api/attributes.ts";

type SourceType = "partner_api" | "community";

export type Place = Location & {
  kind: PlaceKind;
  /** Id of the provider whose observation it is (`openstreetmap`, `inpost`, …). */
  source_id: string;
  source_type: SourceType;
  /** The source behind it, where it is published under the maps provider's name (§2.3); absent: `source_id`. */
  observed_by?: string;
  /** As the provider knows it: `node/123`, a place id, a register's number. Stable. */
  external_id: string;
  /** Its own name; null: it has none, and is called by its kind and street (core/places/place-naming.ts). */
  name: string | null;
  /** Names by language tag, where the source has some: for questions that ask for a language. */
  names?: Readonly<Record<string, string>>;
  /** Operator or contributor, where that is not the source itself. */
  provider?: { id: string; name: string };
  /** Facts of the vocabulary (packages/api/attributes.ts), and members of §2.4, §2.5; unknown is absent. */
  attributes: Readonly<Record<string, unknown>>;
  /** Hours as the source publishes them, in any form; absent: it publishes none. */
  opening?: Opening;
  /** Parts of the address, for names and records that keep them apart (§2.11). */
  address?: AddressParts;
  /** Where the live half of its register has its states; absent: nothing live is known of it. */
  live?: LiveKeys;
  /** Of a city's own data set (§2.11): which, and what it calls this. */
  record?: { dataset: string; identifier?: string };
  /** Keys of other registers that are the same thing: `osm:node/123`, `geodae:123`. Its own too. */
  keys: readonly string[];
};

/** Parts of an address, as far as they are known; `area`: a quarter, a village or a town. */
export type AddressParts = { street?: string; number?: string; post_code?: string; area?: string };

/** The parts that a source states; null or absent: it does not. */
export function toAddressParts(
  stated: Readonly<Partial<Record<keyof AddressParts, string | null>>>,
): AddressParts {
  return present(stated);
}
