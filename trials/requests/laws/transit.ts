/** What an answer about public transport means (contract 2.8, 4.7a; decisions, Transport). */
import { type Question, RENTED } from "../verdict.ts";
import { greatCircle, type Point } from "./geo.ts";
import { findListProblem, WHOLE_M } from "./lists.ts";
import { type Debug, findDebugProblem, findEchoProblem } from "./places.ts";
import type { TrueStation } from "./context.ts";
import { findWalksProblem, type OnFoot, readWish, secondsOf, type Walking } from "./walks.ts";

export type TransitStation = {
  id: string;
  name: string;
  location: Point;
  distance_meters: number;
  modes: string[];
  operators: { id: string }[];
  routes: { id: string; mode: string; operator_id: string | null }[];
  realtime: { available: boolean | null; queried: boolean };
  alerts: { available: boolean | null; queried: boolean };
  accessibility: { wheelchair: string };
  freshness: { fetched_at: string };
  walk?: OnFoot["walk"];
  sources: { provider: string; region: string | null; source_id: string; feed_id: string | null }[];
};
export type TransportAnswer = {
  status: string;
  message?: string;
  query_origin: Point;
  radius: number;
  total: number;
  results: { stations: TransitStation[] };
  walking?: Walking;
  debug?: Debug;
};

/** Order in which providers are asked where the question names none (decisions, Second edition). */
const IN_TURN = ["navitia", "gtfs", "transitland", "gbfs"];

/** The providers that may be asked: those that the question names, else each in turn. */
export function providersOf({ values }: Question): readonly string[] {
  return (values["providers"] as string[] | undefined) ?? IN_TURN;
}

export function findTransportProblem(
  question: Question,
  body: TransportAnswer,
  truth: readonly TrueStation[],
): string | null {
  const { stations } = body.results;
  const { length } = stations;
  if (length !== Math.min(body.total, question.applied.limit))
    return `${length} stations of ${body.total}, limit ${question.applied.limit}`;
  // Every provider is enabled in the simulator and none fails; a rental system may be late.
  if (body.status === "partial" && !providersOf(question).includes("gbfs"))
    return `partial: ${body.message}`;
  const isWhole =
    body.total === length &&
    body.status !== "partial" &&
    (readWish(question)?.within_s ?? null) === null;
  const listed = stations.map((station) => ({
    id: station.id,
    location: station.location,
    distance: station.distance_meters,
    seconds: secondsOf(question, station),
  }));
  const { total, walking } = body;
  const onFoot = { walking, results: stations, total, inside: true };
  return (
    findEchoProblem(question, body) ??
    findListProblem({ ...question, radius: question.applied.radius }, listed, WHOLE_M) ??
    stationsProblem(question, stations) ??
    findWalksProblem(question, onFoot) ??
    findDebugProblem(question, body, 1) ??
    providersProblem(question, body) ??
    (isWhole ? missingProblem(question, stations, truth) : null)
  );
}

function stationsProblem(question: Question, stations: readonly TransitStation[]): string | null {
  const met = new Set<string>();
  const used = new Set(stations.flatMap(({ sources }) => sources.map(({ provider }) => provider)));
  if (question.values["providers"] === undefined && used.size > 1)
    return `none is named, and ${[...used].join(",")} answered`;
  for (const station of stations) {
    for (const { provider, region, feed_id, source_id } of station.sources) {
      const source = JSON.stringify([provider, region, feed_id, source_id]);
      if (met.has(source)) return `${station.id}: the source ${source} occurs twice`;
      met.add(source);
    }
    const problem = sourceProblem(question, station) ?? contentProblem(question, station);
    if (problem !== null) return `${station.id}: ${problem}`;
  }
  return null;
}

function sourceProblem(question: Question, { sources }: TransitStation): string | null {
  const other = sources.find(({ provider }) => !providersOf(question).includes(provider));
  if (other !== undefined) return `${other.provider} was not asked`;
  const homeless = sources.find(
    ({ provider, feed_id }) => (provider === "gtfs" || provider === "gbfs") && feed_id === null,
  );
  return homeless === undefined ? null : `a source of ${homeless.provider} without its feed`;
}

