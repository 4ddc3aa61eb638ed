/**
 * ask_here: several wishes around a point, each by the search of its family, at the same time and within
 * one deadline. An answer names the nearest thing that is known to fit, and the nearest that may.
 */
import { ASK_RADII } from "#api/agent-ask.ts";
import { findOperation } from "#api/operations.ts";
import { judgeStatus } from "#core/coverage.ts";
import { unitsOfReply } from "#core/metering/metered-units.ts";
import { type Needs, readNeeds, readWish, type Wish } from "#core/wishes/read-wish.ts";
import type { Location } from "#kit/geo.ts";
import { parseRfc3339 } from "#kit/time.ts";
import { localAt } from "../local.ts";
import { cleanAll } from "../tool-records.ts";
import {
  type AnswerOf,
  type Refused,
  type RunTool,
  takeTurn,
  type ToolCall,
  type ToolDeps,
} from "../tool.ts";
import type { Found, FindWish } from "./ask-found.ts";
import { findMobility } from "./ask-mobility.ts";
import { choosePairs, type Chosen } from "./ask-pairs.ts";
import { findPlace, findService } from "./ask-services.ts";
import { shrink, toAnswers, toAttribution } from "./ask-shown.ts";
import { listClaims } from "./ask-claims.ts";
import type { KeptAnswers } from "../kept-answers.ts";
import { findDeparture, findStop } from "./ask-transit.ts";

type Answer = AnswerOf<"ask_here">;
type Ask = { wishes: readonly Wish[]; needs: Needs; at: Location; when: string | null };

export function createAskHere(deps: ToolDeps & { answers: KeptAnswers }): RunTool<"ask_here"> {
  return async ({ lat, lon, wishes, when, for: words = [] }, query) => {
    const read = readAll(wishes, words);
    if ("kind" in read) return read;
    if (when !== undefined && parseRfc3339(when) === null)
      return refuse("arguments.when must be an RFC 3339 time: there is no such date");
    const ask: Ask = { ...read, at: { lat, lon }, when: when ?? null };
    const first = await Promise.all(
      ask.wishes.map((wish, index) => find(deps, ask, { wish, index, query })),
    );
    const found = first.filter((each) => each !== null);
    const { chosen, more } = await choosePairs(deps, first, ask.wishes, {
      needs: ask.needs,
      searchAt: (wish, at, within_m) => search(deps, { ...ask, at }, { wish, within_m, query }),
    });
    const requested = [...found, ...more].map((each) => each.requested);
    const units = requested.reduce(
      (sum, { operation, metered }) =>
        sum + unitsOfReply(findOperation(operation).charge, { ...metered, status: 200 }),
      0,
    );
    return {
      kind: "answered",
      answer: await toAnswer(deps, ask, { chosen, units, query }),
      requested,
    };
  };
}

function readAll(
  texts: readonly string[],
  words: readonly string[],
): Refused | Pick<Ask, "wishes" | "needs"> {
  const wishes: Wish[] = [];
  for (const [index, text] of texts.entries()) {
    const read = readWish(text);
    if (!read.ok) return refuse(`arguments.wishes[${index}] ${read.message}`);
    if (index === 0 && read.wish.near !== null)
      return refuse("arguments.wishes[0] has ~, and there is no wish before it");
    wishes.push(read.wish);
  }
  const needs = readNeeds(words);
  return needs.ok ? { wishes, needs: needs.needs } : refuse(`arguments.for: ${needs.message}`);
}

function refuse(message: string): Refused {
  return { kind: "refused", charged: false, code: "invalid_request", message };
}

function familyOf(wish: Wish): { finder: FindWish; within_m: number } {
  switch (wish.kind.family) {
    case "service":
      return { finder: findService, within_m: ASK_RADII.service };
    case "place":
      return { finder: findPlace, within_m: ASK_RADII.service };
    case "mobility":
      return { finder: findMobility, within_m: ASK_RADII.mobility };
    case "transit":
      return wish.options.has("stop")
        ? { finder: findStop, within_m: ASK_RADII.stop }
        : { finder: findDeparture, within_m: ASK_RADII.departure };
  }
}

type One = { wish: Wish; index: number; query: ToolCall };

/** null: it is searched for pair the wish before it, when that is answered. */
async function find(deps: ToolDeps, ask: Ask, { wish, index, query }: One): Promise<Found | null> {
  const isWide = wish.kind.family === "service" || wish.kind.family === "place";
  if (wish.near !== null && !isWide) return null;
  await takeTurn(deps, index);
  return search(deps, ask, { wish, within_m: familyOf(wish).within_m, query });
}

async function search(
  deps: ToolDeps,
  { needs, at, when }: Ask,
  { wish, within_m, query }: { wish: Wish; within_m: number; query: ToolCall },
): Promise<Found> {
  const found = await familyOf(wish).finder(deps, { wish, needs, at, within_m, when }, query);
  if (!needs.step_free) return found;
  // A way without a known step may have one that is not known.
  const candidates = found.candidates.map((each) =>
    each.walk?.step_free === true ? each : { ...each, lacks: [...each.lacks, "step_free way"] },
  );
  return { ...found, candidates };
}

type Parts = { chosen: readonly Chosen[]; units: number; query: ToolCall };

async function toAnswer(
  deps: ToolDeps & { answers: KeptAnswers },
  ask: Ask,
  { chosen, units, query }: Parts,
): Promise<Answer> {
  const { now_ms } = query;
  const answers = toAnswers(ask.wishes, chosen, now_ms);
  const isFound = answers.some(
    ({ shown }) => shown.known !== undefined || shown.unknown !== undefined,
  );
  const status = judgeStatus({
    isIncomplete: chosen.some(({ found }) => found.failed),
    found: isFound,
  });
  const walking = chosen.find(({ found }) => found.walking !== null)?.found.walking;
  const sources = answers.flatMap((each) => each.sources);
  const head = cleanAll({
    status,
    ...(status === "success" ? {} : { message: MESSAGES[status] }),
    query_origin: ask.at,
    ...(await localAt(deps, ask.at, { at_ms: now_ms, sources })),
    ...(walking == null ? {} : { walking }),
    untrusted_text: true as const,
  });
  const freshness = { answered_at: new Date(deps.clock.now()).toISOString(), valid_for_s: null };
  const finish = (resource?: string): Answer =>
    shrink(answers, (rows) => ({
      ...head,
      answers: rows.map(({ shown }) => shown),
      ...(resource === undefined ? {} : { resource }),
      units,
      freshness,
      attribution: toAttribution(rows, deps.termsOf),
    }));
  const bare = finish();
  if (countSaid(bare) === 0) return bare;
  const kept = deps.answers.keep(query.caller, now_ms, (uri) => {
    const whole = finish(uri);
    // What is wished goes before an address.
    const answer = countSaid(whole) < countSaid(bare) ? bare : whole;
    return { answer, claims: listClaims(ask, { chosen, answer, now_ms }) };
  });
  return kept ?? bare;
}

/** How many wishes have a known answer that is shown. */
function countSaid({ answers }: Answer): number {
  return answers.filter(({ known }) => known !== undefined).length;
}

const MESSAGES = {
  partial: "A source failed, so that something nearer may be missing: see each answer.",
  empty: "Nothing that is wished was found.",
} as const;
