/**
 * What this process is, for those who compare it: a series of /metrics, a line of the log, the other
 * replicas (replica-watch.ts), and a file in the data folder that `vicinity doctor` reads.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { ConfigDigest } from "#config/digest.ts";
import { ALL_APPLIED, type Unapplied } from "#config/reload.ts";
import type { Metrics } from "#http/metrics.ts";
import { attempt, detach } from "#kit/guard.ts";
import { FILE_MODE } from "#storage/embedded/private-files.ts";
import { toLine } from "#storage/error-line.ts";
import type { Storage } from "#storage/open-storage.ts";
import { RUNNING_FILE, type Running } from "#storage/running.ts";
import { describeSchemas } from "#storage/schema-versions.ts";
import type { Build } from "./build.ts";

type Deps = {
  build: Build;
  digest: ConfigDigest;
  /** Where it can be reached, and since when. */
  where: Pick<Running, "url" | "admin_url" | "started_at">;
  /** Where the file is. */
  folder: string;
  storage: Pick<Storage, "schemas" | "fleet">;
  metrics: Pick<Metrics, "watch">;
  log: Pick<Logger, "warn">;
};

export class NodeFacts {
  readonly #deps: Deps;
  #unapplied = ALL_APPLIED;
  #digest: ConfigDigest;
  #closed = false;

  /** Writes the file, and again when something of it has changed. */
  constructor(deps: Deps) {
    this.#deps = deps;
    this.#digest = deps.digest;
    const { metrics, storage } = deps;
    metrics.watch("svc_build_info", () => [{ labels: { ...this.describe() }, value: 1 }]);
    metrics.watch("svc_config_unapplied", () => [
      { labels: { reason: "restart" }, value: this.#unapplied.restart.length },
      { labels: { reason: "invalid" }, value: this.#unapplied.problem === null ? 0 : 1 },
    ]);
    this.#write();
    if (storage.fleet)
      detach(
        storage.fleet.joined.then(() => this.#write()),
        this.#warn,
      );
  }

  /** What the configuration file has and is not served by. */
  set unapplied(unapplied: Unapplied) {
    this.#unapplied = unapplied;
    this.#write();
  }

  /** Of the configuration in use. */
  set digest(digest: ConfigDigest) {
    this.#digest = digest;
    this.#write();
  }

  /** As the log and the metric name it; nothing in it is secret. */
  describe() {
    const { build, storage } = this.#deps;
    const schema = describeSchemas(storage.schemas());
    const { version, commit } = build;
    return { version, commit: commit ?? "unknown", ...this.#digest, schema };
  }

  close(): void {
    this.#closed = true;
    rmSync(this.#path, { force: true });
  }

  get #path(): string {
    return join(this.#deps.folder, RUNNING_FILE);
  }

  /** In one step, so that who reads it has all of it or the one before. */
  #write(): void {
    if (this.#closed) return;
    const { restart } = this.#unapplied;
    const { pid } = process;
    const running: Running = { pid, ...this.#deps.where, ...this.describe(), restart };
    const draft = `${this.#path}.new`;
    attempt(() => {
      writeFileSync(draft, `${JSON.stringify(running)}\n`, { mode: FILE_MODE });
      renameSync(draft, this.#path);
    }, this.#warn);
  }

  /** On a full disk the service runs all the same. */
  readonly #warn = (error: unknown): void =>
    this.#deps.log.warn({ reason: toLine(error) }, "running.json");
}
