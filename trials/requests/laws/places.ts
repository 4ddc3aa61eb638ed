/**
 * Service results (contract 2.3 to 2.7, 4.6, 4.7; decisions, Urban services), wherever they are shown:
 * who may report them, and that nothing unknown is reported as nothing; and the answers that list them.
 */
import type { Question } from "../verdict.ts";
import type { Point } from "./geo.ts";
import { findListProblem, WHOLE_M } from "./lists.ts";
import type { Context } from "./context.ts";
import { findWalksProblem, type OnFoot, secondsOf, type Walking } from "./walks.ts";

export type Place = {
  id: string;
  service_type: string;
  external_id?: string;
  name: string;
  location: Point;
  distance_meters: number;
  attributes: Record<string, unknown>;
  source_id: string;
  source_type: string;
  walk?: OnFoot["walk"];
  provider?: { id: string };
};

/** In sandbox mode (decisions, Identifiers). */
const MAPS = "sandbox_maps";
/** Which sources may know of which type. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  aed: ["openaedmap", "geodae", "openstreetmap"],
  toilets: ["refuge_restrooms", "openstreetmap"],
  drinking_water: ["openstreetmap"],
  fountain: ["openstreetmap"],
  wifi: ["openstreetmap"],
  parking: [MAPS],
  charging: [MAPS],
  locker: ["inpost", "openstreetmap"],
};
const PARTNERS = [MAPS, "geodae", "inpost"];

type Around = Point & { radius: number; values: Question["values"] };

export function findPlacesProblem(
  around: Around,
  places: readonly Place[],
  context: Context,
): string | null {
  const types = (around.values["types"] ?? Object.keys(SOURCES)) as string[];
  for (const place of places) {
    const problem =
      sourceProblem(types, place) ?? waterProblem(types, place) ?? facilityProblem(place, context);
    if (problem !== null) return `${place.service_type} ${place.id}: ${problem}`;
  }
  const listed = places.map((place) => ({
    id: place.id,
    location: place.location,
    distance: place.distance_meters,
    rank: isUncertain(types, place) ? 1 : 0,
    seconds: secondsOf(around, place),
  }));
  return findListProblem(around, listed, WHOLE_M);
}

function sourceProblem(types: readonly string[], place: Place): string | null {
  const { service_type, source_id, source_type, name } = place;
  if (!types.includes(service_type) && !isUncertain(types, place)) return "was not asked for";
  if (!SOURCES[service_type]!.includes(source_id)) return `is from ${source_id}`;
  const partner = PARTNERS.includes(source_id) ? "partner_api" : "community";
  if (source_type !== partner) return `${source_id} is no ${source_type}`;
  return name.trim() === "" ? "has a blank name" : null;
}

/** Where drinking water alone is asked for, what may be some comes after all that is (docs/walking.md). */
function isUncertain(types: readonly string[], { service_type, attributes }: Place): boolean {
  const isAlone = types.includes("drinking_water") && !types.includes("fountain");
  return isAlone && service_type === "fountain" && attributes["drinking_water"] === "unknown";
}

/** Either token finds both; asked together, what is potable is `drinking_water`, the rest not. */
function waterProblem(types: readonly string[], place: Place): string | null {
  const { service_type, attributes } = place;
  if (service_type !== "drinking_water" && service_type !== "fountain") return null;
  const potable = attributes["drinking_water"];
  if (!["yes", "no", "unknown"].includes(potable as string))
    return `drinking_water is ${JSON.stringify(potable)}`;
  const both = types.includes("drinking_water") && types.includes("fountain");
  if (!both || (potable === "yes") === (service_type === "drinking_water")) return null;
  return `drinking_water is ${String(potable)}`;
}

function facilityProblem(place: Place, { schemas, truth }: Context): string | null {
  const { service_type: kind } = place;
  if (kind !== "parking" && kind !== "charging") return null;
  const name = kind === "parking" ? "ParkingService" : "ChargingService";
  const problem = schemas.componentProblem(name, place);
  if (problem !== null || kind === "parking") return problem;
  const charging = place.attributes["charging"] as Charging;
  // The registers of the simulator report more than the maps provider does.
  const isOfRegister = place.provider?.id.startsWith("sandbox_") ?? false;
  const isReported =
    isOfRegister || charging.source !== undefined || truth.reported.has(place.external_id ?? "");
  return chargingProblem(charging, isReported);
}

