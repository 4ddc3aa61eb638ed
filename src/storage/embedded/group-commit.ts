/**
 * Group commit: what is offered while one commit is being made goes into the next. The first goes at
 * the end of its pass of the event loop, with what else is offered in it; after a commit there is a
 * rest of some milliseconds, unless enough has come together. Under load a pass lasts as long as a
 * hundred commits: in such a one what has come together is committed on the spot every few
 * milliseconds, while everything waits, as long as that takes up no more than a small share of the time.
 * Bounded; beyond that, requests are shed.
 */

export type GroupCommit<Item, Fate> = {
  offer(item: Item): Promise<Fate>;
  /** Takes nothing more; resolves when all that was taken has met its fate. */
  drain(): Promise<void>;
};

export type CommitRules<Item, Fate> = {
  /** One transaction, which never rejects: the fate of each, in their order. */
  commit(items: readonly Item[]): Promise<readonly Fate[]>;
  /** The same before it returns. null: not now. Absent: never. */
  commitNow?(items: readonly Item[]): readonly Fate[] | null;
  /** What an item counts for in the bounds. */
  weigh(item: Item): number;
  /** Called for what is taken, before it is written. */
  taken?(item: Item): void;
  /** Of what is not taken. */
  refused: Fate;
  /**
   * Weights: not yet durable; in one commit; so much need not wait for the commit before theirs; so
   * much need not wait for the end of the rest (0: nothing does).
   */
  bounds: { pending: number; batch: number; enough: number; worth: number };
  /** Monotonic milliseconds, for tests. */
  now?(): number;
};

const MAX_FLYING = 2;
const REST_MS = 3;
/** Of a long pass, between commits on the spot: so long, and so many times what the last one took. */
const STEP_MS = 2;
const STEPS = 25;

type Waiting<Item, Fate> = { item: Item; weight: number; resolve: (fate: Fate) => void };

export function createGroupCommit<Item, Fate>(
  rules: CommitRules<Item, Fate>,
): GroupCommit<Item, Fate> {
  const { weigh, bounds } = rules;
  const queue: Waiting<Item, Fate>[] = [];
  let queued = 0;
  let pending = 0;
  let flying = 0;
  let draining: PromiseWithResolvers<void> | null = null;
  const now = rules.now ?? (() => performance.now());
  const rest = createRest(now, pump);
  const pass = createPass(now, { end: pump, step: commitNow });

  const isDue = (): boolean =>
    queue.length > 0 &&
    (flying === 0 || (flying < MAX_FLYING && queued >= bounds.enough)) &&
    (!rest.isOn() || queued >= bounds.worth);

  function pump(): void {
    while (isDue()) void commit(queue.splice(0, countFitting(queue, bounds.batch)));
    // A commit that flies pumps when it is done.
    if (queue.length > 0 && flying === 0) rest.awaitEnd();
  }

  async function commit(batch: readonly Waiting<Item, Fate>[]): Promise<void> {
    queued -= weightOf(batch);
    flying += 1;
    const fates = await rules.commit(batch.map(({ item }) => item));
    flying -= 1;
    tell(batch, fates);
    pump();
    if (pending === 0) draining?.resolve();
  }

  function commitNow(): void {
    if (flying > 0) return;
    const batch = queue.slice(0, countFitting(queue, bounds.batch));
    const fates = rules.commitNow?.(batch.map(({ item }) => item)) ?? null;
    if (fates === null) return pump();
    queue.splice(0, batch.length);
    queued -= weightOf(batch);
    tell(batch, fates);
  }

  function tell(batch: readonly Waiting<Item, Fate>[], fates: readonly Fate[]): void {
    pending -= weightOf(batch);
    for (const [index, { resolve }] of batch.entries()) resolve(fates[index]!);
    if (bounds.worth > 0) rest.begin();
  }

  return {
    offer(item) {
      const weight = weigh(item);
      // One that is heavier than all that may be pending is taken when it is alone.
      if (draining || (pending > 0 && pending + weight > bounds.pending))
        return Promise.resolve(rules.refused);
      pending += weight;
      queued += weight;
      rules.taken?.(item);
      return new Promise((resolve) => {
        queue.push({ item, weight, resolve });
        pass.note();
      });
    },
    drain() {
      const { promise, resolve } = (draining ??= Promise.withResolvers<void>());
      if (pending === 0) resolve();
      return promise;
    },
  };
}

/** How many of the first may be committed together; at least one. */
function countFitting(queue: readonly { weight: number }[], most: number): number {
  let weight = 0;
  const first_beyond = queue.findIndex((each) => (weight += each.weight) > most);
  return first_beyond === -1 ? queue.length : Math.max(1, first_beyond);
}

function weightOf(batch: readonly { weight: number }[]): number {
  return batch.reduce((sum, { weight }) => sum + weight, 0);
}

/** `end`: at the end of each pass in which something is noted; `step`: in it, when it is long. */
function createPass(
  now: () => number,
  { end, step }: { end(): void; step(): void },
): { note(): void } {
  let step_at_ms: number | null = null;
  const finish = (): void => {
    step_at_ms = null;
    end();
  };
  return {
    note() {
      const now_ms = now();
      if (step_at_ms === null) {
        step_at_ms = now_ms + STEP_MS;
        setImmediate(finish);
      } else if (now_ms >= step_at_ms) {
        step();
        const after_ms = now();
        step_at_ms = after_ms + Math.max(STEP_MS, STEPS * (after_ms - now_ms));
      }
    },
  };
}

type Rest = {
  isOn(): boolean;
  begin(): void;
  /** Somebody waits for its end: `onEnd` is called then. */
  awaitEnd(): void;
};

/** By the clock, since a timer comes no sooner than a long pass ends; and none where nobody waits. */
function createRest(now: () => number, onEnd: () => void): Rest {
  let until_ms = -Infinity;
  let armed = false;
  return {
    isOn: () => now() < until_ms,
    begin() {
      until_ms = now() + REST_MS;
    },
    awaitEnd() {
      if (armed) return;
      armed = true;
      // It may have ended since it was found to be on.
      const left_ms = Math.max(0, until_ms - now());
      setTimeout(() => {
        armed = false;
        onEnd();
      }, Math.ceil(left_ms));
    },
  };
}
