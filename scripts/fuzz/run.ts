/** Runs generated requests against a port and holds every reply to the oracle. */
import { makeMalformed } from "./generate/malformed.ts";
import { makeRequest } from "./generate/requests.ts";
import { createDice } from "../../trials/dice.ts";
import { type Connection, headerOf, openConnection, type Reply, WireError } from "./client.ts";
import { readText } from "./checks/body.ts";
import { createPlacesContext } from "./checks/context.ts";
import { findMalformedProblem } from "./checks/malformed.ts";
import { checkReply, type Served } from "./checks/reply.ts";
import { compileSchemas, type OpenApi } from "./checks/schemas.ts";
import { judge } from "./oracle/judge.ts";
import { closesAfter, type FuzzRequest, toWire } from "./request.ts";
import { shrink } from "./shrink.ts";
import { count, countIn, createTally, type Tally } from "./tally.ts";
import { canTwin, findTwinProblem, pickTwin } from "./twins.ts";

export type Failure = {
  index: number;
  why: string;
  bytes: Buffer;
  /** As it was met, when a smaller one was found: what fails by its past cannot be made smaller. */
  first?: { why: string; bytes: Buffer };
};
export type Outcome = { tally: Tally; failure: Failure | null };

export type RunOptions = {
  port: number;
  /** The simulator behind the service. */
  sandbox_url: string;
  seed: number;
  requests: number;
  /** Stop early; for tests that have only so many seconds. */
  until_ms?: number;
  onProgress?: (done: number) => void;
};

/** Sockets at once: the two processes take turns otherwise. */
const LANES = 4;
const MALFORMED_SHARE = 0.04;
const TWIN_SHARE = 0.08;
/** The service hangs up after ten thousand. */
const REQUESTS_PER_CONNECTION = 2000;

type Run = RunOptions & { served: Served; tally: Tally; next: number; failure: Failure | null };

export async function runFuzz(options: RunOptions): Promise<Outcome> {
  const served = await fetchServed(options);
  const run: Run = { ...options, served, tally: createTally(), next: 0, failure: null };
  const lanes = Array.from({ length: LANES }, () =>
    runLane(run).catch((error: unknown) => lose(run, error)),
  );
  await Promise.all(lanes);
  return { tally: run.tally, failure: run.failure };
}

async function fetchServed({ port, sandbox_url }: RunOptions): Promise<Served> {
  const connection = await openConnection(port);
  const bytes = Buffer.from("GET /openapi.json HTTP/1.1\r\nHost: fuzz.example\r\n\r\n");
  const [reply] = await connection.exchange(bytes, ["GET"]);
  connection.close();
  const text = readText(reply!)!;
  const schemas = compileSchemas(JSON.parse(text) as OpenApi);
  const places = await createPlacesContext(schemas, sandbox_url);
  return { schemas, openapi: { text, etag: headerOf(reply!, "etag") ?? "" }, places };
}

/** The service is gone, or answers no more. */
function lose(run: Run, error: unknown): void {
  if (!(error instanceof WireError)) throw error;
  run.failure ??= { index: run.next, why: error.message, bytes: Buffer.alloc(0) };
}

async function runLane(run: Run): Promise<void> {
  let connection = await openConnection(run.port);
  let used = 0;
  while (
    run.next < run.requests &&
    run.failure === null &&
    Date.now() < (run.until_ms ?? Infinity)
  ) {
    const index = run.next++;
    const dice = createDice(run.seed ^ 0x5bd1e995, index);
    if (dice.chance(MALFORMED_SHARE)) {
      await tryMalformed(run, index);
      continue;
    }
    const batch = [index];
    // Several in one write: answered in order, none mixed up with its neighbour.
    while (dice.chance(0.3) && batch.length < 4 && run.next < run.requests) batch.push(run.next++);
    const open = await tryBatch(run, connection, batch);
    used += batch.length;
    if (!open || used >= REQUESTS_PER_CONNECTION) {
      connection.close();
      connection = await openConnection(run.port);
      used = 0;
    } else if (dice.chance(TWIN_SHARE)) await tryTwin(run, connection, index, dice.next());
    run.onProgress?.(run.next);
  }
  connection.close();
}

function requestOf(run: Run, index: number): FuzzRequest {
  const request = makeRequest(run.seed, index);
  const { etag } = run.served.openapi;
  const headers = request.headers.map(
    ([name, value]) =>
      [name, name.toLowerCase() === "if-none-match" ? value.replace("ETAG", etag) : value] as const,
  );
  return { ...request, headers };
}

