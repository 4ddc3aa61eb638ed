/**
 * Looks every few seconds whether the files of the store still have their names. One that has lost
 * its name is an error in the log, a metric and an end of readiness, since all that is written is
 * lost with the process (docs/operations.md, VicinityStoreDetached).
 */
import { basename } from "node:path";
import type { Logger } from "pino";
import type { Metrics } from "#http/metrics.ts";
import { every } from "#kit/every.ts";
import type { Clock } from "#ports.ts";
import type { Storage } from "#storage/open-storage.ts";

const LOOK_MS = 4_000;
const ADVICE =
  "files of the store have lost their names, so what is written now is lost with this process: " +
  "save them before it ends (docs/operations.md, VicinityStoreDetached)";

type Deps = {
  files: Pick<Storage["files"], "listLost">;
  clock: Clock;
  log: Pick<Logger, "error" | "info">;
  metrics: Pick<Metrics, "watch">;
};

export class StoreWatch {
  readonly #deps: Deps;
  #lost: readonly string[] = [];
  readonly #stop: () => void;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.metrics.watch("svc_store_files_lost", () => [{ labels: {}, value: this.#lost.length }]);
    this.#stop = every(deps.clock, LOOK_MS, () => this.#look());
  }

  /** Why the service should get no requests, in one line; null: its store is whole. */
  get problem(): string | null {
    if (this.#lost.length === 0) return null;
    return `${this.#lost.map((path) => basename(path)).join(", ")} of the store lost their names`;
  }

  close(): void {
    this.#stop();
  }

  #look(): void {
    const { files, log } = this.#deps;
    const before = this.#lost.length;
    this.#lost = files.listLost();
    if (this.#lost.length > 0 && before === 0) log.error({ files: this.#lost }, ADVICE);
    if (this.#lost.length === 0 && before > 0) log.info("the files of the store have names again");
  }
}

/** What is free where the store is, and what is kept free, as series of /metrics. */
export function watchSpace(
  { watch }: Pick<Metrics, "watch">,
  { space }: Pick<Storage, "space">,
): void {
  watch("svc_data_free_bytes", () => [{ labels: {}, value: space().free }]);
  watch("svc_data_floor_bytes", () => [{ labels: {}, value: space().floor }]);
}
