/**
 * Metered usage: durable in the spool before a reply leaves, and handed over to the ledger behind,
 * many batches at a time. An event may be handed over more than once, after a crash or an answer that
 * was lost; the ledger counts its id once. Nothing waits for the ledger, and nothing is lost while it
 * is away.
 */
import { monthOf } from "#core/metering/periods.ts";
import type { Clock, Usage, UsageEvent } from "#ports.ts";
import { createGroupCommit } from "#storage/embedded/group-commit.ts";
import type { Spool, Taken } from "#storage/embedded/spool.ts";
import { readEvents, writeEvents } from "#storage/events.ts";
import type { Ledger } from "#storage/ledger.ts";

export type SpooledUsage = Usage & {
  /** What an earlier process left is handed over, if the ledger takes it now. */
  start(): Promise<void>;
  /** Events before this time go from the ledger; totals stay. */
  forget(before_ms: number): Promise<void>;
  /** Events that the ledger does not have yet, for the metrics. */
  depth(): number;
};

export type UsageDeps = {
  spool: Spool;
  ledger: Ledger;
  time: Pick<Clock, "now" | "schedule">;
  /** The ledger, or the spool, cannot be reached: told at each attempt. */
  onFault(what: "spool" | "ledger"): void;
};

/**
 * In events. A commit costs the answering thread as much as half the answer to a request, however
 * small the batch: after each there is a rest, unless enough has come together.
 */
const BOUNDS = { pending: 10_000, batch: 512, enough: 64, worth: 64 };
/** How long events may come together before they are handed over. */
const FLUSH_MS = 250;
const RETRY_MAX_MS = 5_000;
/** Batches that are handed over together: half as many after a failure, since they may be too much. */
const MAX_TAKEN = 128;
/** Twice as many after so many that were taken. */
const STREAK = 8;

export function createUsage(deps: UsageDeps): SpooledUsage {
  const { spool, ledger } = deps;
  const waiting = createWaiting();
  const handed = createSums();
  const courier = createCourier(deps, waiting, handed);
  const queue = createGroupCommit<UsageEvent, "durable" | "full">({
    ...{ bounds: BOUNDS, refused: "full", weigh: () => 1, taken: waiting.add },
    async commit(events) {
      const seq = await spool.put(writeEvents(events));
      if (seq !== null) keep(seq, events);
      else waiting.remove(sumUp(events));
      return events.map(() => (seq === null ? "full" : "durable"));
    },
    commitNow(events) {
      const seq = spool.putNow(writeEvents(events));
      if (seq === null) return null;
      keep(seq, events);
      return events.map(() => "durable" as const);
    },
  });
  function keep(seq: number, events: readonly UsageEvent[]): void {
    handed.note(seq, sumUp(events));
    courier.call();
  }
  for (const { events } of spool.left()) for (const event of readEvents(events)) waiting.add(event);

  return {
    start: courier.deliver,
    record: queue.offer,
    unitsOf: (account_id, month) =>
      ledger.unitsOf(account_id, month) + waiting.unitsOf(account_id, month),
    async listUsage(filter) {
      // So that who asks sees what has been acknowledged.
      await courier.deliver();
      return await ledger.listUsage(filter);
    },
    forget: ledger.forget,
    depth: waiting.count,
    async close() {
      await queue.drain();
      await courier.close();
      spool.close();
      await ledger.close();
    },
  };
}

/** Of a batch: how many events, and units by month and account. */
type Sum = { count: number; units: Map<string, Map<string, number>> };

type Waiting = {
  add(event: UsageEvent): void;
  remove(sum: Sum): void;
  unitsOf(account_id: string, month: string): number;
  count(): number;
};

