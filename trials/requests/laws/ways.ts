/** What an answer of /v1/walk and of /v1/reach means (docs/walking.md). */
import type { Question } from "../verdict.ts";
import { greatCircle, type Point } from "./geo.ts";
import { MOST_M, paceProblem, SLACK_M, type Walking, type Way, wayProblem } from "./walks.ts";

type Json = Record<string, unknown>;
type Position = readonly [lon: number, lat: number];
type Line = { coordinates: readonly Position[] };

const EMPTY = ["start_off_network", "target_off_network", "not_reached"];
/** Of these nothing is known of any street. */
const BASELESS = ["outside_bases", "base_without_walking", "base_unreadable", "different_bases"];
const UNKNOWN = [...BASELESS, "not_looked"];
/** How far from the streets an end may be. */
const OFF_M = 100;

export type WayAnswer = {
  status: string;
  reason?: string;
  message?: string;
  notices?: unknown[];
  from: Point;
  to: Point;
  meters: number | null;
  seconds: number | null;
  step_free: boolean | null;
  from_snap_meters: number | null;
  to_snap_meters: number | null;
  geometry: Line | null;
  walking: Omit<Walking, "reached">;
};

/** As JSON, whatever the form: a Feature has all but its line as properties. */
export function toWayAnswer(body: Json): WayAnswer {
  const { geometry, properties } = body as { geometry: unknown; properties?: Json };
  return (properties === undefined ? body : { ...properties, geometry }) as unknown as WayAnswer;
}

export function findWayProblem(question: Question, body: Json): string | null {
  const { values } = question;
  if ((body["type"] === "Feature") !== (values["format"] === "geojson")) return "another form";
  const answer = toWayAnswer(body);
  const { status, reason, message, notices, walking } = answer;
  const wish = {
    profile: String(values["profile"]),
    speed: Number(values["speed"]),
    within_s: null,
  };
  for (const end of ["from", "to"] as const) {
    const [lat, lon] = String(values[end]).split(",").map(Number);
    if (answer[end].lat !== lat || answer[end].lon !== lon)
      return `${end} is ${JSON.stringify(answer[end])}`;
  }
  const wanted = statusOf(reason);
  if (status !== wanted) return `${status} with ${reason}`;
  if (
    (message !== undefined) !== (reason !== undefined) ||
    (notices === undefined) !== (reason === undefined)
  )
    return `message ${message} with ${reason}`;
  if ((walking.base === null) !== BASELESS.includes(reason ?? "")) return `a base with ${reason}`;
  return (
    paceProblem(walking, wish) ??
    (reason === undefined ? lineProblem(answer, wish) : nothingProblem(answer))
  );
}

function statusOf(reason: string | undefined): string {
  if (reason === undefined) return "success";
  return EMPTY.includes(reason) ? "empty" : UNKNOWN.includes(reason) ? "partial" : "unknown";
}

const MEASURES = [
  "meters",
  "seconds",
  "step_free",
  "from_snap_meters",
  "to_snap_meters",
  "geometry",
] as const;

/** What is not known is null, and never zero. */
function nothingProblem(answer: WayAnswer): string | null {
  const stated = MEASURES.find((name) => answer[name] !== null);
  return stated === undefined ? null : `${stated} of no way is ${JSON.stringify(answer[stated])}`;
}

/** Simplified and rounded lines are this share shorter at most. */
const ROUNDED = 0.01;

