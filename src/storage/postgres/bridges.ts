/**
 * Bridges of a fleet: all sources that were requested are in memory, where they are read and
 * changed at once; changes are written behind, none is lost while PostgreSQL is away, and those of
 * other replicas are read when their notices arrive.
 */
import { guard } from "#kit/guard.ts";
import type { Bridges, Clock } from "#ports.ts";
import { attemptQuery } from "./attempt.ts";
import { meetSources, readSources, type SourceChange, writeSources } from "./bridge-rows.ts";
import { createChanges } from "./account-changes.ts";
import type { StoreNotices } from "./postgres-notices.ts";
import type { Pool } from "./pool.ts";
import type { Time } from "#storage/store-time.ts";

/** Interval of polling, for changes whose notices were lost. */
const FOLLOW_EVERY_MS = 5_000;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 2_000;
/** Written in one transaction at most. */
const WRITE_BATCH = 50;

export type PostgresBridges = Bridges & {
  /** Writes what is left. false: the store did not take all of it. */
  close(): Promise<boolean>;
};

export type BridgesDeps = {
  clock: Pick<Clock, "now">;
  time: Time;
  /** Report soon what other replicas write; some may be lost. */
  notices: Pick<StoreNotices, "listen">;
};

/** A source in memory; `changed` is null until it was read from the store. */
type Source = {
  first_seen_ms: number;
  stations: Uint8Array | null;
  ids: Map<string, string>;
  changed: string | null;
};

/** Creates the bridges over a pool, which the caller closes afterwards. */
export function createPostgresBridges(
  pool: Pick<Pool, "query" | "transact" | "noteDefect">,
  { clock, time, notices }: BridgesDeps,
): PostgresBridges {
  const sources = new Map<string, Source>();
  const pending = new Map<string, SourceChange>();
  const writer = createWriter(pool, { sources, pending });
  const reader = createReader(pool, { sources, pending });
  const steps = createSteps(
    time,
    async () => (await reader.load()) && (await writer.flush()) && (await reader.follow()),
  );
  notices.listen("bridges", steps.wake);

  function meet(source_id: string, now_ms: number): Source {
    let source = sources.get(source_id);
    if (!source) {
      source = { first_seen_ms: now_ms, stations: null, ids: new Map(), changed: null };
      sources.set(source_id, source);
      steps.wake();
    }
    return source;
  }

  return {
    async prepare(source_ids, now_ms) {
      const met = source_ids.map((id) => meet(id, now_ms));
      if (met.some(({ changed }) => changed === null)) await steps.take();
    },
    meet: (source_ids, now_ms) =>
      new Map(source_ids.map((id) => [id, meet(id, now_ms).first_seen_ms])),
    listIds: (source_id) => new Map(sources.get(source_id)?.ids),
    recall: (source_id) => sources.get(source_id)?.stations ?? null,
    save(source_id, { ids, seen }) {
      const source = meet(source_id, clock.now());
      const change = { first_seen_ms: source.first_seen_ms, stations: seen, ids: new Map(ids) };
      apply(source, change);
      pending.set(source_id, merge(pending.get(source_id), change));
      steps.wake();
    },
    async close() {
      await steps.end();
      return pending.size === 0;
    },
  };
}

type PendingSources = { sources: Map<string, Source>; pending: Map<string, SourceChange> };

function createReader(
  pool: Pick<Pool, "query" | "noteDefect">,
  { sources, pending }: PendingSources,
): { load(): Promise<boolean>; follow(): Promise<boolean> } {
  const changes = createChanges<{ source_id: string; changed: string }>(pool, {
    table: "identity_source",
    columns: ["source_id", "changed"],
    wanted: "true",
  });

  async function read(source_ids: readonly string[]): Promise<void> {
    for await (const { source_id, ...row } of readSources(pool, source_ids)) {
      const source = sources.get(source_id)!;
      Object.assign(source, row);
      // What was changed here since is newer.
      const change = pending.get(source_id);
      if (change) apply(source, change);
    }
  }
  return {
    /** Sources that were not read yet. false: the store did not answer. */
    async load() {
      const missing = [...sources].filter(([, { changed }]) => changed === null);
      if (missing.length === 0) return true;
      const times = new Map(missing.map(([id, { first_seen_ms }]) => [id, first_seen_ms]));
      const loaded = await attemptQuery(pool, async () => {
        await meetSources(pool, times);
        await read([...times.keys()]);
        return true;
      });
      return loaded ?? false;
    },
    /** Sources that another replica wrote. */
    async follow() {
      const followed = await attemptQuery(pool, async () => {
        const { rows } = await changes.next();
        const stale = rows.filter(({ source_id, changed }) => {
          const source = sources.get(source_id);
          return source && source.changed !== changed;
        });
        await read(stale.map(({ source_id }) => source_id));
        return true;
      });
      return followed ?? false;
    },
  };
}

function createWriter(
  pool: Pick<Pool, "transact" | "noteDefect">,
  { sources, pending }: PendingSources,
): { flush(): Promise<boolean> } {
  /** Writes a batch; changes made meanwhile go with the next one. */
  async function flush(): Promise<boolean> {
    const batch = new Map([...pending].slice(0, WRITE_BATCH));
    if (batch.size === 0) return true;
    for (const source_id of batch.keys()) pending.delete(source_id);
    const written = await attemptQuery(pool, () =>
      pool.transact((query) => writeSources(query, batch)),
    );
    for (const [source_id, change] of batch) {
      const source = sources.get(source_id)!;
      if (!written) pending.set(source_id, merge(change, pending.get(source_id)));
      // Where another replica wrote it before us, it is read once more.
      else if (written.before.get(source_id) === source.changed) source.changed = written.changed;
    }
    return written !== null && flush();
  }
  return { flush };
}

/** Runs steps one after the other, so that nothing read is older than what was written. */
function createSteps(
  time: Time,
  step: () => Promise<boolean>,
): { wake(): void; take(): Promise<void>; end(): Promise<void> } {
  let last: Promise<void> = Promise.resolve();
  let cancel = (): void => undefined;
  let failures = 0;
  let woken = false;
  let ended = false;

  function later(after_ms: number): void {
    cancel();
    if (!ended) cancel = time.schedule(time.now() + after_ms, take);
  }
  async function run(): Promise<void> {
    woken = false;
    let done = false;
    try {
      // What it throws is for the timer that has begun it, and the next step follows.
      done = await step();
    } finally {
      failures = done ? 0 : failures + 1;
      const retry_ms = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MAX_MS);
      later(failures > 0 ? retry_ms : woken ? 0 : FOLLOW_EVERY_MS);
    }
  }
  function take(): Promise<void> {
    const before = last;
    last = guard(
      () => before,
      () => undefined,
    ).then(run);
    return last;
  }
  return {
    take,
    /** Runs the next step at once, unless the store is away. */
    wake() {
      if (woken) return;
      woken = true;
      if (failures === 0) later(0);
    },
    async end() {
      ended = true;
      cancel();
      await take();
    },
  };
}

function apply(source: Source, { stations, ids }: SourceChange): void {
  if (stations) source.stations = stations;
  for (const [station_id, svc_id] of ids)
    if (svc_id === null) source.ids.delete(station_id);
    else source.ids.set(station_id, svc_id);
}

/** Where both set a member, the later one wins. */
function merge(earlier: SourceChange | undefined, later: SourceChange | undefined): SourceChange {
  if (!earlier || !later) return (earlier ?? later)!;
  return {
    first_seen_ms: later.first_seen_ms,
    stations: later.stations ?? earlier.stations,
    ids: new Map([...earlier.ids, ...later.ids]),
  };
}
