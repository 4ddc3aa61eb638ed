/** What an answer about public transport means (contract 4.7a; decisions, Conventions, Transport). */
import type { TransportQuestion } from "../oracle/transport.ts";
import type { Point } from "./geo.ts";
import { findMissingProblem, type TrueStation } from "./missing.ts";
import { findStationsProblem, type TransitStation } from "./stations.ts";

export type TransportAnswer = {
  status: string;
  message?: string;
  query_origin: Point;
  radius: number;
  total: number;
  results: { stations: TransitStation[] };
  debug?: Debug;
};
type Debug = {
  providers: Record<string, { status: string; raw_count: number; returned_count: number }>;
  provider_calls: number;
  cache: string;
} & Record<(typeof TOLD)[number], number>;
const TOLD = ["requested_radius", "applied_radius", "requested_limit", "applied_limit"] as const;

export function findTransportProblem(
  question: TransportQuestion,
  body: TransportAnswer,
  truth: readonly TrueStation[],
): string | null {
  const { stations } = body.results;
  const whole = body.total === stations.length && body.status !== "partial";
  return (
    echoProblem(question, body) ??
    statusProblem(question, body) ??
    findStationsProblem(question, stations) ??
    debugProblem(question, body) ??
    (whole ? findMissingProblem(question, stations, truth) : null)
  );
}

function echoProblem({ lat, lon, applied }: TransportQuestion, body: TransportAnswer) {
  const { query_origin: origin, radius, total, results } = body;
  if (origin.lat !== lat || origin.lon !== lon) return `query_origin is ${JSON.stringify(origin)}`;
  if (radius !== applied.radius) return `radius is ${radius}, not ${applied.radius}`;
  const { length } = results.stations;
  return length === Math.min(total, applied.limit)
    ? null
    : `${length} stations of ${total}, limit ${applied.limit}`;
}

function statusProblem(
  { providers }: TransportQuestion,
  { status, message, total }: TransportAnswer,
): string | null {
  if ((message !== undefined) !== (status !== "success")) return `message beside ${status}`;
  if (status === "empty" && total > 0) return "empty with results";
  if (status === "success" && total === 0) return "success without results";
  // Every provider is enabled in the simulator and none fails; a rental system may be late.
  return status === "partial" && !providers.includes("gbfs") ? `partial: ${message}` : null;
}

function debugProblem(question: TransportQuestion, body: TransportAnswer): string | null {
  const { debug, results, status } = body;
  if ((debug !== undefined) !== question.debug) return "debug exactly when it was not asked for";
  if (debug === undefined) return null;
  const { radius, limit, applied } = question;
  const wanted = [radius, applied.radius, limit, applied.limit];
  const wrong = TOLD.find((name, at) => debug[name] !== wanted[at]);
  if (wrong !== undefined) return `debug.${wrong} is ${debug[wrong]}`;
  const asked = Object.keys(debug.providers).map((key) => key.split(":")[0]!);
  if (new Set(asked).symmetricDifference(new Set(question.providers)).size > 0)
    return `asked ${asked.join(",")}, not ${question.providers.join(",")}`;
  const all = Object.entries(debug.providers);
  const failed = all.some(([, one]) => one.status !== "ok");
  if (failed !== (status === "partial")) return `${status}, providers ${JSON.stringify(all)}`;
  for (const [key, { raw_count, returned_count }] of all) {
    const shown = results.stations.filter(({ sources }) =>
      sources.some(({ provider }) => provider === key),
    ).length;
    if (shown !== returned_count || returned_count > raw_count)
      return `${shown} stations of ${key}: raw ${raw_count}, returned ${returned_count}`;
  }
  if (failed || (debug.cache === "hit") === (debug.provider_calls === 0)) return null;
  return `cache ${debug.cache} with ${debug.provider_calls} calls`;
}
