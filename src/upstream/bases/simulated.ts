/**
 * The base of the simulated world: made by a process of its own when the sandbox has started, and kept
 * in its store, where the next start of the same world finds it. That of another world is removed, and
 * so is that of another release.
 */
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { BaseStore } from "#ports/bases.ts";
import type { Clock } from "#ports.ts";
import { guard } from "#kit/guard.ts";
import { runMaker } from "#kit/run/maker.ts";
import type { Bases } from "#upstream/bases/shelf.ts";

export type SimulatedBase = {
  /** Removes bases of other simulated worlds; those that the operator has imported stay. */
  clear(): Promise<void>;
  /** Imports the base unless it is held already; resolves when that was tried. */
  provide(): Promise<void>;
  close(): Promise<void>;
};

/** What the process that makes it is given, as JSON. */
export type SimulatedTask = {
  id: string;
  /** Of the store. */
  folder: string;
  /** The extract lies here meanwhile. */
  path: string;
  seed: number;
  cities: readonly string[];
  now_ms: number;
};

type Deps = {
  /** The simulated world; null: nothing is simulated, or bases are not used. */
  extract: ({ name: string } & Pick<SimulatedTask, "seed" | "cities">) | null;
  bases: Bases;
  store: BaseStore;
  /** Where the store is. */
  store_folder: string;
  /** The extract lies here while it is imported. */
  folder: string;
  version: string;
  /** The program that makes it. */
  worker_url: URL;
  clock: Clock;
  log: Logger;
};

const PREFIX = "simulated-";
const ID_DIGITS = 16;
const LIMITS = { max_heap_mb: 1_024, timeout_ms: 10 * 60_000 } as const;

const NONE: SimulatedBase = {
  clear: () => Promise.resolve(),
  provide: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

export function createSimulatedBase({ extract, ...deps }: Deps): SimulatedBase {
  if (extract === null) return NONE;
  const { bases, store, folder, store_folder, clock, log, version, worker_url: url } = deps;
  const closing = new AbortController();
  const { signal } = closing;
  const id = toId(extract.name, version);
  let running = Promise.resolve();
  const onFault = (err: unknown): void => log.error({ err, base: id }, "simulated base");

  async function clear(): Promise<void> {
    for (const { id: other } of await store.list())
      if (other.startsWith(PREFIX) && other !== id) await store.remove(other);
  }

  async function provide(): Promise<void> {
    if (signal.aborted || bases.list().some((base) => base.id === id)) return;
    // A service that is killed leaves it, and the next import writes it again.
    const path = join(folder, "world.osm.pbf");
    const { seed, cities } = extract!;
    const now_ms = clock.now();
    const task: SimulatedTask = { id, folder: store_folder, path, seed, cities, now_ms };
    const problem = await runMaker(
      { ...LIMITS, url, args: [JSON.stringify(task)] },
      { signal, onFault },
    );
    await rm(path, { force: true });
    if (signal.aborted) return;
    if (problem !== null) return log.warn({ base: id, problem }, "simulated base");
    await bases.notice();
  }
  return {
    clear: () => guard(clear, onFault),
    provide: () => (running = guard(provide, onFault)),
    async close() {
      closing.abort();
      await running;
    },
  };
}

function toId(world: string, version: string): string {
  const digest = createHash("sha256").update(`${version} ${world}`).digest("hex");
  return `${PREFIX}${digest.slice(0, ID_DIGITS)}`;
}
