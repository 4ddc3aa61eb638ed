/**
 * What this process is, for those who compare it: a series of /metrics, a line of the log, the other
 * replicas (replica-watch.ts), and a file in the data folder that `vicinity doctor` reads.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigDigest } from "#config/digest.ts";
import type { Metrics } from "#http/metrics.ts";
import { FILE_MODE } from "#storage/embedded/private-files.ts";
import { RUNNING_FILE, type Running } from "#storage/running.ts";
import type { Build } from "./build.ts";
import { ALL_APPLIED, type Unapplied } from "./reload.ts";

export type NodeFactsDeps = {
  build: Build;
  digest: ConfigDigest;
  /** Versions of the stores that this process has opened, as `describeSchemas` words them. */
  schema: () => string;
  metrics: Pick<Metrics, "watch">;
};

export class NodeFacts {
  readonly #build: Build;
  readonly #schema: () => string;
  #unapplied = ALL_APPLIED;
  #digest: ConfigDigest;
  #onChange: () => void = () => undefined;

  constructor({ build, digest, schema, metrics }: NodeFactsDeps) {
    this.#build = build;
    this.#digest = digest;
    this.#schema = schema;
    metrics.watch("svc_build_info", () => [{ labels: { ...this.describe() }, value: 1 }]);
    metrics.watch("svc_config_unapplied", () => [
      { labels: { reason: "restart" }, value: this.#unapplied.restart.length },
      { labels: { reason: "invalid" }, value: this.#unapplied.problem === null ? 0 : 1 },
    ]);
  }

  /** What the configuration file has and is not served by. */
  set unapplied(unapplied: Unapplied) {
    this.#unapplied = unapplied;
    this.#onChange();
  }

  /** Of the configuration in use. */
  set digest(digest: ConfigDigest) {
    this.#digest = digest;
    this.#onChange();
  }

  /** Calls the listener when the configuration in use has changed. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** As the log and the metric name it; nothing in it is secret. */
  describe() {
    const { version, commit } = this.#build;
    return { version, commit: commit ?? "unknown", ...this.#digest, schema: this.#schema() };
  }

  /** Writes the file in one step, so that who reads it has all of it or the one before. */
  write(folder: string, where: Pick<Running, "url" | "admin_url" | "started_at">): void {
    const running: Running = {
      pid: process.pid,
      ...where,
      ...this.describe(),
      restart: this.#unapplied.restart,
    };
    const path = join(folder, RUNNING_FILE);
    writeFileSync(`${path}.new`, `${JSON.stringify(running)}\n`, { mode: FILE_MODE });
    renameSync(`${path}.new`, path);
  }

  remove(folder: string): void {
    rmSync(join(folder, RUNNING_FILE), { force: true });
  }
}
