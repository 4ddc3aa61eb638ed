/** Departures as answers show them (docs/design/departures.md). */
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import { distance_m } from "#kit/geo.ts";
import { hash32 } from "#kit/ids.ts";
import type { MergedDeparture } from "#transit/schedule/boards.ts";
import type { MergedStation } from "#transit/schedule/merge-boards.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import type { TransitRoute } from "#transit/schedule/station.ts";
import { toLocalTime } from "../timezone.ts";
import type { TimeToGo } from "./departure-walks.ts";
import type { Toward } from "./going-toward.ts";

type Item = ReplyAt<"/v1/departures/nearby">["results"]["departures"][number];

const { named_alerts_max } = LIMITS.departures;
const PREFIX = "svc_departure_";

type ItemOptions = {
  /** Where distances are measured from; null: nowhere. */
  from: { lat: number; lon: number } | null;
  /** The time zone of a station, in whose offset its times are (decisions, Times about a place). */
  zoneOf: (station: MergedStation) => string;
  /** What a departure says to who comes on foot; undefined: nothing. */
  leaveFor: ((departure: MergedDeparture) => TimeToGo) | undefined;
  /** What each of them says besides. */
  marks: readonly DepartureMarks[];
};

/** `departed`: it is gone. `toward`: absent where nothing was asked for, null where it is not known. */
export type DepartureMarks = { departed?: true; toward?: Toward | null };

/** Stations are written once, since most are those of several departures. */
export function toDepartureItems(
  departures: readonly MergedDeparture[],
  { from, zoneOf, leaveFor, marks }: ItemOptions,
): Item[] {
  const stations = new Map(
    [...new Set(departures.map(({ station }) => station))].map((each) => {
      const written = { ...toStation(each), distance_meters: away_m(each, from) };
      return [each, { written, time_zone: zoneOf(each) }];
    }),
  );
  return departures.map((each, i) => {
    const added = { ...leaveFor?.(each), ...toMarkMembers(marks[i] ?? {}, zoneOf(each.station)) };
    return toItem(each, stations.get(each.station)!, added);
  });
}

type Added = Partial<TimeToGo> & Pick<Item, "departed" | "toward">;

function toMarkMembers({ departed, toward }: DepartureMarks, time_zone: string) {
  return {
    ...(departed && { departed }),
    ...(toward !== undefined && { toward: toward && toTowardMember(toward, time_zone) }),
  };
}

function toTowardMember({ name, at_ms }: Toward, time_zone: string): NonNullable<Item["toward"]> {
  return { name, planned_at: at_ms === null ? null : toLocalTime(time_zone, at_ms) };
}

/** A station as answers name it. */
export function toStation({ lead, name }: MergedStation) {
  const { lat, lon } = lead;
  return { id: transitId(lead.source), name, location: { lat, lon } };
}

function away_m({ lead }: MergedStation, from: { lat: number; lon: number } | null): number | null {
  return from && Math.floor(distance_m(from.lat, from.lon, lead.lat, lead.lon) + 0.5);
}

function toItem(
  departure: MergedDeparture,
  { written: station, time_zone }: { written: Item["station"]; time_zone: string },
  added: Added,
): Item {
  const say = (at_ms: number | null): string | null =>
    at_ms === null ? null : toLocalTime(time_zone, at_ms);
  const { route, planned_ms, expected_ms, observed_ms, headway_s, sources } = departure;
  const { continues } = departure;
  const isBoth = planned_ms !== null && expected_ms !== null;
  return {
    id: PREFIX + hash32(departure.key),
    station,
    platform: departure.platform,
    line: toLine(route, sources[0]!.feed_id ?? sources[0]!.provider),
    operator: departure.operator,
    headsign: departure.headsign,
    planned_at: say(planned_ms),
    expected_at: say(expected_ms),
    delay_seconds: isBoth ? Math.round((expected_ms - planned_ms) / 1000) : null,
    realtime: departure.realtime,
    status: departure.status,
    ...(headway_s === null ? {} : { headway_seconds: headway_s }),
    ...(departure.approximate ? { approximate: true as const } : {}),
    wheelchair: departure.wheelchair,
    ...added,
    continues_as: continues && {
      line: toLine(continues.route, continues.feed_id),
      headsign: continues.headsign,
    },
    alerts: departure.alerts.slice(0, named_alerts_max),
    ...(departure.alerts.length > named_alerts_max && { alert_count: departure.alerts.length }),
    observed_at: say(observed_ms),
    sources,
  };
}

function toLine(route: TransitRoute, publisher: string): Item["line"] {
  const { id, short_name, long_name, mode, color, text_color } = route;
  return {
    id: `${publisher}:${id}`,
    short_name,
    long_name,
    mode,
    ...(color && { color }),
    ...(text_color && { text_color }),
  };
}
