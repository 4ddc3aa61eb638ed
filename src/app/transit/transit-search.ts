/**
 * GET /v1/transport/nearby (§4.7a; decisions, Second edition, Transport): stations of the requested
 * providers, or of the first that finds some, merged, ranked and cut.
 */
import { TRANSPORT_MODES, TRANSPORT_PROVIDERS } from "#api/tokens.ts";
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { Decoded } from "#api/primitives.ts";
import { TRANSPORT_DEFAULT_MODES } from "#api/tokens.ts";
import type { TRANSPORT_PARAMETERS } from "#api/transit.ts";
import { judgeCoverage } from "#core/coverage.ts";
import { NEAR_M } from "#transit/schedule/merge-boards.ts";
import { toTransitItems, type TransitItem } from "#transit/schedule/schedule-results.ts";
import type { TransitMode, TransitProvider } from "#transit/schedule/station.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";
import type { Clock } from "#ports.ts";
import type { Walks } from "#ports/walks.ts";
import { createDeadline } from "#upstream/deadline.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import type { StationAccess } from "./station-access.ts";
import { toStationPage } from "./station-page.ts";
import {
  clamp,
  listQueried,
  listCuts,
  type Search,
  type SourceFinding,
  toReply,
} from "../search-reply.ts";
import { toOnFoot } from "../walk/walk-results.ts";
import { metresWithin, readWalkWish } from "../walk/walking.ts";
import type {
  FindTimetabled,
  TransitFinder,
  TransitFinding,
  TransitQuestion,
} from "./transit-finder.ts";

export type TransportDeps = {
  finders: readonly TransitFinder[];
  clock: Clock;
  /** Absent: no timetable gives a station its identity. */
  timetabled?: FindTimetabled;
  /** Absent: nothing is known of ways within stations. */
  access?: StationAccess;
  /** Absent: no base has ways on foot. */
  walks?: Walks;
};

/** Decoded parameters, not yet clamped. `realtime` is reserved, and not read (§4.7a). */
export type TransportQuestion = Omit<Decoded<typeof TRANSPORT_PARAMETERS>, "realtime"> & {
  /** Without named providers: all that cover are asked at once, not in turn. */
  every?: boolean;
};

export type Transport = Search<TransportQuestion, ReplyAt<"/v1/transport/nearby">>;

export function createTransport(deps: TransportDeps): Transport {
  return async (input) => {
    const { question, deadline_ms, keyed = false, now_ms } = input;
    // 1. Clamp (§7 rule 3).
    const applied = clamp(question, LIMITS.transport);
    const { radius_m } = applied;
    // 2. Providers of this deployment, and how they are asked: of a station on the edge also for
    // the pin that lies outside.
    const available = deps.finders.filter((finder) => finder.isThere?.() ?? true);
    const modes = question.modes ?? defaultModes(question.providers, available);
    const until_ms = deadline_ms - REPLY_MARGIN_MS;
    using deadline = createDeadline(deps.clock, until_ms, input.signal);
    const { lat, lon, language = null } = question;
    const circle = { lat, lon, radius_m: radius_m + NEAR_M };
    const { signal } = deadline;
    const query = { circle, language, now_ms, until_ms, signal, keyed, freshness: null };
    const turn = createTurn({});
    let last: { providers: number; items: TransitItem[] } | null = null;
    /** Of all that were asked so far, whose number only grows. */
    const toItems = async (matches: readonly ProviderFinding[]): Promise<TransitItem[]> => {
      if (last?.providers === matches.length) return last.items;
      const stations = byProvider(matches);
      if (!stations.some(({ length }) => length > 0)) return [];
      const timetables = deps.timetabled?.(circle);
      await turn();
      const steps = toTransitItems(stations, { lat, lon, radius_m, modes }, timetables);
      const items = await runSteps(steps, turn);
      last = { providers: matches.length, items };
      return items;
    };
    // 3. Ask the named ones at once, else one after the other until one finds something.
    const gathered = question.providers
      ? await askByName(available, question.providers, query)
      : question.every
        ? await askEvery(available.filter(serves(modes)), query)
        : await askInTurn(
            available.filter(serves(modes)),
            query,
            async (match) => (await toItems(match)).length > 0,
          );
    const { requested, absent, unserved } = gathered;
    const findings = listFindings(requested);
    // 4. One station is one result, whose identity is that of the timetable that knows it.
    const items = await toItems(requested);
    const wish = readWalkWish(question);
    const page = await toStationPage(
      items,
      { walks: deps.walks, access: deps.access, query, start: { lat, lon }, wish, turn },
      applied,
    );
    // To write the answer down takes a slice of its own.
    await createTurn({ slice_ms: 0 })();
    // 5. Coverage decides the status.
    const coverage = judgeCoverage({
      requested: listQueried(replaced(gathered), deps.clock.now()),
      unserved,
      absent,
      named: question.providers !== undefined,
      unsurveyed: 0,
      found: page.total,
      uncounted: page.uncounted,
      on_foot: toOnFoot(wish),
      radius_m,
      radius_max: LIMITS.transport.radius_max,
      cuts: listCuts(findings, wish === null ? Infinity : metresWithin(wish)),
    });
    const { stations, total, walking } = page;
    const result = {
      question,
      applied,
      radii: { requested_radius: question.radius, applied_radius: radius_m },
      now_ms: deps.clock.now(),
      coverage,
      findings,
      shown: stations,
      cuts: page.cuts,
      isFrom,
    };
    const query_origin = { lat, lon };
    return toReply(result, {
      query_origin,
      radius: radius_m,
      total,
      ...(walking === null ? {} : { walking }),
      ...page.filtered,
      results: { stations },
    });
  };
}

