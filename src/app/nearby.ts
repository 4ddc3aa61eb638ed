/**
 * GET /v1/nearby (§4.9, §2.9): what is inside a circle right now, from memory. The steps are numbered;
 * a question whose systems are all young enough runs through them without waiting. The result is data:
 * app/nearby-body renders it, app/audit explains it.
 */
import { LIMITS } from "#api/limits.ts";
import { type Clamped, clampNearby } from "#kit/clamp.ts";
import { isPartial, judgeCoverage } from "#core/coverage.ts";
import {
  type ListedNotice,
  type Notice,
  ofListCut,
  ofPageCut,
  ofUncounted,
  ofUnlookedStations,
  ofWalkPageCut,
} from "#core/notices.ts";
import { modeMask } from "#stations/shard/bits.ts";
import { refuseOffset } from "#core/plans.ts";
import type { Clock, Feeds } from "#ports.ts";
import type { PinnedWalks, Walks } from "#ports/walks.ts";
import { listAlerts } from "#app/alert-items.ts";
import type { FindCountries } from "#app/country.ts";
import {
  consult,
  findUnsurveyed,
  needsRefresh,
  liveFor_s,
  toQueried,
  type Wait,
  waitFor,
  wantsOf,
} from "#app/gather.ts";
import type {
  Consulted,
  ItemFamily,
  Nearby,
  NearbyMatch,
  NearbyInput,
  NearbyReply,
  NearbyResult,
  Wants,
} from "#app/answer-types.ts";
import { createDeadline } from "#upstream/deadline.ts";
import type { FindRetained, HeldPlaces } from "#app/places/held.ts";
import type { OpenStates, StatesAt } from "#app/places/open-states.ts";
import { countNeeded, listPage, showPlace } from "#app/nearby-page.ts";
import { pinWalksIn, readWalkWish, type WalkWish } from "#app/walk/walking.ts";
import { toOnFoot } from "#app/walk/walk-results.ts";
import { lookBeyond } from "#app/nearby-beyond.ts";
import { listPrices } from "#app/price-items.ts";
import { listZones } from "#app/zone-items.ts";
import type { FindLines, FoundLines } from "#app/transit/line-items.ts";
import { toHitFilter } from "#world/filter.ts";
import { MOST_STATIONS } from "#transit/schedule/feed-pack.ts";
import type { Page } from "#world/nearby-hits.ts";
import type { World } from "#world/world.ts";
import type { Circle, SystemEntry } from "#world/system-entry.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";

export type NearbyDeps = {
  world: World;
  feeds: Feeds;
  clock: Clock;
  /** Loaded when the first question meets an unsurveyed system. */
  countries: () => Promise<FindCountries>;
  /** Urban services that are held around a point; null: this deployment holds none. */
  findRetained: FindRetained | null;
  /** Evaluates the hours of those services. */
  openStates: StatesAt;
  /** Routes of the stations in range; null: no transit data is loaded. */
  findLines: () => FindLines | null;
  /** Absent: no base has ways on foot. */
  walks?: Walks;
};

/** A question on its way to its result. */
type Gathered = {
  input: NearbyInput;
  applied: Clamped;
  circle: Circle;
  /** Positions of the list that the page has. */
  page: Page;
  /** Of ways on foot; null: none are asked for. */
  wish: WalkWish | null;
  wants: Wants;
  systems: readonly SystemEntry[];
  stored: LocalResults;
};

/** What is known without asking a source. */
type LocalResults = {
  places: HeldPlaces;
  lines: FoundLines;
  /** Families that no source of this deployment serves: the answer is `partial`. */
  unserved: readonly ItemFamily[];
  /** Places or lines were looked up. */
  searched: boolean;
};

