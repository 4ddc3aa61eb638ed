/** Requests that no operation takes: preflights, other methods, unknown paths, unusable targets. */
import { isUtf8 } from "node:buffer";
import type { ServerResponse } from "node:http";
import { LIMITS } from "#api/limits.ts";
import { listRoutes } from "#api/mcp-operation.ts";
import { type Problem, refusal, sendProblem } from "./error-replies.ts";
import {
  openExchange,
  sendRaw,
  type Exchange,
  UNMATCHED,
  type Route,
  type ServerWire,
  type Incoming,
} from "./http-exchange.ts";
import { ALLOW_REQUEST_HEADERS } from "./reply-headers.ts";
import { sendNotFoundPage, wantsPage } from "./pages/not-found.ts";
import { toSegmentPattern, variantsOf } from "./paths.ts";

export type Unmatched = {
  wire: ServerWire;
  route: Route;
  toRoute(template: string): Route;
  /** Answers a preflight, or with 405 or 404. */
  answer(request: Incoming, response: ServerResponse): void;
  refuse(request: Incoming, response: ServerResponse, problem: Problem): void;
};

/** `pages`: further paths that answer GET, with their templates. */
export function createUnmatched(
  wire: ServerWire,
  toRoute: (template: string) => Route,
  pages: readonly (readonly [path: string, template: string])[] = [],
): Unmatched {
  const allowed = toAllowed(toRoute);
  const routes = new Map(pages.map(([, template]) => [template, toRoute(template)]));
  for (const [path, template] of pages)
    allowed.set(path, { allow: READING, route: routes.get(template) as Route });
  const hasPages = pages.some(([path]) => path === "/");
  const find = createFinder(allowed);
  const route = toRoute(UNMATCHED);
  const refuse: Unmatched["refuse"] = (request, response, problem) =>
    sendProblem(openExchange(wire, route, request, response), null, problem);
  return {
    wire,
    route,
    toRoute,
    refuse,
    answer: (request, response) => {
      const problem = findTransportProblem(request);
      if (problem !== null) return refuse(request, response, problem);
      const path = toPath(request.raw.url as string);
      if (!isDecodable(path)) return refuse(request, response, BAD_TARGET);
      const entry = find(path);
      if (entry === undefined && hasPages && wantsPage(request))
        return sendNotFoundPage(openExchange(wire, route, request, response));
      if (entry === undefined) return refuse(request, response, NOT_FOUND);
      const { allow } = entry;
      const exchange = openExchange(wire, entry.route, request, response);
      if (request.method === "OPTIONS") return sendPreflight(exchange, allow);
      const message = `this path answers ${allow}`;
      sendProblem(exchange, null, { code: "method_not_allowed", message }, ["allow", allow]);
    },
  };
}

const NOT_FOUND = refusal("not_found", "no route has this path; see /openapi.json");

const READING = "GET, HEAD, OPTIONS";

type KnownPath = { allow: string; route: Route };

/** Methods of each known path. */
function toAllowed(toRoute: (template: string) => Route): Map<string, KnownPath> {
  const allowed = new Map<string, KnownPath>();
  for (const operation of listRoutes()) {
    const { path, method } = operation;
    const allow = method === "GET" ? READING : `${method}, OPTIONS`;
    for (const each of variantsOf(operation)) allowed.set(each, { allow, route: toRoute(path) });
  }
  return allowed;
}

/** Most paths are known as they are; those with parameters are few. */
function createFinder(
  allowed: ReadonlyMap<string, KnownPath>,
): (path: string) => KnownPath | undefined {
  const templates = [...allowed].filter(([path]) => path.includes("{"));
  const patterns = templates.map(([path, known]) => ({ pattern: toPattern(path), known }));
  return (path) => allowed.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.known;
}

function toPattern(template: string): RegExp {
  const segments = template.split("/").map(toSegmentPattern);
  return new RegExp(`^${segments.join("/")}$`);
}

/** The path as the router reads it: escapes of unreserved characters are decoded. */
function toPath(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.includes("%")) return path;
  return path.replaceAll(/%([2-7][0-9a-f])/gi, (escape, hex: string) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(char) ? char : escape;
  });
}

/** Whether the escapes of a path are whole and their bytes UTF-8. The router checks known methods alone. */
function isDecodable(path: string): boolean {
  if (/%(?![0-9a-f]{2})/i.test(path)) return false;
  const runs = path.match(/(?:%[0-9a-f]{2})+/gi) ?? [];
  return runs.every((run) => isUtf8(Buffer.from(run.replaceAll("%", ""), "hex")));
}

function sendPreflight(exchange: Exchange, allow: string): void {
  const headers = [
    ...["allow", allow, "access-control-allow-methods", allow],
    ...["access-control-allow-headers", ALLOW_REQUEST_HEADERS],
    ...["access-control-max-age", "7200"],
  ];
  sendRaw(exchange, { status: 204, headers, body: null });
}

/** Finds a problem for which a request is refused whatever the operation. */
export function findTransportProblem({ raw }: Incoming): Problem | null {
  if ((raw.url as string).length > LIMITS.url_bytes) return URI_TOO_LONG;
  if (raw.headers.host === undefined) return raw.httpVersion === "1.1" ? NO_HOST : null;
  return countHosts(raw.rawHeaders) > 1 ? TWO_HOSTS : null;
}

/** RFC 9112 3.2. `headers` has the first alone, and a proxy may have used another. */
function countHosts(pairs: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}

const URI_TOO_LONG = refusal(
  "uri_too_long",
  `the request target must be at most ${LIMITS.url_bytes} bytes`,
);
const NO_HOST = refusal("invalid_request", "the request header Host is required");

const TWO_HOSTS = refusal("invalid_request", "the request header Host must appear once");

export const BAD_TARGET = refusal(
  "invalid_request",
  "the request target is not valid percent-encoded UTF-8",
);

/** `GET http://host/path` (RFC 9112 3.2.2) is the same question as `GET /path`; null: is that. */
export function toOriginForm(url: string): string | null {
  const origin = /^https?:\/\/[^/?#]*/i.exec(url)?.[0];
  if (origin === undefined) return null;
  const rest = url.slice(origin.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}
