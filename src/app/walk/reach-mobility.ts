/**
 * Stations and vehicles of shared mobility around a point, as they were read last: /v1/reach waits for
 * no system, and says how old is what it shows.
 */
import type { NearbyBodyValue } from "#api/nearby.ts";
import { QUERY_MODES } from "#api/nearby-items.ts";
import type { ReachFamily } from "#api/reach.ts";
import type { FindCountries } from "#app/country.ts";
import { ageOf, consult, everyNeeded, findUnsurveyed, toQueried } from "#app/gather.ts";
import type { Wants } from "#app/answer-types.ts";
import { ofAge } from "#core/notices.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { createTurn } from "#kit/run/turn.ts";
import type { Feeds } from "#ports.ts";
import { modeMask } from "#stations/shard/bits.ts";
import { isFresh } from "#stations/shard/shard.ts";
import type { FoundItem } from "#world/found.ts";
import { isVehicle } from "#world/nearby-hits.ts";
import { copyOf, PageRenderer } from "#world/render.ts";
import type { Circle, SystemEntry } from "#world/system-entry.ts";
import { areVehiclesGone } from "#world/vehicles/sightings.ts";
import type { World } from "#world/world.ts";
import {
  type Candidates,
  type FindHeldFamilies,
  type Gaps,
  MOST_CANDIDATES,
} from "./reach-candidates.ts";

type Deps = { world: World; feeds: Feeds; countries: () => Promise<FindCountries> };
const FAMILIES = ["stations", "vehicles"] as const;
type Family = (typeof FAMILIES)[number];

export function createFindMobility(deps: Deps): FindHeldFamilies {
  const renderer = new PageRenderer();
  return async (families, circle, { now_ms }) => {
    const own = FAMILIES.filter((family) => families.includes(family));
    if (own.length === 0) return { families: new Map(), gaps: {} };
    const none = (gaps: Gaps) => ({
      families: new Map(own.map((family): [ReachFamily, null] => [family, null])),
      gaps,
    });
    if (deps.world.list().length === 0) return none({ unserved: ["shared mobility"] });
    const unsurveyed = await findUnsurveyed(deps, circle);
    const systems: SystemEntry[] = [];
    deps.world.covering(circle, systems);
    // What is shown now may be old; the next question finds it young.
    for (const { source_id } of systems) deps.feeds.wake(source_id);
    const look = (family: Family): Candidates | null =>
      isHeld(family, systems, now_ms)
        ? search(deps.world, systems, family, { circle, now_ms, renderer })
        : null;
    const turn = createTurn({});
    const entries = new Map<ReachFamily, Candidates | null>();
    for (const family of own) {
      await turn();
      entries.set(family, look(family));
    }
    return {
      families: entries,
      gaps: {
        ...judge(systems, own, { ...deps, now_ms }),
        unsurveyed: unsurveyed.filter(({ unread }) => unread === null).length,
      },
    };
  };
}

/** Whether anything that is here has been read; where no system has any, there are none. */
function isHeld(family: Family, systems: readonly SystemEntry[], now_ms: number): boolean {
  const offering = systems.filter(
    ({ shard }) => shard === null || family === "stations" || shard.vehicles !== null,
  );
  return offering.length === 0 || offering.some((entry) => isRead(entry, family, now_ms));
}

function isRead({ shard }: SystemEntry, family: Family, now_ms: number): boolean {
  if (shard === null || family === "stations") return shard !== null;
  const live = shard.vehicles?.live ?? null;
  return live !== null && !areVehiclesGone(live, now_ms);
}

/** Which systems have failed or were never read, and how old the others are. */
function judge(
  systems: readonly SystemEntry[],
  own: readonly Family[],
  { feeds, now_ms }: Pick<Deps, "feeds"> & { now_ms: number },
): Required<Pick<Gaps, "requested" | "unread" | "notices">> {
  const wants: Wants = {
    stations: own.includes("stations"),
    vehicles: own.includes("vehicles"),
    alerts: false,
  };
  const gaps = { requested: [], unread: [], notices: [] } as {
    requested: ReturnType<typeof toQueried>[];
    unread: { name: string; problem: null }[];
    notices: ReturnType<typeof ofAge>[];
  };
  for (const entry of systems) {
    const { shard } = entry;
    const health = feeds.health(entry.source_id);
    const consulted = consult(entry, wants, { feeds, now_ms, wait: undefined });
    const isWhole = shard !== null && everyNeeded(shard, wants, ({ live }) => live !== null);
    const isYoung = isWhole && everyNeeded(shard, wants, (part) => isFresh(part, now_ms));
    const { status, reason } = health;
    const age_s = ageOf(shard, wants, now_ms);
    if (!isYoung && status !== "ok")
      gaps.requested.push(toQueried({ ...consulted, status, reason }, wants, now_ms));
    else if (!isWhole) gaps.unread.push({ name: consulted.name, problem: null });
    else gaps.requested.push(toQueried(consulted, wants, now_ms));
    if (isWhole && !isYoung && status === "ok" && consulted.status === "ok" && age_s !== null)
      gaps.notices.push(ofAge(consulted.name, age_s));
  }
  return gaps;
}

type Around = { circle: Circle; now_ms: number; renderer: PageRenderer };

function search(
  world: World,
  systems: readonly SystemEntry[],
  family: Family,
  { circle, now_ms, renderer }: Around,
): Candidates {
  const { count, items } = world.search(systems, {
    circle,
    modes: modeMask(QUERY_MODES),
    stations: family === "stations",
    vehicles: family === "vehicles",
    now_ms,
    page: { from: 0, to: MOST_CANDIDATES },
  });
  return {
    items: items.map((item) => ({
      location: locationOf(item),
      distance_meters: item.decimetres / 10,
      describe: () => describe(item, renderer),
    })),
    within_m: count > items.length ? items.at(-1)!.decimetres / 10 : null,
  };
}

function locationOf({ shard, row, state }: FoundItem): { lat: number; lon: number } {
  const { index } = isVehicle(state) ? shard.vehicles!.data! : shard.statics;
  return { lat: index.lat[row]!, lon: index.lon[row]! };
}

/** Id and name as /v1/nearby gives them. */
function describe(item: FoundItem, renderer: PageRenderer): { id: string; name: string | null } {
  const frame = { before: `{"results":{"stations":[`, alerts: "[]" };
  const bytes = copyOf((use) => renderer.render([item], frame, use));
  const { results } = parseJsonBytes(bytes) as Pick<NearbyBodyValue, "results">;
  const [station] = results.stations;
  if (station) return { id: station.id, name: station.name };
  const { svc_id, source_id, source } = results.vehicles[0]!;
  return { id: svc_id ?? source_id, name: source.name ?? null };
}
