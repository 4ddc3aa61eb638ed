/**
 * Every operation for every kind of caller, over real sockets, in its methods: status, code and
 * headers are those of the table, which was written from decisions, Errors.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SEARCH_REQUEST_EXAMPLE } from "#api/capabilities-examples.ts";
import type { Operation } from "#api/operation.ts";
import { listOperations } from "#api/operations.ts";
import { documentedStatuses } from "../../support/documented.ts";
import { openCallers, PLANS, type Presentation } from "./callers.ts";
import { CLASSES } from "../../support/by-hand.ts";
import { type Class, type Outcome, type RowName, TABLE, type Reported } from "./matrix-table.ts";
import { addressOf, type Caller, createCaller, openService, PARIS, type Reply } from "./support.ts";

type Cell = { row: RowName; operation: Operation; of: Class; method: string; url: string };

const SUNSET = "2027-06-30T22:00:00Z";
const methodsOf = ({ method }: Operation): readonly string[] =>
  method === "GET" ? ["GET", "HEAD"] : [method];

test("every kind of caller gets the decided reply of every operation", async (t) => {
  const { url, accounts, service } = await openService(t, {
    plans: PLANS,
    deprecation: { token_sunset: SUNSET },
    still: true,
  });
  const ask = createCaller(t);
  const callers = await openCallers({ url, accounts, ask });
  const cells = listCells(callers, await findIds(ask, url));
  const wrong: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const caller = callers[cell.row];
    const reply = await askCell(ask, { cell, caller, base: url, index });
    const header = caller.headers?.["authorization"] ?? "";
    const secrets = [...(caller.tokens ?? []), ...header.split(" ")];
    const faults = findFaults(cell, reply, { caller, secrets, now_ms: service.clock.now() });
    if (faults.length > 0)
      wrong.push(`${cell.row}: ${cell.method} ${cell.url}: ${faults.join("; ")}`);
  }
  assert.deepEqual(wrong, []);
  const rows = Object.keys(TABLE).length;
  const questions = listOperations().flatMap(methodsOf).length;
  assert.ok(rows >= 41 && questions >= 24, `${rows} × ${questions}`);
  assert.equal(cells.length, rows * questions);
  t.diagnostic(`${cells.length} cells: ${rows} callers, ${questions} operations and methods`);
});

type Ids = { station: string; dock: string };

/** Ids of stations, which are known from when they are first named. */
async function findIds(ask: Caller, url: string): Promise<Ids> {
  const first = async (path: string): Promise<string> => {
    const { text } = await ask(`${url}${path}?${PARIS}&limit=10`, { method: "GET" });
    const { results } = JSON.parse(text) as { results: { stations: { id: string }[] } };
    return results.stations[0]!.id;
  };
  return { station: await first("/v1/transport/nearby"), dock: await first("/v1/nearby") };
}

/** No operation is left out: one without a class is a mistake of this test. */
function listCells(callers: Record<RowName, Presentation>, { station, dock }: Ids): Cell[] {
  return (Object.keys(TABLE) as RowName[]).flatMap((row) =>
    listOperations().flatMap((operation) => {
      const of = (Object.keys(CLASSES) as Class[]).find((each) => operation.id in CLASSES[each]);
      assert.ok(of, `${operation.id} has no column in the table`);
      const path = (CLASSES[of] as Readonly<Record<string, string>>)[operation.id]!;
      const tokens = (callers[row].tokens ?? []).map((token) => `token=${token}`);
      const filled = path.replace("{place}", PARIS).replace("{station}", station);
      const url = addQuery(filled.replace("{dock}", dock), tokens);
      return methodsOf(operation).map((method) => ({ row, operation, of, method, url }));
    }),
  );
}

