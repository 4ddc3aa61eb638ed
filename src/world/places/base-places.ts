/**
 * Services of imported bases, in front of the tiles of open data: where a base covers the centre of a
 * circle, it answers for the whole circle, and no tile is asked for (decisions, Second edition).
 */
import type { BaseStatementBody } from "#api/bases.ts";
import { findUnopened, type LostBase, type UnopenedBase } from "#osm/base/other-version.ts";
import type { Location } from "#kit/geo.ts";
import type { PlaceKind } from "#core/places/place.ts";
import type { PlaceHits } from "#core/places/place-hits.ts";
import { type PlaceRows, searchParts, type SearchOptions } from "#core/places/place-columns.ts";
import { isInCell, type PageCell } from "#osm/pages/page-cell.ts";
import type { BasePages } from "#ports/base-pages.ts";
import type { Circle } from "#world/system-entry.ts";
import type { Tiles } from "#world/places/place-tiles.ts";

type Search = (kinds: readonly PlaceKind[], circle: Circle, options: SearchOptions) => PlaceHits;

/** `search`: within the circle, in no particular order; `rows`: of all its services; null: it has none. */
type PlacePage = { search: Search; rows: PlaceRows | null };

/** A base with pages of `P`. */
export type CoveringBase<P> = {
  /** How answers name it. */
  statement: BaseStatementBody;
  covers(lat: number, lon: number): boolean;
  /** Whether all of the circle is covered. */
  coversCircle(circle: Circle): boolean;
  pages: BasePages<P>;
  /** Pages that could not be read when they were last wanted; absent: there are none. */
  listFailed?(): readonly { cell: PageCell }[];
};

/** The services of one base. */
export type PlaceBase = CoveringBase<PlacePage>;

/** What is in memory around a point, for one question. Disposing lets it go. */
export type PinnedPlaces = Disposable & {
  /** Within a circle, which is no larger than the one that was pinned. */
  search: Search;
  oldest: Tiles["oldest"];
  /** The base that answers for the circle; null: the tiles do. */
  base: PlaceBase | null;
  /** A base that would answer, or would answer for all of it, if its pages could be read; null: there is none. */
  lost: LostBase | null;
};

/** Searches of what is there without asking anybody. */
export type HeldTiles = {
  pin(circle: Circle, signal?: AbortSignal): Promise<PinnedPlaces>;
  /** The same of a base whose pages are in memory, without a wait; null, or absent: `pin` has to be asked. */
  pinHeld?(circle: Circle): PinnedPlaces | null;
};

/**
 * `list`: bases of now, the one that leads first; the same list as long as they are the same.
 * `listUnopened`: those that cannot be opened.
 */
export function createBasePlaces<B extends CoveringBase<unknown> = PlaceBase>(
  list: () => readonly B[],
  listUnopened: () => readonly UnopenedBase[] = () => NONE_UNOPENED,
): BasePlaces<B> {
  /** All that one question asks is of one point. */
  let last: { bases: readonly B[]; at: Location; found: readonly B[] } | null = null;
  const listAt: BasePlaces<B>["listAt"] = ({ lat, lon }) => {
    const bases = list();
    if (last?.bases === bases && last.at.lat === lat && last.at.lon === lon) return last.found;
    const found = bases.filter((base) => base.covers(lat, lon));
    last = { bases, at: { lat, lon }, found };
    return found;
  };
  const find: BasePlaces<B>["find"] = (at) => listAt(at)[0];
  /** Each finder of a question asks, and the borders of a base have many corners. */
  let ending: { base: B; circle: Circle; ends: boolean } | null = null;
  const endsIn: BasePlaces<B>["endsIn"] = (circle) => {
    const base = find(circle);
    if (base === undefined) return false;
    if (ending?.base === base && isSameCircle(ending.circle, circle)) return ending.ends;
    ending = { base, circle, ends: !base.coversCircle(circle) };
    return ending.ends;
  };
  return {
    isEmpty: () => list().length === 0,
    listAt,
    find,
    endsIn,
    answeringAt: (at) => listAt(at).find((base) => !isFailedAt(base, at)) ?? null,
    unopenedAt: (at) => (find(at) ? null : findUnopened(listUnopened(), "services", at)),
  };
}

