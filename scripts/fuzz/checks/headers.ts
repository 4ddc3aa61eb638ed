/** Headers of every reply (decisions, Conventions, Errors, Authentication). */
import { headerOf, type Reply } from "../client.ts";
import type { Expectation } from "../oracle/judge.ts";
import { type FuzzRequest, headersOf } from "../request.ts";

const GENERATED = /^[A-Za-z0-9._-]{1,64}$/;

export function findHeaderProblem(
  request: FuzzRequest,
  reply: Reply,
  expected: Expectation,
): string | null {
  return (
    findCommonProblem(reply) ??
    idProblem(request, reply) ??
    statusProblem(request, reply) ??
    tokenProblem(reply, expected) ??
    codingProblem(request, reply)
  );
}

/** Of replies to anything, malformed requests included. */
export function findCommonProblem(reply: Reply): string | null {
  const names = reply.headers.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `the header ${twice} stands twice`;
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

export function mimeOf(reply: Reply): string {
  return (headerOf(reply, "content-type") ?? "").split(";")[0]!.trim();
}

/** The caller's id, else the id of a well-formed traceparent, else one of ours. */
function idProblem(request: FuzzRequest, reply: Reply): string | null {
  const id = headerOf(reply, "x-request-id")!;
  const given = headersOf(request, "x-request-id");
  const [only] = given;
  if (only !== undefined && given.length === 1 && GENERATED.test(only))
    return id === only ? null : `x-request-id ${only} came back as ${id}`;
  const parents = headersOf(request, "traceparent");
  const trace = traceOf(parents);
  if (trace !== null) return id === trace ? null : `traceparent ${trace} came back as ${id}`;
  if (given.includes(id)) return `the malformed x-request-id ${id} came back`;
  if (parents.some((parent) => parent.split("-").includes(id)))
    return `the malformed traceparent ${parents[0]} came back as ${id}`;
  return null;
}

/** W3C Trace Context 3.2: four fields of fixed length; only later versions may go on. */
function traceOf([parent]: readonly string[]): string | null {
  const [version = "", trace = "", span = "", flags = "", ...rest] = (parent ?? "").split("-");
  const hex = (text: string, length: number): boolean =>
    text.length === length && /^[0-9a-f]+$/.test(text);
  if (!hex(version, 2) || version === "ff" || (version === "00" && rest.length > 0)) return null;
  if (!hex(trace, 32) || !hex(span, 16) || !hex(flags, 2)) return null;
  return /^0+$/.test(trace) || /^0+$/.test(span) ? null : trace;
}

function statusProblem(request: FuzzRequest, reply: Reply): string | null {
  const allow = headerOf(reply, "allow") ?? "";
  const challenge = headerOf(reply, "www-authenticate") ?? "";
  switch (reply.status) {
    case 204:
    case 405:
      return ["GET", "HEAD", "OPTIONS"].every((one) => allow.split(", ").includes(one))
        ? null
        : `Allow is ${JSON.stringify(allow)}`;
    case 401:
      return challenge.startsWith('Bearer realm="api", error="invalid_token"')
        ? null
        : `WWW-Authenticate is ${JSON.stringify(challenge)}`;
    case 429:
    case 503:
      return /^\d+$/.test(headerOf(reply, "retry-after") ?? "") ? null : "no Retry-After";
    default:
      return request.method === "HEAD" && reply.body.length > 0 ? "HEAD with a body" : null;
  }
}

function tokenProblem(reply: Reply, { token_used }: Expectation): string | null {
  const deprecation = headerOf(reply, "deprecation");
  const link = headerOf(reply, "link") ?? "";
  if (!token_used) return deprecation === undefined ? null : "Deprecation without token";
  if (deprecation !== "@1767225600") return "token without Deprecation";
  return link.includes('rel="deprecation"') ? null : "token without the link to its deprecation";
}

/** Only what was asked for; and the large ones when it was asked plainly. */
function codingProblem(request: FuzzRequest, reply: Reply): string | null {
  const coding = headerOf(reply, "content-encoding");
  const asked = headersOf(request, "accept-encoding").join(",").toLowerCase();
  const names = ["br", "gzip"].filter((name) => new RegExp(`(^|[ ,])${name}($|[ ,])`).test(asked));
  if (coding !== undefined && asked === "") return `${coding} was not asked for`;
  if (coding !== undefined && !asked.includes(coding) && !asked.includes("*"))
    return `${coding} was not asked for`;
  if (coding !== undefined && new RegExp(`${coding};q=0($|,)`).test(asked))
    return `${coding} was refused`;
  const large = lengthOf(reply) > 1024 && reply.status === 200;
  const plain = names.length > 0 && !asked.includes("identity");
  return coding === undefined && large && plain ? `${names.join(", ")} asked for in vain` : null;
}

function lengthOf(reply: Reply): number {
  return Number(headerOf(reply, "content-length") ?? 0);
}
