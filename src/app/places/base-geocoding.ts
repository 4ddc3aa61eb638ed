/**
 * Geocoding by imported bases (decisions, Second edition): all of them and the gazetteer are searched
 * by name, and a point is looked up in the base that covers it.
 */
import { Budget } from "#kit/budget.ts";
import { guard } from "#kit/guard.ts";
import { createGeocodingBudget } from "#osm/geocoder/forward.ts";
import { toUnopenedSource, type UnopenedBase } from "#osm/base/other-version.ts";
import type { Location } from "#kit/geo.ts";
import type { Candidate } from "#osm/geocoder/candidate.ts";
import { GAZETTEER_PENDING, SEARCH_CUT, sayUnopened } from "#core/places/geocode-notices.ts";
import type { Clock } from "#ports.ts";
import type { LookupReply } from "#upstream/lookup/ask-source.ts";
import { createTurn } from "#kit/run/turn.ts";
import type { BaseHit } from "./base-hits.ts";
import { isCovered } from "./base-coverage.ts";
import { choose, type Chosen, MOST, type NameQuery } from "./choose-hits.ts";
import type { GeocodingDeps } from "./geocoding.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import type { MissingPage } from "#ports/base-pages.ts";
import type { NameEngine, NotRanked } from "#ports/name-engine.ts";
import { bindPlaces } from "./named-places.ts";
import { NameSearch } from "./name-search.ts";
import { IN_TURNS } from "./name-turns.ts";
import { pinAt, PinnedBases, type PinnedLoss } from "./pinned-bases.ts";
import { WordBook } from "./word-book.ts";

export type BaseGeocodingDeps = {
  /** Bases of now, the one that leads first. */
  list(): readonly GeocodingBase[];
  /** Bases that cannot be opened: answers about their places say so. Absent: there are none. */
  listUnopened?(): readonly UnopenedBase[];
  /** Cities and towns of the world, where no base covers; null: not there, or not yet. */
  gazetteer(): GeocodingBase | null;
  /** Whether the gazetteer is still being read or made: what it would know is not known yet. */
  isPending(): boolean;
  /** Words of all bases; absent: each base is asked. */
  book?: WordBook;
  /** Ranks what pages have; absent: on this thread, in turns. */
  engine?: NameEngine;
  clock: Clock;
};

/** Unavailable: no base is there or covers the point, or the gazetteer is not there yet. */
export type BaseReply = ({ status: "ok" } & Chosen) | Unavailable;

type Unavailable = {
  status: "unavailable";
  reason:
    | "no_coverage"
    | "not_configured"
    | "not_loaded"
    | NotRanked["reason"]
    | UnopenedBase["reason"]
    | MissingPage["reason"];
  /** The base that cannot be opened, or whose page cannot be read; absent: it is not about one. */
  source?: string;
};

/** Asked of each base besides, since others may have the same things. */
const SPARE = 3;
/** Up to this number bases have the budget of one, and more of them the other one. */
const FEW = 4;
const OF_MANY = { looks: 100_000, keeps: 192 } as const;
/** How long an answer may be reused: a base that is replaced meanwhile is seen soon enough. */
export const GOOD_MS = 300_000;

export function askBases(deps: BaseGeocodingDeps): NonNullable<GeocodingDeps["ask"]> {
  const forward =
    (operation: "geocode" | "search"): NonNullable<GeocodingDeps["ask"]>["geocode"] =>
    (query, { signal }) =>
      reply(deps, signal, () => findByName(deps, query, { operation, signal }));
  return {
    geocode: forward("geocode"),
    search: forward("search"),
    reverse: ({ lat, lon, language }, { signal }) => {
      const query = { lat, lon, language, limit: MOST };
      return reply(deps, signal, () => findAtPoint(deps, query, signal));
    },
  };
}

/** Of a lookup, as of any other source. */
const LATE = { status: "timeout", reason: "deadline" } as const;
const OUT_OF_TIME = { status: "unavailable", reason: "out_of_time" } as const;

