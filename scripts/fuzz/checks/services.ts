/** What an answer about services, parking or charging means (contract 4.6, 4.7, 2.6, 2.7, 8). */
import type { ServicesQuestion } from "../oracle/search.ts";
import { findPlacesProblem, type Place, type PlacesContext } from "./places.ts";

export type ServicesAnswer = {
  status: string;
  message?: string;
  query_origin: { lat: number; lon: number };
  radius: number;
  total: number;
  summary?: Record<string, number>;
  results: Place[];
  attributions?: unknown[];
  debug?: Debug;
};
type Debug = {
  providers: Record<string, { status: string; raw_count: number; returned_count: number }>;
  provider_calls: number;
  cache: string;
  requested_radius: number;
  applied_radius: number;
  requested_limit: number;
  applied_limit: number;
};

export function findServicesProblem(
  question: ServicesQuestion,
  body: ServicesAnswer,
  context: PlacesContext,
): string | null {
  const { lat, lon, applied, types } = question;
  return (
    echoProblem(question, body) ??
    countsProblem(question, body) ??
    statusProblem(body) ??
    debugProblem(question, body) ??
    findPlacesProblem({ lat, lon, types, radius: applied.radius }, body.results, context)
  );
}

function echoProblem(question: ServicesQuestion, body: ServicesAnswer): string | null {
  const { query_origin: origin, radius, attributions } = body;
  if (origin.lat !== question.lat || origin.lon !== question.lon)
    return `query_origin is ${JSON.stringify(origin)}`;
  if (radius !== question.applied.radius)
    return `radius is ${radius}, not ${question.applied.radius}`;
  if (question.kind !== "services") return null;
  const maps = question.types.some((type) => type === "parking" || type === "charging");
  const shown = attributions === undefined ? 0 : attributions.length;
  return (attributions !== undefined) === maps && shown === (maps ? 1 : 0)
    ? null
    : `${shown} attributions for ${question.types.join(",")}`;
}

/** Of each category that the maps provider serves; of lockers of the locker provider. */
const MOST_OF_MAPS = 20;
const MOST_LOCKERS = 100;

/** All that was found is counted; the nearest of it are shown. */
function countsProblem(question: ServicesQuestion, body: ServicesAnswer): string | null {
  const { total, results, summary } = body;
  const wanted = Math.min(total, question.applied.limit);
  if (results.length !== wanted)
    return `${results.length} results of ${total}, limit ${question.applied.limit}`;
  const counted = summary ?? { [question.types[0]!]: total };
  const names = Object.keys(counted).toSorted().join(",");
  if (names !== question.types.toSorted().join(",")) return `the summary counts ${names}`;
  const sum = Object.values(counted).reduce((all, one) => all + one, 0);
  if (sum !== total) return `the summary adds up to ${sum}, not to ${total}`;
  for (const [type, count] of Object.entries(counted)) {
    const shown = results.filter((place) => place.service_type === type).length;
    if (shown > count || (results.length === total && shown !== count))
      return `${shown} ${type} are shown, ${count} are counted`;
    if ((type === "parking" || type === "charging") && count > MOST_OF_MAPS)
      return `${count} ${type} of the maps provider`;
  }
  const lockers = results.filter(({ source_id }) => source_id === "inpost").length;
  return lockers > MOST_LOCKERS ? `${lockers} lockers of one provider` : null;
}

function statusProblem({ status, message, total }: ServicesAnswer): string | null {
  if ((message !== undefined) !== (status !== "success")) return `message beside ${status}`;
  if (status === "empty" && total > 0) return "empty with results";
  return status === "success" && total === 0 ? "success without results" : null;
}

function debugProblem(question: ServicesQuestion, body: ServicesAnswer): string | null {
  const { debug, results, status } = body;
  if ((debug !== undefined) !== question.debug) return "debug exactly when it was not asked for";
  if (debug === undefined) return null;
  const wanted: Partial<Debug> = {
    ...{ requested_radius: question.radius, applied_radius: question.applied.radius },
    ...{ requested_limit: question.limit, applied_limit: question.applied.limit },
  };
  for (const [name, value] of Object.entries(wanted))
    if (debug[name as keyof Debug] !== value)
      return `debug.${name} is not ${JSON.stringify(value)}`;
  const providers = Object.values(debug.providers);
  const failed = providers.some((one) => one.status !== "ok");
  // Every source is enabled and configured in the sandbox.
  if (failed !== (status === "partial")) return `${status}, providers ${tell(debug)}`;
  const returned = providers.reduce((sum, one) => sum + one.returned_count, 0);
  if (returned < results.length || providers.some((one) => one.returned_count > results.length))
    return `${results.length} results, providers returned ${tell(debug)}`;
  if (providers.some((one) => one.returned_count > one.raw_count))
    return `returned more than was sent: ${tell(debug)}`;
  if (failed || (debug.cache === "hit") === (debug.provider_calls === 0)) return null;
  return `cache ${debug.cache} with ${debug.provider_calls} calls`;
}

const tell = ({ providers }: Debug): string => JSON.stringify(providers);