type Counted = {
  available_count?: number;
  out_of_service_count?: number;
  availability_updated_at?: string;
};
type Charging = Counted & {
  source?: string;
  connector_count?: number;
  connectors: readonly (Counted & { count?: number })[];
};

/** Counts that agree, and only of stations that are reported: what is not supplied is absent, never 0. */
function chargingProblem(charging: Charging, isReported: boolean): string | null {
  const { connectors, connector_count } = charging;
  const all = [{ ...charging, count: connector_count }, ...connectors];
  for (const { available_count, out_of_service_count, availability_updated_at, count } of all) {
    const claimed = available_count ?? out_of_service_count ?? availability_updated_at;
    if (claimed !== undefined && !isReported) return `${claimed} of a station that is not reported`;
    const used = (available_count ?? 0) + (out_of_service_count ?? 0);
    if (count !== undefined && used > count) return `${used} of ${count} plugs are accounted for`;
  }
  for (const name of ["available_count", "out_of_service_count"] as const) {
    const parts = connectors.map((one) => one[name]);
    // A sum over some of the connectors would be read as one over all.
    const isWhole = parts.length > 0 && !parts.includes(undefined);
    const sum = isWhole ? parts.reduce<number>((total, one) => total + one!, 0) : undefined;
    if (charging[name] !== sum)
      return `${name} is ${charging[name]}, its connectors say ${parts.join(", ")}`;
  }
  const times = connectors.flatMap((one) => one.availability_updated_at ?? []).map(Date.parse);
  const oldest = times.length === 0 ? undefined : Math.min(...times);
  const stated = charging.availability_updated_at;
  return (stated === undefined ? undefined : Date.parse(stated)) === oldest
    ? null
    : `availability_updated_at is ${stated}, not that of the oldest connector`;
}

/** Charging stations of which it is unknown what is free. */
export function countUnreported(places: readonly Place[]): number {
  return places.filter(({ service_type, attributes }) => {
    const charging = attributes["charging"] as Counted | undefined;
    return service_type === "charging" && charging?.available_count === undefined;
  }).length;
}

export type ServicesAnswer = {
  status: string;
  message?: string;
  query_origin: Point;
  radius: number;
  total: number;
  summary?: Record<string, number>;
  /** Water of which no tag says whether it is potable. */
  potable_unknown?: number;
  unknown?: Record<string, number>;
  results: Place[];
  walking?: Walking;
  attributions?: unknown[];
  debug?: Debug;
};
export type Debug = {
  providers: Record<string, { status: string; raw_count: number; returned_count: number }>;
  provider_calls: number;
  cache: string;
} & Record<"requested_radius" | "applied_radius" | "requested_limit" | "applied_limit", number>;

const FACILITIES: Readonly<Record<string, string>> = {
  getParkingNearby: "parking",
  getChargingNearby: "charging",
};

export function findServicesProblem(
  question: Question,
  body: ServicesAnswer,
  context: Context,
): string | null {
  const types = (question.values["types"] as string[] | undefined) ?? [
    FACILITIES[question.operation]!,
  ];
  const values = { ...question.values, types };
  return (
    findEchoProblem(question, body) ??
    attributionProblem(question, types, body) ??
    countsProblem(question, types, body) ??
    findDebugProblem(question, body, Object.keys(body.debug?.providers ?? {}).length) ??
    returnedProblem(body) ??
    findWalksProblem(question, { ...body, walking: body.walking }) ??
    findPlacesProblem(
      { ...question, radius: question.applied.radius, values },
      body.results,
      context,
    )
  );
}

type Echo = Pick<ServicesAnswer, "status" | "message" | "query_origin" | "radius" | "total">;

/** Of services and of public transport: the question, and success, empty or partial. */
export function findEchoProblem(
  { lat, lon, applied }: Question,
  { query_origin: origin, radius, status, message, total }: Echo,
): string | null {
  if (origin.lat !== lat || origin.lon !== lon) return `query_origin is ${JSON.stringify(origin)}`;
  if (radius !== applied.radius) return `radius is ${radius}, not ${applied.radius}`;
  if ((message !== undefined) !== (status !== "success")) return `message with ${status}`;
  if (status === "empty" && total > 0) return "empty with results";
  return status === "success" && total === 0 ? "success without results" : null;
}

