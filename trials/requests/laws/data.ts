/** A 200 that holds data: its reuse, then its meaning, operation by operation. */
import { CITIES } from "../../../sandbox/world/cities.ts";
import type { ApiRequest } from "../requests.ts";
import type { Expectation, Question } from "../verdict.ts";
import { headerOf, type Reply } from "../wire.ts";
import { findCallProblem, findCapabilityProblem, findDatasetProblem } from "./capabilities.ts";
import { greatCircle, type Point } from "./geo.ts";
import { countUnknown, findNearbyProblem, toNearby } from "./nearby.ts";
import { type ClassAnswer, findClassProblem } from "./class-places.ts";
import { countUnreported, findServicesProblem, type ServicesAnswer } from "./places.ts";
import type { Context } from "./context.ts";
import { type DeparturesAnswer, findBoardProblem, findDeparturesProblem } from "./departures.ts";
import { findReachProblem, findWayProblem, toReachAnswer, toWayAnswer } from "./ways.ts";
import { countUnstated, findTransportProblem, type TransportAnswer } from "./transit.ts";

type Json = Record<string, unknown>;
/** What an answer calls itself, what is in it, and how much of that is unknown. */
export type Seen = { answer: string; items: number; unknown: number };
type Expected = { problem: string | null; seen?: Partial<Seen> };

export type Answered = {
  request: ApiRequest;
  reply: Reply;
  expected: Expectation;
  text: string;
  body: unknown;
};
type Law = (context: Context, answered: Answered & { question: Question }) => Expected;

const LAWS: Readonly<Record<string, Law>> = {
  getHealth: () => ({ problem: null }),
  getNearby: (context, { question, body }) => {
    const answer = toNearby(body as Json);
    const items = answer.items.length + answer.places.length;
    const seen = { answer: answer.status, items, unknown: countUnknown(answer) };
    return { problem: findNearbyProblem(question, body as Json, context), seen };
  },
  geocode: (_, { question, body }) => geocodingLaw(question, body as GeocodingAnswer),
  searchPlaces: (_, { question, body }) => geocodingLaw(question, body as GeocodingAnswer),
  reverseGeocode: (_, { question, body }) => geocodingLaw(question, body as GeocodingAnswer),
  getPlacesNearby: (_, { question, body }) => {
    const answer = body as ClassAnswer;
    const seen = { answer: answer.status, items: answer.results.length };
    return { problem: findClassProblem(question, answer), seen };
  },
  getServicesNearby: servicesLaw,
  getParkingNearby: servicesLaw,
  getChargingNearby: servicesLaw,
  getTransportNearby: (context, { question, body }) => {
    const answer = body as TransportAnswer;
    const { stations } = answer.results;
    const seen = {
      answer: answer.status,
      items: stations.length,
      unknown: countUnstated(stations),
    };
    return { problem: findTransportProblem(question, answer, context.truth.stations), seen };
  },
  getDeparturesNearby: (_, { question, body }) => {
    const answer = body as DeparturesAnswer;
    const { departures } = answer.results;
    const unknown = departures.filter(({ realtime }) => realtime === "unknown").length;
    const seen = { answer: answer.status, items: departures.length, unknown };
    return { problem: findDeparturesProblem(question, answer), seen };
  },
  getStationDepartures: (_, { question, body }) => {
    const answer = body as DeparturesAnswer;
    const { departures } = answer.results;
    return {
      problem: findBoardProblem(question, answer),
      seen: { answer: answer.status, items: departures.length },
    };
  },
  getWalk: (_, { question, body }) => {
    const { meters } = toWayAnswer(body as Json);
    const items = meters === null ? 0 : 1;
    return { problem: findWayProblem(question, body as Json), seen: { items } };
  },
  getReach: (_, { question, body }) => {
    const families = Object.values(toReachAnswer(body as Json).reached);
    const items = families.filter((family) => family?.nearest).length;
    const unknown = families.filter((family) => family === null).length;
    return { problem: findReachProblem(question, body as Json), seen: { items, unknown } };
  },
  executeCapability: (context, answered) => ({ problem: findCapabilityProblem(context, answered) }),
  readDataset: (context, answered) => ({ problem: findDatasetProblem(context, answered) }),
  getLegacyWater: (_, { question, body }) => {
    const { records, nhits } = body as { records: WaterRecord[]; nhits: number };
    const rows = Number(question.values["rows"]);
    const items = records.map(({ fields: { dist, geom_x_y } }) => ({
      distance: Number(dist),
      lat: geom_x_y[0],
      lon: geom_x_y[1],
    }));
    const isShort = records.length !== Math.min(nhits, rows);
    const problem = isShort ? `${records.length} records of ${nhits}, rows ${rows}` : null;
    return { problem: problem ?? aroundProblem(question, items), seen: { items: items.length } };
  },
  getLegacyVehicles: legacyLaw,
  getLegacyScooters: legacyLaw,
  getWeather: (_, { body }) => ({ problem: unitProblem((body as { main: Json }).main) }),
  getForecast: (_, { body }) => {
    const { list } = body as { list: { dt: number; main: Json }[] };
    const isSorted = list.every(({ dt }, at) => at === 0 || dt > list[at - 1]!.dt);
    const problem = list.map(({ main }) => unitProblem(main)).find((each) => each !== null);
    return {
      problem: problem ?? (isSorted ? null : "steps are not in order"),
      seen: { items: list.length },
    };
  },
  getMe: (_, { question, body }) => {
    const { kind, plan } = body as { kind: string; plan: { nearby_limit_max: number } };
    const { key, limit_max } = question.caller;
    const isOwn = (kind === "keyed") === (key !== null) && plan.nearby_limit_max === limit_max;
    return { problem: isOwn ? null : "it describes another caller" };
  },
  listSources: () => ({ problem: null }),
  getSourceQuality: () => ({ problem: null }),
  getPlace: () => ({ problem: null }),
  getPlaceHistory: (_, { body }) => {
    const { samples, from, until } = body as {
      samples: { at: string }[];
      from: string;
      until: string;
    };
    const times = [from, ...samples.map(({ at }) => at), until].map((time) => Date.parse(time));
    const isSorted = times.every((time, at) => at === 0 || time >= times[at - 1]!);
    return {
      problem: isSorted ? null : "samples are not in order",
      seen: { items: samples.length },
    };
  },
  getGbfsManifest: () => ({ problem: null }),
  getGbfsFile: () => ({ problem: null }),
  getGbfs2File: () => ({ problem: null }),
};

