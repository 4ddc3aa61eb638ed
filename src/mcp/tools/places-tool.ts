/** geocode, reverse_geocode, find_urban_services, find_transit_stations: one question, its results in brief. */
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import type { GeocodeReply } from "#app/places/geocoding.ts";
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import type { SearchInput, SearchReply } from "#app/search-reply.ts";
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import { SHOWN } from "#api/agent-results.ts";
import {
  fit,
  toBriefClassPlace,
  toBriefPlace,
  toBriefService,
  toBriefTransit,
  toOmitted,
} from "../brief.ts";
import { localAt, toLocal } from "../local.ts";
import {
  type FootArguments,
  type Footed,
  type FootMembers,
  hasWalks,
  toFoot,
  toFootQuestion,
  toNearestStraight,
  toWalking,
  withoutWalks,
} from "../on-foot.ts";
import {
  fromSources,
  observersOfPlace,
  type SourcedItem,
  toCredits,
  transitSource,
} from "../answer-sources.ts";
import type { AnswerOf, ToolCall, RunTool, ToolDeps } from "../tool.ts";

export function createGeocode(deps: ToolDeps): RunTool<"geocode"> {
  return async (question, query) => {
    return toPlacesOutcome(deps, await deps.searches.geocoding.geocode(toInput(question, query)));
  };
}

export function createReverseGeocode(deps: ToolDeps): RunTool<"reverse_geocode"> {
  return async (question, query) => {
    const reply = await deps.searches.geocoding.reverse(toInput(question, query));
    const outcome = await toPlacesOutcome(deps, reply);
    if (outcome.kind === "refused") return outcome;
    const { lat, lon } = question;
    return { ...outcome, answer: { ...outcome.answer, query_origin: { lat, lon } } };
  };
}

export function createFindServices(deps: ToolDeps): RunTool<"find_urban_services"> {
  const limit = LIMITS.services.limit_max;
  return async ({ limit: most, offset, within_minutes, profile, ...args }, query) => {
    const foot = { within_minutes, profile };
    const question = {
      ...{ ...args, ...toFootQuestion(foot), limit, language: undefined, debug: false },
    };
    const reply = await deps.searches.services(toInput(question, query));
    if ("kind" in reply) return { ...reply, charged: false, retry_after_s: null };
    const { results, summary, unknown, not_potable, potable_unknown, ...body } = reply.body;
    const { nearest_known, radius } = body;
    const found = { radius, summary, unknown, nearest_known, not_potable, potable_unknown };
    return toListOutcome(deps, query, reply, {
      ...{ body, found, results, page: { offset, most }, foot },
      toFooted: (each) => each,
      toShown: (each) => fromSources(toBriefService(each), observersOfPlace(each)),
    });
  };
}

export function createFindPlaces(deps: ToolDeps): RunTool<"find_places"> {
  const limit = LIMITS.places.limit_max;
  return async ({ limit: most, offset, within_minutes, profile, ...args }, query) => {
    const foot = { within_minutes, profile };
    const question = { ...args, ...toFootQuestion(foot), limit, debug: false };
    const reply = await deps.searches.places(toInput(question, query));
    if ("kind" in reply) return { ...reply, charged: false, retry_after_s: null };
    const { results, summary, unknown, nearest_known, ...body } = reply.body;
    return toListOutcome(deps, query, reply, {
      ...{ body, found: { radius: body.radius, summary, unknown, nearest_known }, results },
      ...{ page: { offset, most }, foot },
      toFooted: (each) => each,
      toShown: (each) => fromSources(toBriefClassPlace(each), observersOfPlace(each)),
    });
  };
}

export function createFindStations(deps: ToolDeps): RunTool<"find_transit_stations"> {
  const limit = LIMITS.transport.limit_max;
  return async ({ limit: most, offset, within_minutes, profile, ...args }, query) => {
    const foot = { within_minutes, profile };
    const question = { ...args, ...toFootQuestion(foot), limit, every: true, debug: false };
    const reply = await deps.searches.transport(toInput(question, query));
    const { results, unknown, nearest_known, ...body } = reply.body;
    const found = { radius: body.radius, unknown, nearest_known };
    return toListOutcome(deps, query, reply, {
      ...{ body, found, results: results.stations, page: { offset, most }, foot },
      toFooted: (each) => each,
      toShown: (each) => fromSources(toBriefTransit(each), each.sources.map(transitSource)),
    });
  };
}

type Body = Pick<ReplyAt<"/v1/transport/nearby">, "query_origin" | "total"> &
  Pick<
    ReplyAt<"/v1/services/nearby">,
    "status" | "message" | "notices" | "local_time" | "time_zone"
  > &
  Pick<ReplyAt<"/v1/transport/nearby">, "walking">;
/** Members of every list about a place. */
type Head = Omit<
  AnswerOf<"find_transit_stations">,
  | ("radius" | "total" | "shown" | "next_offset" | "results" | "untrusted_text" | "freshness")
  | ("attribution" | "walking" | "nearest_straight")
>;

