/** Laws of departures around a point: inside, in order, and nothing expected that no feed has said. */
import type { Question } from "../verdict.ts";
import { greatCircle, type Point } from "./geo.ts";
import { findWalksProblem, type OnFoot, type Walking } from "./walks.ts";

type Departure = {
  id: string;
  station: { location: Point; distance_meters: number | null };
  line: { mode: string };
  planned_at: string | null;
  expected_at: string | null;
  delay_seconds: number | null;
  realtime: string;
  status: string;
  alerts: string[];
  sources: unknown[];
  walk?: OnFoot["walk"];
  leave_in_seconds?: number | null;
  missed?: true;
};

export type DeparturesAnswer = {
  status: string;
  total: number;
  query_origin: Point;
  radius: number;
  window: { from: string; to: string };
  walking?: Walking;
  results: { departures: Departure[]; alerts: { id: string }[] };
};

const ROUNDED_M = 1;

export function findDeparturesProblem(question: Question, body: DeparturesAnswer): string | null {
  const { radius } = question.applied;
  if (body.radius !== radius) return `radius ${body.radius}, not ${radius}`;
  const problem = body.results.departures.map((each) => placeProblem(each, question));
  const onFoot = body.results.departures.map(({ id, station, walk }) => ({
    id,
    location: station.location,
    walk,
  }));
  return (
    problem.find((each) => each !== null) ??
    findListProblem(question, body) ??
    findWalksProblem(question, {
      walking: body.walking,
      results: onFoot,
      total: null,
      inside: true,
    })
  );
}

/** The same of one station. */
export function findBoardProblem(question: Question, body: DeparturesAnswer): string | null {
  const { departures } = body.results;
  if (departures.some(({ station }) => station.distance_meters !== null))
    return "a distance from no point";
  return findListProblem(question, body);
}

const MOST = 100;

function findListProblem({ values }: Question, body: DeparturesAnswer): string | null {
  const { departures, alerts } = body.results;
  const limit = Math.min(MOST, Number(values["limit"] ?? 0));
  if (departures.length !== Math.min(body.total, limit))
    return `${departures.length} departures of ${body.total}, limit ${limit}`;
  if (new Set(departures.map(({ id }) => id)).size !== departures.length)
    return "an id occurs twice";
  const modes = values["modes"] as string[] | undefined;
  const ids = new Set(alerts.map(({ id }) => id));
  let before = Date.parse(body.window.from);
  for (const departure of departures) {
    const at = Date.parse(departure.expected_at ?? departure.planned_at ?? "");
    const isWanted = modes === undefined || modes.includes(departure.line.mode);
    const problem =
      timesProblem(departure, body) ??
      (at >= before ? null : "out of order") ??
      (isWanted ? null : `mode ${departure.line.mode}`) ??
      (departure.alerts.every((id) => ids.has(id)) ? null : "an alert that is not there") ??
      (departure.sources.length > 0 ? null : "without a source") ??
      leaveProblem(departure);
    if (problem !== null) return `${departure.id}: ${problem}`;
    before = at;
  }
  return null;
}

function timesProblem(departure: Departure, { window }: DeparturesAnswer): string | null {
  const { planned_at, expected_at, delay_seconds, realtime, status } = departure;
  if (planned_at === null && expected_at === null) return "without any time";
  if (expected_at !== null && realtime !== "live") return `expected, and ${realtime}`;
  if (status === "cancelled" && expected_at !== null) return "cancelled, and expected";
  const delay_s = (Date.parse(expected_at ?? "") - Date.parse(planned_at ?? "")) / 1_000;
  if (delay_seconds === null ? !Number.isNaN(delay_s) : Math.abs(delay_s - delay_seconds) > 1)
    return `a delay of ${delay_seconds}`;
  const at = Date.parse(expected_at ?? planned_at!);
  return at >= Date.parse(window.from) && at < Date.parse(window.to) ? null : "outside the window";
}

/** When one must leave is of a known way to something that leaves. */
function leaveProblem({ walk, leave_in_seconds, missed, status }: Departure): string | null {
  if ((walk === undefined) !== (leave_in_seconds === undefined)) return "half of a way on foot";
  if ((missed === true) !== (leave_in_seconds ?? 0) < 0) return `missed, in ${leave_in_seconds} s`;
  const isNone = walk === null || status === "cancelled" || status === "skipped";
  return isNone && typeof leave_in_seconds === "number" ? `leave in ${leave_in_seconds} s` : null;
}

function placeProblem({ station }: Departure, question: Question): string | null {
  const metres = greatCircle(question, station.location);
  const { distance_meters } = station;
  if (distance_meters === null || Math.abs(metres - distance_meters) > ROUNDED_M)
    return `${metres} m away, and ${distance_meters} is said`;
  return metres <= question.applied.radius + ROUNDED_M ? null : `${metres} m away`;
}
