/**
 * GET /v1/places/nearby: places by what they are. Classes that are urban services are those of their own
 * search, all others points of interest; together they are one list.
 */
import { LIMITS } from "#api/limits.ts";
import type { MatchBody, NearestKnown } from "#api/filter-match.ts";
import { defaultsOf } from "#api/primitives.ts";
import { SERVICES_PARAMETERS } from "#api/services.ts";
import { SERVICE_TYPES } from "#api/tokens.ts";
import { judgeCoverage } from "#core/coverage.ts";
import { alsoJudged, toMatch } from "#core/filter-match.ts";
import { type Notice, ofUncounted } from "#core/notices.ts";
import { nameOfClass } from "#core/places/class-words.ts";
import type { Interest } from "#core/places/interest.ts";
import { statedOf } from "#core/places/place-results.ts";
import { createPlaceBudget } from "#core/places/select.ts";
import type { ServiceToken } from "#core/places/place-tokens.ts";
import {
  isForWheelchairs,
  keepUsable,
  listDoubts,
  toUnknown,
  type Wish,
} from "#core/places/usable-filter.ts";
import { hash32 } from "#kit/ids.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";
import { createTurn, type Turn } from "#kit/run/turn.ts";
import { createDeadline } from "#upstream/deadline.ts";
import { toLocalTime } from "#app/timezone.ts";
import {
  adviseMore,
  type Applied,
  clamp,
  listCuts,
  listPageCuts,
  listQueried,
  type Search,
  type SearchInput,
  type SearchRefusal,
  toReply,
} from "../search-reply.ts";
import { listWalkPageCuts, toOnFoot, walkToResults } from "../walk/walk-results.ts";
import { metresWithin, needsAll, readWalkWish, type WalkWish } from "../walk/walking.ts";
import { type ClassItem, type ClassQuestion, type ClassReply, joinReplies } from "./class-join.ts";
import type { FindInterests, InterestFinding, InterestHits } from "./interest-finder.ts";
import type { Openable, OpenStates } from "./open-states.ts";
import type { ServicesDeps } from "./place-answer.ts";
import { type PlaceSearches, readMoment, refuse } from "./place-search.ts";

export type ClassSearch = Search<ClassQuestion, ClassReply, SearchRefusal>;

export type ClassDeps = Pick<ServicesDeps, "clock" | "openStates" | "walks" | "maps"> & {
  interests: FindInterests;
  services: PlaceSearches["services"];
};

const SERVICES: ReadonlySet<string> = new Set(SERVICE_TYPES);

export function createClassSearch(deps: ClassDeps): ClassSearch {
  return async (input) => {
    const { question } = input;
    const chosen_ms = readMoment(question.usable, input.now_ms);
    if (typeof chosen_ms === "string") return refuse(chosen_ms);
    const types = question.classes.filter(isService);
    const classes = question.classes.filter((each) => !SERVICES.has(each));
    const [of_services, of_interests] = await Promise.all([
      types.length > 0 ? deps.services(toServices(input, types)) : null,
      classes.length > 0 ? findInterests(deps, input, classes, chosen_ms) : null,
    ]);
    if (of_services && "kind" in of_services) return of_services;
    return joinReplies(question, of_services, of_interests);
  };
}

function isService(name: string): name is ServiceToken {
  return SERVICES.has(name);
}

function toServices(
  { question, ...input }: SearchInput<ClassQuestion>,
  types: readonly ServiceToken[],
): Parameters<PlaceSearches["services"]>[0] {
  const { classes: _, ...rest } = question;
  const { limit } = clamp(question, LIMITS.places);
  return {
    ...input,
    question: { ...defaultsOf(SERVICES_PARAMETERS), ...rest, types, limit, country: undefined },
  };
}

/** A point of interest that may be shown. */
type Draft = Openable & {
  id: string;
  distance_meters: number;
  attributes: Interest["attributes"];
  place: Interest;
} & Partial<MatchBody>;

