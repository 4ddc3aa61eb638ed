/** Answers of ask_here as resources: whether what one says is known still holds, and why not. */
import type { Caller } from "#app/access/request-caller.ts";
import type { Sight } from "#app/stations/look.ts";
import type { LookAtThing } from "#app/stations/look-at-thing.ts";
import type { Watchable } from "#app/stations/watch.ts";
import type { Clock } from "#ports.ts";
import type { Claim, KeptAnswer, KeptAnswers } from "./kept-answers.ts";
import { type Clocks, localAt, withPlaceTimes } from "./local.ts";
import { judgeAgain } from "./tools/ask-mobility.ts";

/** `null`: it is not known any more whether it holds. */
type Check = {
  wish: string;
  id: string;
  holds: boolean | null;
  reason?: "not_free" | "closed" | "departed" | "gone" | "unknown";
};

type Verdict = { check: Check; ends_ms: number; isCurrent(): boolean };

export type AnswerDeps = {
  answers: KeptAnswers;
  lookAtThing: LookAtThing;
  clock: Pick<Clock, "now">;
};

/** Returns how to watch an answer of the caller's own; null: there is none at this address. */
export function findWatchedAnswer(
  { answers, lookAtThing, clock }: AnswerDeps,
  uri: string,
  caller: Caller,
): Watchable | null {
  const own = answers.find(uri, caller, clock.now());
  if (own === null) return null;
  const look = (now_ms: number): Sight => {
    const kept = answers.find(uri, caller, now_ms);
    if (kept === null) return { says: null, isCurrent: () => true, place: null };
    const verdicts = kept.claims.map((claim) => judge(claim, lookAtThing, now_ms));
    const ends_ms = Math.min(kept.kept_until_ms, ...verdicts.map((each) => each.ends_ms));
    return {
      says: sayReasons(verdicts.map(({ check }) => check.reason)),
      isCurrent: () => clock.now() < ends_ms && verdicts.every((each) => each.isCurrent()),
      place: null,
      things: kept.claims.length,
    };
  };
  return { id: uri, said: sayReasons(own.claims.map(() => undefined)), look };
}

/** Why each does not hold; undefined: it does. */
function sayReasons(reasons: readonly Check["reason"][]): string {
  return reasons.map((reason) => reason ?? "holds").join(" ");
}

/** The resource as text, by the clocks of the point. */
export async function toAnswerText(
  { answer, claims, made_ms, kept_until_ms }: KeptAnswer,
  { lookAtThing, now_ms, ...clocks }: Clocks & { lookAtThing: LookAtThing; now_ms: number },
): Promise<string> {
  const checks = claims.map((claim) => judge(claim, lookAtThing, now_ms).check);
  const local = await localAt(clocks, answer.query_origin, {
    at_ms: now_ms,
    sources: claims.flatMap(({ candidate }) => candidate.sources),
  });
  const text = {
    holds: holdsAll(checks),
    checks,
    ...local,
    answered_at: new Date(made_ms).toISOString(),
    kept_until: new Date(kept_until_ms).toISOString(),
    answer,
    untrusted_text: true,
    freshness: { answered_at: new Date(now_ms).toISOString(), valid_for_s: null },
    attribution: answer.attribution,
  };
  return JSON.stringify(withPlaceTimes(text));
}

/** One that does not hold ends the whole; null: none is known to have ended, and one is unknown. */
function holdsAll(checks: readonly Check[]): boolean | null {
  if (checks.some(({ holds }) => holds === false)) return false;
  return checks.some(({ holds }) => holds === null) ? null : true;
}

function judge(claim: Claim, look: LookAtThing, now_ms: number): Verdict {
  const { wish, candidate, question, ends } = claim;
  const { id } = candidate;
  const toVerdict = (reason: Check["reason"] | null, rest: Omit<Verdict, "check">): Verdict => {
    const holds = reason === null ? true : reason === "unknown" ? null : false;
    return { check: { wish, id, holds, ...(reason && { reason }) }, ...rest };
  };
  if (question === null) {
    const has_ended = ends !== null && now_ms >= ends.at_ms;
    const ends_ms = ends === null || has_ended ? Infinity : ends.at_ms;
    return toVerdict(has_ended ? ends.why : null, { ends_ms, isCurrent: () => true });
  }
  const { station, vehicle, is_known, known_until_ms, isCurrent } = look(candidate, now_ms);
  const reason = is_known ? judgeAgain(question, { station, vehicle }) : "unknown";
  return toVerdict(reason, { ends_ms: is_known ? known_until_ms! : Infinity, isCurrent });
}
