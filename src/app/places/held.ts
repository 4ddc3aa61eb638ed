/**
 * Urban services that are known without asking anybody: what registries and tiles hold around a
 * point. `include=places` of /v1/nearby is made of them alone (decisions, Global nearby).
 */
import { SERVICE_TYPES } from "#api/tokens.ts";
import { toUnopenedSource } from "#osm/base/other-version.ts";
import type { QueriedSource } from "#core/coverage.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import type { PlaceHits } from "#core/places/place-hits.ts";
import { createPlaceIds, createPlaceNames, type OpenItem } from "#core/places/place-results.ts";
import { createPlaceBudget, selectPlaces, type PlaceSelection } from "#core/places/select.ts";
import { fringeOf_m } from "#core/places/several.ts";
import { kindsOf, type ServiceToken } from "#core/places/place-tokens.ts";
import { shownAs } from "./place-finders.ts";
import type { LiveHalf } from "./registers.ts";
import type { PlaceSet } from "#world/places/place-set.ts";
import type { HeldTiles, PinnedPlaces } from "#world/places/base-places.ts";
import type { Circle } from "#world/system-entry.ts";

export type HeldPlaces = Pick<PlaceSelection, "total" | "counted_m"> & {
  /** The nearest, ordered by stated distance, then id. */
  items: OpenItem[];
  /** Types that some source of this deployment knows, but that are not held here yet. */
  unheld: ServiceToken[];
  /** Sources whose data end within the circle, or cannot be read. */
  partly: readonly QueriedSource[];
};

/** `most`: items wanted; null: this deployment knows no place without asking. */
export type FindRetained = (
  circle: Circle,
  query: { now_ms: number; most?: number; signal?: AbortSignal },
) => Promise<HeldPlaces | null>;

type HeldRegister = {
  kind: PlaceKind;
  set: () => PlaceSet | null;
  fresh_ms: number;
  /** Its live half, which is asked for nothing here but polled for the next caller; absent: it has none. */
  live?: LiveHalf | null;
};

export type HeldDeps = {
  /** Registers that are read whole, leading ones first. */
  registries: readonly HeldRegister[];
  tiles: HeldTiles;
  /** Kinds that tiles may hold in this deployment. */
  tileKinds(circle: Circle): readonly PlaceKind[];
  /**
   * Kinds that another source is asked for at this point, and that tiles therefore need not hold:
   * what is never held would make every answer partial. Absent: none.
   */
  askedElsewhere?(circle: Circle): readonly PlaceKind[];
  /** Sources whose data end within the circle, or cannot be read. Absent: none. */
  endingIn?(circle: Circle): readonly QueriedSource[];
  /** Tiles older than this count as not held. */
  tile_ms: number;
  /** Returns a place of the maps provider's kinds as published, whatever its source (§2.3, §4.7). */
  published(place: Place): Place;
};

export function createFindRetained(deps: HeldDeps): FindRetained {
  const lookUp = createLookUp(deps);
  return async (circle, { now_ms, most = Number.POSITIVE_INFINITY, signal }) => {
    using pinned = await deps.tiles.pin(widened(circle, []), signal);
    const match = lookUp(pinned, circle, now_ms, { tokens: SERVICE_TYPES, most });
    return match && match.places;
  };
}

/** Services of one type; `isHeld`: what lies around the point is known. */
export type HeldOfType = HeldPlaces & { isHeld: boolean };

/** null: this deployment knows no place of that type without asking. */
export type FindHeldType = (
  type: ServiceToken,
  circle: Circle,
  query: { now_ms: number; most: number; signal?: AbortSignal },
) => Promise<HeldOfType | null>;

export function createFindHeldType(deps: HeldDeps): FindHeldType {
  const lookUp = createLookUp(deps);
  return async (type, circle, { now_ms, most, signal }) => {
    using pinned = await deps.tiles.pin(widened(circle, []), signal);
    const match = lookUp(pinned, circle, now_ms, { tokens: [type], most });
    if (match === null) return null;
    const { places, stored } = match;
    return { ...places, isHeld: kindsOf([type]).every((kind) => stored.has(kind)) };
  };
}

type Wanted = { tokens: readonly ServiceToken[]; most: number };

/** `stored`: kinds that are held around the point; null: none is known here without asking. */
function createLookUp(deps: HeldDeps) {
  const { tile_ms, published } = deps;
  const memory = { toId: createPlaceIds(), toName: createPlaceNames() };
  const as = (place: Place): Place => (isMaps(place.kind) ? published(place) : place);
  return (
    tiles: PinnedPlaces,
    circle: Circle,
    now_ms: number,
    { tokens, most }: Wanted,
  ): { places: HeldPlaces; stored: ReadonlySet<PlaceKind> } | null => {
    const kinds = kindsOf(tokens);
    const registries = deps.registries.filter(({ kind }) => kinds.includes(kind));
    const tileKinds = deps.tileKinds(circle).filter((kind) => kinds.includes(kind));
    const entries = new Set([...registries.map(({ kind }) => kind), ...tileKinds]);
    if (entries.size === 0) return null;
    const isInRegister = (kind: PlaceKind): boolean =>
      registries.some((each) => each.kind === kind);
    const wide = widened(circle, kinds.filter(isInRegister));
    const inTiles = tileKinds.filter((kind) => {
      const oldest_ms = tiles.oldest(kind, circle);
      return oldest_ms !== null && now_ms - oldest_ms <= tile_ms;
    });
    for (const { live } of registries) live?.touch(circle);
    const sets = registries.map(({ set }) => set());
    const stored = new Set<PlaceKind>(inTiles);
    registries.forEach(({ kind, fresh_ms }, i) => {
      const set = sets[i];
      if (set && now_ms - set.fetched_at_ms <= fresh_ms) stored.add(kind);
    });
    const budget = createPlaceBudget();
    const sources: PlaceHits[] = [
      ...registries.flatMap(({ live = null }, i) => {
        const hits = sets[i]?.search(wide, { budget });
        return hits?.publishedAs(shownAs(as, live) ?? as) ?? [];
      }),
      tiles.search(inTiles, wide, { budget }).publishedAs(as),
    ];
    const { items, total, counted_m } = selectPlaces(sources, {
      tokens,
      radius_m: circle.radius_m,
      limit: most,
      wishes: [],
      language: null,
      budget,
      ...memory,
    });
    const ending = deps.endingIn?.(circle) ?? [];
    // What a base lacks, tiles may have.
    const lost = tiles.base !== null || inTiles.length < tileKinds.length ? tiles.lost : null;
    const partly = lost ? [...ending, toUnopenedSource(lost)] : ending;
    // What a base that cannot be opened would hold, no search brings either.
    const isUnopened = partly.some(({ status }) => status !== "ok");
    const elsewhere = isUnopened ? tileKinds : (deps.askedElsewhere?.(circle) ?? []);
    const lacks = (token: ServiceToken): boolean => {
      const kind = kindsOf([token])[0]!;
      return entries.has(kind) && !stored.has(kind) && !elsewhere.includes(kind);
    };
    const unheld = tokens.filter(lacks);
    return { places: { items, total, counted_m, unheld, partly }, stored };
  };
}

function widened(circle: Circle, kinds: readonly PlaceKind[]): Circle {
  return { ...circle, radius_m: circle.radius_m + fringeOf_m(kinds) };
}

function isMaps(kind: PlaceKind): boolean {
  return kind === "parking" || kind === "charging";
}
