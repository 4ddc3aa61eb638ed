/** A drawn station with a lift, stairs and a ramp, as a timetable, and what alerts say of it. */
import {
  buildLive,
  indexFeed,
  type LiveTable,
  type OpenFeed,
  openFeed,
  openLive,
} from "#transit/index.ts";
import { toEnd } from "#kit/steps.ts";
import { packFeedSteps } from "#transit/timetables.ts";
import { feedOf, type FeedTexts } from "./gtfs.ts";

const STOPS =
  "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding,platform_code,level_id";
const WAYS = "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length";

/**
 * S: from the entrance E a hall H, from there a lift L1 and stairs down to N, and the platform P1;
 * from the entrance F a ramp to the platform P2. T: a station without ways.
 */
export const STATION: FeedTexts = {
  "stops.txt": [
    STOPS,
    "S,Station,48.85,2.35,1,,,,",
    "P1,Station,48.8501,2.35,0,S,,1,L",
    "P2,Station,48.8502,2.35,0,S,,2,L",
    "E,Station,48.85,2.351,2,S,,,",
    "F,Station,48.85,2.352,2,S,,,",
    "H,Station,48.85,2.351,3,S,,,",
    "N,Station,48.85,2.351,3,S,,,",
    "X,Station,48.85,2.351,3,S,,,",
    "T,Elsewhere,48.86,2.36,1,,,,",
    "TP,Elsewhere,48.86,2.36,0,T,,,",
  ].join("\n"),
  "levels.txt": "level_id,level_index,level_name\nL,-1,Platforms\n",
  "pathways.txt": [
    WAYS,
    "W1,E,H,1,1,20",
    "L1,H,N,5,1,",
    "Z1,H,N,2,1,12",
    "W2,N,P1,1,1,10",
    "R1,F,P2,1,1,60",
  ].join("\n"),
  "stop_times.txt": [
    "trip_id,stop_id,stop_sequence,arrival_time,departure_time",
    "T1,P1,1,08:00:00,08:00:00",
    "T1,P2,2,08:03:00,08:03:00",
    "T1,TP,3,08:05:00,08:05:00",
  ].join("\n"),
};

export function stationFeed(texts: FeedTexts = {}): OpenFeed {
  return openFeed(toEnd(packFeedSteps(feedOf({ ...STATION, ...texts }).feed)))!;
}

export type AlertOf = {
  stop_id: string | null;
  effect?: string;
  route_id?: string;
  period?: { from_s: number | null; to_s: number | null };
  /** How often it names the stop. */
  times?: number;
};

/** The live data of a feed that state these alerts at a moment. */
export function tableOfAlerts(feed: OpenFeed, alerts: readonly AlertOf[], at_s = 0): LiveTable {
  const message = {
    timestamp_s: at_s,
    ...{ trips: [], vehicles: [], trail: { dropped: [], repaired: [] } },
    alerts: alerts.map(
      ({ stop_id, effect = "accessibility_issue", route_id, period, times = 1 }, i) => ({
        id: `A${i}`,
        ...{ cause: null, effect, severity: null, header: [], description: [], url: [] },
        periods: period ? [period] : [],
        selectors: Array.from({ length: times }, () => ({
          ...{ agency_id: null, route_type: null, direction: null, trip: null },
          route_id: route_id ?? null,
          stop_id,
        })),
      }),
    ),
  };
  return openLive(buildLive(indexFeed(feed)!, [{ message, fetched_ms: at_s * 1_000 }]))!;
}
