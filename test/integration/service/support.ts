/** Running services for these tests: in this process, in a folder of their own, on free ports. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { pino, type Logger } from "pino";
import { readEnv } from "#config/env.ts";
import { loadConfig, type Config } from "#config/load.ts";
import { NearbyBody, type NearbyBodyValue } from "#api/nearby.ts";
import type { SteadyTime } from "#process/steady-time.ts";
import { startService, type Service } from "../../../src/main/service.ts";

export type Body = NearbyBodyValue;
export type Station = Body["results"]["stations"][number];
export type Vehicle = Body["results"]["vehicles"][number];

const ajv = new Ajv2020({ strict: true, allErrors: true, keywords: ["x-stability"] });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
const isBody = ajv.compile<Body>(NearbyBody);

export type Started = { service: Service; config: Config; data_dir: string };

export type Wish = {
  mode?: "sandbox" | "live";
  /** Of the simulated world, or "all"; absent: `SMALL_WORLD`, which starts in half the time. */
  cities?: string;
  /** Kept by the caller; without it the folder is a new one. */
  data_dir: string;
  variables?: Record<string, string>;
  /** Members of the configuration file. */
  settings?: object;
  /** Of deadlines and timeouts that the settings leave open; `LONG_MS` where it is not said. */
  timeouts?: "long" | "as shipped";
  /** Whether the simulated world is imported as a base, which takes a thread of its own a second. */
  base?: boolean;
  /** Whether timetables are imported, which takes a third of a start: false where none is asked for. */
  timetables?: boolean;
  /** Whether the service's clock is stopped until it is moved: no bucket fills up in a slow test. */
  still?: boolean;
  /** Whether the simulator's registers of car parks and charging points are read. */
  registers?: boolean;
  /** Whether answers pay for the time that they take; else none takes any, however slow the machine. */
  timed?: boolean;
  /** Threads that serve; absent: one. */
  workers?: number;
  /** Entry of these threads; absent: as shipped. */
  worker_url?: URL;
  /** The service's time; absent: `timeOfTests`. */
  time?: SteadyTime;
  /** Receives the lines of the log; absent: there are none. */
  onLine?: (line: LogLine) => void;
};

export type LogLine = { msg?: string; level: number; part?: string; err?: { stack: string } };

/** Settings of a deployment that asks open data alone. */
export const OPEN_DATA = {
  sources: {
    maps: { adapter: "openstreetmap" },
    aed: { registry: "geodae" },
    openchargemap: {},
    ocpi: {},
  },
};

/**
 * When the services of tests begin, whatever the time of the machine: where little moves at night, a
 * test that passes by day may fail. A Tuesday morning in Paris.
 */
const BEGIN_MS = Date.UTC(2026, 10, 24, 9, 30, 20);

/** Time of these services, epoch ms: it goes on with the process, so that it survives a restart. */
export function timeOfTests(): number {
  return Math.floor(BEGIN_MS + performance.now());
}

/** The cities of the simulated world where a test names none. */
export const SMALL_WORLD = "paris,berlin";

export async function start({ mode = "sandbox", ...wish }: Wish): Promise<Started> {
  const {
    data_dir,
    variables = {},
    cities = SMALL_WORLD,
    settings,
    timeouts = "long",
    still = false,
    base = false,
    timetables = true,
    registers = false,
    timed = false,
    workers = 1,
    worker_url = SERVING_THREAD,
    time,
    onLine,
  } = wish;
  const file = join(data_dir, "vicinity.json");
  if (settings) await writeFile(file, JSON.stringify(settings));
  const env = readEnv({
    PORT: "0",
    LOG_LEVEL: "silent",
    VICINITY_DATA_DIR: data_dir,
    // All questions come from one address, which no rate may stop where rates are not the matter.
    VICINITY_CONTACT: "tests@example.org",
    VICINITY_ENFORCE_LIMITS: "0",
    SANDBOX_CITIES: cities === "all" ? "" : cities,
    ...variables,
  });
  if (!env.ok) return assert.fail(env.message);
  const loaded = loadConfig({ mode, env: env.value, ...(settings ? { file } : {}) });
  if (!loaded.ok) return assert.fail(loaded.message);
  const { sources: match = {} } = (settings ?? {}) as { sources?: object };
  const unused = [
    ...(base || "openbase" in match ? [] : (["openbase"] as const)),
    ...(timetables ? [] : (["gtfs"] as const)),
  ];
  const used = withoutSources(loaded.value, unused);
  const hasRegisters = registers || "registers" in match;
  const input = hasRegisters ? used : { ...used, sources: { ...used.sources, registers: [] } };
  const config = timeouts === "long" ? withLongTimeouts(input, settings) : input;
  const begun_ms = timeOfTests();
  const service = await startService({
    config,
    env: env.value,
    version: "1.1.0",
    workers: workers === 1 ? null : { count: workers, worker_url },
    ...(onLine && { log: { log: openLines(onLine), close: () => undefined } }),
    ...(timeouts === "long" && { http_limits: { headers_timeout_ms: LONG_MS } }),
    ...(env.value.enforce_limits === true && !timed && { thread_now: () => 0 }),
    // Without jitter, what is due does not depend on chance.
    random: () => 0.5,
    time: time ?? { now: still ? () => begun_ms : timeOfTests, watch: () => undefined },
  });
  if ("problem" in service) return assert.fail(service.problem);
  // The start of the sandbox waits two seconds for it, which a busy machine may exceed.
  if (mode === "sandbox") await service.tried();
  return { service, config, data_dir };
}

const SERVING_THREAD = new URL("../../../src/main/workers/serve.ts", import.meta.url);

