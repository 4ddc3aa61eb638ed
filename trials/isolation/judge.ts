/** Whether a response belongs to its request: origin, ids, distances, correlation and digest. */
import { createHash } from "node:crypto";
import type { Point } from "../requests/laws/geo.ts";
import type { ApiRequest } from "../requests/requests.ts";
import type { Expectation } from "../requests/verdict.ts";

export type Account = { name: string; key: string | null };

/** A dataset that an answer named to the account, to be read by it. */
export type Stored = {
  id: string;
  version: string;
  /** As the search stated it: `sha-256:` and 64 hex digits; null: it stated none. */
  digest: string | null;
  point: Point;
};

export type AskedRequest = {
  request: ApiRequest;
  account: Account;
  expected: Expectation;
  /** The dataset that is read, if it was named to the account before. */
  read: Stored | null;
};

export type Response = { status: number; headers: Record<string, unknown>; bytes: Buffer };

export type Judgement = { problem: string | null; stored: Stored | null };

const FINE: Judgement = { problem: null, stored: null };

/** What a deployment under load and with failing sources may answer instead of data. */
const REFUSALS = new Set([402, 429, 502, 503, 504]);

export function judge(query: AskedRequest, response: Response): Judgement {
  const { status, headers, bytes } = response;
  const { request, expected, read } = query;
  const id = headers["x-request-id"];
  if (id !== request.headers["x-request-id"]) return problem(`x-request-id is ${String(id)}`);
  if (REFUSALS.has(status)) return FINE;
  const isExpected = expected.verdicts.some((verdict) => verdict.status === status);
  if (!isExpected || (status !== 200 && read !== null))
    return problem(`status ${status}: ${bytes.toString().slice(0, 200)}`);
  if (request.operation === "readDataset" && read !== null) return judgeRead(bytes, read);
  const body = parse(bytes);
  if (body === null) return problem(`no JSON: ${bytes.toString("latin1").slice(0, 80)}`);
  if (status !== 200) return FINE;
  try {
    return judgeBody(query, body);
  } catch (error) {
    return problem(`a member is missing: ${String(error)}`);
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- whatever came; what is missing fails the run
type Body = Record<string, any>;

function judgeBody(query: AskedRequest, body: Body): Judgement {
  const { request, account, expected } = query;
  const { question } = expected;
  if (request.target.split("?")[0] === "/mcp") return judgeCall(query, body);
  const point = { lat: question!.lat, lon: question!.lon };
  switch (request.operation) {
    case "getNearby":
      if (body["features"])
        return both(judgeOrigin(body, point), judgeItems(body["features"].map(toItem), point));
      return both(judgeNearby(body, point), judgeDebug(body));
    case "getServicesNearby":
    case "getParkingNearby":
    case "getChargingNearby":
    case "getPlacesNearby":
      return both(judgeOrigin(body, point), judgeItems(body["results"], point));
    case "getTransportNearby":
      return both(judgeOrigin(body, point), judgeItems(body["results"].stations, point));
    case "getDeparturesNearby":
      return both(
        judgeOrigin(body, point),
        judgeItems(
          body["results"].departures.map((each: Body) => each["station"]),
          point,
        ),
      );
    case "reverseGeocode":
      return samePoint(body["meta"].origin, point)
        ? FINE
        : problem(`origin ${text(body["meta"].origin)}`);
    case "executeCapability":
      return judgeExecution(query, body);
    case "readDataset":
      return problem("a dataset that was never named");
    case "getMe":
      return body["kind"] === (account.key === null ? "anonymous" : "keyed") &&
        (account.key === null || body["plan"].name === account.name)
        ? FINE
        : problem(`it describes ${text(body["plan"])}`);
    default:
      return FINE;
  }
}

function judgeRead(bytes: Buffer, { digest, point }: Stored): Judgement {
  const actual = `sha-256:${createHash("sha256").update(bytes).digest("hex")}`;
  if (digest !== null && actual !== digest)
    return problem(`the dataset's bytes have the digest ${actual}, not ${digest}`);
  const body = parse(bytes);
  return body === null ? problem("the dataset is no JSON") : judgeOrigin(body, point);
}

function judgeNearby(body: Body, point: Point): Judgement {
  const { stations, vehicles, places } = body["results"];
  const items = [...stations, ...vehicles.map((each: Body) => each["source"]), ...places];
  return both(judgeOrigin(body, point), judgeItems(items, point));
}

/** Every listed object is explained, and nothing else is. */
function judgeDebug({ results, debug }: Body): Judgement {
  if (debug === undefined) return FINE;
  const listed = [...results.stations, ...results.vehicles].length;
  const explained = debug.entities.length;
  return listed === explained ? FINE : problem(`${listed} objects, ${explained} explained`);
}

/** A search names its dataset; a read gives the observation of the search that it belongs to. */
function judgeExecution({ request, read }: AskedRequest, body: Body): Judgement {
  const sent = JSON.parse(request.body!.toString()) as Body;
  const { correlation, observation } = body;
  if (sorted(correlation) !== sorted(sent["correlation"]))
    return problem(`correlation ${text(correlation)}, not ${text(sent["correlation"])}`);
  const { capability, args } = sent["request"];
  if (observation.status === "error") {
    const codes = observation.errors.map((each: Body) => each["code"]).join();
    if (read !== null) return problem(`${codes} for a dataset that was named`);
    return codes.includes("internal") ? problem(`an internal error`) : FINE;
  }
  const isRead = capability === "read_dataset";
  if (isRead && read === null) return problem("a dataset that was never named");
  const point = isRead ? read!.point : toPoint(args);
  if (!samePoint(observation.query_parameters, point))
    return problem(`query_parameters ${text(observation.query_parameters)}`);
  const { dataset_id, version, content_digest } = observation.provenance[0];
  if (isRead)
    return dataset_id === args.id && version === args.version
      ? FINE
      : problem(`dataset ${dataset_id}, not ${args.id}`);
  return { problem: null, stored: { id: dataset_id, version, digest: content_digest, point } };
}

function judgeCall({ request, read }: AskedRequest, body: Body): Judgement {
  const sent = JSON.parse(request.body!.toString()) as Body;
  const { id, result, error } = body;
  if (id !== sent["id"]) return problem(`JSON-RPC id ${id}`);
  if (error) return problem(`JSON-RPC error ${text(error)}`);
  if (!request.operation.startsWith("tool ")) return FINE;
  // changes_since searches again, which may fail.
  const isRead = read !== null && request.operation === "tool read_dataset";
  if (result.isError) return isRead || /internal/.test(text(result)) ? problem(text(result)) : FINE;
  const { structuredContent: answer } = result;
  if (text(JSON.parse(result.content[0].text)) !== text(answer))
    return problem("text and data differ");
  const point = read?.point ?? toPoint(sent["params"].arguments);
  const { results = [], query_origin } = answer;
  // A plan and a comparison have several places, and none of their own.
  const origin = query_origin && !Number.isNaN(point.lat) ? judgeOrigin(answer, point) : FINE;
  const wrong = both(origin, judgeItems(results, point));
  if (wrong.problem !== null || !answer.dataset || read !== null) return wrong;
  const { id: dataset_id, version } = answer.dataset;
  return { problem: null, stored: { id: dataset_id, version, digest: null, point } };
}

function judgeOrigin(body: Body, point: Point): Judgement {
  const { query_origin: origin } = body;
  return samePoint(origin, point)
    ? FINE
    : problem(`query_origin ${text(origin)}, not ${text(point)}`);
}

type Item = { location?: Point; distance_meters?: number };

function toItem(feature: Body): Item {
  const [lon, lat] = feature["geometry"].coordinates;
  const { source, distance_meters } = feature["properties"];
  return { location: { lat, lon }, distance_meters: distance_meters ?? source?.distance_meters };
}

const EARTH_M = 6_371_008.8;
/** Distances are shown to a tenth of a metre or a metre; coordinates to some centimetres. */
const TOLERANCE_M = 1.5;

/** The distance an object states is the one from this request's own point. */
function judgeItems(items: readonly Item[], point: Point): Judgement {
  for (const item of items) {
    const { location, distance_meters } = item;
    if (!location || distance_meters === undefined) continue;
    const actual = metresBetween(point, location);
    if (Math.abs(actual - distance_meters) > TOLERANCE_M)
      return problem(
        `an object at ${text(location)} is said to be ${distance_meters} m from ${text(point)}, not ${actual.toFixed(1)} m`,
      );
  }
  return FINE;
}

function metresBetween(a: Point, b: Point): number {
  const rad = Math.PI / 180;
  const h =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

function toPoint({ lat, lon }: Body): Point {
  return { lat: Number(lat), lon: Number(lon) };
}

function samePoint(a: Point | undefined, b: Point): boolean {
  return a !== undefined && a.lat === b.lat && a.lon === b.lon;
}

function both(one: Judgement, other: Judgement): Judgement {
  return one.problem === null ? other : one;
}

function problem(message: string): Judgement {
  return { problem: message, stored: null };
}

function parse(bytes: Buffer): Body | null {
  try {
    return JSON.parse(bytes.toString()) as Body;
  } catch {
    return null;
  }
}

function text(value: unknown): string {
  return JSON.stringify(value);
}

/** The members of an object in order of name. */
function sorted(value: object): string {
  return text(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
