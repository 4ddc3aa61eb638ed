// Notices about one lift that is out of order, at the door or the hall that it leads from.
import { stopIdOf } from "../gtfs/inside.ts";
import type { Feed } from "../gtfs/style.ts";
import { isOut, listStationWays, outageOf } from "../world/station-ways.ts";
import type { Json } from "./encode.ts";
import { liveStyleOf } from "./style.ts";

/** The only lift that publishers speak of: the first of a station. Of the others a register knows. */
const ANNOUNCED = 1;

/** Whether notices of the feed say of a lift that it is out of order. */
export function isAnnounced(feed: Feed, lift: number): boolean {
  const files = liveStyleOf(feed)?.files ?? [];
  return lift === ANNOUNCED && (files.includes("alerts") || files.includes("all"));
}

export function listLiftAlerts(feed: Feed, minute_ms: number): Json[] {
  if (!feed.style.inside) return [];
  const { part, city } = feed;
  const local = (city.languages[0] ?? "en").slice(0, 2);
  return feed.network().stations.flatMap((station): Json[] => {
    const way = listStationWays(station, part).find(({ lift }) => lift === ANNOUNCED);
    const outage = outageOf(station, ANNOUNCED, minute_ms);
    if (way === undefined || outage === null || !isOut(station, ANNOUNCED, minute_ms)) return [];
    return [
      {
        id: `access-${station.index}-${outage.day}`,
        alert: {
          activePeriod: { start: outage.from_ms / 1000, end: outage.to_ms / 1000 },
          informedEntity: { stopId: stopIdOf(station, part, way.from) },
          cause: "TECHNICAL_PROBLEM",
          effect: "ACCESSIBILITY_ISSUE",
          headerText: { translation: [{ text: station.name, language: local }] },
        },
      },
    ];
  });
}
