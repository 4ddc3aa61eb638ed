/** Timetables of small GTFS feeds, opened, and their calls as texts. */
import { Budget } from "#kit/budget.ts";
import { openFeed, type OpenFeed } from "#transit/index.ts";
import type { CallKind } from "#transit/timetables.ts";
import { feedOf, type FeedTexts } from "./gtfs.ts";
import { packFeed } from "./transit.ts";

/** More than any small feed has. */
export function ample(): Budget {
  return new Budget({ looks: 1_000_000, keeps: 20_000 });
}

/** The small feed, with these files instead of its own. */
export function openTexts(texts: FeedTexts): OpenFeed {
  return openFeed(packFeed(feedOf(texts).feed))!;
}

export type Span = { kind?: CallKind; from?: string; to?: string };

/** `TRIP STOP 2026-01-01T07:00:00Z`, in order of time, of a station that is there. */
export function listCalls(open: OpenFeed, station: string, span: Span = {}): string[] {
  const { kind = "departures", from = "1970-01-01T00:00Z", to = "2199-12-31T00:00Z" } = span;
  const query = { kind, from_ms: Date.parse(from), to_ms: Date.parse(to) };
  const { list, trip, stopId } = open.timetable!;
  return list(open.findStation(station)!, query, ample())
    .toSorted((a, b) => a.planned_ms - b.planned_ms || a.trip - b.trip)
    .map(({ trip: row, stop, planned_ms }) => {
      const at = new Date(planned_ms).toISOString().replace(".000Z", "Z");
      return `${trip(row).id} ${stopId(stop)} ${at}`;
    });
}

/** calendar.txt in which W runs on one day, YYYYMMDD. */
export function runsOnlyOn(day: string): FeedTexts {
  return {
    "calendar.txt": `service_id,start_date,end_date,monday\nW,20200101,20191231,0\n`,
    "calendar_dates.txt": `service_id,date,exception_type\nW,${day},1\n`,
  };
}
