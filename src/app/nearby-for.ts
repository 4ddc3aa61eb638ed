/** The question of GET /v1/nearby as other use cases ask it, for as many objects as they need. */
import type { Caller } from "#app/access/request-caller.ts";
import type { Nearby, NearbyInput, NearbyQuestion, NearbyResult } from "#app/answer-types.ts";
import { NEARBY_PARAMETERS } from "#api/nearby.ts";
import { defaultsOf } from "#api/primitives.ts";

/** On whose behalf, and until when. */
export type OnBehalf = Pick<NearbyInput, "remaining_units" | "deadline_ms" | "now_ms" | "only"> & {
  caller: Caller;
};

type Question = Pick<NearbyQuestion, "lat" | "lon" | "limit"> & Partial<NearbyQuestion>;

const DEFAULTS = defaultsOf(NEARBY_PARAMETERS);

/**
 * Asks for the first page, as JSON, without diagnostics. How many objects the plan allows in one answer
 * does not bound it, since the page is not the caller's; what it costs is for the use case to say.
 */
export async function askNearbyFor(
  nearby: Nearby,
  question: Question,
  { caller, ...query }: OnBehalf,
): Promise<NearbyResult> {
  const reply = await nearby({
    ...query,
    question: { ...DEFAULTS, ...question },
    caller: { plan: { ...caller.plan, nearby_limit_max: question.limit } },
    freshness_policy: null,
  });
  // It has no offset, which is all that a plan refuses.
  if (reply.kind === "refused")
    throw new Error(`a page without an offset was refused: ${reply.code}`);
  return reply;
}
