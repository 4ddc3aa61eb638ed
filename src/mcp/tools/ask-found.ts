/** What the searches of ask_here find, in one form: candidates of a wish, the nearest first. */
import type { WalkBody } from "#api/walk.ts";
import type { Needs, Wish } from "#core/wishes/read-wish.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import type { Location } from "#kit/geo.ts";
import type { RequestedOperation, ToolCall, ToolDeps } from "../tool.ts";

export type Candidate = {
  id: string;
  name: string | null;
  location: Location;
  distance_m: number;
  /** null: no way is known; undefined: no streets are. */
  walk: WalkBody | null | undefined;
  /** What is not known of it; none: it is known to fit. */
  lacks: readonly string[];
  /** Members of its kind, as they are shown. */
  facts: {
    count?: number;
    battery?: number;
    line?: string;
    toward?: string | null;
    departs_at?: string;
    leave?: string;
    /** Of what may be closed, though no option of the wish asks for its hours. */
    hours?: "unknown";
  };
  price: string | null;
  /** RFC 3339. */
  true_until: string | null;
  /** When its source observed it; null: it does not say. */
  observed_at: string | null;
  sources: readonly string[];
};

export type Found = {
  within_m: number;
  candidates: readonly Candidate[];
  /** A source failed, so that what is nearer may be missing. */
  failed: boolean;
  message: string | null;
  requested: RequestedOperation;
  /** One sentence about ways on foot; null: there is none. */
  walking: string | null;
};

export type Question = {
  wish: Wish;
  needs: Needs;
  at: Location;
  /** Metres; never more than the search of its family allows. */
  within_m: number;
  /** RFC 3339; null: now. */
  when: string | null;
};

/** Searches for one wish. */
export type FindWish = (deps: ToolDeps, question: Question, query: ToolCall) => Promise<Found>;

/** The profile of the walks. */
export function profileOf({ step_free }: Needs): "foot" | "step_free" {
  return step_free ? "step_free" : "foot";
}

/** Of a search that refuses its question, or is none: it costs nothing. */
export function toRefused(
  within_m: number,
  message: string | null,
  operation: RequestedOperation["operation"],
): Found {
  const requested = { operation, metered: { ...ONE_ANSWER, void: true } };
  return { within_m, candidates: [], failed: true, message, requested, walking: null };
}
