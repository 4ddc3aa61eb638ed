/** Headers of every reply (decisions, Conventions, Errors, Authentication). */
import type { ApiRequest } from "../requests.ts";
import type { Expectation } from "../verdict.ts";
import { headerOf, mimeOf, type Reply } from "../wire.ts";

const GENERATED = /^[A-Za-z0-9._-]{1,64}$/;

export function findHeaderProblem(
  request: ApiRequest,
  reply: Reply,
  expected: Expectation,
): string | null {
  return (
    findCommonProblem(reply) ??
    idProblem(request, reply) ??
    statusProblem(request, reply, expected) ??
    tokenProblem(request, reply, expected) ??
    codingProblem(request, reply)
  );
}

/** Of replies to anything, malformed requests included. */
export function findCommonProblem(reply: Reply): string | null {
  const names = reply.headers.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `the header ${twice} occurs twice`;
  if (!GENERATED.test(headerOf(reply, "x-request-id") ?? "")) return "no well-formed x-request-id";
  if (headerOf(reply, "access-control-allow-origin") !== "*") return "no CORS header";
  if (names.includes("access-control-allow-credentials"))
    return "credentials allowed to any origin";
  if (reply.headers.some(([, value]) => value.includes("evil.example")))
    return "a header is reflected";
  if (reply.status < 400) return null;
  if (headerOf(reply, "cache-control") !== "no-store") return "an error that may be cached";
  return mimeOf(reply) === "application/json" ? null : "an error that is not application/json";
}

/** The caller's id, else the id of a well-formed traceparent, else one of the service. */
function idProblem({ headers }: ApiRequest, reply: Reply): string | null {
  const id = headerOf(reply, "x-request-id")!;
  const input = headers["x-request-id"]?.trim();
  if (input !== undefined && GENERATED.test(input))
    return id === input ? null : `x-request-id ${input} came back as ${id}`;
  const parent = headers["traceparent"];
  const trace = traceOf(parent);
  if (trace !== null) return id === trace ? null : `traceparent ${trace} came back as ${id}`;
  if (input === id) return `the malformed x-request-id ${id} came back`;
  return parent?.split("-").includes(id) ? `the malformed traceparent ${parent} came back` : null;
}

/** W3C Trace Context 3.2: four fields of fixed length; only later versions may go on. */
function traceOf(parent: string | undefined): string | null {
  const [version = "", trace = "", span = "", flags = "", ...rest] = (parent ?? "").split("-");
  const hex = (text: string, length: number): boolean =>
    text.length === length && /^[0-9a-f]+$/.test(text);
  if (!hex(version, 2) || version === "ff" || (version === "00" && rest.length > 0)) return null;
  if (!hex(trace, 32) || !hex(span, 16) || !hex(flags, 2)) return null;
  return /^0+$/.test(trace) || /^0+$/.test(span) ? null : trace;
}

function statusProblem(
  request: ApiRequest,
  reply: Reply,
  { operation, token_used }: Expectation,
): string | null {
  const allow = (headerOf(reply, "allow") ?? "").split(", ");
  const challenge = headerOf(reply, "www-authenticate") ?? "";
  switch (reply.status) {
    case 204:
    case 405: {
      const wanted = operation?.method === "GET" ? ["GET", "HEAD", "OPTIONS"] : ["POST", "OPTIONS"];
      return allow.toString() === wanted.toString() ? null : `Allow is ${allow.toString()}`;
    }
    case 401: {
      const isMissing =
        request.headers["authorization"] === undefined && !token_used && operation !== null;
      const wanted = isMissing ? 'Bearer realm="api"' : 'Bearer realm="api", error="invalid_token"';
      return challenge.startsWith(wanted) ? null : `WWW-Authenticate is ${challenge}`;
    }
    case 429:
    case 503:
      return /^\d+$/.test(headerOf(reply, "retry-after") ?? "") ? null : "no Retry-After";
    default:
      return request.method === "HEAD" && reply.body.length > 0 ? "HEAD with a body" : null;
  }
}

/** Legacy routes are deprecated as a whole, those with a successor and by token. */
function tokenProblem(
  { target }: ApiRequest,
  reply: Reply,
  { token_used, operation }: Expectation,
): string | null {
  const deprecation = headerOf(reply, "deprecation");
  const link = headerOf(reply, "link") ?? "";
  const isLegacy = operation?.id.startsWith("getLegacy") === true && reply.status !== 405;
  // Refused before it was matched, by whatever is known of the path.
  if (operation === null && target.includes("/realtime/")) return null;
  if (!token_used && !isLegacy)
    return deprecation === undefined ? null : "Deprecation without token";
  if ([204, 304, 405].includes(reply.status)) return null;
  if (deprecation !== "@1767225600") return `Deprecation is ${deprecation}`;
  if (isLegacy && !link.includes('rel="successor-version"')) return "no link to the successor";
  return token_used && !link.includes('rel="deprecation"') ? "no link to the deprecation" : null;
}

/** Only what was asked for; and the large ones when it was asked plainly. */
function codingProblem({ headers }: ApiRequest, reply: Reply): string | null {
  const coding = headerOf(reply, "content-encoding");
  const query = (headers["accept-encoding"] ?? "").toLowerCase();
  const isNamed = coding !== undefined && (query.includes(coding) || query.includes("*"));
  if (coding !== undefined && !isNamed) return `${coding} was not asked for`;
  if (coding !== undefined && new RegExp(`${coding};q=0($|,)`).test(query))
    return `${coding} was refused`;
  const names = ["br", "gzip"].filter((name) => new RegExp(`(^|[ ,])${name}($|[ ,])`).test(query));
  const length = Number(headerOf(reply, "content-length") ?? 0);
  const isPlain = names.length > 0 && !query.includes("identity");
  return coding === undefined && length > 1024 && reply.status === 200 && isPlain
    ? `${names.join(", ")} asked for in vain`
    : null;
}