/** Operations of the description that have no law of their own. */
export function listLawless(operations: readonly string[]): string[] {
  const others = ["getOpenApi", "getChangelog"];
  return operations.filter((id) => !Object.hasOwn(LAWS, id) && !others.includes(id));
}

/** Diagnostics are never reused. */
const UNCACHED = ["getHealth", "getMe", "executeCapability"];

export function findDataProblem(
  context: Context,
  answered: Answered,
): { problem: string | null; seen: Seen | null } {
  const { expected, reply, body } = answered;
  const { operation, question } = expected;
  if (operation === null) return { problem: findCallProblem(context, answered), seen: null };
  const law = LAWS[operation.id];
  if (law === undefined) return { problem: null, seen: null };
  const request = question ?? emptyQuestion(operation.id, context);
  const { problem, seen } = law(context, { ...answered, question: request });
  const feature = body as { meta?: Json; properties?: Json };
  const { status } = (feature.meta ?? feature.properties ?? body) as { status?: string };
  const isNever =
    UNCACHED.includes(operation.id) ||
    request.values["debug"] === true ||
    (status === "partial" && operation.id !== "readDataset");
  const cache = headerOf(reply, "cache-control") ?? "";
  const link = headerOf(reply, "link") ?? "";
  const isData = !["getHealth", "getMe"].includes(operation.id);
  const isLicensed = !isData || link.includes('</v1/sources>; rel="license"');
  return {
    problem:
      (namesAddresses(operation.id) && cache === "no-store"
        ? null
        : cacheProblem(cache, isNever, request.caller.key)) ??
      (isLicensed ? problem : `Link is ${link}`),
    seen: { answer: status ?? "", items: 0, unknown: 0, ...seen },
  };
}

/** Published files of which some name addresses by the host of the request (docs/gbfs.md). */
function namesAddresses(operation: string): boolean {
  return operation.startsWith("getGbfs");
}

function emptyQuestion(operation: string, { callers }: Context): Question {
  const none = { radius: 0, limit: 0 };
  return { operation, caller: callers[0]!, values: {}, lat: 0, lon: 0, ...none, applied: none };
}

