/**
 * What must come back for a request, from its bytes and the published description alone: the order of
 * checks and the statuses of the decisions (Errors). It shares no code with the service.
 */
import type { Operation, Parameter, Schema } from "./description.ts";
import type { ApiRequest } from "./requests.ts";

/** One way in which the request may be answered. */
export type Verdict = {
  status: number;
  /** Of the error body. */
  code?: string;
  /** The message must contain one of these as a word. */
  names?: readonly string[];
};

/** What `/v1/me` says of a caller. */
export type Caller = { key: string | null; limit_max: number; offset_max: number };

/** Decoded parameters of an accepted request, defaults included; what an operation lacks is absent. */
export type Question = {
  operation: string;
  caller: Caller;
  values: Readonly<Record<string, unknown>>;
  lat: number;
  lon: number;
  /** As asked for, and as applied. */
  radius: number;
  limit: number;
  applied: { radius: number; limit: number };
};

export type Expectation = {
  operation: Operation | null;
  verdicts: readonly Verdict[];
  question: Question | null;
  /** The deprecated parameter `token` was used where it counts. */
  token_used: boolean;
};

export type Oracle = {
  judge(request: ApiRequest): Expectation;
  /** Whether a text is a value of the parameter; null: both readings are right. */
  permits(parameter: Parameter, text: string): boolean | null;
};

const MAX_TARGET_BYTES = 8192;
/** About what the parser takes: above it, it hangs up with 431 before the target is seen. */
const HEAD_BYTES = 15_500;

const refuse = (status: number, code: string, names?: readonly string[]): Verdict => ({
  status,
  code,
  ...(names && { names }),
});
const invalid = (...names: string[]): Verdict => refuse(400, "invalid_request", names);

export function createOracle(operations: readonly Operation[], callers: readonly Caller[]): Oracle {
  const routes = [
    ...operations.map((operation) => ({
      ...operation,
      operation,
      pattern: toPattern(operation.path),
    })),
    { operation: null, method: "POST", pattern: /^\/mcp\/?$/, parameters: [], id: "" },
  ];
  const judge = (request: ApiRequest): Expectation => {
    const { method, target, headers } = request;
    const early = (...verdicts: Verdict[]): Expectation => ({
      operation: null,
      verdicts,
      question: null,
      token_used: false,
    });
    const [path = "", ...rest] = target.split("?");
    const transport: Verdict[] = [];
    if (decodeText(path) === undefined) transport.push(refuse(400, "invalid_request"));
    if (target.length > MAX_TARGET_BYTES) transport.push(refuse(414, "uri_too_long"));
    if (mayOverflow(request)) transport.push(refuse(431, "headers_too_large"));
    if (transport.length > 0) return early(...transport);
    const decoded = decodePath(path);
    // A path that is one of an operation is no id of another one.
    const fitting = routes.filter(({ pattern }) => pattern.test(decoded));
    const route = fitting.find(({ pattern }) => !pattern.source.includes("(?<")) ?? fitting[0];
    if (route === undefined) return early(refuse(404, "not_found"));
    const { operation } = route;
    if (method === "OPTIONS") return { ...early({ status: 204 }), operation };
    if (method !== route.method && !(method === "HEAD" && route.method === "GET"))
      return { ...early(refuse(405, "method_not_allowed")), operation };
    const given = readQuery(rest.join("?"));
    const secured = operation === null || operation.parameters.some(({ name }) => name === "token");
    const tokens = secured && operation !== null ? given.get("token") : undefined;
    const { caller, refused } = judgeCredential(headers["authorization"], tokens, callers);
    const token_used = operation !== null && tokens !== undefined;
    if (secured && refused.length > 0) return { ...early(...refused), operation, token_used };
    if (operation === null) return { ...early({ status: 200 }), verdicts: judgeCall(request) };
    if (operation.keyed && caller.key === null)
      return { ...early(refuse(401, "missing_token", ["token"])), operation };
    const segments = route.pattern.exec(decoded)!.groups ?? {};
    return {
      operation,
      token_used,
      ...judgeOperation({ operation, request, given, segments, caller }),
    };
  };
  return { judge, permits };
}