/** Gives whether the connection can be used again. */
async function tryBatch(
  run: Run,
  connection: Connection,
  batch: readonly number[],
): Promise<boolean> {
  const made = batch.map((index) => ({ index, request: requestOf(run, index) }));
  const ending = made.findIndex(({ request }) => closesAfter(request));
  // What follows a request that ends the connection goes on one of its own.
  const together = ending === -1 ? made : made.slice(0, ending + 1);
  const rest = ending === -1 ? [] : made.slice(ending + 1);
  try {
    const bytes = Buffer.concat(together.map(({ request }) => toWire(request)));
    const replies = await connection.exchange(
      bytes,
      together.map(({ request }) => request.method),
    );
    for (const [at, { index, request }] of together.entries())
      await judgeReply(run, index, request, replies[at]!);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    await blame(run, made, error);
    return false;
  }
  for (const { index, request } of rest) {
    const why = await ask(run, request, true);
    if (why !== null) await fail(run, index, request, why);
  }
  const closing = together.some(({ request }) => closesAfter(request));
  return !closing;
}

async function judgeReply(
  run: Run,
  index: number,
  request: FuzzRequest,
  reply: Reply,
): Promise<void> {
  const why = note(run, request, reply);
  if (why !== null) await fail(run, index, request, why);
}

/** Checks one reply and counts it; null: as it must be. */
function note({ served, tally }: Run, request: FuzzRequest, reply: Reply): string | null {
  const expected = judge(request);
  const { problem, seen } = checkReply(served, request, reply, expected);
  tally.requests++;
  tally.items += seen.items;
  tally.unknown += seen.unknown;
  const operation = expected.path ?? "no operation";
  const status = `${request.method === "HEAD" ? "HEAD " : ""}${reply.status}`;
  countIn(tally.statuses, operation, status);
  if (seen.answer !== null) countIn(tally.answers, operation, seen.answer);
  if (seen.code !== null) count(tally.codes, `${reply.status} ${seen.code}`);
  for (const label of request.labels) if (proves(label, reply)) count(tally.labels, label);
  return problem;
}

/** A fault counts when it was refused, an oddity when it was accepted. */
function proves(label: string, { status }: Reply): boolean {
  if (label.startsWith("path:")) return true;
  return label.startsWith("allowed:") ? status === 200 : status >= 400;
}

/** Asks on a connection of its own; null: the reply is as it must be. */
async function ask(run: Run, request: FuzzRequest, counted = false): Promise<string | null> {
  const connection = await openConnection(run.port);
  try {
    const [reply] = await connection.exchange(toWire(request), [request.method]);
    if (counted) return note(run, request, reply!);
    return checkReply(run.served, request, reply!, judge(request)).problem;
  } catch (error) {
    if (error instanceof WireError) return error.message;
    throw error;
  } finally {
    connection.close();
  }
}

/** A batch broke off: the request that does so alone is the one, else they do it together. */
async function blame(
  run: Run,
  made: readonly { index: number; request: FuzzRequest }[],
  error: WireError,
): Promise<void> {
  for (const { index, request } of made) {
    const why = await ask(run, request);
    if (why !== null) return fail(run, index, request, why);
  }
  const bytes = Buffer.concat(made.map(({ request }) => toWire(request)));
  run.failure ??= { index: made[0]!.index, why: `${error.message}, in one write`, bytes };
}

async function fail(run: Run, index: number, request: FuzzRequest, first: string): Promise<void> {
  if (run.failure !== null) return;
  run.failure = { index, why: first, bytes: toWire(request) };
  const small = await shrink(request, async (one) => (await ask(run, one)) !== null);
  const why = await ask(run, small);
  if (why !== null) run.failure = { index, why, bytes: toWire(small), first: run.failure };
}

async function tryTwin(
  run: Run,
  connection: Connection,
  index: number,
  roll: number,
): Promise<void> {
  const request = requestOf(run, index);
  const expected = judge(request);
  if (!canTwin(request) || expected.path === null) return;
  const kind = pickTwin(expected, roll);
  const { question } = expected;
  const problem = await findTwinProblem(connection, request, { kind, question });
  count(run.tally.twins, kind);
  run.tally.requests += 2;
  if (problem !== null) run.failure ??= { index, why: problem, bytes: toWire(request) };
}

async function tryMalformed(run: Run, index: number): Promise<void> {
  const { bytes, label, statuses } = makeMalformed(
    createDice(run.seed, index),
    requestOf(run, index),
  );
  const connection = await openConnection(run.port);
  let problem: string | null;
  try {
    const replies = await connection.flush(bytes);
    problem = findMalformedProblem(run.served, replies, statuses);
    for (const { status } of replies) countIn(run.tally.statuses, "malformed", String(status));
    if (replies.length === 0) countIn(run.tally.statuses, "malformed", "hung up");
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    problem = error.message;
  }
  connection.close();
  run.tally.requests++;
  run.tally.malformed++;
  count(run.tally.labels, label);
  if (problem !== null) run.failure ??= { index, why: `${label}: ${problem}`, bytes };
}