function contentProblem({ values }: Question, station: TransitStation): string | null {
  const wanted = values["modes"] as string[];
  const { modes, operators, routes, realtime, alerts, name, freshness } = station;
  if (!modes.some((mode) => wanted.includes(mode))) return `${modes.join(",")} was not asked for`;
  if (new Set(modes).size !== modes.length) return `the modes are ${modes.join(",")}`;
  if (realtime.queried || alerts.queried) return "departures or alerts were queried";
  if (name.trim() === "") return "has a blank name";
  // The clocks are one; an hour is what a zone mixed up would be wrong by.
  if (Date.parse(freshness.fetched_at) > Date.now() + 60_000) return "fetched in the future";
  const stray = routes.find(({ mode }) => !modes.includes(mode));
  if (stray !== undefined) return `route ${stray.id} is of the mode ${stray.mode}`;
  const ids = new Set(operators.map(({ id }) => id));
  const orphan = routes.find(({ operator_id: id }) => id !== null && !ids.has(id));
  if (orphan !== undefined) return `route ${orphan.id} is run by ${orphan.operator_id}`;
  if (new Set(routes.map(({ id }) => id)).size !== routes.length) return "a route occurs twice";
  const isRented = station.sources.every(({ provider }) => provider === "gbfs");
  const strange = isRented && modes.find((mode) => !RENTED.includes(mode));
  return strange ? `GBFS knows no ${strange}` : null;
}

function providersProblem(question: Question, { debug, results }: TransportAnswer): string | null {
  if (debug === undefined) return null;
  const requests = new Set(Object.keys(debug.providers).map((key) => key.split(":")[0]!));
  const all = providersOf(question);
  const isNamed = question.values["providers"] !== undefined;
  const inTurn = all.filter((provider) => requests.has(provider));
  const isRight = isNamed
    ? // A timetable that is far away is not asked.
      requests.symmetricDifference(new Set(all)).isSubsetOf(new Set(["gtfs"]))
    : requests.has(all[0]!) && [...requests].join() === inTurn.join();
  if (!isRight) return `asked ${[...requests].join(",")}, not ${all.join(",")}`;
  for (const [key, { returned_count }] of Object.entries(debug.providers)) {
    const listed = results.stations.filter(({ sources }) =>
      sources.some(({ provider }) => provider === key),
    ).length;
    if (listed !== returned_count)
      return `${listed} stations of ${key}, returned ${returned_count}`;
  }
  return null;
}

/** Providers put their pins around the true place. */
const PIN_M = 300;

/** A station that the simulator has, and that a requested provider publishes, is shown. */
function missingProblem(
  question: Question,
  stations: readonly TransitStation[],
  truth: readonly TrueStation[],
): string | null {
  const { lat, lon, applied, values } = question;
  const modes = values["modes"] as string[];
  // Where none is named, the first that finds something answers alone.
  const answering = stations[0]?.sources.map(({ provider }) => provider);
  const isNamed = values["providers"] !== undefined;
  const providers = isNamed ? providersOf(question) : (answering ?? providersOf(question));
  const ids = new Set(
    stations.flatMap(({ sources }) => sources.map((one) => `${one.provider} ${one.source_id}`)),
  );
  const missing = truth.find(({ location, routes, sources, modes: own_modes }) => {
    if (routes === 0 || !own_modes.every((mode) => modes.includes(mode))) return false;
    if (Math.abs(location.lat - lat) > 0.05) return false;
    if (greatCircle({ lat, lon }, location) > applied.radius - PIN_M) return false;
    const known_sources = sources.filter(({ source }) => providers.includes(source));
    const isShown = ({
      source,
      source_id,
      aliases = [],
    }: (typeof known_sources)[number]): boolean =>
      [source_id, ...aliases].some((id) => ids.has(`${source} ${id}`));
    return known_sources.length > 0 && !known_sources.some(isShown);
  });
  return missing === undefined ? null : `${missing.name} is missing`;
}

/** Flags that are not stated. */
export function countUnstated(stations: readonly TransitStation[]): number {
  return stations.reduce((sum, { realtime, alerts, accessibility }) => {
    const flags = [realtime.available, alerts.available].filter((flag) => flag === null).length;
    return sum + flags + (accessibility.wheelchair === "unknown" ? 1 : 0);
  }, 0);
}
