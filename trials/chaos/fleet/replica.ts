/** One replica: the program as a process of its own, on ports and a data folder that it keeps. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Ended,
  type Running,
  startProcess,
} from "../../../test/integration/service/processes.ts";
import { nowMs } from "./clock.ts";
import { atExit } from "../../../test/support/at-exit.ts";

export type Replica = {
  index: number;
  url: string;
  admin_url: string;
  port: number;
  admin_port: number;
  data_dir: string;
  readonly pid: number;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, which drains; how it ended. */
  end(): Promise<Ended>;
  /** Ready again, on the same folder and ports. */
  start(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** What the processes so far have written, the latest of it. */
  output(): string;
  /** Of each process that ended unbidden: how, when, and what it had written last. */
  deaths(): readonly string[];
  /** Nothing is left of it. */
  remove(): Promise<void>;
};

export const ADMIN_TOKEN = "an-admin-token-of-a-fleet-on-trial";
const KEPT_CHARS = 20_000;
const DEATH_CHARS = 2_000;

export type ReplicaWish = {
  index: number;
  config_file: string;
  variables?: Record<string, string>;
  /** The folder of the program that the next start runs; absent: this checkout. */
  program?: () => string | null;
};

export async function startReplica(wish: ReplicaWish): Promise<Replica> {
  const { index, config_file, variables = {}, program = () => null } = wish;
  const data_dir = mkdtempSync(join(tmpdir(), `vicinity-replica-${index}-`));
  const [port, admin_port] = [await findPort(), await findPort()];
  const deaths: string[] = [];
  let message = "";
  let running: Running | null = null;
  let pid = 0;
  const start = async (): Promise<void> => {
    const folder = program();
    const started = await startProcess({
      data_dir,
      ...(folder !== null && { cwd: folder, command: join(folder, "bin/vicinity") }),
      args: ["serve", "--config", config_file],
      variables: {
        PORT: String(port),
        ADMIN_PORT: String(admin_port),
        ADMIN_TOKEN,
        VICINITY_CONTACT: "chaos@example.org",
        LOG_LEVEL: "error",
        VICINITY_ENFORCE_LIMITS: "1",
        ...variables,
      },
    });
    ({ running } = started);
    pid = started.ready.pid;
    void watch(started.running);
  };
  const watch = async (started: Running): Promise<void> => {
    const { code, signal } = await started.ended;
    // `end` clears `running` first.
    if (running !== started) return;
    const last = outputOf(started).slice(-DEATH_CHARS);
    deaths.push(`${index} ended with ${code ?? signal} at ${Math.round(nowMs())} ms: ${last}`);
  };
  const end = async (signal: NodeJS.Signals): Promise<Ended> => {
    if (!running) return { code: null, signal: null };
    const ending = running;
    running = null;
    ending.child.kill(signal);
    const how = await ending.ended;
    message = (message + outputOf(ending)).slice(-KEPT_CHARS);
    return how;
  };
  const abandon = (): void => {
    running?.child.kill("SIGKILL");
    rmSync(data_dir, { recursive: true, force: true, maxRetries: 5 });
  };
  const forget = atExit(abandon);
  await start();
  return {
    index,
    port,
    admin_port,
    data_dir,
    url: `http://127.0.0.1:${port}`,
    admin_url: `http://127.0.0.1:${admin_port}`,
    get pid() {
      return pid;
    },
    async kill() {
      await end("SIGKILL");
    },
    end: () => end("SIGTERM"),
    start,
    freeze: () => void running?.child.kill("SIGSTOP"),
    thaw: () => void running?.child.kill("SIGCONT"),
    deaths: () => deaths,
    output: () => (message + (running ? outputOf(running) : "")).slice(-KEPT_CHARS),
    async remove() {
      await end("SIGKILL");
      forget();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

const outputOf = (running: Running): string => Object.values(running.output()).join("");

export async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
