// The files of a feed (mobility.md 3.1).
import { hash } from "../rng.ts";
import { isHoliday, type Service, SERVICES, toDate, WEEK } from "../world/transit-days.ts";
import { listJoints } from "../world/transit-joints.ts";
import type { Line, Network, Part, TransitOperator } from "../world/transit-model.ts";
import type { Way } from "../world/transit-runs.ts";
import { listStops, type StopRow } from "../world/transit-stops.ts";
import { type Row, toCsv } from "./csv.ts";
import { tripHeadsign } from "./headsigns.ts";
import { routeIdOf, tripIdOf } from "./ids.ts";
import { levelIdOf, LEVELS, listInside, NOTHING_INSIDE, WAYS } from "./inside.ts";
import type { Feed, FeedStyle } from "./style.ts";
import { toClock, writeTimes } from "./times.ts";
import type { ZipFile } from "./zip.ts";

type Table = readonly [file: string, columns: readonly string[], rows: readonly Row[]];

/** `write`: what is made of each row before it is written. */
export function listFiles(feed: Feed, write: (row: Row) => Row = (row) => row): ZipFile[] {
  const { style, part } = feed;
  const network = feed.network();
  const lines = network.lines.filter((line) => line.parts.includes(part));
  const ways = feed.timetable().ways.filter(({ line }) => line.parts.includes(part));
  const repeats = ways.flatMap((way) => repeatsOf(way, part));
  const transfers = listTransfers(feed);
  const inside = style.inside ? listInside(network, part) : NOTHING_INSIDE;
  const tables: Table[] = [
    ["agency.txt", AGENCY, listAgencies(network, lines, style)],
    [
      "stops.txt",
      style.inside ? [...STOPS, "level_id"] : STOPS,
      listStops(network, part).map((stop) => ({
        ...toStop(stop, style),
        level_id: style.inside ? levelIdOf(stop) : "",
      })),
    ],
    ["routes.txt", ROUTES, lines.map((line) => toRoute(line, style))],
    ["trips.txt", TRIPS, ways.flatMap((way) => tripsOf(feed, way))],
    // Services without a weekday are in the other file alone.
    ["calendar.txt", CALENDAR, SERVICES.filter((id) => WEEK[id].includes(true)).map(toCalendar)],
    ["calendar_dates.txt", EXCEPTIONS, listExceptions()],
    ...(repeats.length === 0 ? [] : [["frequencies.txt", REPEATS, repeats] as const]),
    ...(transfers.length === 0 ? [] : [["transfers.txt", TRANSFERS, transfers] as const]),
    ...(inside.ways.length === 0 ? [] : [["pathways.txt", WAYS, inside.ways] as const]),
    ...(inside.levels.length === 0 ? [] : [["levels.txt", LEVELS, inside.levels] as const]),
    ["feed_info.txt", FEED_INFO, [toInfo(feed)]],
  ];
  const texts = tables.map(([file, columns, rows]) => ({
    name: style.folder + file,
    text: toCsv(columns, rows.map(write), style),
  }));
  const times = { name: `${style.folder}stop_times.txt`, text: writeTimes(feed, ways) };
  return [...(style.junk ? JUNK : []), ...texts.slice(0, 4), times, ...texts.slice(4)];
}

const JUNK: readonly ZipFile[] = [
  { name: "new-york transit/", text: "" },
  { name: "__MACOSX/new-york transit/._stops.txt", text: "Mac OS X" },
  { name: "new-york transit/readme.html", text: "<p>Not stops.txt</p>" },
];

const AGENCY = ["agency_id", "agency_name", "agency_url", "agency_timezone", "agency_lang"];
const STOPS = [
  ...["stop_id", "stop_code", "stop_name", "stop_desc", "stop_lat", "stop_lon", "zone_id"],
  ...["location_type", "parent_station", "wheelchair_boarding", "platform_code"],
];
const ROUTES = [
  ...["route_id", "agency_id", "route_short_name", "route_long_name", "route_type"],
  ...["route_color", "route_text_color"],
];
const TRIPS = [
  ...["route_id", "service_id", "trip_id", "trip_headsign", "direction_id", "block_id"],
  "wheelchair_accessible",
];
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const CALENDAR = ["service_id", ...DAYS, "start_date", "end_date"];
const EXCEPTIONS = ["service_id", "date", "exception_type"];
const REPEATS = ["trip_id", "start_time", "end_time", "headway_secs", "exact_times"];
const TRANSFERS = [
  ...["from_stop_id", "to_stop_id", "transfer_type", "min_transfer_time"],
  ...["from_trip_id", "to_trip_id"],
];
const FEED_INFO = [
  ...["feed_publisher_name", "feed_publisher_url", "feed_lang"],
  ...["feed_start_date", "feed_end_date", "feed_version"],
];

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2025, 0, 1) / DAY_MS;
const LAST_DAY = Date.UTC(2039, 11, 31) / DAY_MS;

