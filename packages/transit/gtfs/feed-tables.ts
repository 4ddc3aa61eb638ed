/**
 * A feed as its files in reading order, each with its own reader, and what comes of them. The caller
 * brings the bytes; nothing here knows of archives.
 */
import type { Box } from "#kit/geo.ts";
import { letGo } from "#kit/growing.ts";
import { cleanName } from "#kit/text/clean.ts";
import type { TransitRoute } from "../schedule/station.ts";
import type { FeedStation, TransitFeed } from "../schedule/schedule-stations.ts";
import { createTrail, mergeTrails, type Trail } from "#kit/trail.ts";
import { readAgencies } from "./agencies.ts";
import { leaveOutTrips } from "./box-trips.ts";
import { createByteTable, NO_ENTRY, textOf } from "./byte-table.ts";
import { readCalendar, readCalendarDates, toServices } from "./calendars.ts";
import { listAccess } from "./access-rows.ts";
import { readCalls } from "./call-table.ts";
import { readAttributions, readFeedInfo } from "./credits.ts";
import { type FeedBounds, NO_BOUND } from "./gtfs-bounds.ts";
import type { CsvFile } from "#kit/csv.ts";
import { readLevels } from "./levels.ts";
import { readPathways } from "./pathways.ts";
import { rollUp } from "./roll-up.ts";
import { ServedStops } from "./served-stops.ts";
import { readRoutes } from "./route-table.ts";
import { createZoneOf, readStops } from "./stop-table.ts";
import { readTransfers } from "./transfers.ts";
import { columnsOf, readFrequencies, readTrips } from "./trip-table.ts";

const STEP_ROWS = 1_024;

export type FeedIdentity = Pick<TransitFeed, "feed_id" | "region" | "fetched_at_ms">;

type FeedFile = {
  reader: CsvFile;
  required: boolean;
  max_bytes: number;
  /** Lets go of what was read of it, with the reason. Absent: what is wrong with it is wrong with the feed. */
  leaveOut?: (reason: string) => void;
};

export type FeedReader = {
  /** In this order, each to its end. Only what is `required` must be there. */
  files: readonly FeedFile[];
  /** Once all files were read; steps, so that others may have the thread between them. */
  finish(): Generator<void, TransitFeed>;
  /** Of rows that were taken or seen. */
  counts(): { stops: number; stop_times: number };
  trail(): Trail;
};

type ReaderOptions = {
  bounds?: FeedBounds | undefined;
  /** Stations outside it are left out, and trips that call at none within. */
  box?: Box | null | undefined;
  /** It is packed once, and lets go of what is packed; absent: it stays. */
  once?: boolean;
};