/** `reach`: how many of all that were found can be paged to. */
async function toHead(
  deps: ToolDeps,
  body: Body,
  { now_ms, reach }: { now_ms: number; reach: number },
): Promise<Head> {
  const { status, message, query_origin, local_time, time_zone, total } = body;
  const { notices = [] } = toOmitted(withoutWalks(body), message);
  const end = `The list ends after ${reach} of ${total}; ask for a smaller radius or less time.`;
  const reported = reach < total ? [...notices, end] : notices;
  return {
    status,
    message,
    ...(reported.length === 0 ? {} : { notices: reported }),
    query_origin,
    distances: "straight_line",
    ...(local_time === undefined || time_zone === undefined
      ? await localAt(deps, query_origin, { at_ms: now_ms })
      : toLocal(local_time, time_zone)),
  };
}

/** A question as its use case takes it. */
export function toInput<Q>(question: Q, query: ToolCall): SearchInput<Q> {
  const { now_ms, deadline_ms, signal, caller } = query;
  return { question, deadline_ms, signal, keyed: caller.kind === "keyed", now_ms };
}

type Listed<F, R, S> = {
  body: Body;
  /** Members of the tool's own, about all that was found. */
  found: F;
  results: readonly R[];
  page: { offset: number; most: number };
  foot: FootArguments;
  /** A result as the order by ways sees it; absent: the order is that of time. */
  toFooted?: (result: R) => Footed;
  /** Reduces a result: only those of the page are. */
  toShown: (result: R) => S;
};

/** What every result has, where ways on foot are known. */
type Walkable = Pick<Footed, "walk">;

export async function toListOutcome<F extends object, R extends Walkable, S extends SourcedItem>(
  deps: ToolDeps,
  { now_ms }: ToolCall,
  reply: SearchReply,
  { body, found, results, page, foot, toFooted, toShown }: Listed<F, R, S>,
) {
  // The search has had its turn.
  await deps.pause?.();
  const head = await toHead(deps, body, { now_ms, reach: results.length });
  const how = { profile: foot.profile, known: hasWalks(body) };
  const paged = results
    .slice(page.offset, page.offset + SHOWN.items_max)
    .map((each): S & FootMembers => ({ ...toShown(each), ...toFoot(each.walk, how) }));
  const isFirst = how.known && page.offset === 0;
  const walking = {
    ...toWalking(body, { ...foot, isByTime: toFooted === undefined }),
    ...(isFirst && toFooted ? toNearestStraight(results.map(toFooted), how) : {}),
  };
  await deps.pause?.();
  const answer = fit(paged, page.most, (shown) => {
    const end = page.offset + shown.length;
    const next_offset = shown.length > 0 && end < results.length ? end : null;
    const valid_for_s = reply.max_age_s;
    const { total } = body;
    const listed = toAnswer(deps, { total, shown, valid_for_s });
    return { ...head, ...walking, ...found, ...listed, next_offset };
  });
  // It is yet to be written.
  await deps.pause?.();
  return { kind: "answered" as const, answer, metered: reply.metered };
}

async function toPlacesOutcome(
  deps: ToolDeps,
  reply: GeocodeReply,
): ReturnType<RunTool<"geocode">> {
  if (reply.kind === "failed") {
    const { code, message, retry_after_s } = reply;
    return { kind: "refused", charged: false, code, message, retry_after_s };
  }
  const { results, meta } = reply.body;
  const listed = results.map((each) => fromSources(toBriefPlace(each), [toSource(each)]));
  const { status, notices, bases } = meta;
  const reported = { ...(status ? { status } : {}), ...(notices ? { notices } : {}) };
  const terms = { ...deps, termsOf: withGazetteer(deps.termsOf, bases) };
  // Of the foremost: candidates far from each other have times of their own.
  const [first] = results;
  const local = first ? await localAt(deps, first.location, { at_ms: deps.clock.now() }) : {};
  const { total } = meta;
  const answer = fit(listed, SHOWN.items_max, (shown) => ({
    ...local,
    ...reported,
    ...toAnswer(terms, { total, shown, valid_for_s: reply.max_age_s }),
  }));
  return { kind: "answered", answer, metered: ONE_ANSWER };
}

type Geocoded = ReplyAt<"/v1/geocode">;

/** The gazetteer is GeoNames' and no part of the map, though the contract has one id for all. */
const GAZETTEER = "gazetteer";

function toSource({ base_id, source_id }: Geocoded["results"][number]): string {
  return base_id === GAZETTEER ? GAZETTEER : source_id;
}

function withGazetteer(termsOf: TermsOf, bases: Geocoded["meta"]["bases"] = []): TermsOf {
  const own_base = bases.find(({ id }) => id === GAZETTEER);
  if (!own_base) return termsOf;
  const { licence, attribution } = own_base;
  const terms = { provider: "GeoNames", licence, attribution, store: "all" } as const;
  return (id) => (id === GAZETTEER ? terms : termsOf(id));
}

function toAnswer<S extends SourcedItem>(
  { clock, termsOf }: ToolDeps,
  parts: { total: number; shown: readonly S[]; valid_for_s: number | null },
) {
  const { total, shown, valid_for_s } = parts;
  return {
    untrusted_text: true as const,
    total,
    shown: shown.length,
    results: shown,
    freshness: { answered_at: new Date(clock.now()).toISOString(), valid_for_s },
    attribution: toCredits(shown, termsOf),
  };
}
