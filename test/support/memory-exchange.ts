/**
 * A place of exchange that lasts as long as the test: the reference of the conformance suite, and
 * what replicas of other tests meet at. It can be away, lose notices, forget, and answer late.
 */
import type { Clock, FeedExchange, FeedLease, PublishedFeed } from "#ports.ts";

export type MemoryReplica = {
  exchange: FeedExchange;
  /** It renews no lease from now on, and says nothing: as a process that is killed or frozen. */
  kill(): void;
  /** Resumes a killed replica, as after a freeze; its leases are lost if that took too long. */
  revive(): void;
};

export type MemoryExchange = {
  join(): MemoryReplica;
  /** Every call answers that it is unreachable, a read after `read_ms`, and no notice arrives. */
  setAway(away: boolean, read_ms?: number): void;
  /** A lease is unreachable after `DOUBT_MS`; at once for a caller that is in a hurry. */
  setDoubtful(doubtful: boolean): void;
  /** Notices are lost; calls are answered. */
  setMuted(muted: boolean): void;
  /** As after a restart without its data. */
  wipe(): void;
  /** The number of leases granted and not yet over, of any replica. */
  leases(): number;
  /** The number of calls, by name. */
  calls: Record<"lease" | "read" | "publish" | "release" | "list", number>;
};

/** Granted for so long, and renewed all the time while its holder lives. */
export const LEASE_LIFE_MS = 3_000;
export const DOUBT_MS = 700;

type Holder = { dead_at_ms: number | null };
/** One that could not be released is not renewed either. */
type Lease = { holder: Holder; left_at_ms: number | null };
type Entry = PublishedFeed & { lease: Lease | null };
type Watcher = (notice: { source_id: string; version: number }) => void;

/** `delay`: how long a call takes, ms; a notice takes as long. */
export function createMemoryExchange(
  clock: Pick<Clock, "now" | "sleep">,
  delay: () => number = () => 0,
): MemoryExchange {
  const entries = new Map<string, Entry>();
  const watchers = new Map<Watcher, Holder>();
  const calls = { lease: 0, read: 0, publish: 0, release: 0, list: 0 };
  let published = 0;
  let away = false;
  let away_read_ms = 0;
  let doubtful = false;
  let muted = false;

  const pause = async (): Promise<void> => {
    const ms = delay();
    if (ms > 0) await clock.sleep(ms);
  };
  /** Answers after the delay, if the caller is still alive and the store reachable. */
  async function call<T, N>(
    name: keyof typeof calls,
    holder: Holder,
    answers: { silent: N; answer: () => T },
  ): Promise<T | N> {
    calls[name]++;
    await pause();
    if (away || holder.dead_at_ms !== null) return answers.silent;
    const answer = answers.answer();
    await pause();
    return answer;
  }
  const entryOf = (source_id: string): Entry => {
    const known_entry = entries.get(source_id);
    if (known_entry) return known_entry;
    const entry = { source_id, version: 0, state: "", packs: new Map(), lease: null };
    entries.set(source_id, entry);
    return entry;
  };
  const isOver = ({ holder, left_at_ms }: Lease): boolean => {
    const renewed_at_ms = Math.min(holder.dead_at_ms ?? Infinity, left_at_ms ?? Infinity);
    return clock.now() - renewed_at_ms >= LEASE_LIFE_MS;
  };
  const deliver = async (
    notice: { source_id: string; version: number },
    watcher: Watcher,
    holder: Holder,
  ): Promise<void> => {
    await pause();
    if (!away && holder.dead_at_ms === null && watchers.has(watcher)) watcher(notice);
  };
  const notify = ({ source_id, version }: Entry): void => {
    if (muted) return;
    for (const [watcher, holder] of watchers) void deliver({ source_id, version }, watcher, holder);
  };

  function grant(entry: Entry, holder: Holder): FeedLease {
    const lease: Lease = { holder, left_at_ms: null };
    entry.lease = lease;
    const { source_id, version } = entry;
    /** Wiped or taken over, it is lost. */
    const end = (): Entry | null => {
      const now = entries.get(source_id);
      if (now?.lease !== lease || isOver(lease)) return null;
      now.lease = null;
      return now;
    };
    const leave = (): void => void (lease.left_at_ms ??= clock.now());
    return {
      version,
      publish: (state, packs) => {
        leave();
        return call("publish", holder, {
          silent: null,
          answer() {
            const stored = end();
            if (!stored) return null;
            const copies = [...packs].map(([hash, bytes]) => [hash, bytes.slice()] as const);
            Object.assign(stored, { version: ++published, state, packs: new Map(copies) });
            notify(stored);
            return stored.version;
          },
        });
      },
      release: () => {
        leave();
        return call("release", holder, {
          silent: undefined,
          answer() {
            const stored = end();
            if (stored) notify(stored);
          },
        });
      },
    };
  }

  function join(): MemoryReplica {
    const holder: Holder = { dead_at_ms: null };
    const exchange: FeedExchange = {
      async lease(source_id, hurry) {
        const granted = await call("lease", holder, {
          silent: "unreachable" as const,
          answer() {
            if (doubtful) return "unreachable" as const;
            const entry = entryOf(source_id);
            if (entry.lease && !isOver(entry.lease)) return "held" as const;
            return grant(entry, holder);
          },
        });
        if (doubtful) await Promise.race([clock.sleep(DOUBT_MS), aborted(hurry)]);
        return granted;
      },
      async read(source_id, { after, stored }) {
        const read = await call("read", holder, {
          silent: "unreachable" as const,
          answer() {
            const entry = entries.get(source_id);
            if (!entry || entry.version <= after) return null;
            const wanted = [...entry.packs].filter(([hash]) => !stored.has(hash));
            const packs = new Map(wanted.map(([hash, bytes]) => [hash, bytes.slice()]));
            return { source_id, version: entry.version, state: entry.state, packs };
          },
        });
        if (away && away_read_ms > 0) await clock.sleep(away_read_ms);
        return read;
      },
      list: () =>
        call("list", holder, {
          silent: "unreachable" as const,
          answer: () =>
            [...entries.values()]
              .filter(({ version }) => version > 0)
              .map(({ source_id, version }) => ({ source_id, version })),
        }),
      watch(watcher) {
        const own_watcher: Watcher = (notice) => watcher(notice);
        watchers.set(own_watcher, holder);
        return () => void watchers.delete(own_watcher);
      },
    };
    return {
      exchange,
      kill: () => void (holder.dead_at_ms ??= clock.now()),
      revive() {
        for (const entry of entries.values())
          if (entry.lease?.holder === holder && isOver(entry.lease)) entry.lease = null;
        holder.dead_at_ms = null;
      },
    };
  }

  return {
    join,
    setAway: (is, read_ms = 0) => void ([away, away_read_ms] = [is, read_ms]),
    setDoubtful: (is) => void (doubtful = is),
    setMuted: (is) => void (muted = is),
    wipe: () => entries.clear(),
    leases: () => [...entries.values()].filter(({ lease }) => lease && !isOver(lease)).length,
    calls,
  };
}

function aborted(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve());
  });
}