export function createNearby(deps: NearbyDeps): Nearby {
  return (input) => {
    const { question, caller } = input;
    // 1. Bounds of the plan.
    const refused = refuseOffset(caller.plan, question.offset);
    if (refused !== null) return { kind: "refused", ...refused };
    // 2. Clamp, which may leave warnings.
    const applied = clampNearby(question, {
      radius: LIMITS.nearby.radius_max,
      limit: caller.plan.nearby_limit_max,
    });
    const circle = { lat: question.lat, lon: question.lon, radius_m: applied.radius };
    // 3. Gather: the systems whose box touches the circle; asking wakes them.
    const systems: SystemEntry[] = [];
    deps.world.covering(circle, systems);
    const late: SystemEntry[] = [];
    const wants = wantsOf(question.include);
    for (const entry of systems) {
      deps.feeds.wake(entry.source_id);
      if (needsRefresh(entry, wants, input.freshness_policy, input.now_ms)) late.push(entry);
    }
    const wish = readWalkWish(question);
    const page = { from: question.offset, to: question.offset + applied.limit };
    const request = { input, applied, circle, page, wish, wants, systems };
    if (wish !== null || question.include.includes("places"))
      return answerFromBases(deps, request, late);
    const gathered = { ...request, stored: lookUpRetained(deps, input, circle, null) };
    if (late.length > 0 || !deps.world.isSurveyed()) return answerLate(deps, gathered, late);
    return answer(deps, gathered, notWaited(input), { states: null });
  };
}

function notWaited({ now_ms }: NearbyInput): Waited {
  return { waits: NO_WAITS, unsurveyed: NO_SYSTEMS, now_ms };
}

/** What is asked of bases is read first, within the time of the question. */
async function answerFromBases(
  deps: NearbyDeps,
  request: Omit<Gathered, "stored">,
  late: readonly SystemEntry[],
): Promise<NearbyReply> {
  const { input, circle, wish, page } = request;
  const { findRetained, clock } = deps;
  using deadline = createDeadline(clock, input.deadline_ms - REPLY_MARGIN_MS);
  const { signal } = deadline;
  const wantsPlaces = input.question.include.includes("places");
  const { now_ms, only } = input;
  const query = { now_ms, most: countNeeded(wish, page), only, signal };
  const places = wantsPlaces && findRetained ? await findRetained(circle, query) : null;
  const gathered = { ...request, stored: lookUpRetained(deps, input, circle, places) };
  if (late.length > 0 || !deps.world.isSurveyed())
    return await answerLate(deps, gathered, late, signal);
  return await answerWithPlaces(deps, gathered, notWaited(input), signal);
}

const NO_LINES: FoundLines = { items: [], total: 0, within_m: null, gaps: [] };
const NO_PLACES: HeldPlaces = { items: [], total: 0, counted_m: null, unheld: [], partly: [] };
const ALL_SERVED: readonly ItemFamily[] = [];
const NOTHING_LOCAL: LocalResults = {
  places: NO_PLACES,
  lines: NO_LINES,
  unserved: ALL_SERVED,
  searched: false,
};

/** Places and lines are answered from what is held: never a call for them (decisions, Global nearby). */
function lookUpRetained(
  deps: NearbyDeps,
  { question: { include }, now_ms }: NearbyInput,
  circle: Circle,
  places: HeldPlaces | null,
): LocalResults {
  const wantsPlaces = include.includes("places");
  const wantsLines = include.includes("lines");
  if (!wantsPlaces && !wantsLines) return NOTHING_LOCAL;
  const findLines = deps.findLines();
  const lines = wantsLines && findLines ? findLines(circle, now_ms) : null;
  const unserved: ItemFamily[] = [];
  for (const family of include)
    if ((family === "lines" && !lines) || (family === "places" && !places)) unserved.push(family);
  return {
    places: places ?? NO_PLACES,
    lines: lines ?? NO_LINES,
    unserved,
    searched: places !== null || lines !== null,
  };
}

const NO_WAITS: ReadonlyMap<SystemEntry, Wait> = new Map();
const NO_SYSTEMS: readonly SystemEntry[] = [];

