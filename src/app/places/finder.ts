/**
 * A finder is one source of places as a question sees it: which kinds it knows, where, and what came
 * of asking. Lookups, tiles and registries look alike from here, so that the use cases know none by
 * name. The order of finders is their precedence where two see the same thing.
 */
import type { FailureStatus } from "#core/outcome.ts";
import type { PlaceKind } from "#core/places/place.ts";
import type { AskOptions } from "#upstream/lookup/ask.ts";
import type { Found } from "#core/places/results.ts";
import type { Circle } from "#world/system-entry.ts";

export type PlaceQuestion = AskOptions & {
  circle: Circle;
  kinds: readonly PlaceKind[];
  /** Two upper-case letters; null: unknown. */
  country: string | null;
  language: string | null;
  /** Of each maps-provider category (§4.6, §4.7). */
  maps_limit: number;
  now_ms: number;
};

/** Answer of a source. A failure may come with places that are held from before. */
export type Finding = {
  /** Key of the debug block: the provider's id. */
  key: string;
  status: "ok" | FailureStatus;
  reason: string | null;
  /** Places inside the circle and a little around it, of the requested kinds. */
  places: readonly Found[];
  /** Things the source sent, or holds there. */
  raw: number;
  calls: number;
  cache: "hit" | "miss" | "partial";
  /** Until when this may be reused, epoch ms; null: it was a failure. */
  good_until_ms: number | null;
};

export type Finder = {
  key: string;
  /** Of these, which it would be asked for in this question: by kind, and by where it is. */
  kindsFor(question: PlaceQuestion): readonly PlaceKind[];
  find(question: PlaceQuestion): Promise<Finding>;
};

/** Places that are merged across sources may lie this far outside the circle on one side (30 m). */
export const FRINGE_M = 30;
