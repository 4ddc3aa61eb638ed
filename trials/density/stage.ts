/** The program of the trial, as a process of its own with limits off, on generated data or on the simulator. */
import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { startProcess } from "../../test/integration/service/processes.ts";
import { atExit } from "../../test/support/at-exit.ts";
import { FEEDS } from "./feeds.ts";
import type { Stretch } from "./stretches.ts";
import { ARCHIVES, BASES, FATAL_ARCHIVES } from "./worlds.ts";

const HOST = fileURLToPath(new URL("./host.ts", import.meta.url));
const PROBE = fileURLToPath(new URL("./probe.ts", import.meta.url));
const run = promisify(execFile);

/** `dense`: generated; `cities`: the simulated world; `fatal`: the archive that ended a process. */
export type StageName = "dense" | "cities" | "fatal";

export type SentRequest = {
  path: string;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
};
/** `bytes`: as they came, compressed or not. */
type Reply = { status: number; bytes: number; text: string };
export type Ask = (query: SentRequest) => Promise<Reply>;

export type Stage = {
  pid: number;
  key: string;
  ask: Ask;
  /** How it ended, if it did by itself. */
  ended(): string | null;
  /** Asks while the longest stretch of the serving thread is measured; null: it has ended. */
  stretch(query: SentRequest): Promise<Stretch | null>;
  close(): Promise<void>;
};

type Wish = { root: string; things: number; rows: number };

export async function openStage(name: StageName, wish: Wish): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "vicinity-density-"));
  const data_dir = join(folder, "data");
  await mkdir(data_dir, { mode: 0o700 });
  const host = name === "dense" ? fork(HOST, [String(wish.rows)]) : null;
  const config = join(folder, "vicinity.json");
  const settings = host === null ? {} : await toSettings(host);
  await writeFile(config, JSON.stringify(settings));
  const program = { ...wish, folder, data_dir };
  if (name === "dense") await importAll(program, [...BASES, ...ARCHIVES]);
  if (name === "fatal") await importAll(program, FATAL_ARCHIVES);
  const key = name === "cities" ? null : await createKey(program);
  const probed = join(folder, "stretch.json");
  const { running, ready } = await startProcess({
    cities: "all",
    cwd: wish.root,
    command: join(wish.root, "bin/vicinity"),
    data_dir,
    args: ["serve", ...(name === "cities" ? ["--sandbox"] : []), "--config", config],
    variables: {
      ...{ LOG_LEVEL: "error", ADMIN_PORT: "0", SANDBOX_SEED: "1" },
      VICINITY_CONTACT: "trials@example.org",
      // Where memory is not bounded the machine should live on.
      NODE_OPTIONS: `--import ${PROBE} --max-old-space-size=1536`,
      DENSITY_PROBE: probed,
    },
  });
  const stay = atExit(() => running.child.kill("SIGKILL"));
  let ended: string | null = null;
  void running.ended.then(({ code, signal }) => (ended = signal ?? `exit code ${code}`));
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const ask: Ask = (query) => send(ready.url, query, agent);
  if (name === "dense") await waitForGazetteer(ask);
  return {
    pid: ready.pid,
    key: key ?? (await readKey(() => running.output().out)),
    ask,
    ended: () => ended,
    stretch: (query) => stretch(ready.pid, probed, () => ask(query)),
    async close() {
      running.child.kill("SIGINT");
      await running.ended;
      stay();
      agent.destroy();
      host?.disconnect();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A process makes it after the start; until then a name that no base has is answered 503. */
const GAZETTEER_MS = 180_000;

async function waitForGazetteer(ask: Ask): Promise<void> {
  const until_ms = performance.now() + GAZETTEER_MS;
  while ((await ask({ path: "/v1/geocode?q=Qqxzvw" })).status === 503) {
    if (performance.now() > until_ms) throw new Error("the gazetteer was not made");
    await pause(500);
  }
}

async function toSettings(host: ChildProcess): Promise<object> {
  const [url] = (await once(host, "message")) as [string];
  const systems = Object.keys(FEEDS).map((id) => ({
    ...{ id, url: `${url}/${id}/gbfs.json`, country: "NA" },
    network: { id, name: `Lime ${id}` },
  }));
  return {
    egress: { allow_private: true },
    changelog: { published: true },
    sources: {
      gbfs: { systems },
      maps: { adapter: "openstreetmap", geocoder: "embedded" },
      openbase: { photon_prefix: "/photon" },
    },
  };
}

type Program = Wish & { folder: string; data_dir: string };
type Import = { id: string; make: (things: number) => Buffer };

/** Two at once. */
async function importAll(program: Program, imports: readonly Import[]): Promise<void> {
  const queue = [...imports];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { id, make } = next;
      const isBase = BASES.some((base) => base.id === id);
      const file = join(program.folder, isBase ? `${id}.osm.pbf` : `${id}.zip`);
      await writeFile(file, make(program.things));
      await call(program, ["import", isBase ? "osm" : "gtfs", file, "--id", id]);
    }
  };
  await Promise.all([work(), work()]);
}

