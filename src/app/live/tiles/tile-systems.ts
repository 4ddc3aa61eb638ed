/**
 * The systems of a tile: which may have something in it, what of them has to be waited for, and how long
 * what is known of them holds (decisions, Global nearby).
 */
import type { LiveSourceValue } from "#api/live.ts";
import type { Clock, Feeds } from "#ports.ts";
import type { Wants } from "#app/answer-types.ts";
import type { FindCountries } from "#app/country.ts";
import { everyNeeded, findUnsurveyed, liveFor_s, waitFor } from "#app/gather.ts";
import { isFresh, type Shard } from "#stations/shard/shard.ts";
import { areLost, sourceOf } from "#world/live/live-source.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { World } from "#world/world.ts";
import type { TileScope } from "./tile-scope.ts";
import { shownOf } from "./system-counts.ts";
import { boxOfTile, middleOfTile } from "./tile-place.ts";
import { ZONE_MARGIN } from "./zone-outlines.ts";

export type TileSystemsDeps = {
  world: World;
  feeds: Feeds;
  clock: Clock;
  /** Loaded when the first tile meets a system whose place is not known. */
  countries: () => Promise<FindCountries>;
};

/**
 * From this zoom on a tile is of a city (40 km): it wakes its systems and waits for those that have never
 * been read. A tile of a country shows what is known, and must not make the service read all of it.
 */
const WAKES_FROM = 10;

/** Systems without a known place that a tile of a country names. */
const MOST_UNSURVEYED = 100;

const NO_SYSTEMS: readonly SystemEntry[] = [];

export class TileSystems {
  readonly #deps: TileSystemsDeps;

  constructor(deps: TileSystemsDeps) {
    this.#deps = deps;
  }

  /** Those whose box touches the tile; asking wakes them. */
  find({ place, stations, vehicles, zones }: TileScope): readonly SystemEntry[] {
    if (!stations && !vehicles && !zones) return NO_SYSTEMS;
    const systems: SystemEntry[] = [];
    this.#deps.world.coveringBox(boxOfTile(place, zones ? ZONE_MARGIN : 0), systems);
    if (place.z >= WAKES_FROM)
      for (const { source_id } of systems) this.#deps.feeds.wake(source_id);
    return systems;
  }

  /** Waits for what has never been read, until then at most; returns those whose place is not known. */
  async wait(
    systems: readonly SystemEntry[],
    scope: TileScope,
    until_ms: number,
  ): Promise<readonly SystemEntry[]> {
    const { world, feeds } = this.#deps;
    if (!scope.stations && !scope.vehicles && !scope.zones) return NO_SYSTEMS;
    if (scope.place.z < WAKES_FROM)
      return world.isSurveyed()
        ? NO_SYSTEMS
        : world.list().filter(isUnsurveyed).slice(0, MOST_UNSURVEYED);
    const late = systems.filter((entry) => !isRead(entry, wantsOf(scope)));
    const waiting = late.length > 0 && waitFor(late, this.#deps, { begun_after_ms: 0, until_ms });
    if (!world.isSurveyed()) {
      const unsurveyed = await findUnsurveyed(this.#deps, middleOfTile(scope.place));
      for (const country of new Set(unsurveyed.map((entry) => entry.country)))
        if (country !== null) feeds.prioritise(country);
      await waiting;
      return unsurveyed;
    }
    await waiting;
    return NO_SYSTEMS;
  }

  /** What a tile says of its systems. */
  listSources(
    systems: readonly SystemEntry[],
    { place }: TileScope,
    now_ms: number,
  ): LiveSourceValue[] {
    // Of a country, those that sleep are no news, and there are hundreds of them.
    const named =
      place.z >= WAKES_FROM ? systems : systems.filter((entry) => !isRead(entry, EVERYTHING));
    return named.map((entry) => sourceOf(entry, now_ms));
  }

  /** Seconds; null: something of a system is not known. */
  maxAge_s(systems: readonly SystemEntry[], scope: TileScope, now_ms: number): number | null {
    const wants = wantsOf(scope);
    if (!systems.every((entry) => isRead(entry, wants))) return null;
    const shards = systems.map(({ shard }) => ({ shard: shard! }));
    const isCity = scope.place.z >= WAKES_FROM;
    if (isCity && scope.vehicles && shards.some(({ shard }) => areLost(shard, now_ms))) return null;
    // What sleeps does not change.
    const isAwake = (shard: Shard): boolean =>
      everyNeeded(shard, wants, (part) => isFresh(part, now_ms));
    return liveFor_s(isCity ? shards : shards.filter(({ shard }) => isAwake(shard)), wants, now_ms);
  }
}

const EVERYTHING: Wants = { stations: true, vehicles: true, alerts: false };

/** Numbers of what tiles are drawn from: a tile that is kept must not keep shards that were replaced. */
export class Generations {
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;

  /** What a tile was drawn from: it is the same as long as each of these is. No objects. */
  of(systems: readonly SystemEntry[], now_ms: number): unknown[] {
    return systems
      .flatMap((entry) => [entry, entry.shard, entry.closures, ...shownOf(entry, now_ms)])
      .map((each) => this.#numberOf(each));
  }

  #numberOf(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    // Ages and times are not negative.
    return this.#numbers.getOrInsertComputed(value, () => --this.#last);
  }
}

function wantsOf({ stations, vehicles }: TileScope): Wants {
  return { stations, vehicles, alerts: false };
}

function isRead({ shard }: SystemEntry, wants: Wants): boolean {
  return shard !== null && everyNeeded(shard, wants, ({ live }) => live !== null);
}

function isUnsurveyed({ surveyed, lost }: SystemEntry): boolean {
  return !surveyed && !lost;
}