function openLines(onLine: (line: LogLine) => void): Logger {
  return pino({ base: null }, { write: (text) => onLine(JSON.parse(text) as LogLine) });
}

function withoutSources(config: Config, names: readonly ("openbase" | "gtfs")[]): Config {
  const sources = { ...config.sources };
  for (const name of names)
    Object.assign(sources, { [name]: { ...sources[name], enabled: false } });
  return { ...config, sources };
}

/** Long enough that only what hangs runs into it, however busy the machine is. */
export const LONG_MS = 60_000;

/**
 * Deadlines of requests and timeouts of sources are `LONG_MS` where the test states none: what is
 * healthy must not look like a failure because the machine does other work.
 */
export function withLongTimeouts(config: Config, settings: object = {}): Config {
  const stated = new Set<string>();
  visitTimeouts(settings, (name) => stated.add(name));
  const changed = structuredClone(config);
  for (const part of [{ deadlines_ms: changed.deadlines_ms }, { sources: changed.sources }])
    visitTimeouts(part, (name, holder, key) => {
      if (!stated.has(name)) holder[key] = Math.max(LONG_MS, holder[key] as number);
    });
  return changed;
}

type Holder = Record<string, unknown>;

/** Each `timeout_ms` and each deadline below `node`, named by its section and its own name. */
function visitTimeouts(
  node: object,
  visit: (name: string, holder: Holder, key: string) => void,
  section = "",
): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "object" && value !== null) visitTimeouts(value as object, visit, key);
    else if (section === "deadlines_ms" || key.endsWith("timeout_ms"))
      visit(`${section}.${key}`, node as Holder, key);
  }
}

export function createFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "vicinity-e2e-"));
}

export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/** A service and a client, closed with its folder. */
export async function closeAll(
  client: Client,
  { service, data_dir }: Pick<Started, "service" | "data_dir">,
): Promise<void> {
  client.close();
  await service.close({ delay_ms: 0 });
  await removeFolder(data_dir);
}

/** A service and a client for the tests of a `describe`: there before the first, closed after the last. */
export function serviceFor(wish: Omit<Wish, "data_dir">): {
  readonly client: Client;
  readonly started: Started;
} {
  const client = createClient();
  let started: Started | null = null;
  before(async () => {
    started = await start({ ...wish, data_dir: await createFolder() });
  });
  after(() => (started ? closeAll(client, started) : undefined));
  return {
    client,
    get started() {
      return started ?? assert.fail("the service is not there before the tests");
    },
  };
}

/** The same for one test. */
export async function serve(
  t: TestContext,
  wish: Omit<Wish, "data_dir">,
): Promise<Started & { client: Client }> {
  const client = createClient();
  const started = await start({ ...wish, data_dir: await createFolder() });
  t.after(() => closeAll(client, started));
  return { client, ...started };
}

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string };
type Call = { method?: string; body?: object; headers?: Record<string, string> };
export type Client = {
  call(url: string, options?: Call): Promise<Reply>;
  json<T>(url: string, options?: Call): Promise<T>;
  /** Asks /v1/nearby and holds the answer to its schema. */
  nearby(service: { url: string }, query: Query): Promise<Body>;
  close(): void;
};
type Query = Record<string, string | number | boolean>;

/** Real sockets that this test can close again, which those of `fetch` are not. */
export function createClient(): Client {
  const agent = new Agent({ keepAlive: true });
  const call: Client["call"] = (url, options) => send(agent, url, options);
  return {
    call,
    async json<T>(url: string, options?: Call): Promise<T> {
      const reply = await call(url, options);
      assert.ok(reply.status < 300, `${url}: ${reply.status} ${reply.text}`);
      return JSON.parse(reply.text || "null") as T;
    },
    async nearby({ url }, query) {
      const reply = await call(`${url}/v1/nearby?${toSearch(query)}`);
      assert.equal(reply.status, 200, reply.text);
      const body: unknown = JSON.parse(reply.text);
      const fits = isBody(body);
      assert.ok(fits, JSON.stringify(isBody.errors, null, 1));
      return body;
    },
    close: () => agent.destroy(),
  };
}

function toSearch(query: Query): string {
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(pairs).toString();
}

function send(agent: Agent, url: string, { method = "GET", body, headers }: Call = {}) {
  return new Promise<Reply>((resolve, reject) => {
    const request = httpRequest(url, { agent, method, headers: headers ?? {} }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.once("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Moves the simulated world and the service with it; says what time it is then. */
export async function advance(client: Client, sandbox_url: string, advance_s: number) {
  const { now } = await client.json<{ now: string }>(`${sandbox_url}/__sandbox/clock`, {
    method: "POST",
    body: { advance_s },
  });
  return Date.parse(now);
}

/**
 * Moves to just after the beginning of a minute, at least `least_s` ahead: the world changes with
 * the minute, so that what follows within 59 s of real time is asked of one and the same world.
 */
export async function alignToMinute(client: Client, sandbox_url: string, least_s = 0) {
  const { now } = await client.json<{ now: string }>(`${sandbox_url}/__sandbox/clock`);
  const then_s = Date.parse(now) / 1000 + least_s;
  return advance(client, sandbox_url, least_s + (60 - (then_s % 60)) + 0.05);
}

/** Tries again until it holds or the time is up; for real input and output only. */
export async function eventually<T>(
  attempt: () => Promise<T | null>,
  { within_ms, what }: { within_ms: number; what: string },
): Promise<T> {
  const until = performance.now() + within_ms;
  for (;;) {
    const match = await attempt();
    if (match !== null) return match;
    assert.ok(performance.now() < until, `${what}: not within ${within_ms} ms`);
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
}