function isSameCircle(a: Circle, b: Circle): boolean {
  return a === b || (a.lat === b.lat && a.lon === b.lon && a.radius_m === b.radius_m);
}

function isFailedAt({ listFailed }: CoveringBase<unknown>, { lat, lon }: Location): boolean {
  const failed = listFailed?.() ?? [];
  return failed.some(({ cell }) => isInCell(cell, Math.round(lat * 1e7), Math.round(lon * 1e7)));
}

const NONE_UNOPENED: readonly UnopenedBase[] = [];

export type BasePlaces<B = PlaceBase> = {
  isEmpty(): boolean;
  /** The bases that cover this point, the one that leads first. */
  listAt(at: { lat: number; lon: number }): readonly B[];
  /** The base that answers at this point; undefined: none covers it. */
  find(at: { lat: number; lon: number }): B | undefined;
  /** The first of them whose page of this point can be read, as far as is known; null: there is none. */
  answeringAt(at: Location): B | null;
  /** Whether a base answers for the circle that covers a part of it only. */
  endsIn(circle: Circle): boolean;
  /** The base that would answer at this point if it could be opened; null: there is none. */
  unopenedAt(at: Location): UnopenedBase | null;
};

/** What a base covers is held, and as new as it gets; elsewhere the tiles decide. */
export function inFrontOf(
  tiles: Pick<Tiles, "search" | "oldest">,
  bases: BasePlaces,
  now: () => number,
): HeldTiles {
  const elsewhere: PinnedPlaces = {
    search: (...query) => tiles.search(...query),
    oldest: (...query) => tiles.oldest(...query),
    base: null,
    lost: null,
    [Symbol.dispose]: () => undefined,
  };
  const toPinned = (base: PlaceBase, own: Pages, lost: LostBase | null): PinnedPlaces => {
    const at_ms = now();
    return {
      search: searchOf(own.pages),
      oldest: () => at_ms,
      base,
      lost,
      [Symbol.dispose]: () => own[Symbol.dispose](),
    };
  };
  return {
    async pin(circle, signal) {
      const at = bases.listAt(circle);
      const own = await pinLeading<PlacePage, PlaceBase>(at, circle, signal);
      if (own.base === null)
        return own.lost === null ? elsewhere : { ...elsewhere, lost: own.lost };
      return toPinned(own.base, own, own.lost);
    },
    pinHeld(circle) {
      const base = bases.find(circle);
      const own = base?.pages.pinHeld?.(base.pages.around(circle));
      return base && own ? toPinned(base, own, null) : null;
    },
  };
}

type Pages = Disposable & { pages: readonly { page: PlacePage }[] };

/** The pages around a circle of the base that answers there. Disposing lets them go. */
export type PinnedLeading<P, B> = Disposable & {
  /** null: none of the bases can. */
  base: B | null;
  pages: readonly { page: P }[];
  /** A base that would answer, or would answer for all of it, if its pages could be read; null: there is none. */
  lost: LostBase | null;
};

/** `bases`: those that cover the centre, the one that leads first. */
export async function pinLeading<P, B extends CoveringBase<P>>(
  bases: readonly B[],
  circle: Circle,
  signal?: AbortSignal,
): Promise<PinnedLeading<P, B>> {
  let lost: LostBase | null = null;
  for (const base of bases) {
    const own = await base.pages.pin(base.pages.around(circle), signal);
    const { pages, missing } = own;
    const part = missing[0] ? { id: base.statement.id, reason: missing[0].reason } : null;
    // Where the page of the point is missing, the base does not answer there.
    if (!missing.some(({ number }) => number === base.pages.at(circle)))
      return { base, pages, lost: part, [Symbol.dispose]: () => own[Symbol.dispose]() };
    own[Symbol.dispose]();
    lost ??= part;
  }
  return { base: null, pages: [], lost, [Symbol.dispose]: () => undefined };
}

/** Those of several pages are looked at as if they lay in one. */
function searchOf(pages: readonly { page: PlacePage }[]): Search {
  const [first, ...others] = pages;
  if (first && others.length === 0) return (...query) => first.page.search(...query);
  const rows = pages.flatMap(({ page }) => page.rows ?? []);
  return (...query) => searchParts(rows, ...query);
}
