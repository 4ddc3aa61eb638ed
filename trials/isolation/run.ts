/**
 * Rounds of parallel requests by several accounts, each round with its own number of parallel callers
 * and its own fault of the sources; every response is held to its own request.
 */
import { request as httpRequest, Agent } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { FAULT_KINDS } from "../../sandbox/faults.ts";
import { judge, type Response, type Stored } from "./judge.ts";
import { createDice, type Random } from "../dice.ts";
import { type Account, makeQuestion, pick, type Question } from "./questions.ts";

export type Deployment = { url: string; sandbox_url: string; accounts: readonly Account[] };

export type Tally = {
  requests: number;
  aborted: number;
  /** By status. */
  statuses: Map<number, number>;
  /** By kind of request. */
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
const PATIENCE_MS = 30_000;

export async function runIsolation(deployment: Deployment, options: RunOptions): Promise<Tally> {
  const random = createDice(options.seed).next;
  const agent = new Agent({ keepAlive: true, maxSockets: Math.max(...CALLERS) });
  const stored = new Map<string, Stored[]>(deployment.accounts.map(({ name }) => [name, []]));
  const tally: Tally = {
    requests: 0,
    aborted: 0,
    statuses: new Map(),
    kinds: new Map(),
    findings: [],
  };
  for (let from = 0; from < options.requests; from += PER_ROUND) {
    await setScene(deployment, random);
    const to = Math.min(from + PER_ROUND, options.requests);
    await runRound({ deployment, agent, random, stored, tally }, { from, to });
    options.onProgress?.(to);
    if (tally.findings.length >= FINDINGS_MAX) break;
  }
  await control(deployment.sandbox_url, { method: "DELETE", path: "/__sandbox/faults" });
  agent.destroy();
  return tally;
}

/** One fault for some sources, or none; and now and then the clock moves, so that feeds are too old. */
async function setScene({ sandbox_url }: Deployment, random: Random): Promise<void> {
  await control(sandbox_url, { method: "DELETE", path: "/__sandbox/faults" });
  if (random() < FAULTY_ROUNDS) {
    const sources = await listSources(sandbox_url);
    for (let i = 0; i < 3; i++) {
      const fault = {
        fault: pick(FAULT_KINDS, random),
        delay_ms: Math.floor(50 + random() * 400),
        rate: random(),
      };
      const path = `/__sandbox/faults/${pick(sources, random)}`;
      await control(sandbox_url, { method: "PUT", path, body: JSON.stringify(fault) });
    }
  }
  if (random() < 0.5) {
    const body = JSON.stringify({ advance_s: Math.floor(random() * 300) });
    await control(sandbox_url, { method: "POST", path: "/__sandbox/clock", body });
  }
}

async function control(sandbox_url: string, request: Call): Promise<Response> {
  const response = await call(sandbox_url, request);
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
  agent: Agent;
  random: Random;
  stored: Map<string, Stored[]>;
  tally: Tally;
};

async function runRound(round: Round, { from, to }: { from: number; to: number }): Promise<void> {
  let next = from;
  const caller = async (): Promise<void> => {
    while (next < to) await askOne(round, next++);
  };
  const callers = pick(CALLERS, round.random);
  await Promise.all(Array.from({ length: callers }, caller));
}

async function askOne(
  { deployment, agent, random, stored, tally }: Round,
  serial: number,
): Promise<void> {
  const { accounts } = deployment;
  const question = makeQuestion(serial, { random, accounts, abort_rate: 0.03 });
  const own = stored.get(question.account.name)!;
  const read = question.kind === "read" ? (pick(own, random) ?? null) : null;
  if (question.kind === "read" && read === null) return;
  const path = read?.href ?? question.path;
  const response = await send(deployment.url, { ...question, path, agent });
  tally.requests++;
  count(tally.kinds, question.kind);
  if (response === null) {
    tally.aborted++;
    return;
  }
  count(tally.statuses, response.status);
  const { problem, stored: kept } = judge(question, response, read);
  if (problem !== null) tally.findings.push(`request ${serial} (${question.kind}): ${problem}`);
  if (kept === null) return;
  if (own.length < REMEMBERED) own.push(kept);
  else own[Math.floor(random() * REMEMBERED)] = kept;
}

/** null: the request was aborted on purpose. */
async function send(url: string, question: Question & { agent: Agent }): Promise<Response | null> {
  const { abort_after_ms } = question;
  if (abort_after_ms === null) return decode(await call(url, question));
  const signal = AbortSignal.timeout(Math.ceil(abort_after_ms));
  return call(url, { ...question, signal }).then(decode, () => null);
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
  body?: string | null;
  headers?: Record<string, string>;
  agent?: Agent;
  signal?: AbortSignal;
};

function call(
  base: string,
  { method, path, body, headers, agent, signal }: Call,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const url = new URL(path, base);
    const options = {
      method,
      headers: headers ?? {},
      timeout: PATIENCE_MS,
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
      request.destroy(new Error(`${method} ${path}: no answer in ${PATIENCE_MS} ms`)),
    );
    request.once("error", reject);
    request.end(body ?? undefined);
  });
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
