/**
 * Private servers for tests: PostgreSQL and Valkey (or Redis) on free ports of the loopback, with
 * folders of their own. They can be killed, frozen and started again; a signal is the only honest way
 * to have a store that is gone or does not answer.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  globSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { Client } from "pg";
import { atExit } from "./at-exit.ts";

export type Engine = {
  url: string;
  port: number;
  /** The process id of the running server. */
  readonly pid: number;
  /** SIGKILL, with all of its processes: what a crash of the machine leaves. */
  kill(): Promise<void>;
  /** Over the same folder and port, after `kill`. */
  restart(): Promise<void>;
  /** SIGSTOP: connections are accepted by the kernel, and not answered. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
};

export type PostgresEngine = Engine & {
  /** An empty one; its URL. */
  createDatabase(): Promise<string>;
};

type Options = {
  /** Commits reach the disk; without it they are fast, and a killed server may lose some. */
  durable?: boolean;
  /** Of its own cache of pages. */
  memory?: string;
};

/** For `skip` of a test: false, or why it cannot run here. */
export const NO_POSTGRES = findBinary("initdb") === null && "the package postgresql is missing";
export const NO_VALKEY =
  findValkey() === null && "neither of the packages valkey-server and redis-server is there";

/** null: it is not installed. A server a process is enough: every test makes a database of its own. */
export async function startPostgres({
  durable = false,
  memory = "32MB",
}: Options = {}): Promise<PostgresEngine | null> {
  const [initdb, postgres] = [findBinary("initdb"), findBinary("postgres")];
  if (initdb === null || postgres === null) return null;
  const owner = findOwner();
  const folder = createFolder("postgres", owner);
  const data = join(folder, "data");
  makeCluster(initdb, data, owner);
  const port = await findPort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: folder,
    max_connections: "100",
    shared_buffers: memory,
    log_min_messages: "log",
    fsync: durable ? "on" : "off",
  };
  const engine = await run({
    file: postgres,
    folder,
    port,
    owner,
    ready: /ready to accept connections/,
    args: [
      "-D",
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    url: `postgres://vicinity@127.0.0.1:${port}/postgres`,
    stop_signal: "SIGINT",
  });
  let databases = 0;
  return Object.assign(engine, {
    async createDatabase() {
      const name = `test_${++databases}`;
      await runSql(engine.url, `CREATE DATABASE ${name}`);
      return `postgres://vicinity@127.0.0.1:${port}/${name}`;
    },
  });
}

/** A new data folder. It is made once for all test files of a run (scripts/test.ts) and copied. */
function makeCluster(initdb: string, data: string, owner: Owner): void {
  const how = ["--username=vicinity", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  const make = (path: string): void =>
    void execFileSync(initdb, [`--pgdata=${path}`, ...how], {
      ...owner,
      cwd: dirname(path),
      stdio: "pipe",
    });
  const shared = process.env["VICINITY_TEST_FOLDER"];
  if (shared === undefined) return make(data);
  const ready = join(shared, "postgres");
  if (!existsSync(ready)) {
    const made = join(createFolder("cluster", owner), "data");
    make(made);
    try {
      renameSync(made, ready);
    } catch (error) {
      // Another file was faster.
      assert.ok(existsSync(ready), String(error));
    }
  }
  // With its owner and permissions, which PostgreSQL checks.
  execFileSync("cp", ["-a", ready, data]);
}

/** By a connection of its own. */
export async function runSql(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // The server may end while it says goodbye: what that costs, the query says.
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}

/** null: neither is installed. Nothing is kept on disk. */
export async function startValkey({ cluster = false } = {}): Promise<Engine | null> {
  const file = findValkey();
  if (file === null) return null;
  const folder = createFolder("valkey", {});
  const port = await findPort();
  const settings = {
    bind: "127.0.0.1",
    port: String(port),
    dir: folder,
    save: "",
    appendonly: "no",
    ...(cluster && { "cluster-enabled": "yes", "cluster-port": String(await findPort()) }),
  };
  return await run({
    file,
    folder,
    port,
    owner: {},
    ready: /Ready to accept connections/,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    url: `redis://127.0.0.1:${port}`,
    stop_signal: "SIGTERM",
  });
}

type Owner = { uid?: number; gid?: number };
type Program = {
  file: string;
  args: readonly string[];
  folder: string;
  port: number;
  url: string;
  owner: Owner;
  /** The text that it prints once it answers. */
  ready: RegExp;
  stop_signal: NodeJS.Signals;
};

async function run(program: Program): Promise<Engine> {
  let child = await launch(program);
  // A test file that ends early must not leave its servers behind.
  const abandon = (): void => {
    child.kill("SIGKILL");
    rmSync(program.folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const forget = atExit(abandon);
  const end = async (): Promise<void> => {
    if (hasEnded(child)) return;
    child.ref();
    const gone = once(child, "exit");
    signalAll(child.pid!, "SIGKILL");
    await gone;
  };
  return {
    url: program.url,
    port: program.port,
    get pid() {
      return child.pid!;
    },
    kill: end,
    async restart() {
      await end();
      child = await launch(program);
    },
    freeze: () => signalAll(child.pid!, "SIGSTOP"),
    thaw: () => signalAll(child.pid!, "SIGCONT"),
    async stop() {
      forget();
      if (!hasEnded(child)) {
        signalAll(child.pid!, "SIGCONT");
        child.ref();
        const gone = once(child, "exit");
        child.kill(program.stop_signal);
        await gone;
      }
      rmSync(program.folder, { recursive: true, force: true });
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Processes of a killed server may hold its memory for a moment more: then another try helps. */
async function launch(program: Program, tries = 20): Promise<ChildProcess> {
  const { file, args, folder, owner, ready } = program;
  const child = spawn(file, args, { ...owner, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let message = "";
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onOutput = (chunk: Buffer): void => {
    message = (message + chunk.toString()).slice(-4_000);
    if (ready.test(message)) resolve(true);
  };
  child.stdout.on("data", onOutput);
  child.stderr.on("data", onOutput);
  child.once("exit", () => resolve(false));
  if (await promise) {
    // A test that forgets a server ends nonetheless, and takes it along.
    child.unref();
    for (const stream of [child.stdout, child.stderr] as Socket[]) stream.unref();
    return child;
  }
  assert.ok(tries > 1, `${file} does not start: ${message}`);
  await new Promise((done) => setTimeout(done, 100));
  return launch(program, tries - 1);
}

/** The server before its children: it would start others in the place of those that end. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  const children = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!);
  for (const each of [pid, ...children]) {
    try {
      process.kill(each, signal);
    } catch (error) {
      // It has ended by itself.
      assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
    }
  }
}

function findBinary(name: string): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const newest = globSync("/usr/lib/postgresql/*/bin").sort((a, b) => versionOf(b) - versionOf(a));
  return [...folders, ...newest].map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function findValkey(): string | null {
  return findBinary("valkey-server") ?? findBinary("redis-server");
}

function versionOf(folder: string): number {
  return Number(/\/(\d+)\/bin$/.exec(folder)?.[1] ?? 0);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root. */
function findOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string): number =>
    Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function createFolder(name: string, { uid, gid }: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), `vicinity-${name}-`));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