/** A bad envelope is 400; what is wrong with arguments is reported inside a 200. */
function judgeCall({ headers, refused }: ApiRequest): Verdict[] {
  const type = headers["content-type"] ?? "";
  const coding = headers["content-encoding"] ?? "identity";
  const isOdd = !isJsonType(type) || coding !== "identity";
  if (isOdd) return [{ status: 400 }, { status: 415 }];
  return refused?.code === "invalid_json" ? [{ status: 400 }] : [{ status: 200 }];
}

type Request = {
  operation: Operation;
  request: ApiRequest;
  given: Input;
  segments: Readonly<Record<string, string>>;
  caller: Caller;
};

function judgeOperation(query: Request): Pick<Expectation, "verdicts" | "question"> {
  const { operation, request, caller } = query;
  const refused = (...verdicts: Verdict[]): ReturnType<typeof judgeOperation> => ({
    verdicts,
    question: null,
  });
  const { at_fault, values, unsure } = readParameters(query);
  if (operation.body !== null) {
    const verdict = judgeBody(request);
    if (verdict !== null) return refused(verdict);
  }
  const unknown = unknownVerdicts(operation.id);
  if (at_fault.size > 0) return refused(invalid(...at_fault), ...unknown);
  const offset = Number(values["offset"] ?? 0);
  if (offset > caller.offset_max) return refused(refuse(403, "plan_not_allowed", ["offset"]));
  const verdicts: Verdict[] = [{ status: 200 }, ...unknown];
  if (unsure !== null) verdicts.push(invalid(unsure));
  if (request.headers["if-none-match"] !== undefined && operation.responses["304"])
    verdicts.push({ status: 304 });
  return { verdicts, question: toQuestion(operation.id, values, caller) };
}

/** What is not there, though the request is valid. */
function unknownVerdicts(id: string): Verdict[] {
  if (id === "getChangelog") return [refuse(404, "not_found")];
  if (id === "getLegacyVehicles") return [refuse(404, "unknown_provider")];
  // A vehicle or service has its point as well, a station need not.
  if (id === "getPlace") return [refuse(404, "unknown_place"), invalid("lat", "lon")];
  if (id === "getPlaceHistory") return [refuse(404, "unknown_place")];
  if (id.startsWith("getGbfs") && id !== "getGbfsManifest")
    return [
      refuse(404, "unknown_system"),
      refuse(503, "provider_unavailable"),
      // A name that holds a slash is another path.
      refuse(405, "method_not_allowed"),
    ];
  if (id === "getSourceQuality") return [refuse(404, "unknown_source")];
  if (id === "getStationDepartures") return [refuse(404, "unknown_station")];
  if (id === "readDataset" || id === "executeCapability")
    return [refuse(404, "dataset_not_found"), refuse(410, "dataset_gone")];
  return [];
}

/** Applied at most (§8); of /v1/nearby the limit is the plan's. */
const MOST: Readonly<Record<string, { radius: number; limit?: number }>> = {
  getNearby: { radius: 400 },
  getServicesNearby: { radius: 10_000, limit: 200 },
  getParkingNearby: { radius: 10_000, limit: 20 },
  getChargingNearby: { radius: 10_000, limit: 20 },
  getPlacesNearby: { radius: 10_000, limit: 100 },
  getTransportNearby: { radius: 5_000, limit: 200 },
  getDeparturesNearby: { radius: 2_000, limit: 100 },
};

function toQuestion(operation: string, values: Question["values"], caller: Caller): Question {
  const most = MOST[operation];
  const [radius, limit] = [Number(values["radius"] ?? 0), Number(values["limit"] ?? 0)];
  const applied = {
    radius: Math.min(radius, most?.radius ?? radius),
    limit: Math.min(limit, most?.limit ?? caller.limit_max),
  };
  const [lat, lon] = [Number(values["lat"]), Number(values["lon"] ?? values["lng"])];
  return { operation, caller, values, lat, lon, radius, limit, applied };
}

function judgeBody({ headers, refused }: ApiRequest): Verdict | null {
  const coding = headers["content-encoding"] ?? "identity";
  const type = headers["content-type"] ?? "";
  const names = [
    ...(isJsonType(type) ? [] : ["Content-Type"]),
    ...(coding.toLowerCase() === "identity" ? [] : ["Content-Encoding"]),
  ];
  if (names.length > 0) return refuse(400, "unsupported_media_type", names);
  return refused && refuse(400, refused.code, refused.names);
}

function isJsonType(text: string): boolean {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  return (
    type === "application/json" && parameters.every((each) => /^charset="?utf-8"?$/.test(each))
  );
}

