// Navitia's departures and arrivals (hove-io/navitia, documentation/slate: Departures, Realtime): times
// on the clocks of the region; runs and calls that do not take place are left out.
import { distance, type Point } from "../geo.ts";
import { tripHeadsign } from "../gtfs/headsigns.ts";
import { tripIdOf } from "../gtfs/ids.ts";
import { answerJson, type Reply } from "../http.ts";
import { headerOf, listAlerts, type TransitAlert } from "../world/transit-alerts.ts";
import { type BoardCall, listBoard, timeOf } from "../world/transit-boards.ts";
import type { World } from "../world/world.ts";
import { navitiaError } from "./asked.ts";
import { lineIdOf, networkIdOf, physicalModeOf, printSpot } from "./objects.ts";
import type { Region } from "./regions.ts";
import type { Spot } from "./spots.ts";

export type Boards = {
  readonly world: World;
  readonly now: () => number;
  readonly region: Region;
  readonly spots: readonly Spot[];
  readonly kind: "departures" | "arrivals";
  readonly query: URLSearchParams;
};

const USUAL = { distance: 200, count: 10, duration: 86_399 } as const;
const INSTANT = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Of all stop points in the distance. */
export function answerAround(boards: Boards, at: Point): Reply {
  const reach_m = wholeIn(boards.query, "distance");
  const near = boards.spots.filter(
    (spot) => spot.type === "stop_point" && distance(at, spot) <= reach_m,
  );
  return near.length === 0
    ? navitiaError(400, "bad_filter", "ptref : Filters: Unable to find object")
    : answer(boards, near);
}

export function answerArea(boards: Boards, id: string): Reply {
  const area = boards.spots.find((spot) => spot.type === "stop_area" && spot.id === id);
  if (area === undefined)
    return navitiaError(404, "unknown_object", "ptref : Filters: Unable to find object");
  const points = boards.spots.filter(
    ({ type, station }) => type === "stop_point" && station === area.station,
  );
  return answer(boards, points);
}

function wholeIn(query: URLSearchParams, name: keyof typeof USUAL): number {
  const text = query.get(name);
  return text === null ? USUAL[name] : /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
}

function answer(boards: Boards, points: readonly Spot[]): Reply {
  const { world, now, region, spots, kind, query } = boards;
  const [count, duration_s] = [wholeIn(query, "count"), wholeIn(query, "duration")];
  const from_ms = query.has("from_datetime") ? instantIn(query.get("from_datetime")!) : now();
  if (Number.isNaN(count + duration_s + from_ms) || Number.isNaN(wholeIn(query, "distance")))
    return navitiaError(400, "unable_to_parse", "Unable to parse a parameter");
  const { city } = region;
  const timetable = world.getTimetable(city);
  const pointOf = new Map(
    points.map((spot) => [`${spot.station.index}/${spot.platform?.index}`, spot]),
  );
  const areas = new Map(
    spots.filter(({ type }) => type === "stop_area").map((spot) => [spot.station.index, spot]),
  );
  const calls = listBoard(timetable, {
    part: null,
    live: region.is_realtime && query.get("data_freshness") !== "base_schedule",
    kind,
    from_ms,
    to_ms: from_ms + duration_s * 1000,
    now_ms: now(),
    isWanted: (station, platform) => pointOf.has(`${station.index}/${platform}`),
  }).filter(({ fate }) => fate !== "cancelled" && fate !== "skipped");
  const listed = calls.slice(0, count);
  const alerts = [0, 1].flatMap((part) => listAlerts(timetable, part as 0 | 1, now()));
  const clock = createClock(city.timezone);
  const rows = listed.map((call) => {
    const point = pointOf.get(`${call.station.index}/${call.platform}`)!;
    const own = alerts.filter((alert) => concerns(alert, call));
    return printPassage(call, { boards, point, area: areas.get(call.station.index)!, own, clock });
  });
  return answerJson(200, {
    [kind]: rows,
    pagination: {
      start_page: 0,
      items_on_page: listed.length,
      items_per_page: count,
      total_result: listed.length,
    },
    disruptions: alerts.map((alert) => printDisruption(alert, clock)),
    context: { timezone: city.timezone, current_datetime: clock(now()) },
    links: [],
    notes: [],
    exceptions: [],
    feed_publishers: [],
  });
}

