/**
 * Rounds of parallel requests by several accounts, each round with its own number of parallel callers
 * and its own fault of the sources; every response is held to its own request. The requests are those
 * of trials/requests, valid ones only, each at a point that no other request of the run uses (but for
 * the few with a coordinate at the end of its range), so that a response to another one is recognised.
 */
import { request as httpRequest, Agent } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { FAULT_KINDS } from "../../sandbox/faults.ts";
import { createDice, type Dice } from "../dice.ts";
import { listOperations } from "../requests/description.ts";
import type { Point } from "../requests/laws/geo.ts";
import { PLACES } from "../requests/places.ts";
import {
  type ApiRequest,
  createRequests,
  type RequestSource,
  type Shares,
} from "../requests/requests.ts";
import { readCallers, readDescription } from "../requests/run.ts";
import { createOracle, type Expectation, type Oracle } from "../requests/verdict.ts";
import { type Account, judge, type Response, type Stored } from "./judge.ts";

export type Deployment = { url: string; sandbox_url: string; accounts: readonly Account[] };

export type Tally = {
  requests: number;
  aborted: number;
  /** By status. */
  statuses: Map<number, number>;
  /** By operation or tool, and what is particular about the request. */
  kinds: Map<string, number>;
  findings: string[];
};

export type RunOptions = {
  requests: number;
  seed: number;
  /** Called after each round. */
  onProgress?: (done: number) => void;
};

const PER_ROUND = 500;
/** Most wait for deadlines in such a round, so a run has few of them. */
const FAULTY_ROUNDS = 0.25;
const CALLERS = [2, 4, 8, 16, 32, 64];
/** Datasets of earlier searches that are read again, per account. */
const REMEMBERED = 200;
const FINDINGS_MAX = 20;
const TIMEOUT_MS = 30_000;
/** The clock moves on when what fell due has ended, with sources that may not answer. */
const CONTROL_TIMEOUT_MS = 300_000;
/** Datasets are kept for an hour of the service's time at least: those of more moved time ago are not read again. */
const READABLE_S = 3_000;
/** The share of requests whose client leaves, and the longest that it waits before. */
const ABORTED = 0.03;
const ABORT_MS = 60;

/** Operations whose answers are made of what each request asks for; the others are asked, too. */
const SHARES: Shares = {
  getNearby: 24,
  executeCapability: 8,
  readDataset: 8,
  "tool search_mobility_nearby": 8,
  getServicesNearby: 6,
  getTransportNearby: 6,
  reverseGeocode: 6,
};

/** Steps of a millionth of a degree (0.1 m) north and east: 1,000 × 1,000 points a place. */
const STEPS = 1000;
const STEP_DEG = 1e-6;
/** Degrees north and east that the points of a place lie within. */
export const POINTS_SPAN: number = STEPS * STEP_DEG;

/** No two serials below a million share a point, at whichever places they are. */
export function pointOf(seed: number, serial: number, places: readonly Point[] = PLACES): Point {
  const { lat, lon } = createDice(seed, serial).pick(places);
  const [east, north] = [serial % STEPS, Math.floor(serial / STEPS) % STEPS];
  return { lat: roundDegrees(lat + north * STEP_DEG), lon: roundDegrees(lon + east * STEP_DEG) };
}

function roundDegrees(degrees: number): number {
  return Number(degrees.toFixed(6));
}

export async function runIsolation(deployment: Deployment, options: RunOptions): Promise<Tally> {
  const { seed } = options;
  const { port } = new URL(deployment.url);
  const keys = deployment.accounts.flatMap(({ key }) => key ?? []);
  const { description, tools } = await readDescription(Number(port));
  const callers = await readCallers({ port: Number(port), keys });
  // Without keys: each request is given the one of its account.
  const source = createRequests(
    { description, tools },
    { seed, keys: [], faulty: 0, shares: SHARES, pointOf: (serial) => pointOf(seed, serial) },
  );
  const oracle = createOracle(listOperations(description), callers);
  const dice = createDice(seed);
  const agent = new Agent({ keepAlive: true, maxSockets: Math.max(...CALLERS) });
  const stored = new Map<string, Stored[]>(deployment.accounts.map(({ name }) => [name, []]));
  const tally: Tally = {
    requests: 0,
    aborted: 0,
    statuses: new Map(),
    kinds: new Map(),
    findings: [],
  };
  let moved_s = 0;
  for (let from = 0; from < options.requests; from += PER_ROUND) {
    moved_s += await setScene(deployment, dice);
    if (moved_s > READABLE_S) {
      for (const own of stored.values()) own.length = 0;
      moved_s = 0;
    }
    const to = Math.min(from + PER_ROUND, options.requests);
    await runRound({ deployment, source, oracle, agent, dice, stored, tally }, { from, to });
    options.onProgress?.(to);
    if (tally.findings.length >= FINDINGS_MAX) break;
  }
  await control(deployment.sandbox_url, { method: "DELETE", path: "/__sandbox/faults" });
  agent.destroy();
  return tally;
}

/**
 * Sets one fault for some sources, or none, and now and then moves the clock, so that feeds are too
 * old. Returns by how many seconds.
 */
