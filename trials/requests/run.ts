/** Runs generated requests against a service and holds every reply to the laws. */
import { createDice, type Dice } from "../dice.ts";
import { type Description, listOperations, type Tool } from "./description.ts";
import { checkReply } from "./laws/reply.ts";
import { compileSchemas } from "./laws/schemas.ts";
import { type Context, readTruth } from "./laws/context.ts";
import { untilWalked } from "./base.ts";
import { findMalformedProblem, makeMalformed } from "./malformed.ts";
import { type ApiRequest, createRequests, type RequestSource } from "./requests.ts";
import { PLACES } from "./places.ts";
import { oddTexts } from "./texts.ts";
import { findTwinProblem, makeTwin, pickTwin } from "./twins.ts";
import { type Caller, createOracle, mayOverflow, type Oracle } from "./verdict.ts";
import {
  type Connection,
  headerOf,
  openConnection,
  readText,
  type Reply,
  toWire,
  WireError,
} from "./wire.ts";

export type RunOptions = {
  port: number;
  /** The simulator behind the service. */
  sandbox_url: string;
  keys: readonly string[];
  seed: number;
  requests: number;
  /** Which operations and tools; null: all. */
  only?: readonly string[] | null;
  onProgress?: (done: number) => void;
};

/** What a run has met: the proof that nothing was left out. */
export type Tally = {
  requests: number;
  /** By operation or tool, then status; and what its answers called themselves. */
  statuses: Map<string, Map<string, number>>;
  answers: Map<string, Map<string, number>>;
  codes: Map<string, number>;
  /** Faults that were refused, oddities that were accepted, malformed bytes, kinds of pairs. */
  refused: Map<string, number>;
  accepted: Map<string, number>;
  malformed: Map<string, number>;
  twins: Map<string, number>;
  items: number;
  unknown: number;
};
export type Outcome = {
  tally: Tally;
  findings: string[];
  context: Context;
  operations: readonly string[];
};

type Run = RunOptions & {
  source: RequestSource;
  oracle: Oracle;
  context: Context;
  tally: Tally;
  findings: string[];
  next: number;
};

/** Sockets at once: the two processes take turns otherwise. */
const LANES = 4;
const MALFORMED_SHARE = 0.04;
const TWIN_SHARE = 0.2;
/** Of the tool calls that take a point: those that name it. */
const NEAR_SHARE = 0.3;
const FAULTY_SHARE = 0.55;
const FINDINGS_MAX = 10;
/** The service hangs up after ten thousand. */
const REQUESTS_PER_CONNECTION = 2000;
const DATASETS = 20;

export async function runRequests(options: RunOptions): Promise<Outcome> {
  await untilWalked(options.port);
  const { description, tools, context: opened } = await openContext(options);
  const { seed, keys } = options;
  const run: Run = {
    ...options,
    source: createRequests(
      { description, tools },
      {
        seed,
        keys,
        faulty: FAULTY_SHARE,
        stations: await readStations(options.port),
        near: NEAR_SHARE,
      },
    ),
    oracle: createOracle(listOperations(description), opened.callers),
    context: opened,
    tally: {
      requests: 0,
      items: 0,
      unknown: 0,
      statuses: new Map(),
      answers: new Map(),
      codes: new Map(),
      refused: new Map(),
      accepted: new Map(),
      malformed: new Map(),
      twins: new Map(),
    },
    findings: [],
    next: 0,
  };
  await Promise.all(Array.from({ length: LANES }, () => runLane(run)));
  const { tally, findings, context, source } = run;
  return { tally, findings, context, operations: source.operations };
}

/** Faults that a long enough run refuses: what the oracle does not permit of each parameter. */
export function listFaults(description: Description, oracle: Oracle): string[] {
  const parameters = listOperations(description).flatMap((operation) => operation.parameters);
  const faults = parameters
    .filter(({ name }) => name !== "token")
    .flatMap((parameter) =>
      Object.entries(oddTexts(parameter.schema))
        .filter(([, texts]) => texts.every((text) => oracle.permits(parameter, text) === false))
        .map(([kind]) => `${parameter.name}: ${kind}`),
    );
  return [...new Set(faults)];
}

/** What the laws need to know of a service. */
export async function openContext(
  service: Pick<RunOptions, "port" | "sandbox_url" | "keys">,
): Promise<{ description: Description; tools: readonly Tool[]; context: Context }> {
  const { description, tools, openapi } = await readDescription(service.port);
  const context = {
    schemas: compileSchemas(description, tools),
    openapi,
    callers: await readCallers(service),
    truth: await readTruth(service.sandbox_url),
    kept: new Map(),
  };
  return { description, tools, context };
}

