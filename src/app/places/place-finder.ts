/**
 * A finder is one source of places as a question sees it: which kinds it knows, where, and what came
 * of asking. Lookups, tiles and registries look alike from here, so that the use cases know none by
 * name. The order of finders is their precedence where two see the same thing.
 */
import type { Budget } from "#kit/budget.ts";
import type { PlaceHits } from "#core/places/place-hits.ts";
import type { PlaceKind } from "#core/places/place.ts";
import type { AskOptions } from "#upstream/lookup/ask-source.ts";
import type { Circle } from "#world/system-entry.ts";
import type { SourceFinding } from "../search-reply.ts";

export type PlaceQuestion = AskOptions & {
  circle: Circle;
  kinds: readonly PlaceKind[];
  /** Those of which the source that is asked in place of others found nothing: now they are asked. */
  unfound: readonly PlaceKind[];
  /** Two upper-case letters; null: unknown. */
  country: string | null;
  language: string | null;
  /** Of each maps-provider category (§4.6, §4.7). */
  maps_limit: number;
  /** Filters leave out some of what is found, so that what is at hand is not cut before. */
  filtered: boolean;
  now_ms: number;
  /** What all its finders together may look at. */
  budget: Budget;
};

/** Places inside the circle and a little around it, of the requested kinds. */
export type Finding = SourceFinding & { places: PlaceHits };

export type Finder = {
  key: string;
  /** Of these, which it would be asked for in this question: by kind, and by where it is. */
  kindsFor(question: PlaceQuestion): readonly PlaceKind[];
  /** false: it is never asked in place of another source that found nothing; absent: it may be. */
  replaces?: false;
  /** As people know it, and of these kinds those that it knows, but not here; absent: it knows all places. */
  elsewhere?: { name: string; kindsFor(question: PlaceQuestion): readonly PlaceKind[] };
  find(question: PlaceQuestion): Promise<Finding>;
  /** The same where all is in memory, without a wait; null, or absent: it has to be asked. */
  findAtOnce?(question: PlaceQuestion): Finding | null;
};