type ProviderFinding = { provider: TransitProvider; finding: TransitFinding };
type Gathered = {
  requested: readonly ProviderFinding[];
  absent: readonly TransitProvider[];
  unserved: readonly string[];
  /** No provider was named: what one lacks another may have. */
  isInTurn: boolean;
};

/** Of GBFS alone, those it has: it has none of the others. */
function defaultModes(
  providers: readonly TransitProvider[] | undefined,
  finders: readonly TransitFinder[],
): readonly TransitMode[] {
  const own = providers?.length
    ? finders.filter(({ provider }) => providers.includes(provider))
    : [];
  const entries = own.map(({ modes }) => modes);
  if (entries.length === 0 || entries.includes(undefined)) return TRANSPORT_DEFAULT_MODES;
  return TRANSPORT_MODES.filter((mode) => entries.some((modes) => modes?.includes(mode)));
}

function serves(wanted: readonly TransitMode[]): (finder: TransitFinder) => boolean {
  return ({ modes }) => !modes || modes.some((mode) => wanted.includes(mode));
}

async function askByName(
  finders: readonly TransitFinder[],
  providers: readonly TransitProvider[],
  question: TransitQuestion,
): Promise<Gathered> {
  const own = finders.filter(({ provider }) => providers.includes(provider));
  const absent = providers.filter((name) => !own.some(({ provider }) => provider === name));
  return { requested: await askAll(own, question), absent, unserved: [], isInTurn: false };
}

/** Order in which the others are asked (decisions, Second edition, Transport). */
const IN_TURN: readonly TransitProvider[] = ["navitia", "gtfs", "transitland", "gbfs"];

async function askInTurn(
  finders: readonly TransitFinder[],
  question: TransitQuestion,
  isEnough: (matches: readonly ProviderFinding[]) => Promise<boolean>,
): Promise<Gathered> {
  const requested: ProviderFinding[] = [];
  for (const provider of IN_TURN) {
    // What is held answers even when the time is up.
    const inTime = finders.filter(({ isHeld }) => isHeld || !question.signal.aborted);
    const own = inTime.filter((finder) => finder.provider === provider);
    requested.push(...(await askAll(own, question)));
    if (await isEnough(requested)) break;
  }
  return { requested, absent: [], unserved: unservedBy(finders), isInTurn: true };
}

async function askEvery(
  finders: readonly TransitFinder[],
  question: TransitQuestion,
): Promise<Gathered> {
  const requested = await askAll(finders, question);
  return { requested, absent: [], unserved: unservedBy(finders), isInTurn: true };
}

function unservedBy(finders: readonly TransitFinder[]): string[] {
  return finders.length === 0 ? ["public transport"] : [];
}

/** What came of each, with a turn for others before the next is read. */
async function askAll(
  finders: readonly TransitFinder[],
  question: TransitQuestion,
): Promise<ProviderFinding[]> {
  const turn = createTurn({});
  const pause = createTurn({ slice_ms: 0 });
  const covering = finders.filter((finder) => finder.covers(question));
  return await Promise.all(
    covering.map(async (finder) => {
      // The calls of the others are under way meanwhile.
      if (finder.isHeld) await pause();
      const finding = await finder.find(question);
      await turn();
      return { provider: finder.provider, finding };
    }),
  );
}

/**
 * Findings that count for coverage: one that has no key here, or does not know this part of the
 * world, is no gap where another answered in its place.
 */
function replaced({ requested, isInTurn }: Gathered): SourceFinding[] {
  const findings = listFindings(requested);
  if (!isInTurn) return findings;
  const isAbsent = ({ reason }: SourceFinding): boolean => reason === "not_configured";
  return findings.some(({ status }) => status === "ok")
    ? findings.filter((finding) => !isAbsent(finding))
    : findings;
}

/** What came of each, and of the sources of each that cannot answer. */
function listFindings(requests: readonly ProviderFinding[]): SourceFinding[] {
  return requests.flatMap(({ finding: { gaps = [], ...finding } }) => [finding, ...gaps]);
}

function byProvider(requests: readonly ProviderFinding[]): TransitFinding["groups"] {
  return TRANSPORT_PROVIDERS.flatMap((provider) =>
    requests.filter((each) => each.provider === provider).flatMap(({ finding }) => finding.groups),
  );
}

/** A key is a provider, or one of its feeds. */
function isFrom({ sources }: TransitItem, key: string): boolean {
  return sources.some(
    ({ provider, feed_id }) => key === provider || key === `${provider}:${feed_id}`,
  );
}