function lineProblem(
  answer: WayAnswer,
  wish: { profile: string; speed: number; within_s: null },
): string | null {
  const { from, to, meters, seconds, step_free, from_snap_meters, to_snap_meters, geometry } =
    answer;
  if (meters === null || seconds === null || geometry === null) return "success without a way";
  if (from_snap_meters === null || to_snap_meters === null) return "ends of unknown distance";
  const problem = wayProblem({ meters, seconds, step_free }, wish, greatCircle(from, to));
  if (problem !== null) return problem;
  if (meters > MOST_M + SLACK_M) return `${meters} m`;
  if (wish.profile === "step_free" && step_free === false) return "steps on a way without steps";
  if (Math.max(from_snap_meters, to_snap_meters) > OFF_M)
    return `${from_snap_meters} m and ${to_snap_meters} m from streets`;
  const points = geometry.coordinates.map(([lon, lat]) => ({ lat, lon }));
  const [first, last] = [points.at(0)!, points.at(-1)!];
  if (greatCircle(first, from) > SLACK_M || greatCircle(last, to) > SLACK_M)
    return `a line from ${JSON.stringify(first)} to ${JSON.stringify(last)}`;
  const drawn_m = points.reduce(
    (sum, point, i) => sum + (i === 0 ? 0 : greatCircle(points[i - 1]!, point)),
    0,
  );
  const off_m = Math.abs(drawn_m - meters);
  return off_m > SLACK_M + ROUNDED * meters ? `${meters} m, and its line has ${drawn_m} m` : null;
}

type Nearest = {
  id: string;
  name: string | null;
  location: Point;
  distance_meters: number;
  walk: Way;
};
type Family = { count: number; unknown: number; nearest: Nearest | null };
type Polygons = { coordinates: readonly (readonly (readonly Position[])[])[] };

export type ReachAnswer = {
  status: string;
  message?: string;
  notices?: readonly { message: string }[];
  query_origin: Point;
  minutes: number;
  reached: Readonly<Record<string, Family | null>>;
  walking: Walking;
  outline: Polygons | null;
};
type Feature = {
  id: string;
  geometry: Polygons | { coordinates: Position } | null;
  properties: Json;
};

/** As JSON, whatever the form. */
export function toReachAnswer(body: Json): ReachAnswer {
  if (body["type"] !== "FeatureCollection") return body as unknown as ReachAnswer;
  const outline = (body["features"] as Feature[]).find(({ id }) => id === "outline");
  return { ...(body["meta"] as ReachAnswer), outline: outline?.geometry as Polygons | null };
}

export function findReachProblem(question: Question, body: Json): string | null {
  const { lat, lon, values } = question;
  const isGeo = body["type"] === "FeatureCollection";
  if (isGeo !== (values["format"] === "geojson")) return "another form";
  const answer = toReachAnswer(body);
  const { query_origin: origin, minutes, reached, walking, outline } = answer;
  const wish = {
    ...{ profile: String(values["profile"]), speed: Number(values["speed"]) },
    within_s: 60 * Number(values["minutes"]),
  };
  if (origin.lat !== lat || origin.lon !== lon) return `query_origin is ${JSON.stringify(origin)}`;
  if (minutes !== values["minutes"]) return `minutes is ${minutes}`;
  const wanted = (values["families"] as string[]).toSorted().join();
  const families = Object.keys(reached).toSorted().join();
  if (families !== wanted) return `families ${families}, not ${wanted}`;
  const problems = Object.entries(reached).map(([name, family]) => {
    const problem = family && familyProblem(question, family, wish);
    return problem === null ? null : `${name}: ${problem}`;
  });
  return (
    paceProblem(walking, wish) ??
    statusProblem(answer) ??
    problems.find((problem) => problem !== null) ??
    (outline && outlineProblem(question, outline, Math.min(MOST_M, wish.within_s * wish.speed))) ??
    (isGeo ? featuresProblem(answer, body["features"] as Feature[]) : null)
  );
}