export function createFeedReader(
  identity: FeedIdentity,
  seed: number,
  { bounds = {}, box = null, once = false }: ReaderOptions = {},
): FeedReader {
  const trail = createTrail();
  const agencies = readAgencies(trail);
  const routes = readRoutes(agencies, { seed, trail });
  const texts = createByteTable(seed);
  const services = createByteTable(seed);
  const calendar = readCalendar(services, trail);
  const dates = readCalendarDates(services, trail);
  const levels = readLevels(createByteTable(seed), trail);
  const stops = readStops({ texts, level_ids: levels.ids }, { seed, trail });
  const pathways = readPathways(stops, { seed, trail });
  const trips = readTrips({ routes, services, texts }, { seed, trail });
  const frequencies = readFrequencies(trips, trail);
  const transfers = readTransfers(trips, trail);
  const calls = readCalls({ trips, stops, texts }, seed);
  const info = readFeedInfo();
  const attributions = readAttributions();
  return {
    files: [
      ...[agencies, info, attributions, calendar, dates].map((reader) =>
        toFile(reader, false, bounds),
      ),
      ...[routes, stops, trips].map((reader) => toFile(reader, true, bounds)),
      ...[frequencies, transfers].map((reader) => toFile(reader, false, bounds)),
      toFile(calls, true, bounds),
      ...[levels, pathways].map((reader) => ({
        ...toFile(reader, false, bounds),
        leaveOut(reason: string) {
          reader.clear();
          const has_name = reason.startsWith(reader.file);
          trail.drop("unreadable_file", has_name ? reason : `${reader.file}: ${reason}`);
        },
      })),
    ],
    *finish() {
      const times = yield* calls.finish();
      // No id is looked for any more.
      letGo([trips.ids.slots]);
      const { patterns, profiles, profileOf, startOf, others } = times;
      const served = new ServedStops(patterns, { routes: routes.rows.length, others });
      const { stations, placeOf } = yield* rollUp(stops, { served, box }, trail);
      const { routePlaces, ...used } = yield* withUsedRoutes(routes.rows, stations);
      const hasStation = (stop: number): boolean => placeOf(stop) !== NO_ENTRY;
      if (box !== null) yield* leaveOutTrips(times, { trips, hasStation }, trail);
      const access = yield* listAccess({ stops, pathways, levels, texts, placeOf }, trail);
      const ids = new Set(used.routes.map((route) => route.operator_id));
      const credits = attributions.names.size > 0 ? attributions.names : info.names;
      return {
        ...identity,
        licence: null,
        attribution: [...credits].join(", ") || null,
        realtime: null,
        alerts: null,
        operators: [...routes.operators.values()].filter(({ id }) => ids.has(id)),
        ...used,
        ...(access && { access }),
        timetable: {
          time_zone: agencies.timeZone(),
          stops: {
            count: stops.ids.count,
            id: (stop) => textOf(stops.ids, stop),
            station: placeOf,
            platform: (stop) => stops.platforms[stop]!,
            zone: createZoneOf(stops, trail),
          },
          routePlace: (route) => routePlaces[route]!,
          patterns,
          profiles,
          trips: {
            count: trips.ids.count,
            id: (trip) => textOf(trips.ids, trip),
            profile: profileOf,
            start_s: startOf,
            service: trips.serviceOf,
            headsign: trips.headsignOf,
            short_name: trips.shortNameOf,
            wheelchair: trips.wheelchair,
          },
          services: toServices(services.count, calendar, dates),
          frequencies: frequencies.rows,
          continuations: transfers.continuations(),
          texts: { count: texts.count, text: (index) => cleanName(textOf(texts, index)) },
          ...(once && {
            release(part) {
              if (part === "trips") letGo([profileOf, startOf, ...columnsOf(trips)]);
              else if (part === "stations") used.stations.splice(0);
              else for (const sequences of [patterns, profiles]) sequences.clear();
            },
          }),
        },
      };
    },
    counts: () => ({ stops: stops.count, stop_times: calls.count }),
    trail: () => mergeTrails([trail.toTrail(), calls.trail()]),
  };
}

function toFile(reader: CsvFile, required: boolean, bounds: FeedBounds): FeedFile {
  const { rows, bytes } = bounds[reader.file] ?? NO_BOUND;
  reader.max_rows = rows;
  return { reader, required, max_bytes: bytes };
}

type UsedRoutes = { routes: TransitRoute[]; stations: FeedStation[]; routePlaces: Int32Array };

/** Routes that serve a station, where each route went (NONE: left out), and the stations with their numbers. */
function* withUsedRoutes(
  all: readonly TransitRoute[],
  stations: FeedStation[],
): Generator<void, UsedRoutes> {
  const isUsed = new Uint8Array(all.length);
  for (const { routes } of stations) for (const route of routes) isUsed[route] = 1;
  const routes = all.filter((_, route) => isUsed[route] === 1);
  yield;
  const routePlaces = new Int32Array(all.length).fill(NO_ENTRY);
  for (let route = 0, next = 0; route < all.length; route++)
    if (isUsed[route] === 1) routePlaces[route] = next++;
  if (routes.length === all.length) return { routes, stations, routePlaces };
  const renumbered: FeedStation[] = [];
  for (const station of stations) {
    renumbered.push({ ...station, routes: station.routes.map((route) => routePlaces[route]!) });
    if (renumbered.length % STEP_ROWS === 0) yield;
  }
  return { routes, stations: renumbered, routePlaces };
}
