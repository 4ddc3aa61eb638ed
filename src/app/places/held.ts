/**
 * Urban services that are known without asking anybody: what registries and tiles hold around a
 * point. `include=places` of /v1/nearby is made of them alone (decisions, Global nearby).
 */
import { SERVICE_TYPES } from "#api/tokens.ts";
import type { Budget } from "#kit/budget.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import { toUnopenedSource } from "#osm/base/other-version.ts";
import type { QueriedSource } from "#core/coverage.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import type { PlaceHit, PlaceHits } from "#core/places/place-hits.ts";
import { findById } from "#core/places/find-by-id.ts";
import {
  createPlaceIds,
  createPlaceNames,
  type OpenItem,
  toDraft,
  toVisible,
} from "#core/places/place-results.ts";
import {
  createPlaceBudget,
  FACILITIES,
  selectPlaces,
  type PlaceSelection,
} from "#core/places/select.ts";
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

/** `most`: items wanted; `only`: the place of this id alone; null: this deployment knows no place without asking. */
export type FindRetained = (
  circle: Circle,
  query: { now_ms: number; most?: number; only?: string | undefined; signal?: AbortSignal },
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
  /** Kinds of which some places are known to sources alone that are asked for each question. Absent: none. */
  askedAround?(circle: Circle): readonly PlaceKind[];
  /** Sources whose data end within the circle, or cannot be read. Absent: none. */
  endingIn?(circle: Circle): readonly QueriedSource[];
  /** Tiles older than this count as not held. */
  tile_ms: number;
  /** Returns a place of the maps provider's kinds as published, whatever its source (§2.3, §4.7). */
  published(place: Place): Place;
};

