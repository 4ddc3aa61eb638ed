/**
 * The gazetteer of a deployment: cities and towns of the world by name, where no base covers. It is
 * made after the start, in a thread, and nothing waits for it.
 */
import type { Logger } from "pino";
import type { GeocodingBase } from "#app/places/base-geocoding.ts";
import { readPack } from "#core/pack.ts";
import { openGazetteer } from "#providers/gazetteer/open.ts";
import { runInThread, type ThreadLimits } from "#upstream/thread.ts";
import { GAZETTEER_FORMAT, type GazetteerMeta } from "./gazetteer-pack.ts";

export type Gazetteer = {
  /** null: it is not there, or not yet: the first call begins to make it. */
  current(): GeocodingBase | null;
  /** Resolves when it is there, or cannot be made. */
  start(): Promise<void>;
  close(): void;
};

/** Where it is switched off. */
export const NO_GAZETTEER: Gazetteer = {
  current: () => null,
  start: () => Promise.resolve(),
  close: () => undefined,
};

type Deps = {
  /** Where it is kept from one start to the next; null: nowhere. */
  folder: string | null;
  log: Logger;
  limits?: Partial<ThreadLimits>;
};

const LIMITS: ThreadLimits = {
  worker_url: new URL("../workers/gazetteer.ts", import.meta.url),
  max_heap_mb: 1_024,
  // It takes seconds; a machine may be slow, and have other things to do.
  timeout_ms: 10 * 60_000,
};

/** The data are of the last change in it, by GeoNames' own dates. */
const STATEMENT: GeocodingBase["statement"] = {
  id: "gazetteer",
  data_at: "2020-03-18T00:00:00Z",
  licence: "CC-BY-4.0",
  attribution: "© GeoNames",
};

export function createGazetteer({ folder, log, limits }: Deps): Gazetteer {
  const stopped = new AbortController();
  let current: GeocodingBase | null = null;
  let begun: Promise<void> | null = null;
  const start = (): Promise<void> => (begun ??= make());
  async function make(): Promise<void> {
    const { signal } = stopped;
    const made = await runInThread<Uint8Array>(folder, { ...LIMITS, ...limits }, { signal });
    if (signal.aborted) return;
    const pack = made.ok ? readPack<GazetteerMeta>(GAZETTEER_FORMAT, made.value) : null;
    if (pack === null)
      return log.warn({ reason: made.ok ? "unreadable" : made.reason }, "gazetteer");
    const geocoder = openGazetteer(pack.columns, pack.meta.geocoder);
    current = { statement: STATEMENT, covers: () => true, geocoder };
    log.info({ bytes: made.ok ? made.value.byteLength : 0 }, "gazetteer");
  }
  return {
    current() {
      void start();
      return current;
    },
    start,
    close: () => stopped.abort(),
  };
}