async function createKey(program: Program): Promise<string> {
  const out = await call(program, ["keys", "create", "--plan", "unlimited", "--json"]);
  return (JSON.parse(out) as { key: string }).key;
}

async function call({ root, data_dir }: Program, args: readonly string[]): Promise<string> {
  const env = { ...process.env, VICINITY_DATA_DIR: data_dir };
  return (await run(join(root, "bin/vicinity"), [...args], { env })).stdout;
}

/** The sandbox prints a key for each plan once it answers. */
async function readKey(output: () => string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const key = /^ +unlimited +(svc_test_\w+)$/m.exec(output())?.[1];
    if (key !== undefined) return key;
    await sleep(50);
  }
  throw new Error(`the program printed no key:\n${output()}`);
}

function send(
  url: string,
  { path, method = "GET", headers, body }: SentRequest,
  agent: Agent,
): Promise<Reply> {
  return new Promise((resolve) => {
    const failed = (): void => resolve({ status: 0, bytes: 0, text: "" });
    const query = request(`${url}${path}`, { method, headers: { ...headers }, agent }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.once("error", failed);
      reply.once("end", () => {
        const bytes = Buffer.concat(chunks);
        const isPlain = reply.headers["content-encoding"] === undefined;
        resolve({
          status: reply.statusCode!,
          bytes: bytes.length,
          text: isPlain ? bytes.toString() : "",
        });
      });
    });
    query.once("error", failed);
    query.end(body);
  });
}

async function stretch(
  pid: number,
  file: string,
  ask: () => Promise<unknown>,
): Promise<Stretch | null> {
  await rm(file, { force: true });
  if (!turnProbe(pid)) return null;
  await sleep(15);
  await ask();
  if (!turnProbe(pid)) return null;
  for (let waited_ms = 0; waited_ms < 60_000; waited_ms += 5) {
    const text = await readFile(file, "utf8").catch(() => null);
    if (text !== null) return JSON.parse(text) as Stretch;
    await sleep(5);
  }
  return null;
}

function turnProbe(pid: number): boolean {
  try {
    return process.kill(pid, "SIGWINCH");
  } catch {
    return false;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Waits until every hostile feed is read: its place is known, and questions there are whole. */
export async function waitRead({ ask, ended }: Stage): Promise<void> {
  const until = performance.now() + 120_000;
  for (const { at } of Object.values(FEEDS))
    for (;;) {
      const { text } = await ask({
        path: `/v1/nearby?lat=${at.lat}&lon=${at.lon}&include=stations,vehicles,alerts,zones&limit=1`,
      });
      if (text.includes('"status":"success"')) break;
      if (ended() !== null || performance.now() > until)
        throw new Error(`a hostile feed is not read: ${text.slice(0, 600)}`);
      await sleep(200);
    }
}