type Found = InterestFinding & { hits: InterestHits };
/** Those that are looked at, the nearest first, and how many fit in all. */
type Selected = {
  drafts: readonly Draft[];
  total: number;
  by_class: Record<string, number>;
  unknown: Parameters<typeof toUnknown>[0];
  uncounted: Notice | null;
};

async function findInterests(
  deps: ClassDeps,
  input: SearchInput<ClassQuestion>,
  classes: readonly string[],
  chosen_ms: number | null,
) {
  const { question, keyed = false } = input;
  const { lat, lon, language = null } = question;
  // 1. Clamp (§7 rule 3).
  const applied = clamp(question, LIMITS.places);
  using deadline = createDeadline(deps.clock, input.deadline_ms - REPLY_MARGIN_MS, input.signal);
  const { signal } = deadline;
  const turn = createTurn({});
  const now_ms = deps.clock.now();
  const moment = { at_ms: chosen_ms ?? now_ms, is_now: chosen_ms === null };
  const states = await deps.openStates(moment);
  const wish = readWalkWish(question);
  // 2. What lies in the circle; what is too far by beeline is too far on foot.
  const reach_m = wish === null ? Infinity : metresWithin(wish);
  const found = await deps.interests({
    circle: { lat, lon, radius_m: Math.min(applied.radius_m, reach_m) },
    ...{ classes, language, budget: createPlaceBudget(), signal, keyed, freshness: null },
  });
  // 3. Count and filter, then the page, on foot if wished.
  const selected = await select(found, { question, applied, classes, states, wish, turn });
  const page = await toPage(deps, selected, { question, applied, wish, turn, signal });
  const total = page.total;
  const coverage = judgeCoverage({
    requested: listQueried(found.findings, now_ms),
    ...{ unserved: found.unserved, uncovered: found.uncovered, unsurveyed: 0, found: total },
    uncounted: page.uncounted,
    on_foot: toOnFoot(wish),
    ...{ radius_m: applied.radius_m, radius_max: LIMITS.places.radius_max },
    cuts: listCuts(found.findings, reach_m),
  });
  const results: ClassItem[] = [];
  for (const [i, draft] of page.drafts.entries()) {
    results.push(toItem(draft, { language, states, ...(wish && { walk: page.walks[i] ?? null }) }));
    if (results.length % STEP === 0) await turn();
  }
  const time_zone = states.zoneAt(lat, lon);
  return toReply(
    {
      ...{ question, applied, now_ms: input.now_ms, coverage, findings: found.findings },
      radii: { requested_radius: question.radius, applied_radius: applied.radius_m },
      ...{ shown: results, cuts: page.cuts },
      isFrom: ({ source_id }, key) => source_id === key,
      ...(moment.is_now ? { good_until_ms: states.ends_ms() } : {}),
    },
    {
      ...{ query_origin: { lat, lon }, radius: applied.radius_m, total },
      ...{ local_time: toLocalTime(time_zone, moment.at_ms), time_zone },
      ...(page.walking === null ? {} : { walking: page.walking }),
      ...(page.nearest_known === undefined ? {} : { nearest_known: page.nearest_known }),
      ...(found.base === null ? {} : { base: found.base }),
      summary: page.by_class,
      ...toUnknown(page.unknown),
      results,
      ...(found.isOfMaps ? { attributions: [attributionOf(deps.maps)] } : {}),
    },
  );
}

function attributionOf({ name }: ClassDeps["maps"]) {
  return { provider: name, display_name: name, required: true } as const;
}

/** Items whose hours are read before others may have the thread. */
const STEP = 8;

type Selecting = {
  question: ClassQuestion;
  applied: Applied;
  classes: readonly string[];
  states: OpenStates;
  wish: WalkWish | null;
  turn: Turn;
};

