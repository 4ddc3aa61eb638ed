/**
 * The gazetteer of a deployment: cities and towns of the world by name, where no base covers. At the
 * first start of a version it is made, and kept; nothing waits for it. It is made in a process of its
 * own, since what a thread has used for it (some 400 MB) would stay with the service.
 */
import type { Logger } from "pino";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { openGazetteer } from "#providers/gazetteer/open-gazetteer.ts";
import { detach, guard } from "#kit/guard.ts";
import { OnePage } from "./one-page.ts";
import { readGazetteer } from "./gazetteer-pack.ts";
import { type Maker, runMaker } from "#kit/run/maker.ts";
import type { BaseStore } from "#ports/bases.ts";

export type GazetteerShelf = {
  /** null: it is not there, or not yet: the first call begins to make it. */
  current(): GeocodingBase | null;
  /** Whether it is being read or made. */
  isPending(): boolean;
  /** Resolves when it is there, or cannot be made. */
  start(): Promise<void>;
  close(): void;
};

/** Where it is switched off. */
export const NO_GAZETTEER: GazetteerShelf = {
  current: () => null,
  isPending: () => false,
  start: () => Promise.resolve(),
  close: () => undefined,
};

export type GazetteerDeps = {
  /** Where it is kept from one start to the next. */
  store: BaseStore;
  /** The program that makes it, and what that finds in `process.argv`. */
  maker: Pick<Maker, "url" | "args">;
  log: Logger;
};

/** It takes seconds; a machine may be slow, and have other things to do. */
const LIMITS = { max_heap_mb: 384, timeout_ms: 10 * 60_000 } as const;

/** The data are of the last change in it, by GeoNames' own dates. */
const STATEMENT: GeocodingBase["statement"] = {
  id: "gazetteer",
  data_at: "2020-03-18T00:00:00Z",
  licence: "CC-BY-4.0",
  attribution: "© GeoNames",
};

export function createGazetteer({ store, log, maker }: GazetteerDeps): GazetteerShelf {
  const stopped = new AbortController();
  const { signal } = stopped;
  let current: GeocodingBase | null = null;
  let begun: Promise<void> | null = null;
  let pending = false;
  const onFault = (err: unknown): void => log.error({ err }, "gazetteer");
  const start = (): Promise<void> =>
    (begun ??= guard(load, onFault).finally(() => (pending = false)));

  async function load(): Promise<void> {
    pending = true;
    const making = { ...LIMITS, ...maker };
    let pack = await readGazetteer(store);
    const problem = pack === null ? await runMaker(making, { signal, onFault }) : null;
    if (problem === null) pack ??= await readGazetteer(store);
    if (signal.aborted) return;
    if (pack === null) return log.warn({ reason: "not_made", problem }, "gazetteer");
    const geocoder = openGazetteer(pack.columns, pack.meta);
    const { names } = geocoder;
    const pages = new OnePage({ geocoder });
    const own = { hasNames: true, pages, names, isWorld: true };
    current = { statement: STATEMENT, covers: () => true, ...own };
    log.info({ bytes: pack.bytes }, "gazetteer");
  }
  return {
    current() {
      detach(start(), onFault);
      return current;
    },
    isPending: () => pending,
    start,
    close: () => stopped.abort(),
  };
}