const agencyIdOf = ({ id }: TransitOperator, style: FeedStyle): string =>
  style.agency === "unnamed" ? "" : id;

function listAgencies(
  { city, operators }: Network,
  lines: readonly Line[],
  style: FeedStyle,
): Row[] {
  return operators
    .filter((operator) => lines.some((line) => line.operator === operator))
    .map((operator) => ({
      agency_id: agencyIdOf(operator, style),
      agency_name: operator.name,
      agency_url: operator.url,
      agency_timezone: city.timezone,
      agency_lang: (city.languages[0] ?? "en").slice(0, 2),
    }));
}

function toStop(stop: StopRow, style: FeedStyle): Row {
  const { at, station, location_type } = stop;
  const isReported = style.wordy && hash(station.key, 71) % 3 === 0;
  // A parent that was left behind when the publisher cut the file.
  const lost = style.dangling && station.form === "pole" && station.index % 2 === 0;
  return {
    stop_id: stop.stop_id,
    stop_code: stop.stop_code,
    stop_name: stop.name,
    stop_desc: isReported
      ? `Stairs, lift and "kiosk";\nsee the plan, level ${station.index % 3}`
      : "",
    stop_lat: at === null ? "" : at.lat.toFixed(6),
    stop_lon: at === null ? "" : at.lon.toFixed(6),
    location_type: location_type === 0 && station.index % 2 === 1 ? "" : location_type,
    parent_station: lost ? `lost_${stop.stop_id}` : stop.parent,
    wheelchair_boarding: stop.boarding,
    platform_code: stop.platform_code,
  };
}

const toRoute = (line: Line, style: FeedStyle): Row => ({
  route_id: routeIdOf(line),
  route_type: line.route_type,
  agency_id: style.agency === "named" ? line.operator.id : "",
  route_short_name: line.short_name,
  route_long_name: line.long_name,
  route_color: line.color,
  route_text_color: line.text_color,
});

const WHEELCHAIRS = { yes: "1", no: "2", unknown: "" } as const;

function tripsOf(feed: Feed, way: Way): Row[] {
  const { part } = feed;
  const trip_headsign = tripHeadsign(feed.network(), way, part);
  return way.trips.map((trip) => ({
    route_id: routeIdOf(way.line),
    service_id: trip.service,
    trip_id: tripIdOf(way, trip, part),
    direction_id: Number(way.back),
    trip_headsign,
    wheelchair_accessible: WHEELCHAIRS[trip.wheelchair],
  }));
}

const repeatsOf = (way: Way, part: Part): Row[] =>
  way.trips.flatMap((trip) =>
    trip.repeats.map(({ from_s, to_s, headway_s, is_exact }) => ({
      trip_id: tripIdOf(way, trip, part),
      start_time: toClock(from_s),
      end_time: toClock(to_s),
      headway_secs: headway_s,
      exact_times: Number(is_exact),
    })),
  );

/** Vehicles that go on as another line, with a way between two stops as most feeds have them. */
function listTransfers(feed: Feed): Row[] {
  const { part } = feed;
  const joints = listJoints(feed.timetable()).filter(({ from, to }) =>
    [from, to].every(({ way }) => way.line.parts.includes(part)),
  );
  if (joints.length === 0) return [];
  const [stop] = listStops(feed.network(), part);
  const walk = { from_stop_id: stop?.stop_id ?? "", to_stop_id: stop?.stop_id ?? "" };
  const rows = joints.flatMap(({ from, to, is_barred }): Row[] => {
    const from_trip_id = tripIdOf(from.way, from.trip, part);
    const to_trip_id = tripIdOf(to.way, to.trip, part);
    const types = is_barred ? [4, 5] : [4];
    return types.map((transfer_type) => ({ transfer_type, from_trip_id, to_trip_id }));
  });
  return [{ ...walk, transfer_type: 2, min_transfer_time: 180 }, ...rows];
}

const toCalendar = (service_id: Service): Row => ({
  service_id,
  start_date: toDate(FIRST_DAY),
  end_date: toDate(LAST_DAY),
  ...Object.fromEntries(DAYS.map((day, n) => [day, Number(WEEK[service_id][n])])),
});

/** On holidays workdays are called off, and something festive runs. */
function listExceptions(): Row[] {
  const days = Array.from({ length: LAST_DAY - FIRST_DAY + 1 }, (_, n) => FIRST_DAY + n);
  return days.filter(isHoliday).flatMap((day) => [
    { service_id: "workdays", date: toDate(day), exception_type: 2 },
    { service_id: "festive", date: toDate(day), exception_type: 1 },
  ]);
}

const toInfo = ({ id, city }: Feed): Row => ({
  feed_publisher_name: `Timetables of ${city.name}, open data`,
  feed_publisher_url: "https://timetables.example/",
  feed_lang: (city.languages[0] ?? "en").slice(0, 2),
  feed_start_date: toDate(FIRST_DAY),
  feed_end_date: toDate(LAST_DAY),
  feed_version: `${id}-2026.1`,
});