/** Without a filter all are counted by their columns; of a filter the nearest ones are judged. */
async function select(found: Found, selecting: Selecting): Promise<Selected> {
  const { question, applied, classes, states, wish, turn } = selecting;
  const { hits } = found;
  const wishes = listWishes(question, states);
  const by_class = countHits(hits, classes);
  await turn();
  const count = hits.metres.length;
  const isJudged = wishes.length > 0;
  const { candidates_max } = LIMITS.places;
  const most = isJudged || needsAll(wish) ? candidates_max : applied.limit;
  const drafts: Draft[] = [];
  for (const hit of nearestOf(hits.metres, most)) {
    drafts.push(toDraft(hits.placeAt(hit), hits.metres[hit]!));
    if (drafts.length % STEP === 0) await turn();
  }
  drafts.sort(byDistance);
  const last_m = drafts.at(-1)?.distance_meters ?? 0;
  const isCut = isJudged && drafts.length < count;
  const whole_m = isCut ? Math.min(hits.whole_m, last_m) : hits.whole_m;
  const uncounted = (total: number): Notice | null =>
    Number.isFinite(whole_m) ? ofUncounted(total, Math.floor(whole_m)) : null;
  if (!isJudged)
    return { drafts, total: count, by_class, unknown: {}, uncounted: uncounted(count) };
  for (const [i, draft] of drafts.entries()) {
    states.of(draft);
    if (i % STEP === 0) await turn();
  }
  const { items, unknown } = keepUsable(drafts, wishes, question.strict);
  for (const item of items) Object.assign(item, toMatch(listDoubts(item, wishes)));
  return { drafts: items, ...countOf(items, classes), unknown, uncounted: uncounted(items.length) };
}

/** Of each class, by its number first: there may be tens of thousands. */
function countHits({ kinds, classOf }: InterestHits, classes: readonly string[]) {
  const counts = new Uint32Array(MOST_KINDS);
  for (let hit = 0; hit < kinds.length; hit++) counts[kinds[hit]!]! += 1;
  const by_class = Object.fromEntries(classes.map((each) => [each, 0]));
  for (const [kind, count] of counts.entries()) if (count > 0) by_class[classOf(kind)] = count;
  return by_class;
}
const MOST_KINDS = 256;

function countOf(
  drafts: readonly Draft[],
  classes: readonly string[],
): Pick<Selected, "total" | "by_class"> {
  const by_class = Object.fromEntries(classes.map((each) => [each, 0]));
  for (const { place } of drafts) by_class[place.place_class]! += 1;
  return { total: drafts.length, by_class };
}

function listWishes(question: ClassQuestion, states: OpenStates): Wish<Draft>[] {
  const isOpen = (draft: Draft): boolean | null => {
    const { state } = states.of(draft);
    return state === "unknown" ? null : state === "open";
  };
  return [
    ...(question.usable === "any"
      ? []
      : [{ count: "hours", filter: "usable", fits: isOpen } as const]),
    ...(question.wheelchair === "any"
      ? []
      : [
          {
            ...({ count: "wheelchair", filter: "wheelchair" } as const),
            fits: ({ attributes }: Draft) => isForWheelchairs(attributes),
          } as const,
        ]),
  ];
}

/** Numbers of the nearest, at most that number and those that are as far as the last of them, in no order. */
function nearestOf(metres: ArrayLike<number>, most: number): number[] {
  // By whole metres, so that one pass finds how far the last is.
  const counts = new Uint32Array(LIMITS.places.radius_max + 2);
  for (let hit = 0; hit < metres.length; hit++) counts[statedOf(metres[hit]!)]! += 1;
  let [end, sum] = [0, 0];
  while (sum < most && end < counts.length) sum += counts[end++]!;
  const near: number[] = [];
  let ties = 0;
  for (let hit = 0; hit < metres.length; hit++) {
    const stated = statedOf(metres[hit]!);
    if (stated < end - 1 || (stated === end - 1 && ties++ < TIES)) near.push(hit);
  }
  return near;
}
/** Things that are as far as the last one, which are ordered by their ids. */
const TIES = 200;

function toDraft(place: Interest, metres: number): Draft {
  const { lat, lon, opening, attributes } = place;
  const location = { lat, lon };
  const id =
    POI_PREFIX + hash32(`${place.source_id}\u0000${place.place_class}\u0000${place.external_id}`);
  return { id, place, location, opening, attributes, distance_meters: statedOf(metres) };
}

