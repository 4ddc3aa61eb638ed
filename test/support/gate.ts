/** A gate over stubs, and exchanges without a socket: what the checks make of a situation. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pino } from "pino";
import type { KeyedCaller } from "#app/access/request-caller.ts";
import type { Keyring, KeyVerdict } from "#app/access/keyring.ts";
import { Meter } from "#app/access/meter.ts";
import { Quotas } from "#app/access/unit-quota.ts";
import type { Operation } from "#api/operation.ts";
import { findOperation, type OperationId } from "#api/operations.ts";
import type { Plan } from "#core/plans.ts";
import { BadKeyThrottle } from "#http/bad-keys.ts";
import type { DrainState } from "#http/drain.ts";
import { type Exchange, openExchange, sendRaw } from "#http/http-exchange.ts";
import { AccessGate, type Gate, type GateDeps } from "#http/gate.ts";
import type { Handler } from "#http/handler.ts";
import { OpenStreams } from "#http/open-streams.ts";
import { createRunner, type RunOperation } from "#http/runner.ts";
import { ServingThread } from "#http/serving.ts";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import { createMemoryUsage } from "./memory-usage.ts";
import { FREE, HOME, NOW_MS } from "./server.ts";

export const PAID: Plan = {
  name: "paid",
  rate_per_s: 20,
  burst: 100,
  units: 1_000,
  period: "month",
  hard: true,
  nearby_limit_max: 200,
  nearby_offset_max: 10_000,
  datasets: 1_000,
};

export function keyedCaller(change: Partial<KeyedCaller> = {}): KeyedCaller {
  return {
    kind: "keyed",
    plan: PAID,
    key_id: "key_1",
    account_id: "acc_1",
    standing: "active",
    scopes: ["data:read", "geography:read"],
    ...change,
  };
}

/** Every key is that of the caller; what is not said is as it is on a good day. */
export function stubGate(change: Partial<GateDeps> = {}, caller = keyedCaller()) {
  const usage = createMemoryUsage();
  const limiter = createMemoryLimiter({ max_buckets: 1_000 });
  const deps: GateDeps = {
    clock: { now: () => NOW_MS },
    quotas: change.quotas ?? new Quotas(usage, assert.ifError, { addresses: 1_000, blocks: 1_000 }),
    limiter,
    meter: new Meter({ usage, newEventId: randomUUIDv7, defer: setImmediate }),
    keyring: ringOf({ ok: true, caller }),
    badKeys: new BadKeyThrottle(limiter),
    shedder: { admits: () => true, hold: () => null },
    addressOf: () => HOME,
    plan: () => FREE,
    enforced: true,
    ...change,
  };
  return { deps, gate: new AccessGate(deps), usage };
}

/** A keyring whose memory gives this verdict, for every key. */
export function ringOf(verdict: KeyVerdict): Keyring {
  return { ...emptyRing(() => verdict), recall: () => verdict };
}

/** A keyring whose memory is empty. */
export function emptyRing(lookUp: Keyring["lookUp"]): Keyring {
  const recall = () => new Uint8Array(32);
  return {
    recall,
    lookUp,
    isRemembered: () => false,
    flush: () => undefined,
    renew: () => undefined,
  };
}

export type Request = {
  method?: string;
  query?: string;
  /** Segments of the path, where it has some. */
  params?: Readonly<Record<string, string>> | null;
  authorization?: string | null;
  drain?: DrainState["phase"];
};

type Sent = {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The code of the error body; null: there is none. */
  code: string | null;
};

/** `reply`: null while nothing was sent. */
export type PendingReply = { reply(): Sent | null; done: Promise<void> };

/** Runs all checks; `handler` replaces that of the operation. */
export function ask(
  deps: GateDeps,
  id: OperationId,
  { handler, ...sent_request }: Request & { handler?: Handler } = {},
): PendingReply {
  const { exchange, reply } = openStubExchange(findOperation(id), sent_request);
  behind.set(exchange, { gate: new AccessGate(deps), handler: handler ?? answerNothing });
  return { reply, done: Promise.resolve(findRunner(id)(exchange)) };
}

/** The gate and handler of each exchange: runners are slow to create and are shared. */
const behind = new WeakMap<Exchange, { gate: Gate; handler: Handler }>();
const runners = new Map<OperationId, RunOperation>();

function findRunner(id: OperationId): RunOperation {
  const known_runner = runners.get(id);
  if (known_runner) return known_runner;
  const of = (exchange: Exchange) => behind.get(exchange)!;
  const made = createRunner(
    findOperation(id),
    (exchange, ...rest) => of(exchange).handler(exchange, ...rest),
    {
      enter: (exchange, ...rest) => of(exchange).gate.enter(exchange, ...rest),
      permit: (exchange, ...rest) => of(exchange).gate.permit(exchange, ...rest),
    },
  );
  runners.set(id, made);
  return made;
}

const answerNothing: Handler = (exchange) =>
  sendRaw(exchange, { status: 200, headers: [], body: "{}" });

const log = pino({ level: "silent" });
/** No request takes any time of it. */
const serving = new ServingThread(() => 0);

function openStubExchange(
  { path }: Operation,
  sent_request: Request,
): { exchange: Exchange; reply: () => Sent | null } {
  const {
    method = "GET",
    query = "",
    authorization = "Bearer k",
    drain = "serving",
  } = sent_request;
  const { params = null } = sent_request;
  const heads: { status: number; pairs: readonly string[] }[] = [];
  let body = "";
  const raw = {
    writeHead: (status: number, pairs: readonly string[]) => void heads.push({ status, pairs }),
    _storeHeader: (head: string, pairs: readonly string[]) =>
      void heads.push({ status: Number(head.slice(9, 12)), pairs: [...toPairs(head), ...pairs] }),
    end: (text: string) => (body = text),
  };
  const headers = authorization === null ? {} : { authorization };
  const route = {
    template: path,
    log,
    series: { observe: () => undefined },
  };
  const wire = {
    common: [],
    inflight: { count: 0, keyed: 0 },
    drain: { phase: drain },
    token_sunset: null,
    tracing: null,
    serving,
    connections: { identify: () => undefined },
    callers: null,
    streams: new OpenStreams(),
  };
  const request = {
    raw: { headers, rawHeaders: Object.entries(headers).flat(), socket: {} } as IncomingMessage,
    id: "1",
    shown: "1",
    method,
    query,
    params: params ?? {},
  };
  const response = raw as unknown as ServerResponse;
  const reply = (): Sent | null => {
    const [head] = heads;
    if (!head) return null;
    const code = head.status < 400 ? null : codeOf(body);
    return { status: head.status, headers: toRecord(head.pairs), code };
  };
  return { exchange: openExchange(wire, route, request, response), reply };
}

function codeOf(body: string): string {
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}

/** Lines after the first. */
function toPairs(head: string): string[] {
  const lines = head.split("\r\n").slice(1, -1);
  return lines.flatMap((line) => /^([^:]+): (.*)$/.exec(line)!.slice(1));
}

function toRecord(pairs: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at < pairs.length; at += 2) record[pairs[at]!] = pairs[at + 1]!;
  return record;
}
