/**
 * A queue of what must be durable before its reply leaves (datasets), committed in batches: the first
 * goes at the end of its pass of the event loop, with what else is offered in it; what is offered
 * while a commit is under way goes into the next. Bounded: beyond that, items are refused.
 */
import { detach, guard } from "#kit/guard.ts";

export type CommitQueue<Item, Fate> = {
  offer(item: Item): Promise<Fate>;
  /** Refuses all further items; resolves when those that were accepted have their fate. */
  drain(): Promise<void>;
};

export type CommitRules<Item, Fate> = {
  /** One transaction: the fate of each item, in their order. */
  commit(items: readonly Item[]): Promise<readonly Fate[]>;
  /** What an item counts for in the bounds. */
  weigh(item: Item): number;
  /** The fate of an item that is not accepted, or whose commit has thrown. */
  refused: Fate;
  /** Receives what a commit throws. */
  onFault: (error: unknown) => void;
  /** Weights: not yet durable; in one commit; so much need not wait for the commit under way. */
  bounds: { pending: number; batch: number; enough: number };
};

const MAX_UNDER_WAY = 2;

type Waiting<Item, Fate> = { item: Item; weight: number; resolve: (fate: Fate) => void };

export function createCommitQueue<Item, Fate>(
  rules: CommitRules<Item, Fate>,
): CommitQueue<Item, Fate> {
  const { weigh, refused, bounds } = rules;
  const queue: Waiting<Item, Fate>[] = [];
  let queued = 0;
  let pending = 0;
  let under_way = 0;
  let scheduled = false;
  let drained: PromiseWithResolvers<void> | null = null;

  const isDue = (): boolean =>
    queue.length > 0 && (under_way === 0 || (under_way < MAX_UNDER_WAY && queued >= bounds.enough));

  function pump(): void {
    scheduled = false;
    while (isDue()) detach(commit(takeBatch()), rules.onFault);
  }

  /** At least one. */
  function takeBatch(): Waiting<Item, Fate>[] {
    let weight = 0;
    const beyond = queue.findIndex((each) => (weight += each.weight) > bounds.batch);
    const batch = queue.splice(0, beyond === -1 ? queue.length : Math.max(1, beyond));
    queued -= weightOf(batch);
    return batch;
  }

  async function commit(batch: readonly Waiting<Item, Fate>[]): Promise<void> {
    under_way += 1;
    const fates = await guard(
      () => rules.commit(batch.map(({ item }) => item)),
      (error) => {
        rules.onFault(error);
        return [];
      },
    );
    under_way -= 1;
    pending -= weightOf(batch);
    for (const [index, { resolve }] of batch.entries()) resolve(fates[index] ?? refused);
    if (pending === 0) drained?.resolve();
    pump();
  }

  return {
    offer(item) {
      const weight = weigh(item);
      // One that is heavier than the bound is accepted when it is alone.
      const isFull = pending > 0 && pending + weight > bounds.pending;
      if (drained !== null || isFull) return Promise.resolve(refused);
      pending += weight;
      queued += weight;
      if (!scheduled) setImmediate(pump);
      scheduled = true;
      const { promise, resolve } = Promise.withResolvers<Fate>();
      queue.push({ item, weight, resolve });
      return promise;
    },
    drain() {
      drained ??= Promise.withResolvers<void>();
      if (pending === 0) drained.resolve();
      return drained.promise;
    },
  };
}

function weightOf(batch: readonly { weight: number }[]): number {
  return batch.reduce((sum, { weight }) => sum + weight, 0);
}