function byDistance(a: Draft, b: Draft): number {
  return (
    a.distance_meters - b.distance_meters || (a.place.external_id < b.place.external_id ? -1 : 1)
  );
}

type Page = Selected & {
  walks: readonly (ClassItem["walk"] | null)[];
  walking: NonNullable<ClassReply["walking"]> | null;
  /** The first that is known to fit, null: none is; absent: nothing is filtered. */
  nearest_known?: NearestKnown | null;
  cuts: readonly Notice[];
};

async function toPage(
  deps: ClassDeps,
  selected: Selected,
  {
    question,
    applied,
    wish,
    turn,
    signal,
  }: Pick<Selecting, "question" | "applied" | "wish" | "turn"> & { signal: AbortSignal },
): Promise<Page> {
  const { limit, radius_m } = applied;
  const limits = { limit, limit_max: LIMITS.places.limit_max };
  const isFiltered = question.usable !== "any" || question.wheelchair !== "any";
  if (wish === null) {
    const drafts = selected.drafts.slice(0, limit);
    const cuts = listPageCuts(drafts, selected.total, limits);
    const known = isFiltered ? { nearest_known: findKnown(selected.drafts) } : {};
    return { ...selected, ...known, drafts, walks: [], walking: null, cuts };
  }
  const { lat, lon } = question;
  const looked = needsAll(wish) ? selected.drafts : selected.drafts.slice(0, limit);
  const walked = await walkToResults(
    { walks: deps.walks, start: { lat, lon }, wish, turn, signal },
    { items: looked, total: selected.total },
    limit,
  );
  const isWithin = wish.within_s !== null;
  if (isWithin)
    for (const { item, walk } of walked.kept)
      Object.assign(item, alsoJudged(item, "within_minutes", walk === null ? null : true));
  const page = walked.kept.slice(0, limit);
  const drafts = page.map(({ item }) => item);
  const { unwalked, total } = walked;
  const classes = Object.keys(selected.by_class);
  const kept = walked.kept.map(({ item }) => item);
  return {
    ...(isWithin ? { ...selected, ...countOf(kept, classes) } : selected),
    ...(isWithin && question.strict
      ? {
          unknown: {
            ...selected.unknown,
            left_out: walked.left_out + (selected.unknown.left_out ?? 0),
          },
        }
      : {}),
    ...(isFiltered || isWithin
      ? { nearest_known: findKnown(needsAll(wish) ? kept : selected.drafts) }
      : {}),
    ...{ drafts, walks: page.map(({ walk }) => walk), walking: walked.walking },
    uncounted: selected.uncounted ?? (isWithin ? unwalked : null),
    cuts: [
      ...walked.notices,
      ...(isWithin || unwalked === null ? [] : [unwalked]),
      ...(wish.sorts
        ? listWalkPageCuts(page, { total, within_m: Math.floor(radius_m) }, adviseMore(limits))
        : listPageCuts(drafts, total, limits)),
    ],
  };
}

function findKnown(drafts: readonly Draft[]): NearestKnown | null {
  const first = drafts.find(({ match }) => match === "known");
  if (!first) return null;
  const { id, distance_meters, location } = first;
  return { id, distance_meters, location };
}

type Showing = { language: string | null; states: OpenStates; walk?: ClassItem["walk"] | null };

function toItem(draft: Draft, { language, states, ...foot }: Showing): ClassItem {
  const { id, place, location, distance_meters, match, unknown } = draft;
  const { place_class, external_id, source_id, names, opening } = place;
  const [base] = (language ?? "").toLowerCase().split("-");
  const named = language === null ? undefined : (names?.[language] ?? names?.[base!]);
  const hours = opening?.text === undefined ? {} : { opening_hours: opening.text };
  return {
    id,
    type: "place",
    ...{ place_class, external_id },
    name: named ?? place.name ?? nameOfClass(place_class, language),
    ...{ location, distance_meters, ...foot },
    attributes: { ...place.attributes, ...hours, usable: states.stateOf(draft) },
    source_id,
    ...(match && unknown && { match, unknown: [...unknown] }),
  };
}

const POI_PREFIX = "svc_poi_";