/** Units that the ledger does not know of yet. */
function createWaiting(): Waiting {
  const all = sumUp([]);
  return {
    add: (event) => addTo(all, event),
    remove({ count, units }) {
      all.count -= count;
      for (const [month, accounts] of units)
        for (const [account_id, by] of accounts) change(all, month, { account_id, by: -by });
    },
    unitsOf: (account_id, month) => all.units.get(month)?.get(account_id) ?? 0,
    count: () => all.count,
  };
}

function sumUp(events: readonly UsageEvent[]): Sum {
  const sum: Sum = { count: 0, units: new Map() };
  for (const event of events) addTo(sum, event);
  return sum;
}

function addTo(sum: Sum, { account_id, at_ms, units }: UsageEvent): void {
  sum.count += 1;
  if (account_id !== null) change(sum, monthOf(at_ms), { account_id, by: units });
}

function change(
  { units }: Sum,
  month: string,
  { account_id, by }: { account_id: string; by: number },
): void {
  const accounts = units.get(month) ?? new Map<string, number>();
  const left = (accounts.get(account_id) ?? 0) + by;
  if (left === 0) accounts.delete(account_id);
  else accounts.set(account_id, left);
  if (accounts.size === 0) units.delete(month);
  else units.set(month, accounts);
}

type Sums = {
  note(seq: number, sum: Sum): void;
  /** What of a batch is waiting, once. */
  take(batch: Taken): Sum;
};

/** Batches whose sums are remembered, which spares reading them; of the others they are made again. */
const MAX_SUMS = 4_096;

function createSums(): Sums {
  const known = new Map<number, Sum>();
  let taken = 0;
  return {
    note(seq, sum) {
      // A batch may be on its way to the ledger before whoever put it hears that it is kept.
      if (seq > taken && known.size < MAX_SUMS) known.set(seq, sum);
    },
    take({ seq, events }) {
      taken = seq;
      const sum = known.get(seq);
      known.delete(seq);
      return sum ?? sumUp(readEvents(events));
    },
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
  { spool, ledger, time, onFault }: UsageDeps,
  waiting: Waiting,
  handed: Sums,
): Courier {
  let under_way: Promise<boolean> | null = null;
  let cancel: (() => void) | null = null;
  let failures = 0;
  let closed = false;
  const pace = createPace();
  /** What is in the spool by now; false: somebody could not be reached. */
  async function handOver(): Promise<boolean> {
    const count = pace.count();
    const batches = spool.take(count);
    if (batches === null) return fail("spool");
    if (batches.length === 0) return true;
    const applied = await ledger.apply(batches.map(({ events }) => events));
    pace.note(applied);
    if (!applied) return fail("ledger");
    failures = 0;
    for (const batch of batches) waiting.remove(handed.take(batch));
    spool.drop(batches.at(-1)!.seq);
    return batches.length < count || handOver();
  }
  function fail(what: "spool" | "ledger"): boolean {
    onFault(what);
    return false;
  }
  async function deliver(): Promise<void> {
    cancel?.();
    cancel = null;
    // What is under way may have begun before what is to be delivered was there.
    await under_way;
    under_way ??= handOver();
    const done = await under_way;
    under_way = null;
    failures = done ? 0 : failures + 1;
    if (!done || waiting.count() > 0) call();
  }
  function call(): void {
    if (closed || cancel || under_way) return;
    const wait_ms = Math.min(FLUSH_MS * 2 ** Math.min(failures, 10), RETRY_MAX_MS);
    cancel = time.schedule(time.now() + wait_ms, deliver);
  }
  return {
    ...{ call, deliver },
    async close() {
      closed = true;
      await deliver();
    },
  };
}

type Pace = { count(): number; note(applied: boolean): void };

/** How much a ledger is given at once. */
function createPace(): Pace {
  let count = MAX_TAKEN;
  let streak = 0;
  return {
    count: () => count,
    note(applied) {
      streak = applied ? streak + 1 : 0;
      if (!applied) count = Math.max(1, count >> 1);
      else if (streak % STREAK === 0) count = Math.min(count * 2, MAX_TAKEN);
    },
  };
}
