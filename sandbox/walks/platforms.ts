// Which platforms are reached from the street and back without steps at a moment, and the state of the
// lifts: what is really there.
import { distance, type Point } from "../geo.ts";
import { stopIdOf } from "../gtfs/inside.ts";
import { isRegistered } from "../fasta/host.ts";
import { isAnnounced } from "../gtfs-rt/lift-alerts.ts";
import { type Feed, listFeeds } from "../gtfs/style.ts";
import {
  isOut,
  liftsOf,
  listStationWays,
  MODES,
  type StationPlace,
  type StationWay,
} from "../world/station-ways.ts";
import type { TransitStation } from "../world/transit-model.ts";
import { stationIdOf } from "../world/transit-stops.ts";
import type { World } from "../world/world.ts";

type TrueStation = {
  readonly feed_id: string;
  readonly station_id: string;
  readonly name: string;
  readonly location: Point;
  readonly lifts: readonly {
    readonly id: number;
    readonly out_of_order: boolean;
    /** Whether a notice of the feed, or a register, says so. */
    readonly announced: boolean;
  }[];
  readonly platforms: readonly TruePlatform[];
};
type TruePlatform = {
  readonly stop_id: string;
  /** `doubt`: only by a ramp that is too steep for some. */
  readonly step_free: "yes" | "no" | "doubt";
};

type Circle = Point & { readonly radius: number };
const CITY_M = 10_000;

/** Stations of which feeds publish the ways within. */
export function listPlatforms(world: World, { radius, ...at }: Circle, now_ms: number) {
  return listFeeds(world)
    .filter((feed) => feed.style.inside && distance(feed.city, at) < radius + CITY_M)
    .flatMap((feed) =>
      feed
        .network()
        .stations.filter((station) => distance(station, at) <= radius)
        .flatMap((station) => toStation(station, feed, now_ms)),
    );
}

function toStation(station: TransitStation, feed: Feed, now_ms: number): TrueStation[] {
  const { part } = feed;
  const ways = listStationWays(station, part);
  const platforms = station.platforms.filter(({ parts }) => parts.includes(part));
  if (ways.length === 0 || platforms.length === 0) return [];
  const isOpen = ({ mode, lift }: StationWay): boolean =>
    mode === MODES.walkway || (lift !== null && !isOut(station, lift, now_ms));
  const open = ways.filter(isOpen);
  const sure = reachedBy(open.filter(({ slope }) => slope === null));
  const possible = reachedBy(open);
  return [
    {
      feed_id: feed.id,
      station_id: stationIdOf(station, part),
      name: station.name,
      location: { lat: station.lat, lon: station.lon },
      lifts: liftsOf(station).map((id) => ({
        id,
        out_of_order: isOut(station, id, now_ms),
        announced: isAnnounced(feed, id) || isRegistered(station),
      })),
      platforms: platforms.map(({ index, areas }) => {
        const parts = (areas > 0 ? Array.from({ length: areas }, (_, n) => n) : [null]).map(
          (area) => nameOf({ kind: "platform", index, area }),
        );
        const all = (reached: ReadonlySet<string>): boolean =>
          parts.every((name) => reached.has(name));
        return {
          stop_id: stopIdOf(station, part, { kind: "platform", index, area: null }),
          step_free: all(sure) ? "yes" : all(possible) ? "doubt" : "no",
        };
      }),
    },
  ];
}

const nameOf = (place: StationPlace): string => JSON.stringify(place);

/** Places that hang together with a door, by ways that are walked in both directions. */
function reachedBy(ways: readonly StationWay[]): ReadonlySet<string> {
  const reached = new Set(ways.flatMap(({ from }) => (from.kind === "door" ? [nameOf(from)] : [])));
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const { from, to } of ways) {
      const [a, b] = [nameOf(from), nameOf(to)];
      if (reached.has(a)) reached.add(b);
      if (reached.has(b)) reached.add(a);
    }
  }
  return reached;
}
