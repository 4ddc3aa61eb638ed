/** The three ways of finding places: a lookup around a point, tiles of open data, a registry. */
import { toUnopenedSource, type UnopenedBase } from "#osm/base/other-version.ts";
import { type PlaceHits, hitsAmong, joinHits, nearestOf, noHits } from "#core/places/place-hits.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import { statedOf } from "#core/places/place-results.ts";
import { fringeOf_m } from "#core/places/several.ts";
import type { AroundQuery } from "#providers/lookup.ts";
import type { Ask } from "#upstream/lookup/ask-source.ts";
import type { AskTiles } from "#upstream/lookup/tile-lookup.ts";
import type { RegistryHealth } from "#upstream/registries.ts";
import type { PlaceSet } from "#world/places/place-set.ts";
import type { HeldTiles, PinnedPlaces } from "#world/places/base-places.ts";
import { heldOf, toOutcome } from "../lookup-outcome.ts";
import type { Finder, Finding, PlaceQuestion } from "./place-finder.ts";
import type { LiveHalf } from "./registers.ts";

type Kinds = (question: PlaceQuestion) => readonly PlaceKind[];

export type AroundFinder = {
  key: string;
  /** As people know it; absent: the key. */
  name?: string;
  kind: PlaceKind;
  ask: Ask<AroundQuery, Place[]>;
  /** Whether it has anything to say here. Default: everywhere. */
  covers?: (question: PlaceQuestion) => boolean;
  /** What is asked of the source for a question. Neighbours that ask the same share the answer. */
  toQuery: (question: PlaceQuestion) => AroundQuery;
  /** Limit on the nearest places returned. */
  most?: (question: PlaceQuestion) => number;
  /** How its places are published where they have another name (maps provider). */
  as?: (place: Place) => Place;
};

export function aroundFinder(options: AroundFinder): Finder {
  const { key, name = key, kind, ask, toQuery, covers = () => true } = options;
  return {
    key,
    replaces: false as const,
    ...whereCovered({ kind, name, covers }),
    async find(question) {
      const { signal, keyed, freshness, circle } = question;
      const reply = await ask(toQuery(question), { signal, keyed, freshness });
      const stored = heldOf(reply);
      const most = options.most?.(question) ?? Number.POSITIVE_INFINITY;
      const around = hitsAmong(stored?.value ?? [], widened(circle, [kind]), question.budget);
      const inside = nearestOf(around, circle.radius_m, most);
      return {
        key,
        name,
        ...toOutcome([reply]),
        // What it was asked for is the most it names.
        cut: cutOf(inside, { kind, most, radius_m: circle.radius_m, least: most }),
        places: options.as ? inside.publishedAs(options.as) : inside,
        cache: reply.status === "ok" ? reply.cache : stored ? "hit" : "miss",
      };
    },
  };
}

/** Of a source of one kind that may know some countries only. */
function whereCovered({
  kind,
  name,
  covers,
}: Required<Pick<AroundFinder, "kind" | "name" | "covers">>) {
  const kindsWhere =
    (covered: boolean): Finder["kindsFor"] =>
    (question) =>
      covers(question) === covered && question.kinds.includes(kind) ? [kind] : [];
  return { kindsFor: kindsWhere(true), elsewhere: { name, kindsFor: kindsWhere(false) } };
}

type Ends = { kind: PlaceKind; most: number; radius_m: number; least: number };

/** Where a list ends that has as many places as a cut one would; null: it ends by itself. */
function cutOf(
  hits: PlaceHits,
  { kind, most, radius_m, least }: Ends,
): Exclude<Finding["cut"], undefined> {
  if (hits.length < least) return null;
  let inside = 0;
  for (let hit = 0; hit < hits.length; hit++) if (hits.metres[hit]! <= radius_m) inside++;
  if (inside < least) return null;
  const last_m = nearestOf(hits, radius_m, most).metres[most - 1]!;
  return { shown: most, total: null, within_m: statedOf(last_m), of: kind };
}

