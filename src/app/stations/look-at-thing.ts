/**
 * A docking station or a vehicle that an answer named, as memory has it now: no source is asked, and the
 * systems that observe it are kept awake as by a question near it.
 */
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { Location } from "#kit/geo.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { REVALIDATED_MS } from "#kit/time.ts";
import type { LiveState } from "#stations/shard/shard.ts";
import { MODES_MASK } from "#stations/shard/bits.ts";
import { type FoundItem, itemId } from "#world/found.ts";
import { copyOf, PageRenderer } from "#world/render.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { World } from "#world/world.ts";
import { isStationId, type LookDeps } from "./look.ts";

/** `sources`: ids of the systems that observed it. */
type Thing = { id: string; location: Location; sources: readonly string[] };

type Results = NearbyBodyValue["results"];

export type SeenThing = {
  /** null: it is a vehicle, or not there. */
  station: Results["stations"][number] | null;
  vehicle: Results["vehicles"][number] | null;
  /** Whether what has it has been read lately: else nothing is known of it now. */
  is_known: boolean;
  /** Until when that is so, if nothing is read, epoch ms; null: nothing is known already. */
  known_until_ms: number | null;
  /** Reports whether all that it was read from is still what is shown. */
  isCurrent(): boolean;
};

export type LookAtThing = (thing: Thing, now_ms: number) => SeenThing;

/** How far a vehicle may be from where it was: positions of one that is parked differ by less. */
const MOVED_M = 100;
/** How late a source may be read again, beyond its time to live: its file is fetched when that has passed. */
const LATE_MS = 60_000;

type Deps = {
  world: Pick<World, "find" | "findStation" | "search">;
  feeds: LookDeps["feeds"];
};

export function createLookAtThing({ world, feeds }: Deps): LookAtThing {
  const renderer = new PageRenderer();
  return (thing, now_ms) => {
    const isStation = isStationId(thing.id);
    const place = isStation ? world.findStation(thing.id) : null;
    const systems = place?.observers ?? thing.sources.flatMap((id) => world.find(id) ?? []);
    for (const { source_id } of systems) feeds.wake(source_id);
    const circle = { ...thing.location, radius_m: MOVED_M };
    const wanted = { modes: MODES_MASK, stations: isStation, vehicles: !isStation };
    const { items } = world.search(systems, { circle, ...wanted, now_ms });
    const item = items.find((each) => itemId(each) === thing.id) ?? null;
    const ends_ms = systems.map((system) => endOf(system, isStation));
    const known_until_ms = item === null ? firstOf(ends_ms) : lastOf(ends_ms);
    return {
      ...render(renderer, item),
      is_known: known_until_ms !== null && now_ms < known_until_ms,
      known_until_ms,
      isCurrent: createComparison(systems, isStation),
    };
  };
}

const FRAME = { before: `{"results":{"stations":[`, alerts: "[]" };

function render(
  renderer: PageRenderer,
  item: FoundItem | null,
): Pick<SeenThing, "station" | "vehicle"> {
  if (item === null) return { station: null, vehicle: null };
  const bytes = copyOf((use) => renderer.render([item], FRAME, use));
  const { results } = parseJsonBytes(bytes) as Pick<NearbyBodyValue, "results">;
  return { station: results.stations[0] ?? null, vehicle: results.vehicles[0] ?? null };
}

/** Until when what was read of a system says how it is; null: its part has not been read. */
function endOf({ shard }: SystemEntry, isStation: boolean): number | null {
  const live: LiveState | null = (isStation ? shard?.status : shard?.vehicles)?.live ?? null;
  if (live === null) return null;
  return live.validated_at_ms + Math.max(live.ttl_s * 1_000, REVALIDATED_MS) + LATE_MS;
}

/** What none of them has is not there as long as all of them are known; null: one is not. */
function firstOf(ends_ms: readonly (number | null)[]): number | null {
  const known = ends_ms.filter((end_ms) => end_ms !== null);
  return known.length === 0 || known.length < ends_ms.length ? null : Math.min(...known);
}

/** What several have is known as long as one of them is. */
function lastOf(ends_ms: readonly (number | null)[]): number | null {
  const known = ends_ms.filter((end_ms) => end_ms !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function createComparison(systems: readonly SystemEntry[], isStation: boolean): () => boolean {
  const partOf = ({ shard }: SystemEntry) => (isStation ? shard?.status : shard?.vehicles);
  const before = systems.map((system) => ({
    statics: system.shard?.statics,
    part: partOf(system),
    roles: system.roles,
  }));
  return () =>
    systems.every((system, i) => {
      const { statics, part, roles } = before[i]!;
      return system.shard?.statics === statics && partOf(system) === part && system.roles === roles;
    });
}