function statusProblem({
  status,
  message,
  notices = [],
  reached,
  walking,
  outline,
}: ReachAnswer): string | null {
  const all = Object.entries(reached);
  const counted = all.reduce((sum, [, family]) => sum + (family?.count ?? 0), 0);
  const unknown = all.reduce((sum, [, family]) => sum + (family?.unknown ?? 0), 0);
  const { reason, base } = walking;
  if ((message !== undefined) !== (status !== "success")) return `message with ${status}`;
  if ((outline === null) !== (reason !== undefined)) return `an outline with ${reason}`;
  if ((base === null) !== BASELESS.includes(reason ?? "")) return `a base with ${reason}`;
  if (reason !== undefined) {
    if (all.some(([, family]) => family !== null)) return `families with ${reason}`;
    if (notices.length === 0) return `no notice of ${reason}`;
    return status === statusOf(reason) ? null : `${status} with ${reason}`;
  }
  if ((status === "success") !== counted > 0 && status !== "partial")
    return `${status}, ${counted} reached`;
  if (walking.reached !== counted || walking.unknown !== unknown)
    return `walking counts ${walking.reached} and ${walking.unknown}, families ${counted} and ${unknown}`;
  const missing = all.find(([, family]) => family === null)?.[0];
  if (missing === undefined) return null;
  if (status !== "partial") return `${status}, and nothing is known of ${missing}`;
  // As its name in the question, or in words.
  const words = [missing, missing.replaceAll("_", " ")];
  const isNamed = notices.some(({ message: notice }) =>
    words.some((word) => notice.includes(word)),
  );
  return isNamed ? null : `no notice names ${missing}`;
}

function familyProblem(
  from: Point,
  { count, nearest }: Family,
  wish: { speed: number; within_s: number },
): string | null {
  if ((nearest === null) !== (count === 0))
    return `${count}, and the nearest is ${JSON.stringify(nearest)}`;
  if (nearest === null) return null;
  const beeline_m = greatCircle(from, nearest.location);
  if (Math.abs(beeline_m - nearest.distance_meters) > 0.5 + 1e-6)
    return `${nearest.id}: says ${nearest.distance_meters} m, is ${beeline_m} m away`;
  return wayProblem(nearest.walk, wish, beeline_m);
}

const MOST_POINTS = 4_000;
/** Squares around a street that is reached; larger ones where there would be too many points. */
const SQUARES_M = 400;

function outlineProblem(from: Point, { coordinates }: Polygons, most_m: number): string | null {
  const points = coordinates.flat(2);
  if (points.length > MOST_POINTS) return `an outline of ${points.length} points`;
  for (const [outer, ...holes] of coordinates)
    for (const [i, ring] of [outer!, ...holes].entries()) {
      const [first, last] = [ring.at(0)!, ring.at(-1)!];
      if (first[0] !== last[0] || first[1] !== last[1]) return "an open ring";
      if (turn(ring) > 0 !== (i === 0)) return "a ring that turns the other way";
    }
  const far = points.find(([lon, lat]) => greatCircle(from, { lat, lon }) > most_m + SQUARES_M);
  return far === undefined ? null : `an outline up to ${far.join()}`;
}

/** Twice the area with its sign, in degrees: above zero, it turns left. */
function turn(ring: readonly Position[]): number {
  const [lon0, lat0] = ring[0]!;
  return ring.reduce((sum, [lon, lat], i) => {
    const [next_lon, next_lat] = ring[(i + 1) % ring.length]!;
    return sum + (lon - lon0) * (next_lat - lat0) - (next_lon - lon0) * (lat - lat0);
  }, 0);
}

/** The outline, then the nearest of each family that has one. */
function featuresProblem(
  { reached }: ReachAnswer,
  [outline, ...others]: readonly Feature[],
): string | null {
  if (outline?.id !== "outline") return "the outline is not first";
  const wanted = Object.entries(reached).flatMap(([family, entry]) =>
    entry?.nearest ? [family] : [],
  );
  const families = others.map(({ properties }) => String(properties["family"]));
  if (families.join() !== wanted.join())
    return `features of ${families.join()}, not ${wanted.join()}`;
  const wrong = others.find(({ id, geometry, properties }) => {
    const { count, nearest } = reached[String(properties["family"])]!;
    const { lat, lon } = nearest!.location;
    const isThere = (geometry as { coordinates: Position }).coordinates.join() === `${lon},${lat}`;
    const { walk } = properties as { walk: Way };
    return (
      !isThere ||
      id !== nearest!.id ||
      properties["count"] !== count ||
      walk.seconds !== nearest!.walk.seconds
    );
  });
  return wrong === undefined ? null : `${wrong.id} is another as a feature`;
}
