/** Answers of ask_here as they are shown: few members, and few enough bytes for a model to read at once. */
import { ASK_BYTES, type AskShown } from "#api/agent-ask.ts";
import type { Wish } from "#core/wishes/read-wish.ts";
import { parseRfc3339 } from "#kit/time.ts";
import type { Static } from "typebox";
import { sizeAtPlace, toBriefLocation, toBriefName } from "../brief.ts";
import { toFoot } from "../on-foot.ts";
import { cleanAll } from "../tool-records.ts";
import type { ToolDeps } from "../tool.ts";
import type { Candidate } from "./ask-found.ts";
import type { Chosen } from "./ask-pairs.ts";

type Shown = Static<typeof AskShown>["answers"][number];
export type Row = { shown: Shown; sources: readonly string[] };

export function toAnswers(
  deps: Pick<ToolDeps, "termsOf">,
  wishes: readonly Wish[],
  chosen: readonly Chosen[],
  now_ms: number,
): Row[] {
  return wishes.map((wish, index) => toRow(deps, wish, chosen[index]!, now_ms));
}

function toRow(
  deps: Pick<ToolDeps, "termsOf">,
  wish: Wish,
  { found, pick, beside }: Chosen,
  now_ms: number,
): Row {
  const at = found.candidates.findIndex(({ lacks }) => lacks.length === 0);
  const known = pick ?? found.candidates[at] ?? null;
  // One that may fit is named where it is nearer, or where none is known to fit.
  const unknown = pick === null && at !== 0 ? (found.candidates[0] ?? null) : null;
  const answer = known ? "known" : unknown ? "unknown" : found.failed ? "failed" : "none";
  const isTold = answer !== "known" && found.message !== null;
  const shown: Shown = {
    wish: wish.text,
    answer,
    within_meters: found.within_m,
    ...(known && { known: toThing(deps, known, now_ms) }),
    ...(unknown && { unknown: { ...toThing(deps, unknown, now_ms), lacks: [...unknown.lacks] } }),
    ...(beside && { beside }),
    ...(isTold ? { message: found.message! } : {}),
  };
  return {
    shown: cleanAll(shown),
    sources: [known, unknown].flatMap((each) => each?.sources ?? []),
  };
}

function toThing({ termsOf }: Pick<ToolDeps, "termsOf">, each: Candidate, now_ms: number) {
  const { id, name, location, distance_m, walk, facts, price, true_until } = each;
  const { walk_minutes } = toFoot(walk, { profile: "foot", known: walk !== undefined });
  const [source] = each.sources;
  const provider = source === undefined ? "unknown source" : termsOf(source).provider;
  return {
    id,
    name: name && toBriefName(name),
    location: toBriefLocation(location),
    distance_meters: Math.round(distance_m),
    ...(walk_minutes === undefined ? {} : { walk_minutes }),
    ...facts,
    price: price && toBriefName(price),
    true_until,
    proof: `${provider}, ${sayAge(each.observed_at, now_ms)}`,
  };
}

function sayAge(observed_at: string | null, now_ms: number): string {
  const seen_ms = observed_at === null ? null : parseRfc3339(observed_at);
  if (seen_ms === null) return "age not stated";
  return `${Math.max(0, Math.round((now_ms - seen_ms) / 1000))} s old`;
}

/** Leaves out what is said of unknown things, the last wish first, until the answer is short enough. */
export function shrink<T extends object>(
  rows: readonly Row[],
  around: (rows: readonly Row[]) => T,
): T {
  let left = [...rows];
  for (let index = rows.length - 1; index >= 0; index--) {
    const answer = around(left);
    if (sizeAtPlace(answer) <= ASK_BYTES) return answer;
    left = left.map((row, at) => (at === index && row.shown.known ? withoutUnknown(row) : row));
  }
  return around(left);
}

function withoutUnknown({ shown: { unknown: _unknown, ...shown }, sources }: Row): Row {
  return { shown, sources };
}