/** Ids of stations at some of the places that are asked about. */
async function readStations(port: number): Promise<string[]> {
  const ids = new Set<string>();
  for (const { lat, lon } of PLACES.slice(0, 4)) {
    const target = `/v1/transport/nearby?lat=${lat}&lon=${lon}&limit=5`;
    const [reply] = await send(port, plainRequest("GET", target, {}, null));
    type Answer = { results: { stations: { id: string }[] } };
    const { results } = JSON.parse(reply!.body.toString()) as Answer;
    for (const { id } of results.stations) ids.add(id);
  }
  return [...ids];
}

/** The published description and the tools that /mcp lists. */
export async function readDescription(
  port: number,
): Promise<{ description: Description; tools: Tool[]; openapi: Context["openapi"] }> {
  const [reply] = await send(port, plainRequest("GET", "/openapi.json", {}, null));
  const text = readText(reply!)!;
  const list = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const [listed] = await send(
    port,
    plainRequest("POST", "/mcp?output_schemas=true", headers, list),
  );
  const { result } = JSON.parse(readText(listed!)!) as { result: { tools: Tool[] } };
  if (!result) throw new Error(String(listed!.body));
  const openapi = { text, etag: headerOf(reply!, "etag") ?? "" };
  return { description: JSON.parse(text) as Description, tools: result.tools, openapi };
}

/** Anonymous first; what each may ask for at most, as the service says. */
export async function readCallers({
  port,
  keys,
}: Pick<RunOptions, "port" | "keys">): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const key of [null, ...keys]) {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    const [reply] = await send(port, plainRequest("GET", "/v1/me", headers, null));
    type Plan = { nearby_limit_max: number; nearby_offset_max: number | null };
    const { plan } = JSON.parse(reply!.body.toString()) as { plan: Plan };
    const offset_max = plan.nearby_offset_max ?? Infinity;
    callers.push({ key, limit_max: plan.nearby_limit_max, offset_max });
  }
  return callers;
}

export function plainRequest(
  method: string,
  target: string,
  headers: Record<string, string>,
  body: Buffer | null,
): ApiRequest {
  return { operation: "", method, target, headers, body, fault: null, refused: null };
}

/** On a connection of their own. */
async function send(port: number, ...requests: ApiRequest[]): Promise<Reply[]> {
  const connection = await openConnection(port);
  try {
    const bytes = Buffer.concat(requests.map((request) => toWire(request)));
    return await connection.exchange(
      bytes,
      requests.map(({ method }) => method),
    );
  } finally {
    connection.close();
  }
}

async function runLane(run: Run): Promise<void> {
  let connection = await openConnection(run.port);
  let used = 0;
  while (run.next < run.requests && run.findings.length < FINDINGS_MAX) {
    const serial = run.next++;
    const dice = createDice(run.seed ^ 0x5bd1e995, serial);
    const request = requestOf(run, serial);
    if (run.only && !run.only.includes(request.operation)) continue;
    if (dice.chance(MALFORMED_SHARE)) {
      await tryMalformed(run, request, dice);
      continue;
    }
    const batch = [request];
    // Several in one write: answered in order, none mixed up with its neighbour.
    while (dice.chance(0.3) && batch.length < 4 && run.next < run.requests)
      batch.push(requestOf(run, run.next++));
    const isOpen = await tryBatch(run, connection, batch, dice);
    used += batch.length;
    if (!isOpen || used >= REQUESTS_PER_CONNECTION) {
      connection.close();
      connection = await openConnection(run.port);
      used = 0;
    } else if (dice.chance(TWIN_SHARE)) await tryTwin(run, connection, request, dice);
    run.onProgress?.(run.next);
  }
  connection.close();
}

function requestOf({ source, context }: Run, serial: number): ApiRequest {
  const request = source.make(serial, [...context.kept.values()].slice(-DATASETS));
  const condition = request.headers["if-none-match"];
  if (condition === undefined) return request;
  const entry = condition.replace("ETAG", context.openapi.etag);
  return { ...request, headers: { ...request.headers, "if-none-match": entry } };
}

/** The service hangs up after it: what it does not read would be taken for a request. */
function isClosing(request: ApiRequest): boolean {
  return (
    mayOverflow(request) || (request.body !== null && request.refused?.code === "body_too_large")
  );
}