/** 4. Wait, within the deadline, for what is missing or too old; the rest is already here. */
async function answerLate(
  deps: NearbyDeps,
  gathered: Gathered,
  late: readonly SystemEntry[],
  signal?: AbortSignal,
): Promise<NearbyReply> {
  const { input, circle } = gathered;
  const waiting = waitFor(late, deps, {
    begun_after_ms: input.freshness_policy === "revalidate" ? input.now_ms : 0,
    until_ms: input.deadline_ms - REPLY_MARGIN_MS,
  });
  // A system surveyed while we wait has not been consulted: it counts as it was at the start.
  const unsurveyed = await findUnsurveyed(deps, circle);
  for (const country of new Set(unsurveyed.map((entry) => entry.country)))
    if (country !== null) deps.feeds.prioritise(country);
  const waits = await waiting;
  const waited = { waits, unsurveyed, now_ms: deps.clock.now() };
  return await answerWithPlaces(deps, gathered, waited, signal);
}

/** What hours need is loaded with the first answer that shows places, and ways on foot where they are asked for. */
async function answerWithPlaces(
  deps: NearbyDeps,
  gathered: Gathered,
  waited: Waited,
  signal?: AbortSignal,
): Promise<NearbyReply> {
  const { stored, wish, circle } = gathered;
  const states =
    stored.places.total > 0 ? await deps.openStates({ at_ms: waited.now_ms, is_now: true }) : null;
  using walks = wish === null ? undefined : await pinWalksIn(deps.walks, circle, wish, signal);
  return answer(deps, gathered, waited, { states, ...(walks && { walks }) });
}

/** What the question waited for, the systems whose place was not known, and the time after it. */
type Waited = {
  waits: ReadonlyMap<SystemEntry, Wait>;
  unsurveyed: readonly SystemEntry[];
  now_ms: number;
};

/**
 * Steps 5 to 8: one synchronous call, so that all parts of the result are of one moment. `states`:
 * null where no places are held; `walks`: absent: none are asked for.
 */
function answer(
  deps: NearbyDeps,
  gathered: Gathered,
  { waits, unsurveyed, now_ms }: Waited,
  { states, walks }: { states: OpenStates | null; walks?: PinnedWalks },
): NearbyResult {
  const { world, feeds } = deps;
  const { input, applied, circle, wants, stored, wish } = gathered;
  const sources: Consulted[] = gathered.systems.map((entry) =>
    consult(entry, wants, { feeds, now_ms, wait: waits.get(entry) }),
  );
  // 5. Filter and rank what lies in the circle, with its state at this moment. Identity was resolved
  // when the systems' static parts came (world/identity): each item is a station or vehicle by now.
  // 6. Count and page.
  const found = findPage(deps, gathered, { now_ms, states, walks });
  const cuts = listCuts(gathered, found);
  const unwalked = found.foot?.unwalked ?? null;
  const uncounted = toUncounted(stored.places);
  // 7. Coverage decides the status.
  const coverage = judgeCoverage({
    requested: [
      ...sources.map((source) => toQueried(source, wants, now_ms)),
      ...stored.places.partly,
      ...stored.lines.gaps,
    ],
    unserved: stored.unserved,
    unheld: stored.places.unheld,
    stored: stored.searched,
    unsurveyed: unsurveyed.filter(({ unread }) => unread === null).length,
    unread: unsurveyed.flatMap(({ unread }) => unread ?? []),
    uncounted: unwalked ?? uncounted,
    found:
      found.total +
      found.alerts.length +
      found.lines.length +
      (found.zones?.length ?? 0) +
      pricesAlone(wants, found),
    radius_m: circle.radius_m,
    radius_max: LIMITS.nearby.radius_max,
    on_foot: toOnFoot(wish),
    unconfigured: world.list().length === 0 && !stored.searched ? "shared mobility" : null,
    cuts: unwalked === null || uncounted === null ? cuts : [...cuts, uncounted],
  });
  // 8. Present.
  const isComplete = !isPartial(coverage) && !input.question.debug;
  return {
    kind: "ok",
    input,
    applied,
    wants,
    sources,
    unsurveyed: unsurveyed.map(({ source_id, unread }) => ({ source_id, unread })),
    stored: stored.searched,
    found,
    coverage,
    max_age_s: isComplete
      ? Math.min(liveFor_s(sources, wants, now_ms), openFor_s(states, now_ms))
      : null,
    objects: found.items.length + found.places.length,
    now_ms,
  };
}

