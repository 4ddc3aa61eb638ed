/** The finders of one source of places: around a point, in tiles, and in registers. */
import type { Finder, PlaceQuestion } from "#app/places/place-finder.ts";
import { aroundFinder, registryFinder, tileFinder } from "#app/places/place-finders.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import { FACILITIES } from "#core/places/select.ts";
import type { AroundQuery, LookupSettings } from "#providers/lookup.ts";
import { type Around, toLookup } from "#providers/source.ts";
import { Alternative } from "#upstream/lookup/alternative.ts";
import type { Ask, AskDeps } from "#upstream/lookup/ask-source.ts";
import { type AskTiles, createAskTiles } from "#upstream/lookup/tile-lookup.ts";
import type { BasePlaces, HeldTiles } from "#world/places/base-places.ts";
import type { Tiles } from "#world/places/place-tiles.ts";
import { askOf, coversOf, type OpenedSource, policyFor } from "#upstream/lookup/opened-source.ts";
import type { OpenRegister } from "./registers.ts";

/** Neighbouring questions are asked as one: a hundredth of a degree, and half the diagonal of it. */
const SNAP_DEGREES = 0.01;
const SNAP_M = 800;
/** Of things around a snapped point, of a source that lists the nearest ones. */
const SNAP_LIMIT = 250;

export type PlaceSource = OpenedSource & {
  registers: readonly OpenRegister[];
  /** It is the maps provider: what it answers has that name, and is cut to its limit. */
  isAdapter: boolean;
  /** The configuration names it; else it is there for what has been imported of it. */
  listed: boolean;
};

export type Context = {
  maps: { id: string; name: string };
  published(place: Place): Place;
  askedElsewhere(country: string | null): readonly PlaceKind[];
  /** Whether there is any country where another source is asked for some kind. */
  isElsewhere: boolean;
  /** Kinds that registers or sources around a point have, next to the open map. */
  shared: ReadonlySet<PlaceKind>;
  /** Imported bases, which are searched before tiles are asked for. */
  bases: BasePlaces;
  stored: HeldTiles;
  deps: AskDeps & { tiles: Tiles };
};

export function findersOf(member: PlaceSource, context: Context): Finder[] {
  const { id, source, registers, isAdapter, entry } = member;
  const { maps, published, deps } = context;
  const covers = ({ country }: PlaceQuestion): boolean => coversOf(member)(country);
  const as = (kind: PlaceKind) => (FACILITIES.includes(kind) ? { as: published } : {});
  return [
    ...registers.map(({ kind, set, runtime, fresh_ms, live, reaches }) =>
      registryFinder({
        key: id,
        name: source.name,
        kind,
        set,
        health: () => runtime.health(),
        fresh_ms,
        live,
        // Where it has places is where it covers; before it was read, its country.
        ...(FACILITIES.includes(kind) ? { most: mostOfRegister } : {}),
        covers: entry ? (question) => reaches(question.circle) ?? covers(question) : covers,
        ...as(kind),
      }),
    ),
    ...(source.around ?? []).map((around) =>
      aroundFinder({
        ...(isAdapter ? { key: maps.id, name: maps.name } : { key: id, name: source.name }),
        kind: around.kind,
        ask: askAround(member, around, deps),
        covers,
        toQuery: source.snaps ? snapped : exactly,
        ...(isAdapter ? { most } : {}),
        ...as(around.kind),
      }),
    ),
    ...(source.tiles ? tileFinders(member, context) : []),
  ];
}

/** More than an answer names, since other sources have some of them; before filters all there are. */
function mostOfRegister({ maps_limit, filtered }: PlaceQuestion): number {
  return filtered ? Number.POSITIVE_INFINITY : REGISTER_TIMES * maps_limit;
}
const REGISTER_TIMES = 5;

/** Of what is at hand: filters go before the cut of an answer. */
function mostAtHand(question: PlaceQuestion): number {
  return question.filtered ? Number.POSITIVE_INFINITY : most(question);
}

function most({ maps_limit }: PlaceQuestion): number {
  return maps_limit;
}