function addQuery(path: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${pairs.join("&")}`;
}

async function askCell(
  ask: Caller,
  { cell, caller, base, index }: { cell: Cell; caller: Presentation; base: string; index: number },
): Promise<Reply> {
  const { address = addressOf(index), headers = {}, before } = caller;
  if (before) await ask(`${base}/v1/me`, before);
  const body = cell.operation.body === undefined ? undefined : toSearch(index);
  const put = (): Promise<Reply> =>
    ask(base + cell.url, { method: cell.method, headers, address, body });
  const reply = await put();
  // In the moment between, one more may have been allowed: now it is used up.
  return before && reply.status === 401 ? await put() : reply;
}

/** No two alike: a repeat costs nothing, and its reply reports no units. */
function toSearch(index: number): object {
  const correlation = { ...SEARCH_REQUEST_EXAMPLE.correlation, request_id: `cell ${index}` };
  return { ...SEARCH_REQUEST_EXAMPLE, correlation };
}

type Seen = { caller: Presentation; secrets: readonly string[]; now_ms: number };

function findFaults({ row, operation, of, method }: Cell, reply: Reply, seen: Seen): string[] {
  const expected: Outcome = TABLE[row][of];
  const { status, headers } = reply;
  const says = (name: string): string | undefined => headers[name] as string | undefined;
  const keyed = seen.caller.headers !== undefined || seen.caller.tokens !== undefined;
  const isOpen = of === "open" || of === "unpublished";
  const deprecated = !isOpen && seen.caller.tokens !== undefined;
  const dated = deprecated || operation.successor !== undefined;
  const faults = [
    status === expected.status ? null : `status ${status} ${reply.text.slice(0, 200)}`,
    documentedStatuses(operation).includes(status) ? null : `${status} is not documented`,
    method === "HEAD" || reply.code === expected.code ? null : `code ${reply.code}`,
    (method === "HEAD") === (reply.text === "") ? null : "a body too few or too many",
    says("www-authenticate") === challengeOf(expected) ? null : says("www-authenticate"),
    findRetryFault(expected, says("retry-after"), seen.now_ms),
    findLimitFault(expected.reported, says("ratelimit"), says("ratelimit-policy")),
    dated === (says("deprecation") === "@1767225600") ? null : "Deprecation",
    deprecated === (says("sunset") === "Wed, 30 Jun 2027 22:00:00 GMT") ? null : "Sunset",
    deprecated === /rel="deprecation"/.test(says("link") ?? "") ? null : "Link",
    findCacheFault(of, { status, keyed }, says("cache-control")),
    status === 200 ? findRowFault(operation, says) : null,
    status < 400 || method === "HEAD" ? null : findBodyFault(reply.text, seen.secrets),
    says("x-request-id") ? null : "no x-request-id",
  ];
  return faults.filter((fault) => fault !== null && fault !== undefined);
}

function challengeOf({ status, code, lacks }: Outcome): string | undefined {
  // RFC 6750 3: a request without credentials is given no error code.
  if (code === "missing_token") return 'Bearer realm="api"';
  if (status === 401) return 'Bearer realm="api", error="invalid_token"';
  if (lacks === undefined) return undefined;
  return `Bearer realm="api", error="insufficient_scope", scope="${lacks}"`;
}

function findRetryFault({ retry }: Outcome, message: string | undefined, now_ms: number) {
  if (retry === undefined) return message === undefined ? null : `Retry-After ${message}`;
  const seconds = Number(message);
  if (!/^[1-9]\d*$/.test(message ?? "")) return `Retry-After ${message}`;
  if (retry === "burst") return seconds <= 1_000 ? null : `Retry-After ${message}`;
  // The clock has gone on since the reply was made, and not for long.
  const rest_s = (endOf(retry, now_ms) - now_ms) / 1000;
  return seconds >= rest_s && seconds < rest_s + 60
    ? null
    : `Retry-After ${message}, not ${rest_s}`;
}

function endOf(period: "day" | "month", now_ms: number): number {
  const now = new Date(now_ms);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return period === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
}

const LIMIT = /^"[a-z]+";r=\d+;t=\d+(, "[a-z]+";r=\d+;t=\d+)*$/;
const POLICY = /^"[a-z]+";q=\d+;w=[1-9]\d*(, "[a-z]+";q=\d+;w=[1-9]\d*)*$/;

function findLimitFault(reported: Reported, limit: string | undefined, policy: string | undefined) {
  const names = [...(limit ?? "").matchAll(/"([a-z]+)"/g)].map(([, name]) => name);
  const policies = [...(policy ?? "").matchAll(/"([a-z]+)"/g)].map(([, name]) => name);
  const kinds = names.map((name) => (name === "burst" ? "burst" : "units")).join(" and ");
  if ((kinds || "nothing") !== reported) return `RateLimit ${limit}, not ${reported}`;
  if (reported === "nothing") return policy === undefined ? null : `RateLimit-Policy ${policy}`;
  const fits = LIMIT.test(limit ?? "") && POLICY.test(policy ?? "");
  return fits && names.join() === policies.join() ? null : `${limit} of ${policy}`;
}

/** Decisions, Conventions: public is for anonymous, complete answers; errors are not kept. */
function findCacheFault(
  of: Class,
  { status, keyed }: { status: number; keyed: boolean },
  reported = "",
): string | null {
  if (status >= 400) return reported === "no-store" ? null : `Cache-Control ${reported}`;
  if (of === "open") return null;
  const stored = keyed ? /^(private, max-age=\d+|no-store)$/ : /^(public, max-age=\d+|no-store)$/;
  const age_s = Number(/max-age=(\d+)/.exec(reported)?.[1] ?? 0);
  return stored.test(reported) && age_s <= 30 ? null : `Cache-Control ${reported}`;
}

/** What the row of the operation says of the head of a 200, and the description with it. */
function findRowFault(
  { caching, licence_link }: Operation,
  says: (name: string) => string | undefined,
): string | null {
  const isLinked = /<\/v1\/sources>; rel="license"/.test(says("link") ?? "");
  if (isLinked !== licence_link)
    return `Link ${says("link")}, though licence_link: ${licence_link}`;
  const reported = says("cache-control") ?? "";
  // Words end with a stop; else it is the value.
  if (!caching.endsWith("."))
    return reported === caching ? null : `Cache-Control ${reported}, not ${caching}`;
  const age_s = Number(/max-age=(\d+)/.exec(reported)?.[1] ?? 0);
  const most_s = Number(/(\d+) s\b/.exec(caching)?.[1] ?? Number.POSITIVE_INFINITY);
  return age_s <= most_s ? null : `Cache-Control ${reported}, though ${caching}`;
}

function findBodyFault(text: string, secrets: readonly string[]): string | null {
  const { error, ...rest } = JSON.parse(text) as { error: Record<string, unknown> };
  const members = Object.keys(error).join();
  const { message } = error;
  if (members !== "code,message" || Object.keys(rest).length > 0) return text;
  if (typeof message !== "string" || message === "") return text;
  const leaked = secrets.some((secret) => secret.length > 8 && text.includes(secret));
  return leaked ? "the credential is repeated" : null;
}
