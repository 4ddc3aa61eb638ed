/** Checks every law of one reply, the most distinctive first. */
import type { Expectation, Verdict } from "../verdict.ts";
import type { ApiRequest } from "../requests.ts";
import { headerOf, mimeOf, readJson, readText, type Reply } from "../wire.ts";
import { findLostProblem } from "./capabilities.ts";
import { findDataProblem, type Seen } from "./data.ts";
import { findHeaderProblem } from "./headers.ts";
import type { Context } from "./context.ts";

export type Checked = { problem: string | null; code: string | null; seen: Seen | null };

const failed = (problem: string | null): Checked => ({ problem, code: null, seen: null });

export function checkReply(
  context: Context,
  request: ApiRequest,
  reply: Reply,
  expected: Expectation,
): Checked {
  if (reply.status >= 500) return failed(`${reply.status}: ${reply.body.toString().slice(0, 300)}`);
  const verdicts = expected.verdicts.filter(({ status }) => status === reply.status);
  if (verdicts.length === 0)
    return failed(`answered ${excerptOf(reply)}, expected ${wanted(expected)}`);
  const early = findHeaderProblem(request, reply, expected) ?? documentedProblem(reply, expected);
  if (early !== null) return failed(early);
  const id = expected.operation?.id ?? null;
  if (request.method === "HEAD" || reply.status === 204 || reply.status === 304)
    return failed(
      reply.body.length > 0
        ? `${reply.status} with a body`
        : id === "getOpenApi" && reply.status !== 204
          ? conditionProblem(request, reply, context.openapi.etag)
          : null,
    );
  const text = readText(reply);
  if (text === null) return failed("the body cannot be decoded as UTF-8");
  if (id === "getOpenApi" && reply.status === 200)
    return failed(
      text === context.openapi.text
        ? conditionProblem(request, reply, context.openapi.etag)
        : "not the description that was served before",
    );
  const body = readJson(text);
  if (body === undefined) return failed("the body is not JSON");
  if (reply.status >= 400) {
    const lost = findLostProblem(context, request, reply, expected);
    return lost ? failed(lost) : checkError(context, verdicts, body, expected, reply.status);
  }
  // An escaped quotation mark before another one ends a text; two alone are an empty one.
  const echoes = id === "executeCapability" || id === null;
  if (!echoes && /(?<!\\)""/.test(text)) return failed('something unknown is reported as ""');
  if (id !== null) {
    const broken = context.schemas.problem(id, reply.status, mimeOf(reply), body);
    if (broken !== null) return failed(broken);
  }
  const { problem, seen } = findDataProblem(context, { request, reply, expected, text, body });
  return { problem, code: null, seen };
}

function wanted({ verdicts }: Pick<Expectation, "verdicts">): string {
  return verdicts
    .map(({ status, code, names }) =>
      [status, code, names && `naming ${names.join(" or ")}`].filter(Boolean).join(" "),
    )
    .join(", or ");
}

const excerptOf = (reply: Reply): string =>
  `${reply.status} ${readText(reply)?.slice(0, 300) ?? ""}`;

/** Statuses of the operation, or what precedes matching (decisions, Errors). */
const BEFORE_MATCHING = [405, 413, 414, 431];

function documentedProblem({ status }: Reply, { operation }: Expectation): string | null {
  if (operation === null || status === 204 || BEFORE_MATCHING.includes(status)) return null;
  return operation.responses[status] ? null : `${status} is not documented for ${operation.id}`;
}

/** A tag of another coding of the same document may count as known, but need not. */
function conditionProblem({ headers }: ApiRequest, reply: Reply, etag: string): string | null {
  const condition = headers["if-none-match"] ?? "";
  const core = etag.slice(1, -1);
  const isKnown = condition === "*" || condition.includes(core);
  const tag = headerOf(reply, "etag") ?? "";
  if (!/^"[!-~]+"$/.test(tag) || !tag.includes(core)) return `ETag is ${tag}`;
  if (reply.status === 304) return isKnown ? null : `304 to If-None-Match ${condition}`;
  return condition === "*" || condition.includes(tag) ? `200 to If-None-Match ${condition}` : null;
}

type ErrorBody = { error: { code: string; message: string } };

function checkError(
  { schemas }: Context,
  verdicts: readonly Verdict[],
  body: unknown,
  { operation }: Expectation,
  status: number,
): Checked {
  const isDescribed = operation !== null && !BEFORE_MATCHING.includes(status);
  const problem = isDescribed
    ? schemas.problem(operation.id, status, "application/json", body)
    : schemas.componentProblem("Error", body);
  if (problem !== null) return failed(problem);
  const { code, message } = (body as ErrorBody).error;
  const isNamed = (name: string): boolean =>
    /^\w+$/.test(name) ? new RegExp(`\\b${name}\\b`).test(message) : message.includes(name);
  const fits = verdicts.some(
    (verdict) => (verdict.code ?? code) === code && (verdict.names?.some(isNamed) ?? true),
  );
  const mismatch = `${code} ${JSON.stringify(message)}, expected ${wanted({ verdicts })}`;
  return { problem: fits ? null : mismatch, code, seen: null };
}