function widened<C extends { radius_m: number }>(circle: C, kinds: readonly PlaceKind[]): C {
  return { ...circle, radius_m: circle.radius_m + fringeOf_m(kinds) };
}

export type TileFinder = {
  key: string;
  /** As people know it; absent: the key. */
  name?: string;
  kinds: Kinds;
  /** All that the question asks of this map, under whatever key: one call brings it. */
  together: Kinds;
  ask: AskTiles;
  tiles: HeldTiles;
  /** Whether what is held ends within the circle, and nothing else is asked for the rest. */
  endsIn?: (circle: PlaceQuestion["circle"]) => boolean;
  /** What would answer here and cannot be opened: that is what failed, and not a map that no configuration names. */
  unopenedAt?: (circle: PlaceQuestion["circle"]) => UnopenedBase | null;
  fresh_ms: number;
  as?: (place: Place) => Place;
  most?: (question: PlaceQuestion) => number;
  /** As `Finder` has it. */
  replaces?: false;
  /** Kinds that other sources have as well: what lies a little beyond the circle may be half of something. */
  shared?: ReadonlySet<PlaceKind>;
};

export function tileFinder(options: TileFinder): Finder {
  const { key, name = key, kinds, together, ask, tiles, fresh_ms, as } = options;
  const isShared = (kind: PlaceKind): boolean => options.shared?.has(kind) ?? false;
  return {
    key,
    kindsFor: kinds,
    ...(options.replaces === false && { replaces: false }),
    async find(question) {
      const { signal, keyed, freshness } = question;
      const wanted = kinds(question);
      const circle = reachOf(question);
      using pinned = await tiles.pin(circle, signal);
      const { lat, lon, radius_m } = circle;
      const queryOf = (some: readonly PlaceKind[]): ReturnType<AskTiles> =>
        pinned.base
          ? Promise.resolve(AT_HAND)
          : ask({ lat, lon, radius_m, kinds: some }, { signal, keyed, freshness });
      // The first finder's call is for all, and in the air when the others ask; each waits, and
      // fails, for its own tiles alone.
      const replies = await Promise.all([queryOf(together(question)), queryOf(wanted)]);
      return toFinding(question, pinned, replies);
    },
    findAtOnce(question) {
      using pinned = tiles.pinHeld?.(reachOf(question)) ?? null;
      return pinned && toFinding(question, pinned, ALL_AT_HAND);
    },
  };

  /** `replies`: for all that the question asks of the map, and for what is asked here. */
  function toFinding(
    question: PlaceQuestion,
    pinned: PinnedPlaces,
    [whole, reply]: readonly [TileReply, TileReply],
  ): Finding {
    const wanted = kinds(question);
    const circle = reachOf(question);
    const most = options.most?.(question) ?? Number.POSITIVE_INFINITY;
    const { radius_m: asked_m } = question.circle;
    const searched = groupsOf(wanted, most).map((some) => ({
      kind: some[0]!,
      all: pinned.search(some, widened(question.circle, some.filter(isShared)), {
        budget: question.budget,
        enough: most,
      }),
    }));
    const hits = joinHits(searched.map(({ all }) => nearestOf(all, asked_m, most)));
    const cuts = searched.flatMap(
      ({ kind, all }) => cutOf(all, { kind, most, radius_m: asked_m, least: most + 1 }) ?? [],
    );
    const dates = wanted.map((kind) => pinned.oldest(kind, circle));
    const oldest = dates.map((date) => date ?? 0);
    const { failure } = reply;
    const unopened = failure && (options.unopenedAt?.(question.circle) ?? null);
    // What a base lacks other sources have, where they were asked.
    const lost = pinned.base !== null || failure ? pinned.lost : null;
    const missing = lost ?? unopened;
    const base = missing && toUnopenedSource(missing);
    return {
      key: base?.source_id ?? key,
      name: base?.name ?? name,
      held_at_ms: failure && !dates.includes(null) ? Math.min(...oldest) : null,
      cut: cuts[0] ?? null,
      partly: options.endsIn?.(question.circle) ?? false,
      status: base?.status ?? failure?.status ?? "ok",
      reason: base?.reason ?? failure?.reason ?? null,
      places: as ? hits.publishedAs(as) : hits,
      raw: Math.max(whole.calls > 0 ? whole.raw : 0, hits.length),
      calls: whole.calls,
      cache: reply.cache,
      good_until_ms: failure || lost ? null : Math.min(...oldest) + fresh_ms,
    };
  }
}

