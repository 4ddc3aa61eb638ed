/** Whether a response belongs to its request: origin, ids, distances, correlation and digest. */
import { createHash } from "node:crypto";
import type { Point, Question } from "./questions.ts";

/** A stored dataset as its search described it, to be read by the account that made it. */
export type Stored = {
  href: string;
  /** As the search stated it: `sha-256:` and 64 hex digits; null: it stated none. */
  digest: string | null;
  point: Point;
  account: string;
};

export type Response = { status: number; headers: Record<string, unknown>; bytes: Buffer };

export type Judgement = { problem: string | null; stored: Stored | null };

const FINE: Judgement = { problem: null, stored: null };

/** What a deployment under load and with failing sources may answer instead of data. */
const REFUSALS = new Set([402, 429, 502, 503, 504]);

export function judge(question: Question, response: Response, read: Stored | null): Judgement {
  const { status, headers, bytes } = response;
  const id = headers["x-request-id"];
  if (id !== `isolation-${question.serial}`) return problem(`x-request-id is ${String(id)}`);
  if (REFUSALS.has(status)) return FINE;
  if (status !== 200) return problem(`status ${status}: ${bytes.toString().slice(0, 200)}`);
  if (read !== null) return judgeRead(bytes, read);
  const body = parse(bytes);
  if (body === null) return problem(`no JSON: ${bytes.toString("latin1").slice(0, 80)}`);
  try {
    return judgeBody(question, body);
  } catch (error) {
    return problem(`a member is missing: ${String(error)}`);
  }
}

function judgeRead(bytes: Buffer, { digest, point }: Stored): Judgement {
  const actual = `sha-256:${createHash("sha256").update(bytes).digest("hex")}`;
  if (digest !== null && actual !== digest)
    return problem(`the dataset's bytes have the digest ${actual}, not ${digest}`);
  const body = parse(bytes);
  return body === null ? problem("the dataset is no JSON") : judgeOrigin(body, point);
}

// oxlint-disable-next-line typescript/no-explicit-any -- whatever came; what is missing fails the run
type Body = Record<string, any>;

function judgeBody(question: Question, body: Body): Judgement {
  const { kind, point, serial } = question;
  switch (kind) {
    case "nearby":
      return judgeNearby(body, point);
    case "debug":
      return both(judgeNearby(body, point), judgeDebug(body));
    case "geojson":
      return both(judgeOrigin(body, point), judgeItems(body["features"].map(toItem), point));
    case "services":
      return both(judgeOrigin(body, point), judgeItems(body["results"], point));
    case "transport":
      return both(judgeOrigin(body, point), judgeItems(body["results"].stations, point));
    case "reverse":
      return samePoint(body["meta"].origin, point)
        ? FINE
        : problem(`origin ${text(body["meta"].origin)}`);
    case "search":
      return judgeSearch(question, body);
    case "tool":
      return body["id"] === serial
        ? judgeTool(question, body)
        : problem(`JSON-RPC id ${body["id"]}`);
    case "read":
      return FINE;
  }
}

function judgeNearby(body: Body, point: Point): Judgement {
  const { stations, vehicles, places } = body["results"];
  const items = [...stations, ...vehicles.map((each: Body) => each["source"]), ...places];
  return both(judgeOrigin(body, point), judgeItems(items, point));
}

/** Every listed object is explained, and nothing else is. */
function judgeDebug(body: Body): Judgement {
  const listed = [...body["results"].stations, ...body["results"].vehicles].length;
  const explained = body["debug"].entities.length;
  return listed === explained ? FINE : problem(`${listed} objects, ${explained} explained`);
}

function judgeSearch({ point, serial, account }: Question, body: Body): Judgement {
  const { correlation, observation } = body;
  if (correlation.request_id !== `r${serial}`)
    return problem(`request_id ${correlation.request_id}`);
  if (observation.status === "error") {
    const codes = observation.errors.map((each: Body) => each["code"]).join();
    return codes.includes("internal") ? problem(`an internal error`) : FINE;
  }
  if (!samePoint(observation.query_parameters, point))
    return problem(`query_parameters ${text(observation.query_parameters)}`);
  const own = observation.provenance[0];
  return {
    problem: null,
    stored: { href: own.href, digest: own.content_digest, point, account: account.name },
  };
}

function judgeTool({ point, account }: Question, body: Body): Judgement {
  const { result, error } = body;
  if (error) return problem(`JSON-RPC error ${text(error)}`);
  if (result.isError) return /internal/.test(text(result)) ? problem(text(result)) : FINE;
  const { structuredContent: told } = result;
  if (text(JSON.parse(result.content[0].text)) !== text(told))
    return problem("text and data differ");
  const wrong = judgeItems(told.results, point);
  if (wrong.problem !== null) return wrong;
  const href = told.dataset?.href as string | undefined;
  if (href === undefined) return FINE;
  return { problem: null, stored: { href, digest: null, point, account: account.name } };
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