/** A question whose time is up while it waits for pages, or for its turn, is an outcome. */
export function orOutOfTime(
  signal: AbortSignal,
  find: () => Promise<BaseReply>,
): Promise<BaseReply> {
  return guard<BaseReply, BaseReply>(find, (error) => {
    if (signal.aborted) return OUT_OF_TIME;
    throw error;
  });
}

async function reply(
  deps: BaseGeocodingDeps,
  signal: AbortSignal,
  find: () => Promise<BaseReply>,
): Promise<LookupReply<Candidate[]>> {
  const match = await orOutOfTime(signal, find);
  if (match.status !== "ok") return { ...(isLate(match) ? LATE : match), rescue: null };
  const now_ms = deps.clock.now();
  const { hits, notices, isPartial } = match;
  return {
    status: "ok",
    cache: "miss",
    stored: {
      value: hits.map(({ item, base }) => ({ ...item, base: base.statement })),
      raw: hits.length,
      ...(notices.length > 0 ? { notices } : {}),
      ...(isPartial ? { partial: true } : {}),
      fetched_at_ms: now_ms,
      good_until_ms: now_ms + GOOD_MS,
    },
  };
}

function isLate({ reason }: Unavailable): boolean {
  return reason === OUT_OF_TIME.reason || reason === LATE.reason;
}

type Places = Omit<BaseGeocodingDeps, "clock">;

/** What one question may cost over all bases: each has a fixed cost too, so that many have less besides. */
export function createBudget(deps: Places): Budget {
  return deps.list().length > FEW ? new Budget(OF_MANY) : createGeocodingBudget();
}
export type NameOptions = {
  /** `search`: things of interest before others, and by kind. */
  operation: "geocode" | "search";
  signal?: AbortSignal;
  budget?: Budget;
};

/**
 * Asks every base and the gazetteer by name, the best first. All of them together have one budget, so
 * that many bases cost no more than one, and each has a turn of the event loop.
 */
export async function findByName(
  deps: Places,
  query: NameQuery,
  { operation, signal, budget = createBudget(deps) }: NameOptions,
): Promise<BaseReply> {
  const { book: words = new WordBook(), engine = IN_TURNS } = deps;
  const book = words.of(deps.list());
  const { bases } = book;
  const gazetteer = deps.gazetteer();
  const isWaiting = gazetteer === null && deps.isPending();
  const sources = gazetteer === null ? bases : [...bases, gazetteer];
  const unopened = listUnopened(deps);
  if (sources.length === 0 && !isWaiting)
    return unopened[0] ? toUnavailable(unopened[0]) : NOT_CONFIGURED;
  const own_signal = signal ? { signal } : {};
  const turn = createTurn(own_signal);
  const { limit = MOST } = query;
  const pending = { ...query, limit: limit + SPARE };
  using pinned = new PinnedBases();
  const shares = bases.length + (gazetteer === null ? 0 : 1);
  const part = budget.splitOff(bases.length, Math.max(1, shares));
  const search = new NameSearch({
    ...{ book, engine, pinned, budget: part, turn, ...own_signal },
  });
  const lists = await search.find(operation, pending);
  if ("reason" in lists) return { status: "unavailable", ...lists };
  budget.settle(part);
  if (gazetteer !== null) {
    await pinned.add([{ base: gazetteer, pages: [0] }], signal);
    await turn();
    const found = pinned
      .of(gazetteer)
      .flatMap((geocoder) => geocoder[operation]({ ...pending, budget }));
    lists.push(found.map((item) => ({ item, base: gazetteer })));
  }
  await turn();
  const searched = [...pinned.bases()].filter((base) => base !== gazetteer);
  const names = gazetteer?.names ?? null;
  const binding = bindPlaces(query.q, { names, bases: searched, pinned });
  const chosen = choose(lists, { query, bases, gazetteer, pinned, binding });
  // Nothing found is not nothing there, as long as the gazetteer was not searched.
  if (chosen.hits.length === 0 && isWaiting) return { status: "unavailable", reason: "not_loaded" };
  const hits = chosen.hits.slice(0, limit);
  const missing = missingAt(unopened, bases, [
    ...(query.near ? [query.near] : []),
    ...hits.slice(0, 1).map(({ item }) => item.location),
  ]);
  const isCut = budget.isSpent || binding.isCut || search.isCut(hits[0]?.item ?? null);
  // A name that nothing has may be anywhere.
  const silent = [...(hits.length === 0 ? unopened : missing), ...pinned.listLost()];
  const notices = [
    // That no base covers the place would not be true.
    ...(chosen.isPartial && missing.length > 0 ? [] : chosen.notices),
    ...(isCut ? [SEARCH_CUT] : []),
    ...(isWaiting ? [GAZETTEER_PENDING] : []),
    ...silent.slice(0, MOST_UNOPENED).map(sayUnopened),
  ];
  const isPartial = chosen.isPartial || silent.length > 0 || isWaiting;
  return { status: "ok", hits, notices, isPartial };
}