export function createFindRetained(deps: HeldDeps): FindRetained {
  const search = new ReadySearch(deps);
  return async (circle, { now_ms, most = Number.POSITIVE_INFINITY, only, signal }) => {
    if (only !== undefined)
      return await findOne(search, deps.tiles, circle, { now_ms, only, signal });
    using pinned = await deps.tiles.pin(widened(circle, []), signal);
    const wanted = { tokens: SERVICE_TYPES, most };
    const match = await runSteps(
      search.list({ tiles: pinned, circle, now_ms }, wanted),
      createTurn({}),
    );
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
  const search = new ReadySearch(deps);
  return async (type, circle, { now_ms, most, signal }) => {
    using pinned = await deps.tiles.pin(widened(circle, []), signal);
    const wanted = { tokens: [type], most };
    const match = await runSteps(
      search.list({ tiles: pinned, circle, now_ms }, wanted),
      createTurn({}),
    );
    if (match === null) return null;
    const { places, stored } = match;
    return { ...places, isHeld: kindsOf([type]).every((kind) => stored.has(kind)) };
  };
}

async function findOne(
  search: ReadySearch,
  tiles: HeldTiles,
  circle: Circle,
  { now_ms, only, signal }: { now_ms: number; only: string; signal: AbortSignal | undefined },
): Promise<HeldPlaces | null> {
  // What else is known of it may lie around it, and it may lie at the edge of the circle.
  const reach = widened(widened(circle, FACILITIES), FACILITIES);
  using pinned = await tiles.pin(reach, signal);
  return await runSteps(search.one({ tiles: pinned, circle, now_ms }, only), createTurn({}));
}

/** Where and when is searched. */
type Spot = { tiles: PinnedPlaces; circle: Circle; now_ms: number };
type Wanted = { tokens: readonly ServiceToken[]; most: number };
/** What is held around a point of the kinds that are wanted. */
type Opened = {
  sources: readonly PlaceHits[];
  budget: Budget;
  /** Kinds that this deployment may hold, those of tiles, and those that are held around the point. */
  entries: ReadonlySet<PlaceKind>;
  tileKinds: readonly PlaceKind[];
  inTiles: readonly PlaceKind[];
  stored: ReadonlySet<PlaceKind>;
};

/** Of one kind, those next to a place that are looked at for what else is known of it. */
const MOST_NEXT_TO = 100;

class ReadySearch {
  readonly #deps: HeldDeps;
  readonly #memory = { toId: createPlaceIds(), toName: createPlaceNames() };

  constructor(deps: HeldDeps) {
    this.#deps = deps;
  }

  /** The nearest, and the kinds that are held around the point, in steps; null: none is known here without asking. */
  *list(
    spot: Spot,
    { tokens, most }: Wanted,
  ): Generator<void, { places: HeldPlaces; stored: ReadonlySet<PlaceKind> } | null> {
    const opened = this.#open(spot, tokens);
    if (opened === null) return null;
    const { sources, budget, stored } = opened;
    yield;
    const { items, total, counted_m } = yield* selectPlaces(sources, {
      ...{ tokens, radius_m: spot.circle.radius_m, limit: most, wishes: [], language: null },
      ...{ budget, ...this.#memory },
    });
    const gaps = this.#gapsOf(opened, spot, tokens);
    return { places: { items, total, counted_m, ...gaps }, stored };
  }

  /**
   * The place of an id in steps, with what else is known of it. Where it is not found, what may have it is named: kinds
   * that are asked for each question as well, and where the search ended.
   */
  *one(spot: Spot, id: string): Generator<void, HeldPlaces | null> {
    const tokens = SERVICE_TYPES;
    const { circle } = spot;
    const opened = this.#open(spot, tokens);
    if (opened === null) return null;
    yield;
    const { hit, tried_m } = yield* findById(
      opened.sources,
      id,
      circle.radius_m,
      this.#memory.toId,
    );
    const { unheld, partly } = this.#gapsOf(opened, spot, tokens);
    if (hit !== null) {
      const items = [yield* this.#whole(spot, hit, id)];
      return { items, total: 1, counted_m: null, unheld: [], partly };
    }
    const around = this.#deps.askedAround?.(circle) ?? [];
    const isUnknown = (token: ServiceToken): boolean =>
      unheld.includes(token) || around.includes(kindsOf([token])[0]!);
    const counted_m = tried_m < circle.radius_m ? Math.max(0, Math.floor(tried_m)) : null;
    return { items: [], total: 0, counted_m, unheld: tokens.filter(isUnknown), partly };
  }

  /** Merged with what others know of it, where it leads them; else as its source has it. */
  *#whole(spot: Spot, { place, distance_m }: PlaceHit, id: string): Generator<void, OpenItem> {
    const draft = toDraft(place, distance_m, SERVICE_TYPES);
    const { service_type, distance_meters } = draft.item;
    const circle = { lat: place.lat, lon: place.lon, radius_m: fringeOf_m([place.kind]) };
    const wanted = { tokens: [service_type], most: MOST_NEXT_TO };
    const list = yield* this.list({ ...spot, circle }, wanted);
    const merged = list!.places.items.find((item) => item.id === id);
    if (merged) return { ...merged, distance_meters };
    return toVisible(draft, { tokens: SERVICE_TYPES, language: null, ...this.#memory });
  }

  #open({ tiles, circle, now_ms }: Spot, tokens: readonly ServiceToken[]): Opened | null {
    const { published, tile_ms } = this.#deps;
    const as = (place: Place): Place =>
      FACILITIES.includes(place.kind) ? published(place) : place;
    const kinds = kindsOf(tokens);
    const registries = this.#deps.registries.filter(({ kind }) => kinds.includes(kind));
    const tileKinds = this.#deps.tileKinds(circle).filter((kind) => kinds.includes(kind));
    const own = registries.map(({ kind }) => kind);
    const entries = new Set([...own, ...tileKinds]);
    if (entries.size === 0) return null;
    const wide = widened(circle, own);
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
    return { sources, budget, entries, tileKinds, inTiles, stored };
  }

  /** What is not known of the circle. */
  #gapsOf(
    { entries, tileKinds, inTiles, stored }: Opened,
    { tiles, circle }: Spot,
    tokens: readonly ServiceToken[],
  ): Pick<HeldPlaces, "unheld" | "partly"> {
    const { endingIn, askedElsewhere } = this.#deps;
    const ending = endingIn?.(circle) ?? [];
    // What a base lacks, tiles may have.
    const lost = tiles.base !== null || inTiles.length < tileKinds.length ? tiles.lost : null;
    const partly = lost ? [...ending, toUnopenedSource(lost)] : ending;
    // What a base that cannot be opened would hold, no search brings either.
    const isUnopened = partly.some(({ status }) => status !== "ok");
    const elsewhere = isUnopened ? tileKinds : (askedElsewhere?.(circle) ?? []);
    const lacks = (token: ServiceToken): boolean => {
      const kind = kindsOf([token])[0]!;
      return entries.has(kind) && !stored.has(kind) && !elsewhere.includes(kind);
    };
    return { unheld: tokens.filter(lacks), partly };
  }
}

function widened(circle: Circle, kinds: Iterable<PlaceKind>): Circle {
  return { ...circle, radius_m: circle.radius_m + fringeOf_m(kinds) };
}
