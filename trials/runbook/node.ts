/**
 * One process of the service on ports and a folder that it keeps, with variables and configuration
 * that a case may change before it starts it again, and everything that it has logged.
 */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Ended,
  launch,
  readyFile,
  ROOT,
  type Running,
  waitReady,
} from "../../test/integration/service/processes.ts";
import { atExit } from "../../test/support/at-exit.ts";
import { findPort } from "../chaos/fleet/replica.ts";
import type { Meddling } from "./meddle.ts";

const MEDDLE = fileURLToPath(new URL("./meddle.ts", import.meta.url));
const PROGRAM = join(ROOT, "bin/vicinity");

export const ADMIN_TOKEN = "an-admin-token-of-a-runbook-on-trial";

export type NodeWish = {
  name: string;
  settings: object;
  variables: Record<string, string>;
  /** Absent: one of its own, which is removed with it. */
  data_dir?: string;
};

export class ServiceNode {
  readonly name: string;
  readonly url: string;
  readonly admin_url: string;
  readonly admin_port: number;
  readonly data_dir: string;
  /** What the next start has in addition to the usual. */
  readonly variables: Record<string, string>;
  settings: object;
  /** How many the next process may open; null: what this one may. */
  descriptors: number | null = null;
  readonly #port: number;
  readonly #folder: string;
  readonly #forget: () => void;
  /** Of processes that have ended. */
  #reported = "";
  #running: Running | null = null;
  #pid = 0;

  static async open(wish: NodeWish): Promise<ServiceNode> {
    return new ServiceNode(wish, { port: await findPort(), admin_port: await findPort() });
  }

  private constructor(wish: NodeWish, ports: { port: number; admin_port: number }) {
    this.#folder = mkdtempSync(join(tmpdir(), `vicinity-runbook-${wish.name}-`));
    this.name = wish.name;
    this.settings = wish.settings;
    this.variables = { ...wish.variables };
    this.data_dir = wish.data_dir ?? join(this.#folder, "data");
    mkdirSync(this.data_dir, { recursive: true, mode: 0o700 });
    this.#port = ports.port;
    this.admin_port = ports.admin_port;
    this.url = `http://127.0.0.1:${ports.port}`;
    this.admin_url = `http://127.0.0.1:${ports.admin_port}`;
    this.#forget = atExit(() => {
      this.#running?.child.kill("SIGKILL");
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  get pid(): number {
    return this.#pid;
  }

  isRunning(): boolean {
    return this.#running !== null && this.#running.child.exitCode === null;
  }

  /** Everything that its processes have written. */
  output(): string {
    return this.#reported + (this.#running ? outputOf(this.#running) : "");
  }

  /** Resolves when it is ready; rejects with what it wrote where it ends before. */
  async start(): Promise<void> {
    const running = this.#launch();
    ({ pid: this.#pid } = await waitReady(running, this.#folder));
  }

  /** Starts it where it is expected to refuse: how it ended. null: it is ready, and was ended. */
  async startRefused(): Promise<Ended | null> {
    const running = this.#launch();
    const ready = waitReady(running, this.#folder).then(
      () => null,
      () => running.ended,
    );
    const how = await ready;
    await this.#end("SIGKILL");
    return how;
  }

  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  end(): Promise<void> {
    return this.#end("SIGTERM");
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#running) process.kill(this.#pid, signal);
  }

  configFile(): string {
    return join(this.#folder, "vicinity.json");
  }

  writeSettings(): void {
    writeFileSync(this.configFile(), JSON.stringify(this.settings));
  }

  async remove(): Promise<void> {
    await this.#end("SIGKILL");
    this.#forget();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #launch(): Running {
    this.writeSettings();
    rmSync(readyFile(this.#folder), { force: true });
    const args = ["serve", "--config", this.configFile()];
    const bounded = ["-c", `ulimit -n ${this.descriptors}; exec "$0" "$@"`, PROGRAM, ...args];
    const running = launch({
      data_dir: this.#folder,
      ...(this.descriptors === null ? { args } : { command: "/bin/sh", args: bounded }),
      variables: { ...this.environment(), ...this.#meddling() },
    });
    this.#running = running;
    return running;
  }

  /** Plays a fault within the process (meddle.ts). */
  meddle(order: Meddling): void {
    const file = join(this.#folder, "meddle.json");
    writeFileSync(`${file}.new`, JSON.stringify(order));
    renameSync(`${file}.new`, file);
  }

  #meddling(): Record<string, string> {
    this.meddle({});
    return {
      VICINITY_READY_FILE: readyFile(this.#folder),
      MEDDLE_FILE: join(this.#folder, "meddle.json"),
      NODE_OPTIONS: `--import ${MEDDLE}`,
    };
  }

  /** Of the service, and of a command that is run next to it. */
  environment(): Record<string, string> {
    return {
      PORT: String(this.#port),
      ADMIN_PORT: String(this.admin_port),
      ADMIN_TOKEN,
      VICINITY_DATA_DIR: this.data_dir,
      VICINITY_CONTACT: "runbook@example.org",
      VICINITY_ENFORCE_LIMITS: "1",
      VICINITY_URL: this.url,
      LOG_LEVEL: "info",
      LOG_FORMAT: "json",
      ...this.variables,
    };
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#running;
    if (!running) return;
    const { child } = running;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGCONT");
      child.kill(signal);
      await running.ended;
    }
    this.#reported += outputOf(running);
    this.#running = null;
  }
}

const outputOf = (running: Running): string => Object.values(running.output()).join("");

/** A command of the service's own command line, next to it; what it wrote and how it ended. */
export async function runCommand(
  node: ServiceNode,
  args: readonly string[],
): Promise<{ code: number | null; text: string }> {
  const running = launch({
    data_dir: node.data_dir,
    args,
    variables: { ...node.environment(), LOG_LEVEL: "warn", VICINITY_READY_FILE: "" },
  });
  if (running.child.exitCode === null) await once(running.child, "close");
  const { code } = await running.ended;
  const { out, err } = running.output();
  return { code, text: out + err };
}
