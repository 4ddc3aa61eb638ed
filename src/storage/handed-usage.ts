/**
 * Usage of one replica of a fleet: durable in its own spool before a reply leaves, and handed over to
 * the ledger of all replicas behind. An event may be handed over more than once, after a crash or an
 * answer that was lost; the ledger counts its id once. Nothing waits for the ledger, and nothing is
 * lost while it is away.
 */
import { monthOf } from "#core/metering/periods.ts";
import type { Clock, Usage, UsageEvent } from "#ports.ts";
import { createGroupCommit } from "#storage/embedded/group-commit.ts";
import type { Spool, Taken } from "#storage/embedded/spool.ts";
import type { Ledger } from "#storage/ledger.ts";

export type HandedUsage = Usage & {
  /** Ahead of the first event; what an earlier process left is handed over. */
  start(): void;
  /** Events before this time go from the ledger; totals stay. */
  forget(before_ms: number): Promise<void>;
  /** Events that the ledger does not have yet, for the metrics. */
  depth(): number;
};

export type HandedUsageDeps = {
  spool: Spool;
  ledger: Ledger;
  clock: Pick<Clock, "now" | "schedule">;
  /** The ledger, or the spool, cannot be reached: told at each attempt. */
  onFault(what: "spool" | "ledger"): void;
};

/** In events, as for the embedded store (usage-queue.ts). */
const BOUNDS = { pending: 10_000, batch: 512, enough: 64, worth: 64 };
/** Each replica has commits of its own: as few as the wait that is allowed for one (§5) permits. */
const REST_MS = 5;
/** How long events may come together before they are handed over. */
const FLUSH_MS = 250;
const RETRY_MAX_MS = 5_000;

export function createHandedUsage(deps: HandedUsageDeps): HandedUsage {
  const { spool, ledger } = deps;
  const waiting = createWaiting();
  const courier = createCourier(deps, waiting);
  const queue = createGroupCommit<UsageEvent, "durable" | "full">({
    ...{ bounds: BOUNDS, rest_ms: REST_MS, refused: "full", weigh: () => 1 },
    taken: waiting.add,
    async commit(events) {
      const kept = await spool.put(events);
      if (kept) courier.call();
      else for (const event of events) waiting.remove(event);
      return events.map(() => (kept ? "durable" : "full"));
    },
  });
  for (const event of spool.left()) waiting.add(event);

  return {
    start() {
      spool.start();
      courier.call();
    },
    record: queue.offer,
    unitsOf: (account_id, month) =>
      ledger.unitsOf(account_id, month) + waiting.unitsOf(account_id, month),
    async listUsage(filter) {
      // So that who asks sees what this replica has acknowledged.
      await courier.deliver();
      return await ledger.listUsage(filter);
    },
    forget: ledger.forget,
    depth: waiting.count,
    async close() {
      await queue.drain();
      await courier.close();
      await spool.close();
      await ledger.close();
    },
  };
}

type Waiting = {
  add(event: UsageEvent): void;
  remove(event: UsageEvent): void;
  unitsOf(account_id: string, month: string): number;
  count(): number;
};

/** Units that the ledger does not know of yet. */
function createWaiting(): Waiting {
  const units = new Map<string, number>();
  let count = 0;
  const change = ({ account_id, at_ms }: UsageEvent, by: number): void => {
    if (account_id === null) return;
    // A month is of a fixed length: no two names run into one another.
    const name = monthOf(at_ms) + account_id;
    const left = (units.get(name) ?? 0) + by;
    if (left === 0) units.delete(name);
    else units.set(name, left);
  };
  return {
    add(event) {
      count += 1;
      change(event, event.units);
    },
    remove(event) {
      count -= 1;
      change(event, -event.units);
    },
    unitsOf: (account_id, month) => units.get(month + account_id) ?? 0,
    count: () => count,
  };
}

type Courier = {
  /** There is something to hand over: soon. */
  call(): void;
  /** Hands over what there is now, or as much as the ledger takes. */
  deliver(): Promise<void>;
  /** One last time. */
  close(): Promise<void>;
};

function createCourier(
  { spool, ledger, clock, onFault }: HandedUsageDeps,
  waiting: Waiting,
): Courier {
  let under_way: Promise<boolean> | null = null;
  let cancel: (() => void) | null = null;
  let failures = 0;
  let closed = false;
  const settle = createSettlement(waiting);
  /** Until the spool is empty; false: somebody could not be reached. */
  async function empty(): Promise<boolean> {
    const taken = await spool.take();
    if (taken === null) {
      onFault("spool");
      return false;
    }
    if (taken.length === 0) return true;
    if (!(await ledger.apply(taken.flatMap(({ events }) => events)))) {
      onFault("ledger");
      return false;
    }
    await spool.drop(settle(taken));
    return empty();
  }
  async function deliver(): Promise<boolean> {
    cancel?.();
    cancel = null;
    under_way ??= empty();
    const done = await under_way;
    under_way = null;
    failures = done ? 0 : failures + 1;
    if (!done || waiting.count() > 0) call();
    return done;
  }
  function call(): void {
    if (closed || cancel || under_way) return;
    const wait_ms = Math.min(FLUSH_MS * 2 ** Math.min(failures, 10), RETRY_MAX_MS);
    cancel = clock.schedule(clock.now() + wait_ms, async () => {
      await deliver();
    });
  }
  return {
    call,
    async deliver() {
      await deliver();
    },
    async close() {
      closed = true;
      if (under_way) await under_way;
      await deliver();
    },
  };
}

/** Taken batches wait no longer; one that comes again changes nothing. Gives the latest so far. */
function createSettlement(waiting: Waiting): (batches: readonly Taken[]) => number {
  let latest = 0;
  return (batches) => {
    for (const { events } of batches.filter(({ seq }) => seq > latest))
      for (const event of events) waiting.remove(event);
    latest = Math.max(latest, ...batches.map(({ seq }) => seq));
    return latest;
  };
}
