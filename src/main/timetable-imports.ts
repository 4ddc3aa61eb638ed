/** Imports of timetables by a command: side by side as far as the memory goes, stored one by one. */
import { availableParallelism } from "node:os";
import { resolve as resolvePath } from "node:path";
import type { CliImportOptions, CliImportResult } from "#cli/io.ts";
import type { NoteFault } from "#kit/guard.ts";
import { Lanes } from "#kit/run/lanes.ts";
import type { openAdminStorage } from "#storage/open-storage.ts";
import { threadImport } from "#transit/archive/archive-thread.ts";
import { createImportLanes } from "#transit/archive/import-lanes.ts";
import type { ImportCapacity } from "#transit/gtfs/feed-needs.ts";
import { WORKERS } from "./workers.ts";

type Deps = {
  capacity: (options: CliImportOptions) => Promise<ImportCapacity>;
  openStore: (options: CliImportOptions) => ReturnType<typeof openAdminStorage>;
  /** null: it is stored; else why not, in one line. */
  sayUnstored: (options: CliImportOptions, put: () => Promise<null>) => Promise<string | null>;
  onFault: NoteFault;
};

export class TimetableImports {
  readonly #deps: Deps;
  #lanes: Lanes | undefined;
  readonly #storing = new Lanes({ most: 1, memory_bytes: Infinity });

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Imports into the store of the mode, which a running service checks every few seconds. */
  async run(options: CliImportOptions): Promise<CliImportResult> {
    const { path, feed_id, region, box, onProgress, signal } = options;
    const capacity = await this.#deps.capacity(options);
    const { memory_bytes } = capacity;
    this.#lanes ??= createImportLanes("command", { most: availableParallelism(), memory_bytes });
    const read = threadImport({
      worker_url: WORKERS.import,
      onFault: this.#deps.onFault,
      capacity: () => Promise.resolve(capacity),
      lanes: this.#lanes,
    });
    const now_ms = Date.now();
    const input = { feed_id, region, box, now_ms, imported_from: resolvePath(path) };
    const result = await read({ path }, { ...input, onProgress, ...(signal && { signal }) });
    if (!result.ok) return result;
    const store = (): Promise<string | null> => this.#store(options, result.pack, now_ms);
    const problem = await this.#storing.run(result.pack.byteLength, store);
    return problem === null ? { ok: true, report: result.report } : { ok: false, problem };
  }

  async #store(
    options: CliImportOptions,
    pack: Uint8Array,
    now_ms: number,
  ): Promise<string | null> {
    if (options.signal?.aborted) return "the import was stopped";
    const store = this.#deps.openStore(options);
    if ("problem" in store) return store.problem;
    const origin = { imported_at_ms: now_ms, etag: null, last_modified: null };
    const put = async (): Promise<null> => {
      await store.transit.putFeed(options.feed_id, pack, origin);
      store.transit.clearAttempt(options.feed_id);
      return null;
    };
    try {
      return await this.#deps.sayUnstored(options, put);
    } finally {
      store.close();
    }
  }
}