/** Gives whether the connection can be used again. */
async function tryBatch(
  run: Run,
  connection: Connection,
  batch: readonly ApiRequest[],
  dice: Dice,
): Promise<boolean> {
  const together = batch.filter((request) => !isClosing(request));
  for (const request of batch.filter(isClosing)) await askAlone(run, request);
  if (together.length === 0) return true;
  try {
    const bytes = together.map((request) => toWire(request, dice.chance(0.1)));
    const replies = await connection.exchange(
      Buffer.concat(bytes),
      together.map(({ method }) => method),
    );
    for (const [at, request] of together.entries()) {
      // A busy machine may miss a deadline; not twice.
      if (replies[at]!.status === 504) await askAlone(run, request);
      else note(run, request, replies[at]!);
    }
    return replies.every((reply) => headerOf(reply, "connection") !== "close");
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    // One that does so alone is named; else a reply that closes the connection is the reason.
    const closed: boolean[] = [];
    for (const request of together) closed.push(await askAlone(run, request));
    if (!closed.includes(true))
      find(run, together[0]!, `${error.message}, in one write of ${together.length}`);
    return false;
  }
}

/** Gives whether the service hung up, or the reply is not as it must be. */
async function askAlone(run: Run, request: ApiRequest): Promise<boolean> {
  const before = run.findings.length;
  try {
    const [reply] = await send(run.port, request);
    note(run, request, reply!);
    return run.findings.length > before || headerOf(reply!, "connection") === "close";
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    find(run, request, error.message);
    return true;
  }
}

function find(run: Run, request: ApiRequest, why: string): void {
  const { operation, method, target, headers, body, fault } = request;
  const output = body === null ? "" : `\n  ${body.toString().slice(0, 1_500)}`;
  run.findings.push(
    `${operation} (${fault ?? "a valid request"}): ${why.slice(0, 1_500)}\n` +
      `  ${method} ${target.slice(0, 1_000)}\n  ${JSON.stringify(headers).slice(0, 600)}${output}`,
  );
}

/** Checks one reply and counts it. */
function note(run: Run, request: ApiRequest, reply: Reply): void {
  const { tally, context, oracle } = run;
  const { problem, code, seen } = checkReply(context, request, reply, oracle.judge(request));
  if (problem !== null) find(run, request, problem);
  tally.requests++;
  const status = `${request.method === "HEAD" ? "HEAD " : ""}${reply.status}`;
  countIn(tally.statuses, request.operation, status);
  if (seen) {
    tally.items += seen.items;
    tally.unknown += seen.unknown;
    countIn(tally.answers, request.operation, seen.answer);
  }
  if (code !== null) count(tally.codes, `${reply.status} ${code}`);
  const of = reply.status >= 400 ? tally.refused : tally.accepted;
  for (const label of request.fault?.split("; ") ?? []) count(of, label);
}

/** Feeds change and seconds pass between two answers; they do not do so every time. */
const ATTEMPTS = 6;

async function tryTwin(
  run: Run,
  connection: Connection,
  request: ApiRequest,
  dice: Dice,
): Promise<void> {
  const expected = run.oracle.judge(request);
  const kind = pickTwin(request, expected, dice);
  if (kind === null) return;
  const question = expected.question!;
  const pair = makeTwin(kind, request, question);
  let problem: string | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const bytes = Buffer.concat(pair.map((one) => toWire(one)));
    const replies = await connection.exchange(
      bytes,
      pair.map(({ method }) => method),
    );
    problem = findTwinProblem(kind, replies, question);
    if (problem === null) break;
  }
  count(run.tally.twins, kind);
  run.tally.requests += 2;
  if (problem !== null)
    find(run, pair[0], `${kind}, with ${pair[1].method} ${pair[1].target}: ${problem}`);
}

async function tryMalformed(run: Run, base: ApiRequest, dice: Dice): Promise<void> {
  const malformed = makeMalformed(base, dice);
  const connection = await openConnection(run.port);
  let problem: string | null;
  try {
    const replies = await connection.flush(malformed.bytes);
    problem = findMalformedProblem(run.context.schemas, replies, malformed);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    problem = error.message;
  }
  connection.close();
  run.tally.requests++;
  count(run.tally.malformed, malformed.label);
  if (problem === null) return;
  run.findings.push(
    `${malformed.label}: ${problem}\n  ${JSON.stringify(malformed.bytes.toString("latin1"))}`,
  );
}

function countIn(table: Map<string, Map<string, number>>, row: string, key: string): void {
  const counts = table.get(row) ?? new Map<string, number>();
  table.set(row, counts);
  count(counts, key);
}

function count(row: Map<string, number>, key: string): void {
  row.set(key, (row.get(key) ?? 0) + 1);
}
