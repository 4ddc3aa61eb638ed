/** Stations of public transport (contract 2.8; decisions, Transport): each once, asked for, in order. */
import type { TransportQuestion } from "../oracle/transport.ts";
import { greatCircle, orderProblem, type Point } from "./geo.ts";

export type TransitStation = {
  id: string;
  name: string;
  location: Point;
  distance_meters: number;
  modes: string[];
  operators: { id: string }[];
  routes: TransitRoute[];
  realtime: { available: boolean | null; queried: boolean };
  alerts: { available: boolean | null; queried: boolean };
  accessibility: { wheelchair: string };
  freshness: { fetched_at: string };
  sources: TransitSource[];
};
type TransitRoute = { id: string; mode: string; operator_id: string | null };
type TransitSource = {
  provider: string;
  region: string | null;
  source_id: string;
  feed_id: string | null;
};
export function findStationsProblem(
  question: TransportQuestion,
  stations: readonly TransitStation[],
) {
  const ids = new Set<string>();
  const sources = new Set<string>();
  for (const station of stations) {
    const problem =
      onceProblem(station, ids, sources) ??
      placeProblem(question, station) ??
      sourceProblem(question, station) ??
      contentProblem(question, station);
    if (problem !== null) return `${station.id}: ${problem}`;
  }
  return orderProblem(
    stations.map(({ id, distance_meters }) => ({ id, distance: distance_meters })),
  );
}

/** A physical station is one result, however many know it. */
function onceProblem({ id, sources }: TransitStation, ids: Set<string>, met: Set<string>) {
  if (ids.has(id)) return "stands twice";
  ids.add(id);
  for (const { provider, region, feed_id, source_id } of sources) {
    const source = JSON.stringify([provider, region, feed_id, source_id]);
    if (met.has(source)) return `the source ${source} stands twice`;
    met.add(source);
  }
  return null;
}

/** Of what is rounded half up to whole metres; and of doubles. */
const HALF_M = 0.5 + 1e-6;

function placeProblem(question: TransportQuestion, station: TransitStation): string | null {
  const { location, distance_meters: told } = station;
  const own = greatCircle(question, location);
  if (Math.abs(own - told) > HALF_M) return `says ${told} m, is ${own} m away`;
  const { radius } = question.applied;
  return own > radius + 1e-6 ? `${own} m is outside ${radius} m` : null;
}

function sourceProblem({ providers }: TransportQuestion, { sources }: TransitStation) {
  const other = sources.find(({ provider }) => !providers.includes(provider));
  if (other !== undefined) return `${other.provider} was not asked`;
  const homeless = sources.find(
    ({ provider, feed_id }) => (provider === "gtfs" || provider === "gbfs") && feed_id === null,
  );
  return homeless === undefined ? null : `a source of ${homeless.provider} without its feed`;
}

/** Decisions: what rental systems offer, and under which names. */
const RENTED = ["bicycle", "scooter", "car_share", "shared_mobility"];

function contentProblem({ modes: wanted }: TransportQuestion, station: TransitStation) {
  const { modes, operators, routes, realtime, alerts, name, freshness } = station;
  if (!modes.some((mode) => wanted.includes(mode))) return `${modes.join(",")} was not asked for`;
  if (new Set(modes).size !== modes.length) return `the modes are ${modes.join(",")}`;
  if (realtime.queried || alerts.queried) return "departures or alerts were queried";
  if (name.trim() === "") return "has a blank name";
  // The clocks are one; an hour is what a zone mixed up would be wrong by.
  if (Date.parse(freshness.fetched_at) > Date.now() + 60_000) return "fetched in the future";
  const stray = routes.find(({ mode }) => !modes.includes(mode));
  if (stray !== undefined) return `route ${stray.id} is of the mode ${stray.mode}`;
  const known = new Set(operators.map(({ id }) => id));
  const orphan = routes.find(({ operator_id: id }) => id !== null && !known.has(id));
  if (orphan !== undefined) return `route ${orphan.id} is run by ${orphan.operator_id}`;
  if (new Set(routes.map(({ id }) => id)).size !== routes.length) return "a route stands twice";
  const rented = station.sources.every(({ provider }) => provider === "gbfs");
  const strange = rented && modes.find((mode) => !RENTED.includes(mode));
  return strange ? `GBFS knows no ${strange}` : null;
}

/** Flags that nobody states, for the report. */
export function countUnstated(stations: readonly TransitStation[]): number {
  return stations.reduce((sum, { realtime, alerts, accessibility }) => {
    const flags = [realtime.available, alerts.available].filter((flag) => flag === null).length;
    return sum + flags + (accessibility.wheelchair === "unknown" ? 1 : 0);
  }, 0);
}
