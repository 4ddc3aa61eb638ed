// The files of a feed (mobility.md 3.1): agency, stops, routes, trips, stop_times, calendar, feed_info.
import { hash } from "../rng.ts";
import type { Line, Network, Part, TransitOperator } from "../world/transit-model.ts";
import { calledAt, listStops, type StopRow } from "../world/transit-stops.ts";
import { type Row, toCsv } from "./csv.ts";
import type { Feed, FeedStyle } from "./style.ts";
import type { ZipFile } from "./zip.ts";

type Table = readonly [file: string, columns: readonly string[], rows: readonly Row[]];

export function listFiles(feed: Feed): ZipFile[] {
  const { style, part } = feed;
  const network = feed.network();
  const lines = network.lines.filter((line) => line.part === part);
  const tables: Table[] = [
    ["agency.txt", AGENCY, listAgencies(network, lines, style)],
    ["stops.txt", STOPS, listStops(network, part).map((stop) => toStop(stop, style))],
    ["routes.txt", ROUTES, lines.map((line) => toRoute(line, style))],
    ["trips.txt", TRIPS, lines.flatMap((line) => tripsOf(line, style).map(({ row }) => row))],
    ["stop_times.txt", STOP_TIMES, lines.flatMap((line) => timesOf(line, network, style))],
    ["calendar.txt", CALENDAR, [toCalendar("daily", 1), toCalendar("weekend", 0)]],
    ["feed_info.txt", FEED_INFO, [toInfo(feed)]],
  ];
  const texts = tables.map(([file, columns, rows]) => ({
    name: style.folder + file,
    text: toCsv(columns, rows, style),
  }));
  return style.junk ? [...JUNK, ...texts] : texts;
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
const TRIPS = ["route_id", "service_id", "trip_id", "direction_id", "trip_headsign"];
const STOP_TIMES = ["trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence"];
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const CALENDAR = ["service_id", ...DAYS, "start_date", "end_date"];
const FEED_INFO = [
  ...["feed_publisher_name", "feed_publisher_url", "feed_lang"],
  ...["feed_start_date", "feed_end_date", "feed_version"],
];

const START = "20250101";
const END = "20391231";

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
  const said = style.wordy && hash(station.key, 71) % 3 === 0;
  // A parent that was left behind when the publisher cut the file.
  const lost = style.dangling && station.form === "pole" && station.index % 2 === 0;
  return {
    stop_id: stop.stop_id,
    stop_code: stop.stop_code,
    stop_name: stop.name,
    stop_desc: said ? `Stairs, lift and "kiosk";\nsee the plan, level ${station.index % 3}` : "",
    stop_lat: at === null ? "" : at.lat.toFixed(6),
    stop_lon: at === null ? "" : at.lon.toFixed(6),
    location_type: location_type === 0 && station.index % 2 === 1 ? "" : location_type,
    parent_station: lost ? `lost_${stop.stop_id}` : stop.parent,
    wheelchair_boarding: stop.boarding,
    platform_code: stop.platform_code,
  };
}

export const routeIdOf = ({ index, mode }: Pick<Line, "index" | "mode">): string =>
  `${mode.slice(0, 2)}-${index + 1}`;

const toRoute = (line: Line, style: FeedStyle): Row => ({
  route_id: routeIdOf(line),
  route_type: line.route_type,
  agency_id: style.agency === "named" ? line.operator.id : "",
  route_short_name: line.short_name,
  route_long_name: line.long_name,
  route_color: line.color,
  route_text_color: line.text_color,
});

type Trip = {
  readonly trip_id: string;
  readonly way: 0 | 1;
  readonly start_min: number;
  readonly row: Row;
};

function tripsOf(line: Line, { trips }: FeedStyle): Trip[] {
  return Array.from({ length: trips * 2 }, (_, n) => {
    const way = n % 2 === 0 ? 0 : 1;
    const trip_id = `${routeIdOf(line)}:${n + 1}`;
    const service_id = n % 3 === 2 ? "weekend" : "daily";
    const row = { route_id: routeIdOf(line), service_id, trip_id, direction_id: way };
    return { trip_id, way, row, start_min: 5 * 60 + Math.floor((n * 20 * 60) / (trips * 2)) };
  });
}

const timesOf = (line: Line, network: Network, style: FeedStyle): Row[] =>
  tripsOf(line, style).flatMap((trip) => callsOf(line, network, trip));

function callsOf(line: Line, network: Network, { trip_id, way, start_min }: Trip): Row[] {
  const part: Part = line.part;
  return (way === 0 ? line.there : line.back).map((call, n) => {
    const arrival_time = clockOf(start_min + n * 3);
    const stop_id = calledAt(network, part, call);
    return { trip_id, arrival_time, departure_time: arrival_time, stop_id, stop_sequence: n * 10 };
  });
}

/** Past midnight it goes on: 24:10:00. */
const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}:00`;

const toCalendar = (service_id: string, workdays: 0 | 1): Row => ({
  service_id,
  start_date: START,
  end_date: END,
  ...Object.fromEntries(DAYS.map((day, n) => [day, n > 4 ? 1 : workdays])),
});

const toInfo = ({ id, city }: Feed): Row => ({
  feed_publisher_name: `Timetables of ${city.name}, open data`,
  feed_publisher_url: "https://timetables.example/",
  feed_lang: (city.languages[0] ?? "en").slice(0, 2),
  feed_start_date: START,
  feed_end_date: END,
  feed_version: `${id}-2026.1`,
});