function instantIn(text: string): number {
  const [year = NaN, month = NaN, day, hour, minute, second] =
    INSTANT.exec(text)?.slice(1).map(Number) ?? [];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const concerns = ({ line, station }: TransitAlert, call: BoardCall): boolean =>
  (line === null || line.index === call.run.way.line.index) &&
  (station === null || station.index === call.station.index);

type Clock = (at_ms: number) => string;

/** 20260921T140030 */
function createClock(zone: string): Clock {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return (at_ms) => format.format(at_ms).replaceAll(/[-:]/g, "").replace(" ", "T");
}

type Frame = {
  readonly boards: Boards;
  readonly point: Spot;
  readonly area: Spot;
  readonly own: readonly TransitAlert[];
  readonly clock: Clock;
};

function printPassage(call: BoardCall, { boards, point, area, own, clock }: Frame): unknown {
  const { run, n, station, planned_ms } = call;
  const { way, trip } = run;
  const { line } = way;
  const mode = physicalModeOf(line);
  const { kind, world, region } = boards;
  const at_ms = timeOf(call);
  // Of a call the other time is as far away as the vehicle waits.
  const waits_ms = (way.dwells_s[n] ?? 0) * 1000;
  const times = (shown_ms: number): [arrives: string, departs: string] =>
    kind === "departures"
      ? [clock(shown_ms - waits_ms), clock(shown_ms)]
      : [clock(shown_ms), clock(shown_ms + waits_ms)];
  const [arrives, departs] = times(at_ms);
  const base = planned_ms === null ? null : times(planned_ms);
  const live = call.expected_ms !== null;
  return {
    display_informations: {
      commercial_mode: mode.name,
      physical_mode: mode.name,
      network: line.operator.name,
      direction: `${tripHeadsign(world.getNetwork(region.city), way, line.part)} (${region.city.name})`,
      label: line.short_name || line.long_name,
      code: line.short_name,
      name: line.long_name,
      color: line.color,
      text_color: line.text_color,
      headsign: String(run.key % 100_000),
      description: "",
      equipments: trip.wheelchair === "yes" ? ["has_wheelchair_accessibility"] : [],
      links: own.map(({ id }) => ({
        id,
        type: "disruption",
        rel: "disruptions",
        internal: true,
        templated: false,
      })),
    },
    links: [
      { type: "line", id: lineIdOf(line, station) },
      {
        type: "vehicle_journey",
        id: `vehicle_journey:${tripIdOf(way, trip, line.part)}:${run.day}:${run.start_s}`,
      },
      { type: "physical_mode", id: mode.id },
      { type: "network", id: networkIdOf(line, station) },
    ],
    route: { id: `route:${lineIdOf(line, station)}:${way.back ? "back" : "there"}`, links: [] },
    stop_point: { ...(printSpot(point, 0) as object), stop_area: printSpot(area, 0) },
    stop_date_time: {
      arrival_date_time: arrives,
      departure_date_time: departs,
      ...(base && { base_arrival_date_time: base[0], base_departure_date_time: base[1] }),
      additional_informations: [],
      links: [],
      data_freshness: live ? "realtime" : "base_schedule",
    },
  };
}

const printDisruption = (alert: TransitAlert, clock: Clock): unknown => ({
  id: alert.id,
  status: "active",
  cause: alert.cause,
  severity: { name: alert.effect, effect: alert.effect },
  application_periods: [
    {
      ...(alert.from_ms !== null && { begin: clock(alert.from_ms) }),
      ...(alert.to_ms !== null && { end: clock(alert.to_ms) }),
    },
  ],
  messages: [{ text: headerOf(alert), channel: { name: "web", types: ["web"] } }],
});
