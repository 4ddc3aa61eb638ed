/**
 * What one docking station says now, in a form that is compared: its counts and flags and its state,
 * as answers of /v1/nearby have them. The times of its report say nothing of it and are left out.
 */
import type { NearbyBodyValue } from "#api/nearby.ts";
import { STATION_ID_PREFIX } from "#kit/ids.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { MODES_MASK } from "#stations/shard/bits.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { Feeds } from "#ports.ts";
import { type FoundItem, itemId } from "#world/found.ts";
import { copyOf, PageRenderer } from "#world/render.ts";
import type { StationPlace } from "#world/station-index.ts";
import type { World } from "#world/world.ts";

export type Sight = {
  /** null: no station is shown under this id. */
  says: string | null;
  /** Reports whether all that it was read from is still what is shown; costs a few comparisons. */
  isCurrent(): boolean;
  /** null: nowhere, or it is no station. */
  place: StationPlace | null;
  /** How many things were looked at; absent: one. */
  things?: number;
};

/**
 * Looks at a station, and keeps the systems that observe it awake. `before`: an earlier look at it,
 * which saves the search.
 */
export type LookAtStation = (id: string, now_ms: number, before?: Sight) => Sight;

const STATION_ID = new RegExp(`^${STATION_ID_PREFIX}[a-z2-7]{20}$`);

/** Reports whether a text has the form of the id of a station. */
export function isStationId(text: string): boolean {
  return STATION_ID.test(text);
}

export type LookDeps = {
  world: Pick<World, "findStation" | "search">;
  feeds: Pick<Feeds, "wake">;
};

export function createLookAtStation({ world, feeds }: LookDeps): LookAtStation {
  const renderer = new PageRenderer();
  return (id, now_ms, before) => {
    const stored = before?.place ?? null;
    const place = stored && isThere(stored) ? stored : world.findStation(id, stored?.entry);
    if (!place) return NOWHERE;
    for (const { source_id } of place.observers) feeds.wake(source_id);
    const item = findItem(world, place, { id, now_ms });
    return { says: item && toSaying(renderer, item), isCurrent: createComparison(place), place };
  };
}

/** Reports whether the row still is the station: neither the pack nor its resolution is another one. */
function isThere({ entry, statics, roles }: StationPlace): boolean {
  return entry.shard?.statics === statics && entry.roles === roles;
}

/** A station may appear at any time, and nothing says when. */
const NOWHERE: Sight = { says: null, isCurrent: () => true, place: null };

/** What answers round up to: several stations may lie at one point. */
const RADIUS_M = 1;

/** The station as a search finds it; null: it is not shown, as one that is not installed. */
function findItem(
  world: LookDeps["world"],
  { entry, statics, row }: StationPlace,
  { id, now_ms }: { id: string; now_ms: number },
): FoundItem | null {
  const { lat, lon } = statics.index;
  const circle = { lat: lat[row]!, lon: lon[row]!, radius_m: RADIUS_M };
  const query = { circle, modes: MODES_MASK, stations: true, vehicles: false, now_ms };
  const { items } = world.search([entry], query);
  return items.find((item) => itemId(item) === id) ?? null;
}

const FRAME = { before: `{"results":{"stations":[`, alerts: "[]" };

function toSaying(renderer: PageRenderer, item: FoundItem): string {
  const bytes = copyOf((use) => renderer.render([item], FRAME, use));
  const { results } = parseJsonBytes(bytes) as Pick<NearbyBodyValue, "results">;
  const { availability, service_status } = results.stations[0]!;
  const { observed_at: _, last_reported: __, ...counts } = availability;
  return JSON.stringify([counts, service_status?.state ?? null]);
}

/** Vehicles of a system change more often than its docks, and are no part of what is read. */
function createComparison({ entry, observers, roles }: StationPlace): () => boolean {
  const parts = observers.map(({ shard }) => partsOf(shard));
  return () =>
    entry.roles === roles && observers.every(({ shard }, i) => isSame(partsOf(shard), parts[i]!));
}

type Parts = Pick<Shard, "statics" | "status" | "alerts"> | null;

function partsOf(shard: Shard | null): Parts {
  return shard && { statics: shard.statics, status: shard.status, alerts: shard.alerts };
}

function isSame(a: Parts, b: Parts): boolean {
  return a?.statics === b?.statics && a?.status === b?.status && a?.alerts === b?.alerts;
}
