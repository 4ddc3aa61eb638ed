/**
 * Questions about public transport that must agree with each other: the same one written otherwise;
 * fewer modes, or less around, give what more of them give there; and lines stop at stations.
 */
import { readJson, readText } from "./checks/body.ts";
import type { Line } from "./checks/lines.ts";
import type { TransitStation } from "./checks/stations.ts";
import type { TransportAnswer } from "./checks/transport.ts";
import type { Reply } from "./client.ts";
import { decodeForm } from "./oracle/grammar.ts";
import type { NearbyQuestion } from "./oracle/query.ts";
import { TRANSPORT_MODES, type TransportQuestion } from "./oracle/transport.ts";
import type { FuzzRequest } from "./request.ts";

type Asked = [FuzzRequest, FuzzRequest];

const MOST = 200;
/** How far the pin of another provider may stand away, a few times over. */
const FRINGE_M = 400;
const CLOSE_M = 1000;

function ask(request: FuzzRequest, path: string, members: Record<string, unknown>): FuzzRequest {
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== "accept-encoding");
  const query = Object.entries(members).map(([name, value]) => `${name}=${String(value)}`);
  return { ...request, path, query, headers };
}

const askTransport = (request: FuzzRequest, members: Record<string, unknown>): FuzzRequest =>
  ask(request, "/v1/transport/nearby", { limit: MOST, ...members });

/** As it came, defaults left out; and with all of them, lists turned, the longitude's other name. */
export function rewordedPair(request: FuzzRequest, question: TransportQuestion): Asked {
  const { lat, lon, applied, modes, providers } = question;
  const rest = { radius: applied.radius, limit: applied.limit };
  const turned = { providers: providers.toReversed(), modes: [...modes.toReversed(), modes[0]] };
  const other = askTransport(request, { lng: lon, lat, ...rest, ...turned, realtime: true });
  const language = request.query!.filter((part) => decodeForm(part.split("=")[0]!) === "language");
  return [
    { ...request, headers: other.headers },
    { ...other, query: [...other.query!, ...language] },
  ];
}

export function rewordedProblem(one: Reply, other: Reply): string | null {
  const [a, b] = [answerOf(one), answerOf(other)];
  if (a === null || b === null) return `${one.status} one way, ${other.status} the other`;
  if (a.total !== b.total || a.status !== b.status)
    return `${a.status} of ${a.total} one way, ${b.status} of ${b.total} the other`;
  return differ(a.results.stations, b.results.stations, "asked the other way round");
}

export function fewerModesPair(request: FuzzRequest, question: TransportQuestion): Asked {
  const { lat, lon, applied, modes, providers } = question;
  const rest = { lat, lon, radius: Math.max(applied.radius, CLOSE_M), providers };
  return [
    askTransport(request, { ...rest, modes }),
    askTransport(request, { ...rest, modes: TRANSPORT_MODES }),
  ];
}

export function fewerModesProblem(
  few: Reply,
  all: Reply,
  { modes }: TransportQuestion,
): string | null {
  const [a, b] = [answerOf(few), answerOf(all)];
  if (a === null || b === null) return `${few.status} with modes, ${all.status} with all`;
  const wanted = b.results.stations.filter((one) => one.modes.some((mode) => modes.includes(mode)));
  const cut = b.total > MOST;
  const given = cut ? a.results.stations.slice(0, wanted.length) : a.results.stations;
  if (!cut && a.total !== wanted.length)
    return `${a.total} with modes=${modes.join(",")}, ${wanted.length} of all that have them`;
  return differ(given, wanted, `modes=${modes.join(",")}`);
}

export function closerPair(request: FuzzRequest, question: TransportQuestion): Asked {
  const { lat, lon, providers } = question;
  const rest = { lat, lon, modes: TRANSPORT_MODES, providers };
  return [
    askTransport(request, { ...rest, radius: CLOSE_M }),
    askTransport(request, { ...rest, radius: 2 * CLOSE_M }),
  ];
}

/** Near the edge a station that several know may be one of them alone. */
export function closerProblem(
  close: Reply,
  wide: Reply,
  { providers }: TransportQuestion,
): string | null {
  const [a, b] = [answerOf(close), answerOf(wide)];
  if (a === null || b === null) return `${close.status} close by, ${wide.status} wide`;
  const alone = providers.length === 1 && providers[0] !== "gtfs";
  const bound = CLOSE_M - (alone ? 0 : FRINGE_M);
  const inside = (stations: readonly TransitStation[]): TransitStation[] =>
    stations.filter(({ distance_meters }) => distance_meters < bound);
  return differ(inside(a.results.stations), inside(b.results.stations), `within ${bound} m`);
}

/** Lines and the stations that they stop at, from the same feeds. */
export function linesPair(request: FuzzRequest, { lat, lon, radius }: NearbyQuestion): Asked {
  const around = { lat, lon, radius: Math.min(radius, 400) };
  return [
    ask(request, "/v1/nearby", { ...around, include: "lines" }),
    askTransport(request, { ...around, providers: "gtfs", modes: TRANSPORT_MODES }),
  ];
}

export function linesProblem(nearby: Reply, transport: Reply): string | null {
  const stations = answerOf(transport)?.results.stations;
  const body = answerOf(nearby) as { results: { lines: Line[] } } | null;
  if (stations === undefined || body === null) return `${nearby.status}, ${transport.status}`;
  const { lines } = body.results;
  const shown = new Set(stations.map(({ id }) => id));
  const strange = lines.find((line) => line.station_ids.some((id) => !shown.has(id)));
  const cut = answerOf(transport)!.total > stations.length;
  if (strange !== undefined && !cut) return `${strange.id} stops at a station that is not shown`;
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  for (const { id, routes, sources } of stations) {
    const [only, ...others] = sources;
    // A result of several feeds has the id of one of them.
    if (others.length > 0 || lines.length === MOST) continue;
    const missed = routes.find(
      (route) => !lineOf.get(`${only!.feed_id}:${route.id}`)?.station_ids.includes(id),
    );
    if (missed !== undefined) return `no line says that ${missed.id} stops at ${id}`;
  }
  return null;
}

function answerOf(reply: Reply): TransportAnswer | null {
  return reply.status === 200 ? (readJson(readText(reply) ?? "") as TransportAnswer) : null;
}

/** Rental systems are read again and again. */
const withoutTime = (stations: readonly TransitStation[]): string =>
  JSON.stringify(stations.map((one) => ({ ...one, freshness: null })));

function differ(
  some: readonly TransitStation[],
  others: readonly TransitStation[],
  how: string,
): string | null {
  if (withoutTime(some) === withoutTime(others)) return null;
  const at = some.findIndex((one, n) => others[n]?.id !== one.id);
  return `${how}: ${some.length} against ${others.length} stations, first other one ${at}`;
}