/** Complete: kept for at most 30 s (of weather and datasets longer), by shared caches if anonymous. */
function cacheProblem(cache: string, isNever: boolean, key: string | null): string | null {
  if (isNever) return cache === "no-store" ? null : `Cache-Control is ${cache}, not no-store`;
  const [, scope, seconds] = /^(public|private), max-age=(\d+)(?:, immutable)?$/.exec(cache) ?? [];
  const isRight = scope === (key === null ? "public" : "private");
  const most = cache.endsWith("immutable") ? 31_536_000 : 30;
  return isRight && Number(seconds) <= most ? null : `Cache-Control is ${cache}`;
}

function servicesLaw(
  context: Context,
  { question, body }: { question: Question; body: unknown },
): Expected {
  const answer = body as ServicesAnswer;
  const { status, results } = answer;
  const seen = { answer: status, items: results.length, unknown: countUnreported(results) };
  return { problem: findServicesProblem(question, answer, context), seen };
}

type GeocodingAnswer = {
  results: { label: string; location: Point }[];
  meta: { total: number; query?: string; origin?: Point };
};
/** Well within the country of a simulated city. */
const IN_TOWN_M = 5_000;

/** Contract 2.2, 4.3 to 4.5: the text as it was understood, the point, and `country` as a filter. */
function geocodingLaw(
  { operation, values }: Question,
  { results, meta }: GeocodingAnswer,
): Expected {
  const { q, lat, lon } = values as { q?: Set<string>; lat?: number; lon?: number };
  const country = operation === "geocode" ? (values["country"] as string | undefined) : undefined;
  const isQuery = q === undefined ? meta.query === undefined : q.has(meta.query ?? "");
  const stray = results.find(({ location }) => {
    const city = CITIES.find((one) => greatCircle(one, location) < IN_TOWN_M);
    return city !== undefined && city.country !== country?.toUpperCase();
  });
  const problem =
    meta.total !== results.length
      ? `total ${meta.total} of ${results.length} results`
      : !isQuery
        ? `meta.query is ${JSON.stringify(meta.query)}`
        : meta.origin?.lat !== lat || meta.origin?.lon !== lon
          ? `meta.origin is ${JSON.stringify(meta.origin)}`
          : country !== undefined && stray !== undefined
            ? `${stray.label} is not in ${country}`
            : null;
  return {
    problem,
    seen: { answer: results.length === 0 ? "empty" : "success", items: results.length },
  };
}

type WaterRecord = { fields: { dist: string; geom_x_y: [number, number] } };
const LEGACY_RADIUS_M = 400;

function legacyLaw(
  _: Context,
  { question, body }: { question: Question; body: unknown },
): Expected {
  const items = (body as { lat: number; lng: number; distance: number }[]).map((one) => ({
    lat: one.lat,
    lon: one.lng,
    distance: one.distance,
  }));
  return { problem: aroundProblem(question, items), seen: { items: items.length } };
}

/** Distances of the legacy routes: whole metres, inside, in order; ties in any. */
function aroundProblem(
  { values }: Question,
  items: readonly (Point & { distance: number })[],
): string | null {
  const [lat = 0, lon = 0] = String(values["coords"]).split(",").map(Number);
  const radius = Number(values["distance"] ?? LEGACY_RADIUS_M);
  for (const [at, { distance, ...location }] of items.entries()) {
    const own = greatCircle({ lat, lon }, location);
    // Places are given to a millionth of a degree.
    if (Math.abs(own - distance) > 0.7) return `says ${distance} m, is ${own} m away`;
    if (own > radius + 0.2) return `${own} m is outside ${radius} m`;
    if (at > 0 && distance < items[at - 1]!.distance) return "not in the order of distance";
  }
  return null;
}

/** Metric units: what is out of any range on Earth is in another unit, or invented. */
function unitProblem({ temp, pressure, humidity }: Json): string | null {
  const isUsual = Math.abs(Number(temp)) < 70 && Number(pressure) > 800 && Number(pressure) < 1100;
  return isUsual && Number(humidity) >= 0 && Number(humidity) <= 100
    ? null
    : `${String(temp)} °C, ${String(pressure)} hPa, ${String(humidity)} %`;
}
