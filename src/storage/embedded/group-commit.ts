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
  const line = createLine<Waiting<Item, Fate>>(bounds.batch);
  const room = createRoom(bounds.pending);
  let flying = 0;
  const now = rules.now ?? (() => performance.now());
  const rest = createRest(now, pump);
  const pass = createPass(now, { end: pump, step: commitNow });

  const isDue = (): boolean =>
    !line.isEmpty() &&
    (flying === 0 || (flying < MAX_FLYING && line.weight() >= bounds.enough)) &&
    (!rest.isOn() || line.weight() >= bounds.worth);

  function pump(): void {
    while (isDue()) void commit(line.first());
    // A commit that flies pumps when it is done.
    if (!line.isEmpty() && flying === 0) rest.awaitEnd();
  }

  async function commit(batch: readonly Waiting<Item, Fate>[]): Promise<void> {
    line.drop(batch);
    flying += 1;
    const fates = await rules.commit(batch.map(({ item }) => item));
    flying -= 1;
    tell(batch, fates);
    pump();
  }

  function commitNow(): void {
    if (flying > 0) return;
    const batch = line.first();
    const fates = rules.commitNow?.(batch.map(({ item }) => item)) ?? null;
    if (fates === null) return pump();
    line.drop(batch);
    tell(batch, fates);
  }

  function tell(batch: readonly Waiting<Item, Fate>[], fates: readonly Fate[]): void {
    for (const [index, { resolve }] of batch.entries()) resolve(fates[index]!);
    if (bounds.worth > 0) rest.begin();
    room.free(weightOf(batch));
  }

  return {
    offer(item) {
      const weight = weigh(item);
      if (!room.take(weight)) return Promise.resolve(rules.refused);
      rules.taken?.(item);
      return new Promise((resolve) => {
        line.push({ item, weight, resolve });
        pass.note();
      });
    },
    drain: room.drain,
  };
}

type Room = {
  take(weight: number): boolean;
  free(weight: number): void;
  /** Nothing more is taken; resolves when all is free. */
  drain(): Promise<void>;
};

function createRoom(most: number): Room {
  let taken = 0;
  let draining: PromiseWithResolvers<void> | null = null;
  return {
    take(weight) {
      // One that is heavier than all the room is taken when it is alone.
      if (draining || (taken > 0 && taken + weight > most)) return false;
      taken += weight;
      return true;
    },
    free(weight) {
      taken -= weight;
      if (taken === 0) draining?.resolve();
    },
    drain() {
      const { promise, resolve } = (draining ??= Promise.withResolvers<void>());
      if (taken === 0) resolve();
      return promise;
    },
  };
}

type Line<One> = {
  isEmpty(): boolean;
  weight(): number;
  push(one: One): void;
  /** Those that are to go together next. */
  first(): One[];
  /** They go. */
  drop(first: readonly One[]): void;
};

function createLine<One extends { weight: number }>(most: number): Line<One> {
  const queue: One[] = [];
  let weight = 0;
  return {
    isEmpty: () => queue.length === 0,
    weight: () => weight,
    push(one) {
      queue.push(one);
      weight += one.weight;
    },
    first: () => queue.slice(0, countFitting(queue, most)),
    drop(first) {
      queue.splice(0, first.length);
      weight -= weightOf(first);
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