function attributionProblem(
  { operation }: Question,
  types: readonly string[],
  { attributions }: ServicesAnswer,
): string | null {
  if (operation !== "getServicesNearby") return null;
  const wanted = types.some((type) => type === "parking" || type === "charging") ? 1 : 0;
  const listed = attributions?.length ?? 0;
  return listed === wanted && (attributions !== undefined) === (wanted === 1)
    ? null
    : `${listed} attributions for ${types.join(",")}`;
}

/** Of each category that the maps provider serves; of lockers of the locker provider. */
const MOST_OF_MAPS = 20;
const MOST_LOCKERS = 100;

/** All that was found is counted; the nearest of it are shown. */
function countsProblem(
  { applied, values }: Question,
  types: readonly string[],
  { total, results, summary, unknown = {}, potable_unknown = 0 }: ServicesAnswer,
): string | null {
  if (results.length !== Math.min(total, applied.limit))
    return `${results.length} results of ${total}, limit ${applied.limit}`;
  const unset = Object.keys(unknown).find((name) => isUnset(name, values));
  if (unset !== undefined) return `what is unknown of ${unset} is counted without its filter`;
  const counted = summary ?? { [types[0]!]: total };
  const names = Object.keys(counted).toSorted().join(",");
  if (names !== types.toSorted().join(",")) return `the summary counts ${names}`;
  const sum = Object.values(counted).reduce((all, one) => all + one, 0);
  if (sum + potable_unknown !== total)
    return `the summary adds up to ${sum + potable_unknown}, not to ${total}`;
  for (const [type, count] of Object.entries(counted)) {
    const listed = results.filter((place) => place.service_type === type).length;
    if (listed > count || (results.length === total && listed !== count))
      return `${listed} ${type} are shown, ${count} are counted`;
    if ((type === "parking" || type === "charging") && count > MOST_OF_MAPS)
      return `${count} ${type} of the maps provider`;
  }
  const lockers = results.filter(({ source_id }) => source_id === "inpost").length;
  return lockers > MOST_LOCKERS ? `${lockers} lockers of one provider` : null;
}

/** Whether the filter whose unknown are counted was left out. */
function isUnset(count: string, values: Question["values"]): boolean {
  if (count === "left_out") return values["strict"] !== true;
  if (count === "connector")
    return values["connector"] === undefined && Number(values["min_kw"] ?? 0) === 0;
  return (values[count === "hours" ? "usable" : count] ?? "any") === "any";
}

/** Limits as asked for and as applied; outcomes of providers against the status. */
export function findDebugProblem(
  { values, radius, limit, applied }: Question,
  { debug, status }: { debug?: Debug; status: string },
  request_count: number,
): string | null {
  if ((debug !== undefined) !== values["debug"]) return "debug exactly when it was not asked for";
  if (debug === undefined) return null;
  const wanted = {
    requested_radius: radius,
    applied_radius: applied.radius,
    requested_limit: limit,
    applied_limit: applied.limit,
  };
  for (const [name, value] of Object.entries(wanted))
    if (debug[name as keyof typeof wanted] !== value) return `debug.${name} is not ${value}`;
  const providers = Object.values(debug.providers);
  const failed = providers.some((one) => one.status !== "ok");
  // Every source is enabled and configured in the sandbox, and none fails.
  if (failed !== (status === "partial") || request_count === 0)
    return `${status}, providers ${JSON.stringify(debug.providers)}`;
  if (providers.some((one) => one.returned_count > one.raw_count))
    return `returned more than was sent: ${JSON.stringify(debug.providers)}`;
  // A miss without a call is right: a request next to it made the call, and both waited for it.
  if (failed || debug.cache !== "hit" || debug.provider_calls === 0) return null;
  return `cache hit with ${debug.provider_calls} calls`;
}

function returnedProblem({ debug, results }: ServicesAnswer): string | null {
  const counts = Object.values(debug?.providers ?? {}).map(({ returned_count }) => returned_count);
  const returned = counts.reduce((sum, one) => sum + one, 0);
  const isWrong = returned < results.length || counts.some((one) => one > results.length);
  return debug !== undefined && isWrong
    ? `${results.length} results, providers returned ${counts.join(", ")}`
    : null;
}
