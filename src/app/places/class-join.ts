/** One list of urban services and of points of interest, each of which was searched for by itself. */
import type { CLASS_PARAMETERS } from "#api/class-places.ts";
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { Decoded } from "#api/primitives.ts";
import { judgeStatus, MOST_NOTICES } from "#core/coverage.ts";
import { listPageCuts, type SearchReply } from "../search-reply.ts";
import { toEnded, type Notice } from "#core/notices.ts";

export type ClassQuestion = Decoded<typeof CLASS_PARAMETERS>;
export type ClassReply = ReplyAt<"/v1/places/nearby">;
export type ClassItem = ClassReply["results"][number];
type Services = ReplyAt<"/v1/services/nearby">;
type ServiceReply = SearchReply<Services>;
type OneReply = SearchReply<ClassReply>;

/** `null`: nothing of it was asked for; one of them is there. */
export function joinReplies(
  question: ClassQuestion,
  of_services: ServiceReply | null,
  of_interests: OneReply | null,
): OneReply {
  const services = of_services && { ...of_services, body: toBody(of_services.body) };
  if (services === null || of_interests === null) return (services ?? of_interests)!;
  const [a, b] = [of_interests, services];
  const limit = Math.min(question.limit, LIMITS.places.limit_max);
  const all = [...a.body.results, ...b.body.results].toSorted(orderOf(question.sort === "walk"));
  const results = all.slice(0, limit);
  const total = a.body.total + b.body.total;
  const limits = { limit, limit_max: LIMITS.places.limit_max };
  const cuts = question.sort === "walk" ? [] : listPageCuts(results, total, limits);
  const max_ages = [a.max_age_s, b.max_age_s];
  return {
    body: joinBodies(a.body, b.body, { results, total, cuts }),
    max_age_s: max_ages.includes(null) ? null : Math.min(...max_ages.map(Number)),
    metered: {
      void: a.metered.void && b.metered.void,
      objects: results.length,
      maps_categories: b.metered.maps_categories,
    },
  };
}

/** What it counts of water alone is in the services' own search. */
function toBody({ results, ...body }: Services): ClassReply {
  const { not_potable: _potable, potable_unknown: _unknown, ...rest } = body;
  return { ...rest, results: results.map(toItem) };
}

function toItem(service: Services["results"][number]): ClassItem {
  const { id, service_type, external_id, name, location, distance_meters, walk } = service;
  const { match, unknown } = service;
  return {
    id,
    type: "place",
    place_class: service_type,
    ...(external_id === undefined ? {} : { external_id }),
    ...{ name, location, distance_meters },
    ...(walk === undefined ? {} : { walk }),
    attributes: toAttributes(service.attributes),
    source_id: service.source_id,
    ...(match && unknown && { match, unknown }),
  };
}

/** Hours of a charger or car park are a list of lines (§4.7); those of a place are one text. */
function toAttributes(attributes: { opening_hours?: string | readonly string[] }) {
  const { opening_hours } = attributes;
  return typeof opening_hours === "object"
    ? { ...attributes, opening_hours: opening_hours.join("; ") }
    : { ...attributes };
}

function orderOf(onFoot: boolean): (a: ClassItem, b: ClassItem) => number {
  const secondsOf = ({ walk }: ClassItem): number =>
    onFoot ? (walk?.seconds ?? Number.MAX_SAFE_INTEGER) : 0;
  return (a, b) =>
    secondsOf(a) - secondsOf(b) || a.distance_meters - b.distance_meters || (a.id < b.id ? -1 : 1);
}

type Joined = Pick<ClassReply, "results" | "total"> & { cuts: readonly Notice[] };

function joinBodies(a: ClassReply, b: ClassReply, { results, total, cuts }: Joined): ClassReply {
  const parts = [a, b];
  const isIncomplete = parts.some(({ status }) => status === "partial");
  const status = judgeStatus({ isIncomplete, found: total > 0 });
  const messages = parts
    .filter((part) => part.status === status)
    .flatMap(({ message }) => message ?? []);
  // Where each list ends by itself is not where the one list ends.
  const notices = [
    ...parts.flatMap((part) => part.notices ?? []).filter((notice) => !isPageCut(notice)),
    ...cuts.map(toEnded),
  ].slice(0, MOST_NOTICES);
  const walking = joinWalking(a.walking, b.walking);
  const base = a.base ?? b.base;
  const unknown = joinCounts(a.unknown ?? {}, b.unknown ?? {});
  const attributions = a.attributions ?? b.attributions;
  const debug = a.debug && b.debug ? joinDebug(a.debug, b.debug) : undefined;
  const known = [a.nearest_known, b.nearest_known].filter((each) => each != null);
  const nearest = known.toSorted((x, y) => x.distance_meters - y.distance_meters)[0] ?? null;
  const isFiltered = parts.some(({ nearest_known }) => nearest_known !== undefined);
  const { message: _, notices: __, ...first } = a;
  return {
    ...first,
    ...(isFiltered
      ? { nearest_known: toNearest(results.find(({ match }) => match === "known")) ?? nearest }
      : {}),
    status,
    ...(status === "success" || messages.length === 0 ? {} : { message: messages.join(" ") }),
    ...(notices.length === 0 ? {} : { notices }),
    total,
    ...(walking && { walking }),
    ...(base && { base }),
    summary: { ...a.summary, ...b.summary },
    ...(Object.keys(unknown).length === 0 ? {} : { unknown }),
    results,
    ...(attributions && { attributions }),
    ...(debug && { debug }),
  };
}

function toNearest(item: ClassItem | undefined): ClassReply["nearest_known"] {
  if (!item) return null;
  const { id, distance_meters, location } = item;
  return { id, distance_meters, location };
}

/** Says where a page ends, of a total that is known. */
function isPageCut({ source, cut }: NonNullable<ClassReply["notices"]>[number]): boolean {
  return source === null && cut !== null && cut.total !== null;
}

type Walking = NonNullable<ClassReply["walking"]>;

function joinWalking(a: Walking | undefined, b: Walking | undefined): Walking | undefined {
  if (!a || !b) return a ?? b;
  return {
    ...a,
    reached: a.reached + b.reached,
    not_reached: a.not_reached + b.not_reached,
    unknown: a.unknown + b.unknown,
    step_free_unknown: a.step_free_unknown + b.step_free_unknown,
  };
}

type Counts = NonNullable<ClassReply["unknown"]>;

function joinCounts(a: Counts, b: Counts): Counts {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

type Debug = NonNullable<ClassReply["debug"]>;

function joinDebug(a: Debug, b: Debug): Debug {
  return {
    ...a,
    providers: { ...b.providers, ...a.providers },
    provider_calls: a.provider_calls + b.provider_calls,
    cache: a.cache === b.cache ? a.cache : "partial",
  };
}