/** Asks with other settings where the source refuses its usual ones. */
function askAround(
  opened: OpenedSource,
  { reader, fallback }: Around<LookupSettings>,
  deps: AskDeps,
): Ask<AroundQuery, Place[]> {
  const usual = askOf(opened, reader, deps);
  if (!fallback) return usual;
  const settings = { ...opened.settings, ...fallback.settings };
  const other = askOf({ ...opened, settings }, reader, deps);
  return new Alternative({ clock: deps.clock, usual, other, refusal: fallback.reason }).ask;
}

/** One finder for the map's own kinds, one a kind for what it knows as the maps provider. */
function tileFinders(
  member: PlaceSource,
  { maps, published, askedElsewhere, isElsewhere, shared: inSeveral, bases, stored, deps }: Context,
): Finder[] {
  const { fresh_ms } = policyFor(member);
  // A map that no file names and of which nothing was imported is not asked, and is no failure.
  const isThere = ({ circle }: PlaceQuestion): boolean =>
    member.listed || !bases.isEmpty() || bases.unopenedAt(circle) !== null;
  const kinds = tileKindsOf(member);
  const isOwn = (kind: PlaceKind, question: PlaceQuestion): boolean =>
    isThere(question) &&
    !FACILITIES.includes(kind) &&
    kinds.includes(kind) &&
    (!isElsewhere ||
      question.unfound.includes(kind) ||
      !askedElsewhere(question.country).includes(kind));
  const isFacility = (kind: PlaceKind, question: PlaceQuestion): boolean =>
    isThere(question) && FACILITIES.includes(kind) && kinds.includes(kind);
  const shared = {
    ask: askTilesOf(member, bases, deps),
    tiles: stored,
    endsIn: bases.endsIn,
    shared: inSeveral,
    ...(isElsewhere ? {} : { replaces: false as const }),
    ...(member.configured ? {} : { unopenedAt: bases.unopenedAt }),
    fresh_ms,
    together: (question: PlaceQuestion) =>
      question.kinds.filter((kind) => isOwn(kind, question) || isFacility(kind, question)),
  };
  return [
    tileFinder({
      ...shared,
      key: member.id,
      name: member.source.name,
      kinds: (question) => question.kinds.filter((kind) => isOwn(kind, question)),
    }),
    ...kinds
      .filter((kind) => FACILITIES.includes(kind))
      .map((facility) =>
        tileFinder({
          ...shared,
          key: maps.id,
          name: maps.name,
          kinds: (question) =>
            question.kinds.filter((kind) => kind === facility && isFacility(kind, question)),
          as: published,
          most: mostAtHand,
        }),
      ),
  ];
}

function askTilesOf(opened: OpenedSource, bases: BasePlaces, deps: Context["deps"]): AskTiles {
  const { source, settings, configured } = opened;
  if (!configured)
    return () =>
      Promise.resolve({
        failure: {
          status: "unavailable",
          reason: bases.isEmpty() ? "not_configured" : "no_coverage",
        },
        cache: "miss",
        calls: 0,
        raw: 0,
      });
  const lookup = toLookup(source, source.tiles!.reader);
  return createAskTiles(lookup, { settings, policy: policyFor(opened) }, deps);
}

/** As far as the circle reaches, at the very point: no two questions share it by chance. */
function exactly({ circle, language, country, maps_limit }: PlaceQuestion): AroundQuery {
  const { lat, lon, radius_m } = circle;
  return { lat, lon, radius_m, limit: maps_limit, language, country };
}

/** Neighbours ask the same question, and each gets what lies in its own circle. */
function snapped({ circle, country }: PlaceQuestion): AroundQuery {
  const snap = (degrees: number): number => Math.round(degrees / SNAP_DEGREES) / (1 / SNAP_DEGREES);
  return {
    lat: snap(circle.lat),
    lon: snap(circle.lon),
    radius_m: Math.ceil((circle.radius_m + SNAP_M) / 500) * 500,
    limit: SNAP_LIMIT,
    language: null,
    country,
  };
}

/** What tiles may hold: parking and charging where they are the maps provider's. */
export function tileKindsOf({ source, isAdapter }: PlaceSource): PlaceKind[] {
  return source.tiles!.kinds.filter((kind) => isAdapter || !FACILITIES.includes(kind));
}