/** Bases that cannot be opened and are named in one answer. */
const MOST_UNOPENED = 3;
const NOT_CONFIGURED = { status: "unavailable", reason: "not_configured" } as const;

/** Bases with names that cannot be opened. */
function listUnopened(deps: Places): readonly UnopenedBase[] {
  return deps.listUnopened?.().filter(({ sections }) => sections.includes("geocoder")) ?? [];
}

/** Of these, the ones of the places that no other base covers. */
function missingAt(
  unopened: readonly UnopenedBase[],
  bases: readonly GeocodingBase[],
  places: readonly Location[],
): UnopenedBase[] {
  if (unopened.length === 0) return [];
  const open = places.filter((place) => !isCovered(bases, place));
  return unopened.filter(({ covers }) => open.some(({ lat, lon }) => covers(lat, lon)));
}

function toUnavailable(base: UnopenedBase | PinnedLoss): Unavailable {
  return { status: "unavailable", reason: base.reason, source: toUnopenedSource(base).name };
}

type PointQuery = Location & { language: string | null; limit: number };

/** Asks the bases that cover a point, and the gazetteer where none does. */
export async function findAtPoint(
  deps: Places,
  query: PointQuery,
  signal?: AbortSignal,
): Promise<BaseReply> {
  const bases = deps.list().filter(({ hasNames }) => hasNames);
  const covering = bases.filter(({ covers }) => covers(query.lat, query.lon));
  using pinned = await pinAt(covering, query, signal);
  const lost = pinned.listLost();
  const isLost = ({ statement }: GeocodingBase): boolean =>
    lost.some(({ id }) => id === statement.id);
  const open = covering.filter((base) => !isLost(base));
  const gazetteer = open.length > 0 ? null : deps.gazetteer();
  const sources = gazetteer === null ? open : [gazetteer];
  if (gazetteer !== null) await pinned.add([{ base: gazetteer, pages: [0] }], signal);
  // Another base that covers the point has what is there, too.
  const missing =
    open.length > 0 ? [] : [...lost, ...missingAt(listUnopened(deps), bases, [query])];
  if (sources.length === 0) {
    if (missing[0]) return toUnavailable(missing[0]);
    if (deps.isPending()) return { status: "unavailable", reason: "not_loaded" };
    return { status: "unavailable", reason: bases.length > 0 ? "no_coverage" : "not_configured" };
  }
  const turn = createTurn(signal ? { signal } : {});
  const others = bases.filter((base) => !isLost(base));
  const lists: BaseHit[][] = [];
  for (const base of sources) {
    await turn();
    const items = pinned.of(base).flatMap((geocoder) => geocoder.reverse(query));
    lists.push(
      items
        // What a base covers it knows better.
        .filter(({ location }) => base !== gazetteer || !isCovered(others, location))
        .map((item) => ({ item, base })),
    );
  }
  const notices = missing.slice(0, MOST_UNOPENED).map(sayUnopened);
  return { status: "ok", hits: nearestList(lists), notices, isPartial: missing.length > 0 };
}

/** Of several bases that cover a point, the one that has the nearest address answers. */
function nearestList(lists: readonly BaseHit[][]): BaseHit[] {
  const addressAt = ([first]: BaseHit[]): number =>
    first?.item.type === "address" ? (first.item.distance_m ?? 0) : Number.POSITIVE_INFINITY;
  const filled = lists.filter((list) => list.length > 0);
  return filled.toSorted((a, b) => addressAt(a) - addressAt(b))[0] ?? [];
}