/** Of what lies beyond the circle, what the same tiles have. */
function reachOf({ circle }: PlaceQuestion): PlaceQuestion["circle"] {
  return widened(circle, []);
}

/** What a base covers is there without a call. */
const AT_HAND = { failure: null, cache: "hit", calls: 0, raw: 0 } as const;
const ALL_AT_HAND = [AT_HAND, AT_HAND] as const;

type TileReply = Awaited<ReturnType<AskTiles>>;

/** Kinds that are searched together: all, but each alone where there is a bound for each. */
function groupsOf(kinds: readonly PlaceKind[], most: number): readonly (readonly PlaceKind[])[] {
  if (Number.isFinite(most)) return kinds.map((kind) => [kind]);
  return kinds.length > 0 ? [kinds] : [];
}

export type RegistryFinder = {
  key: string;
  /** As people know it; absent: the key. */
  name?: string;
  kind: PlaceKind;
  set: () => PlaceSet | null;
  health: () => Pick<RegistryHealth, "status" | "reason">;
  /** A set older than this is not fresh any more, though still the best there is. */
  fresh_ms: number;
  /** Whether it has anything to say here. Default: everywhere. */
  covers?: (question: PlaceQuestion) => boolean;
  as?: (place: Place) => Place;
  /** Limit on the nearest places that an answer has to make. */
  most?: (question: PlaceQuestion) => number;
  /** Its live half; absent or null: it has none. */
  live?: LiveHalf | null;
};

export function registryFinder(options: RegistryFinder): Finder {
  const {
    key,
    name = key,
    kind,
    set,
    health,
    fresh_ms,
    covers = () => true,
    live = null,
  } = options;
  const as = shownAs(options.as ?? null, live);
  return {
    key,
    replaces: false as const,
    ...whereCovered({ kind, name, covers }),
    async find(question): Promise<Finding> {
      const { circle, now_ms, budget, signal } = question;
      live?.touch(circle);
      await live?.ready(signal);
      const stored = set();
      const { status, reason } = health();
      const most = options.most?.(question) ?? Number.POSITIVE_INFINITY;
      const around = stored?.search(widened(circle, [kind]), { budget }) ?? noHits();
      const match = nearestOf(around, circle.radius_m, most);
      const places = as ? match.publishedAs(as) : match;
      // What was read within its time is complete, whatever became of the attempt to renew it.
      const young = stored !== null && now_ms - stored.fetched_at_ms <= fresh_ms;
      return {
        key,
        name,
        held_at_ms: stored?.fetched_at_ms ?? null,
        places,
        raw: places.length,
        calls: 0,
        cache: stored ? "hit" : "miss",
        ...(young ? { status: "ok", reason: null } : { status, reason }),
        good_until_ms: young
          ? Math.min(stored.fetched_at_ms + fresh_ms, live?.good_until_ms() ?? Infinity)
          : null,
      };
    },
  };
}

/** A place as it is shown: with its states, and under the name it is published by. */
export function shownAs(
  as: ((place: Place) => Place) | null,
  live: Pick<LiveHalf, "apply"> | null,
): ((place: Place) => Place) | null {
  if (live === null) return as;
  return as === null ? (place) => live.apply(place) : (place) => as(live.apply(place));
}