/** What things cost is no thing that was found, where things were asked for. */
function pricesAlone({ stations, vehicles }: Wants, { prices }: NearbyMatch): number {
  return stations || vehicles ? 0 : (prices?.length ?? 0);
}

/** Seconds until the first of the places that are shown opens or closes. */
function openFor_s(states: OpenStates | null, now_ms: number): number {
  return states ? Math.floor((states.ends_ms() - now_ms) / 1_000) : Number.POSITIVE_INFINITY;
}

function toUncounted({ total, counted_m }: HeldPlaces): Notice | null {
  return counted_m === null ? null : ofUncounted(total, counted_m);
}

const NO_CUTS: readonly Notice[] = [];

/** Says where the page ends before the list does, and which lists end at their bound. */
function listCuts(gathered: Gathered, match: NearbyMatch): readonly Notice[] {
  const { lines, lines_total, alerts, alerts_total } = match;
  const looked_m = gathered.stored.lines.within_m;
  const ends = listPageCut(gathered, match);
  const notice = match.foot?.notice ?? null;
  const first = notice === null ? ends : [notice, ...ends];
  const page =
    looked_m === null ? first : [...first, ofUnlookedStations(MOST_STATIONS, Math.floor(looked_m))];
  if (lines.length === lines_total && alerts.length === alerts_total) return page;
  const within_m = Math.floor(gathered.applied.radius);
  const bounded = [
    { of: "lines", shown: lines.length, total: lines_total },
    { of: "alerts", shown: alerts.length, total: alerts_total },
  ].filter(({ shown, total }) => shown < total);
  return [...page, ...bounded.map(({ of, ...cut }) => ofListCut(of, { ...cut, within_m }))];
}

function listPageCut(
  { input: { question, only }, applied }: Gathered,
  { items, places, total, foot }: NearbyMatch,
): readonly Notice[] {
  if (only !== undefined) return NO_CUTS;
  const shown = items.length + places.length;
  const from = question.offset;
  const end = from + shown;
  if (shown === 0 || end >= (foot?.listed ?? total)) return NO_CUTS;
  const next = `offset=${end} continues`;
  if (foot?.sorts) {
    const within_m = Math.floor(applied.radius);
    return [ofWalkPageCut({ shown, total, within_m, from, last_s: foot.last_s }, next)];
  }
  const farthest_m = Math.max(
    (items.at(-1)?.decimetres ?? 0) / 10,
    places.at(-1)?.distance_meters ?? 0,
  );
  return [ofPageCut({ shown, total, within_m: Math.floor(farthest_m + 0.5), from }, next)];
}

const NO_ALERTS: ListedNotice<string> = { items: [], total: 0 };
const NO_ITEMS: NearbyMatch["places"] = [];

function findPage(
  { world }: NearbyDeps,
  { input, circle, page, wish, wants, systems, stored }: Gathered,
  {
    now_ms,
    states,
    walks,
  }: { now_ms: number; states: OpenStates | null; walks: PinnedWalks | undefined },
): NearbyMatch {
  const { question } = input;
  const alerts = wants.alerts ? listAlerts(systems, circle, now_ms) : NO_ALERTS;
  const query = {
    circle,
    modes: modeMask(question.modes),
    stations: wants.stations,
    vehicles: wants.vehicles,
    now_ms,
    filter: toHitFilter(question),
    only: input.only,
    page,
    tallied: question.debug,
  };
  const listed = listPage({ world, walks, systems, places: stored.places }, query, wish);
  return {
    total: listed.total,
    items: listed.items,
    places: states ? listed.places.map((place) => showPlace(states, place)) : NO_ITEMS,
    lines: stored.lines.items,
    alerts: alerts.items,
    lines_total: stored.lines.total,
    alerts_total: alerts.total,
    zones: question.include.includes("zones") ? listZones(systems, circle, question.modes) : null,
    prices: question.include.includes("prices") ? listPrices(systems, question) : null,
    unknown: listed.unknown,
    nearest_known: listed.nearest_known,
    tally: listed.tally,
    foot: listed.foot,
    ...lookBeyond(world, query, { found: listed.total - stored.places.total, wish }),
  };
}
