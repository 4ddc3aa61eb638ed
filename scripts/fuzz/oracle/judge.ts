/**
 * What must come back for a request, from its bytes alone: the order of checks and the statuses of
 * the decisions (Errors), the rules of the contract (4.1 to 4.7, 4.9, 7).
 */
import { type FuzzRequest, headersOf, mayOverflow, targetOf } from "../request.ts";
import { judgeCredential } from "./credential.ts";
import { type NearbyQuestion, readNearby, readSources } from "./query.ts";
import { type Given, type Read, readQuery } from "./reader.ts";
import {
  type GeocodingQuestion,
  readFacility,
  readGeocode,
  readPlaceSearch,
  readReverse,
  readServices,
  type ServicesQuestion,
} from "./search.ts";
import { readTransport, type TransportQuestion } from "./transport.ts";

/** Operations with parameters, and how these are read. */
const READERS = {
  "/v1/nearby": readNearby,
  "/v1/sources": readSources,
  "/v1/geocode": readGeocode,
  "/v1/place-search": readPlaceSearch,
  "/v1/reverse-geocode": readReverse,
  "/v1/services/nearby": readServices,
  "/v1/parking/nearby": readFacility("parking"),
  "/v1/charging/nearby": readFacility("charging"),
  "/v1/transport/nearby": readTransport,
} as const satisfies Record<string, (given: Given) => Read<unknown>>;

type DataPath = keyof typeof READERS;
type Path = "/health" | "/openapi.json" | DataPath;
export type Question = NearbyQuestion | GeocodingQuestion | ServicesQuestion | TransportQuestion;

/** One way in which the request may be answered. */
export type Verdict = {
  status: number;
  /** Of the error body. */
  code?: string;
  /** The message must contain one of these as a word. */
  names?: readonly string[];
};

export type Expectation = {
  path: Path | null;
  verdicts: readonly Verdict[];
  /** Decoded parameters of an accepted question; null for /v1/sources, too. */
  question: Question | null;
  /** The deprecated parameter `token` was used where it counts. */
  token_used: boolean;
};

const PATHS: readonly Path[] = [
  ...(["/health", "/openapi.json"] as const),
  ...(Object.keys(READERS) as DataPath[]),
];
const MAX_TARGET_BYTES = 8192;
/** Of the plan `free`. */
export const PLAN = { limit_max: 100, offset_max: 1000, radius_max: 400 } as const;

const refuse = (status: number, code: string, names?: readonly string[]): Verdict => ({
  status,
  code,
  ...(names === undefined ? {} : { names }),
});

const BAD_TARGET: readonly Verdict[] = [refuse(400, "invalid_request")];

export function judge(request: FuzzRequest): Expectation {
  const early = (...verdicts: Verdict[]): Expectation => ({
    ...{ path: null, verdicts, question: null, token_used: false },
  });
  const raw = toOriginForm(targetOf(request));
  const { path, query } = split(raw);
  const decoded = decodePath(path);
  const broken = decoded === null ? BAD_TARGET : [];
  const long = targetOf(request).length > MAX_TARGET_BYTES ? [refuse(414, "uri_too_long")] : [];
  if (mayOverflow(request)) long.push(refuse(431, "headers_too_large"));
  const homeless = headersOf(request, "host").length === 0 && request.version === "1.1";
  const hostless = homeless ? [refuse(400, "invalid_request", ["Host"])] : [];
  const transport = [...broken, ...long, ...hostless];
  if (transport.length > 0) return early(...transport);
  const known = PATHS.find((one) => one === decoded);
  if (known === undefined) return early(refuse(404, "not_found"));
  if (request.method === "OPTIONS") return { ...early({ status: 204 }), path: known };
  if (request.method !== "GET" && request.method !== "HEAD")
    return { ...early(refuse(405, "method_not_allowed")), path: known };
  return { ...early(), path: known, ...judgeOperation(known, request, query) };
}

function judgeOperation(
  path: Path,
  request: FuzzRequest,
  query: string,
): Pick<Expectation, "verdicts" | "question" | "token_used"> {
  const plain = { question: null, token_used: false };
  if (path === "/health") return { verdicts: [{ status: 200 }], ...plain };
  if (path === "/openapi.json") {
    // Whether the tag matches is judged where the tag is known (checks/openapi).
    const asked = headersOf(request, "if-none-match").length > 0;
    return { verdicts: asked ? [{ status: 200 }, { status: 304 }] : [{ status: 200 }], ...plain };
  }
  const given = readQuery(query);
  const tokens = given.get("token");
  const token_used = tokens !== undefined;
  const credential = judgeCredential(headersOf(request, "authorization"), tokens);
  if (credential.length > 0) return { verdicts: credential, question: null, token_used };
  if (path === "/v1/sources") return { ...plain, verdicts: toVerdicts(readSources(given)) };
  const read: Read<Question> = READERS[path](given);
  const { question } = read;
  if (question?.kind === "nearby" && question.offset > PLAN.offset_max)
    return { verdicts: [refuse(403, "plan_not_allowed", ["offset"])], ...plain };
  return { ...plain, verdicts: toVerdicts(read), question };
}

function toVerdicts(read: Read<unknown>): Verdict[] {
  if (read.at_fault !== null) return [refuse(400, "invalid_request", [...read.at_fault])];
  const { unsure } = read;
  const also = unsure === undefined ? [] : [refuse(400, "invalid_request", [unsure])];
  return [{ status: 200 }, ...also];
}

/** RFC 9112 3.2.2: an absolute target asks the same as its path. */
function toOriginForm(target: string): string {
  const scheme = ["http://", "https://"].find((one) => target.toLowerCase().startsWith(one));
  if (scheme === undefined) return target;
  const rest = target.slice(scheme.length);
  const at = rest.search(/[/?]/);
  if (at === -1) return "/";
  return rest[at] === "/" ? rest.slice(at) : `/${rest.slice(at)}`;
}

function split(target: string): { path: string; query: string } {
  const at = target.indexOf("?");
  return at === -1
    ? { path: target, query: "" }
    : { path: target.slice(0, at), query: target.slice(at + 1) };
}

/** Escapes of unreserved characters stand for them; others do not (RFC 3986 6.2.2). null: broken. */
function decodePath(path: string): string | null {
  try {
    decodeURIComponent(path);
  } catch {
    return null;
  }
  return path.replaceAll(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(char) ? char : escape;
  });
}