/** Values of one name in order; undefined: broken encoding. */
type Input = ReadonlyMap<string, readonly (string | undefined)[]>;

function readQuery(raw: string): Input {
  const input = new Map<string, (string | undefined)[]>();
  for (const part of raw.split("&")) {
    const split = part.indexOf("=");
    const name = decodeText((split === -1 ? part : part.slice(0, split)).replaceAll("+", " "));
    if (name === undefined) continue;
    const value = split === -1 ? "" : part.slice(split + 1).replaceAll("+", " ");
    input.set(name, [...(input.get(name) ?? []), decodeText(value)]);
  }
  return input;
}

/** The description states the first of them; the others are asked where it finds nothing. */
const IN_TURN: ReadonlySet<string> = new Set(["providers"]);
/** What rental systems offer: the default of `modes` where they alone are asked. */
export const RENTED = ["bicycle", "scooter", "car_share", "shared_mobility"];

/** Half of a point means nothing where a point may be absent. */
const HALVES: readonly string[] = ["listSources", "searchPlaces"];

function readParameters({ operation, given, segments }: Request): {
  at_fault: Set<string>;
  values: Record<string, unknown>;
  unsure: string | null;
} {
  const at_fault = new Set<string>();
  const values: Record<string, unknown> = {};
  let unsure: string | null = null;
  const isGiven = (name: string): boolean => given.has(name) || Object.hasOwn(segments, name);
  for (const { name, in: place, required, schema } of operation.parameters) {
    if (name === "token") continue;
    const all = place === "path" ? [decodeText(segments[name]!)] : (given.get(name) ?? []);
    if (all.length === 0) {
      if (required === true) at_fault.add(name);
      if (schema.default !== undefined && !IN_TURN.has(name))
        values[name] = readValue(name, schema, String(schema.default));
      continue;
    }
    const [text] = all;
    const value = all.length > 1 || text === undefined ? undefined : readValue(name, schema, text);
    if (value === undefined) at_fault.add(name);
    else if (value instanceof Set && !value.has("certain")) unsure = name;
    values[name] = value;
  }
  if (String(values["providers"]) === "gbfs" && !isGiven("modes")) values["modes"] = RENTED;
  // First and last departures are two questions.
  if (values["first"] === true && values["last"] === true) at_fault.add("first").add("last");
  // What asks for ways on foot next to `walk=false` (docs/walking.md).
  const denied = values["walk"] === false && isGiven("walk") ? impliedWalk(operation, values) : [];
  if (denied.length > 0) for (const name of ["walk", ...denied]) at_fault.add(name);
  const hasAlias = operation.parameters.some(({ name }) => name === "lng");
  const { lon, lng } = values as { lon?: number; lng?: number };
  const isLocated = isGiven("lon") || (hasAlias && isGiven("lng"));
  if (hasAlias && lon !== undefined && lng !== undefined && lon - lng !== 0)
    at_fault.add("lon").add("lng");
  if (HALVES.includes(operation.id) && isGiven("lat") !== isLocated)
    at_fault.add("lat").add("lon").add("lng");
  if (hasAlias && !HALVES.includes(operation.id) && !isLocated) at_fault.add("lon").add("lng");
  return { at_fault, values, unsure };
}

/** Parameters that ask for ways on foot by themselves, unless they have their default. */
const IMPLIES_WALK = ["sort", "within_minutes", "profile", "speed"];

function impliedWalk(
  { parameters }: Operation,
  values: Readonly<Record<string, unknown>>,
): string[] {
  return parameters
    .filter(({ name }) => IMPLIES_WALK.includes(name))
    .filter(({ name, schema }) => values[name] !== schema.default)
    .map(({ name }) => name);
}

function permits({ name, schema }: Parameter, text: string): boolean | null {
  const value = readValue(name, schema, text);
  return value instanceof Set && !value.has("certain") ? null : value !== undefined;
}

/** No text of a caller has one, but for questions of the contract (§4.3). */
const CONTROL = /\p{Cc}/u;
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;
const INTEGER = /^-?\d+$/;

/** A latitude and a longitude in one text. */
const POINTS: readonly string[] = ["coords", "from", "to"];