async function setScene({ sandbox_url }: Deployment, dice: Dice): Promise<number> {
  await control(sandbox_url, { method: "DELETE", path: "/__sandbox/faults" });
  if (dice.chance(FAULTY_ROUNDS)) {
    const sources = await listSources(sandbox_url);
    for (let i = 0; i < 3; i++) {
      const fault = {
        fault: dice.pick(FAULT_KINDS),
        delay_ms: dice.integer(50, 449),
        rate: dice.next(),
      };
      const path = `/__sandbox/faults/${dice.pick(sources)}`;
      await control(sandbox_url, { method: "PUT", path, body: JSON.stringify(fault) });
    }
  }
  if (dice.chance(0.5)) return 0;
  const advance_s = dice.integer(0, 299);
  const body = JSON.stringify({ advance_s });
  await control(sandbox_url, { method: "POST", path: "/__sandbox/clock", body });
  return advance_s;
}

async function control(sandbox_url: string, request: Call): Promise<Response> {
  const response = await call(sandbox_url, { ...request, timeout_ms: CONTROL_TIMEOUT_MS });
  if (response.status >= 300) throw new Error(`${request.path}: ${response.status}`);
  return response;
}

async function listSources(sandbox_url: string): Promise<string[]> {
  const { bytes } = await control(sandbox_url, { method: "GET", path: "/__sandbox/sources" });
  const { sources } = JSON.parse(bytes.toString()) as { sources: { id: string }[] };
  return [...new Set(sources.map(({ id }) => id))];
}

type Round = {
  deployment: Deployment;
  source: RequestSource;
  oracle: Oracle;
  agent: Agent;
  dice: Dice;
  stored: Map<string, Stored[]>;
  tally: Tally;
};

async function runRound(round: Round, { from, to }: { from: number; to: number }): Promise<void> {
  let next = from;
  const caller = async (): Promise<void> => {
    while (next < to) await askOne(round, next++);
  };
  const callers = round.dice.pick(CALLERS);
  await Promise.all(Array.from({ length: callers }, caller));
}

async function askOne(round: Round, serial: number): Promise<void> {
  const { deployment, source, oracle, agent, dice, stored, tally } = round;
  const account = dice.pick(deployment.accounts);
  const own = stored.get(account.name)!;
  const request = addHeaders(source.make(serial, own), account, serial);
  const expected = oracle.judge(request);
  const read = readOf(request, expected, own);
  const abort_after_ms = dice.chance(ABORTED) ? dice.next() ** 3 * ABORT_MS : null;
  const response = await send(deployment.url, request, { agent, abort_after_ms });
  tally.requests++;
  const kind = kindOf(request, expected, read);
  count(tally.kinds, kind);
  if (response === null) {
    tally.aborted++;
    return;
  }
  count(tally.statuses, response.status);
  const { problem, stored: stored_stored } = judge({ request, account, expected, read }, response);
  if (problem !== null) tally.findings.push(`request ${serial} (${kind}): ${problem}`);
  if (stored_stored === null) return;
  if (own.length < REMEMBERED) own.push(stored_stored);
  else own[dice.integer(0, REMEMBERED - 1)] = stored_stored;
}

/** Without a condition, whose reply may have no body. */
function addHeaders(request: ApiRequest, { key }: Account, serial: number): ApiRequest {
  const { "if-none-match": _, ...drawn } = request.headers as Record<string, string>;
  const headers = {
    ...drawn,
    "x-request-id": `isolation-${serial}`,
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
  return { ...request, headers };
}

/** The dataset that the request reads, if an answer named it to the account before. */
function readOf(
  { body }: ApiRequest,
  { question }: Expectation,
  own: readonly Stored[],
): Stored | null {
  type Sent = { request?: { args: object }; params?: { arguments?: object } };
  const sent: Sent = body === null ? {} : JSON.parse(body.toString());
  const args = sent.request?.args ?? sent.params?.arguments ?? question?.values ?? {};
  const { id, version } = args as { id?: unknown; version?: unknown };
  return own.find((each) => each.id === id && each.version === version) ?? null;
}

function kindOf({ operation }: ApiRequest, { question }: Expectation, read: Stored | null): string {
  if (read !== null) return `${operation} of a dataset`;
  if (question?.values["format"] === "geojson") return `${operation} as GeoJSON`;
  return question?.values["debug"] === true ? `${operation} with debug` : operation;
}

/** null: the request was aborted on purpose. */
async function send(
  url: string,
  { method, target, headers, body }: ApiRequest,
  { agent, abort_after_ms }: { agent: Agent; abort_after_ms: number | null },
): Promise<Response | null> {
  const request = { method, path: target, headers, body, agent };
  if (abort_after_ms === null) return decode(await call(url, request));
  const signal = AbortSignal.timeout(Math.ceil(abort_after_ms));
  return call(url, { ...request, signal }).then(decode, () => null);
}

function decode(response: Response): Response {
  const encoding = response.headers["content-encoding"];
  if (encoding === "gzip") return { ...response, bytes: gunzipSync(response.bytes) };
  if (encoding === "br") return { ...response, bytes: brotliDecompressSync(response.bytes) };
  return response;
}

type Call = {
  method: string;
  path: string;
  body?: string | Buffer | null;
  headers?: Readonly<Record<string, string>>;
  agent?: Agent;
  signal?: AbortSignal;
  timeout_ms?: number;
};

function call(
  base: string,
  { method, path, body, headers, agent, signal, timeout_ms = TIMEOUT_MS }: Call,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const url = new URL(path, base);
    const options = {
      method,
      headers: headers ?? {},
      timeout: timeout_ms,
      ...(agent && { agent }),
      ...(signal && { signal }),
    };
    const request = httpRequest(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("close", () => reject(new Error("the response was cut")));
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    request.once("timeout", () =>
      request.destroy(new Error(`${method} ${path}: no answer in ${timeout_ms} ms`)),
    );
    request.once("error", reject);
    request.end(body ?? undefined);
  });
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
