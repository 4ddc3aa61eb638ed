/** Stations of public transport, feeds of them in memory, and questions about them, for tests. */
import { toEnd } from "#kit/steps.ts";
import { openFeed, type OpenFeed, type TransitStation } from "#transit/index.ts";
import {
  type FoundDeparture,
  packFeedSteps,
  type TransitFeed,
  type TransitRoute,
  type TransitSource,
} from "#transit/timetables.ts";
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import type { TransitQuestion } from "#app/transit/transit-finder.ts";
import type { Clock } from "#ports.ts";
import { NOW_MS } from "./domain.ts";

/** The snapshot of a feed, at once. */
export function packFeed(feed: TransitFeed): Uint8Array {
  return toEnd(packFeedSteps(feed));
}

export const CENTRE = { lat: 48.85, lon: 2.35 };
const METRES_PER_DEGREE = 111_195;

/** The point `metres` north of the centre. */
function north(metres: number): { lat: number; lon: number } {
  return { lat: CENTRE.lat + metres / METRES_PER_DEGREE, lon: CENTRE.lon };
}

export type Sketch = Partial<Omit<TransitStation, "source">> & {
  /** North of the centre. */
  metres?: number;
  source?: Partial<TransitSource>;
};

export function stationOf({ metres = 0, source, ...members }: Sketch = {}): TransitStation {
  return {
    ...north(metres),
    name: "Central",
    modes: ["bus"],
    operators: [],
    routes: [],
    realtime: null,
    alerts: null,
    wheelchair: "unknown",
    fetched_at_ms: NOW_MS,
    ...members,
    source: {
      provider: "gtfs",
      region: null,
      source_id: "S",
      operator_id: null,
      feed_id: null,
      ...source,
    },
  };
}

export function routeOf(id: string, members: Partial<TransitRoute> = {}): TransitRoute {
  return { id, short_name: id, long_name: null, mode: "bus", operator_id: null, ...members };
}

/** A feed with a bus and a metro, and these stations, each with places in its routes. */
export function packOf(
  feed_id: string,
  stations: readonly { id: string; metres: number; routes?: readonly number[] }[],
  members: Partial<TransitFeed> = {},
): Uint8Array {
  return packFeed({
    feed_id,
    region: null,
    fetched_at_ms: NOW_MS,
    licence: null,
    attribution: null,
    realtime: null,
    alerts: null,
    operators: [{ id: "o", name: "Operator" }],
    routes: [
      routeOf("r0", { operator_id: "o" }),
      routeOf("r1", { mode: "metro", color: "FF0000", text_color: "FFFFFF" }),
    ],
    stations: stations.map(({ id, metres, routes = [0] }) => ({
      id,
      name: id,
      ...north(metres),
      wheelchair: "unknown",
      routes,
    })),
    timetable: null,
    ...members,
  });
}

export function heldOf(feed_id: string, pack: Uint8Array | null, members: Partial<HeldFeed> = {}) {
  const feed: OpenFeed | null = pack && openFeed(pack);
  const entry: HeldFeed = {
    feed_id,
    version: 1,
    feed,
    failure: null,
    realtime: null,
    alerts: null,
    live: null,
    box: null,
    ...members,
  };
  return entry;
}

export function questionOf(clock: Clock, radius_m = 1000): TransitQuestion {
  const now_ms = clock.now();
  return {
    circle: { ...CENTRE, radius_m },
    language: null,
    now_ms,
    freshness: null,
    keyed: false,
    until_ms: now_ms + 3000,
    signal: new AbortController().signal,
  };
}

/** A planned departure of which nothing else is known. */
export function aDeparture(
  members: Partial<FoundDeparture> & Pick<FoundDeparture, "key" | "planned_ms">,
): FoundDeparture {
  return {
    source: { provider: "gtfs", feed_id: null, trip_id: null, service_date: null },
    route: routeOf("1"),
    operator: null,
    headsign: null,
    expected_ms: null,
    realtime: "unknown",
    status: "scheduled",
    platform: null,
    headway_s: null,
    approximate: false,
    wheelchair: "unknown",
    continues: null,
    alerts: [],
    observed_ms: null,
    ...members,
  };
}