/** undefined: the text is no value. Free text: a set of what it may be taken for. */
function readValue(name: string, schema: Schema, text: string): unknown {
  if (POINTS.includes(name)) {
    const [lat, lon, ...more] = text.split(",").map((part) => readNumber(part, NUMBER));
    const isPoint = lat !== undefined && lon !== undefined && more.length === 0;
    return isPoint && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? text : undefined;
  }
  if (schema.maxLength !== undefined) return readFreeText(text, schema.maxLength);
  if (schema.enum) return schema.enum.find((each) => each === text);
  const items = schema["x-items"];
  if (items) {
    const parts = text.split(",").map((part) => part.replaceAll(/^[ \t]+|[ \t]+$/g, ""));
    return parts.every((part) => items.includes(part)) ? [...new Set(parts)] : undefined;
  }
  if (schema.type === "boolean")
    return text === "true" ? true : text === "false" ? false : undefined;
  if (schema.type === "string") {
    const fits = new RegExp(schema.pattern ?? "", "u").test(text) && text !== "";
    return fits && !CONTROL.test(text) ? text : undefined;
  }
  const value = readNumber(text, schema.type === "integer" ? INTEGER : NUMBER);
  if (value === undefined) return undefined;
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
  return value >= minimum && value <= maximum && value > exclusiveMinimum ? value : undefined;
}

function readNumber(text: string, form: RegExp): number | undefined {
  const value = form.test(text) && !text.includes("\n") ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Blanks by every standard: ASCII's, and the separators of Unicode. */
const BLANK = "[\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
/** A blank to ECMAScript but not to Unicode, and the other way round: either reading is right. */
const READINGS = ["\\ufeff", "\\u0085"].map(
  (extra) => new RegExp(`^${BLANK}${extra}]+|${BLANK}${extra}]+$`, "gu"),
);

function readFreeText(text: string, most: number): Set<string> | undefined {
  const all = READINGS.map((blanks) => text.replaceAll(blanks, "").normalize("NFC"));
  const good = all.filter((one) => one !== "" && Array.from(one).length <= most);
  if (good.length === 0) return undefined;
  return new Set(good.length === all.length ? ["certain", ...good] : good);
}

const BAD = refuse(401, "invalid_api_key");
const CONFLICT = refuse(400, "conflicting_credentials");
const TWICE = invalid("token");

/** Several verdicts where the choice is open (decisions, Errors). */
function judgeCredential(
  header: string | undefined,
  tokens: readonly (string | undefined)[] | undefined,
  callers: readonly Caller[],
): { caller: Caller; refused: Verdict[] } {
  const [anonymous] = callers as [Caller];
  const find = (key: string | null): Caller | undefined => callers.find((each) => each.key === key);
  const refused = (...verdicts: Verdict[]): ReturnType<typeof judgeCredential> => ({
    caller: anonymous,
    refused: verdicts,
  });
  const of = (key: string): ReturnType<typeof judgeCredential> => {
    const caller = find(key);
    return caller ? { caller, refused: [] } : refused(BAD);
  };
  const bearer = header === undefined ? null : bearerOf(header);
  if (tokens === undefined) {
    if (header === undefined) return { caller: anonymous, refused: [] };
    return bearer === null ? refused(BAD) : of(bearer);
  }
  if (tokens.length > 1) return refused(TWICE, ...(header === undefined ? [] : [BAD, CONFLICT]));
  const [token] = tokens;
  // Broken or empty: malformed in itself, whatever the header says.
  if (token === undefined || token === "") return refused(BAD);
  if (header === undefined) return of(token);
  if (bearer === null) return refused(BAD, CONFLICT);
  return bearer === token ? of(token) : refused(CONFLICT);
}

function bearerOf(header: string): string | null {
  const [scheme, key, ...rest] = header.split(" ").filter((part) => part !== "");
  if (scheme?.toLowerCase() !== "bearer" || key === undefined || rest.length > 0) return null;
  return /^[!-~]+$/.test(key) ? key : null;
}

function decodeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Escapes of unreserved characters equal the characters; others do not (RFC 3986 6.2.2). */
function decodePath(path: string): string {
  return path.replaceAll(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(char) ? char : escape;
  });
}

function toPattern(path: string): RegExp {
  const escaped = path.replaceAll(".", "\\.");
  return new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

export function mayOverflow({ method, target, headers }: ApiRequest): boolean {
  const lines = Object.entries(headers).map(([name, value]) => name.length + value.length + 4);
  return lines.reduce((sum, one) => sum + one, method.length + target.length + 40) > HEAD_BYTES;
}
