/** Every check of one reply, the most telling first. */
import { headerOf, type Reply } from "../client.ts";
import type { Expectation, Verdict } from "../oracle/judge.ts";
import { type FuzzRequest, headersOf } from "../request.ts";
import { readJson, readText } from "./body.ts";
import { checkData } from "./data.ts";
import { findHeaderProblem } from "./headers.ts";
import type { PlacesContext } from "./places.ts";
import type { Schemas } from "./schemas.ts";

export type Served = {
  schemas: Schemas;
  /** The bytes of /openapi.json without content coding, and the tag of that representation. */
  openapi: { text: string; etag: string };
  places: PlacesContext;
};
export type Seen = {
  /** Of a refusal. */
  code: string | null;
  /** What a 200 calls itself. */
  answer: string | null;
  items: number;
  unknown: number;
};
export type Checked = { problem: string | null; seen: Seen };

const NOTHING: Seen = { code: null, answer: null, items: 0, unknown: 0 };
const failed = (problem: string | null): Checked => ({ problem, seen: NOTHING });

export function checkReply(
  served: Served,
  request: FuzzRequest,
  reply: Reply,
  expected: Expectation,
): Checked {
  if (reply.status >= 500) return failed(`${reply.status}: ${reply.body.toString().slice(0, 300)}`);
  const verdicts = expected.verdicts.filter(({ status }) => status === reply.status);
  if (verdicts.length === 0) return failed(`answered ${tell(reply)}, expected ${wanted(expected)}`);
  const early =
    findHeaderProblem(request, reply, expected) ?? documentedProblem(served, reply, expected);
  if (early !== null) return failed(early);
  if (request.method === "HEAD" || reply.status === 204 || reply.status === 304)
    return failed(emptyProblem(served, request, reply, expected));
  const text = readText(reply);
  if (text === null) return failed("the body cannot be decoded as UTF-8");
  if (expected.path === "/openapi.json" && reply.status === 200)
    return failed(descriptionProblem(served, request, reply, text));
  const body = readJson(text);
  if (body === undefined) return failed("the body is not JSON");
  if (reply.status >= 400) return checkError(served, verdicts, body, expected, reply.status);
  return checkData(served, reply, expected, { text, body: body as Record<string, unknown> });
}

function wanted({ verdicts }: Expectation): string {
  return verdicts
    .map(({ status, code, names }) =>
      [status, code, names && `naming ${names.join(" or ")}`].filter(Boolean).join(" "),
    )
    .join(", or ");
}

const tell = (reply: Reply): string => `${reply.status} ${readText(reply)?.slice(0, 200) ?? ""}`;

/** Statuses of the operation, or what precedes matching (decisions, Errors). */
const BEFORE_MATCHING = [405, 413, 414, 431];

function documentedProblem(served: Served, reply: Reply, { path }: Expectation): string | null {
  if (path === null || reply.status === 204 || BEFORE_MATCHING.includes(reply.status)) return null;
  const documented = served.schemas.statuses(path);
  return documented.includes(reply.status) ? null : `${reply.status} is not documented for ${path}`;
}

function emptyProblem(
  { openapi }: Served,
  request: FuzzRequest,
  reply: Reply,
  { path }: Expectation,
): string | null {
  if (reply.body.length > 0) return `${reply.status} with a body`;
  if (path !== "/openapi.json" || reply.status === 204) return null;
  return conditionProblem(headersOf(request, "if-none-match"), reply, openapi.etag);
}

function descriptionProblem(
  { openapi }: Served,
  request: FuzzRequest,
  reply: Reply,
  text: string,
): string | null {
  if (text !== openapi.text) return "not the description that was served before";
  return conditionProblem(headersOf(request, "if-none-match"), reply, openapi.etag);
}

/** A tag of another coding of the same document may count as known, but need not. */
function conditionProblem(given: readonly string[], reply: Reply, etag: string): string | null {
  const condition = given.join(", ");
  const core = etag.slice(1, -1);
  const known = condition === "*" || condition.includes(core);
  const tag = headerOf(reply, "etag") ?? "";
  if (!/^"[!-~]+"$/.test(tag) || !tag.includes(core)) return `ETag is ${tag}`;
  if (reply.status === 304) return known ? null : `304 to If-None-Match ${condition}`;
  return condition === "*" || condition.includes(tag) ? `200 to If-None-Match ${condition}` : null;
}

type ErrorBody = { error: { code: string; message: string } };

function checkError(
  { schemas }: Served,
  verdicts: readonly Verdict[],
  body: unknown,
  { path }: Expectation,
  status: number,
): Checked {
  const documented = path !== null && !BEFORE_MATCHING.includes(status);
  const problem = documented
    ? schemas.problem({ path, status, type: "application/json" }, body)
    : schemas.errorProblem(body);
  if (problem !== null) return failed(problem);
  const { code, message } = (body as ErrorBody).error;
  const fits = verdicts.some(
    (verdict) =>
      (verdict.code ?? code) === code &&
      (verdict.names?.some((name) => new RegExp(`\\b${name}\\b`).test(message)) ?? true),
  );
  const seen = { ...NOTHING, code };
  if (!fits)
    return {
      problem: `${code} ${JSON.stringify(message)}, expected ${wanted({ verdicts } as Expectation)}`,
      seen,
    };
  return { problem: null, seen };
}
