/**
 * A queue of what must be durable before its reply leaves (datasets), committed in batches: the first
 * goes at the end of its pass of the event loop, with what else is offered in it; what is offered
 * while a commit is under way goes into the next. Bounded: beyond that, items are refused.
 */
import { detach, guard } from "#kit/guard.ts";

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

export class CommitQueue<Item, Fate> {
  readonly #rules: CommitRules<Item, Fate>;
  readonly #queue: Waiting<Item, Fate>[] = [];
  #queued = 0;
  #pending = 0;
  #under_way = 0;
  #scheduled = false;
  #drained: PromiseWithResolvers<void> | null = null;

  constructor(rules: CommitRules<Item, Fate>) {
    this.#rules = rules;
  }

  offer(item: Item): Promise<Fate> {
    const { weigh, bounds, refused } = this.#rules;
    const weight = weigh(item);
    // One that is heavier than the bound is accepted when it is alone.
    const isFull = this.#pending > 0 && this.#pending + weight > bounds.pending;
    if (this.#drained !== null || isFull) return Promise.resolve(refused);
    this.#pending += weight;
    this.#queued += weight;
    if (!this.#scheduled) setImmediate(() => this.#pump());
    this.#scheduled = true;
    const { promise, resolve } = Promise.withResolvers<Fate>();
    this.#queue.push({ item, weight, resolve });
    return promise;
  }

  /** Refuses all further items; resolves when those that were accepted have their fate. */
  drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers<void>();
    if (this.#pending === 0) this.#drained.resolve();
    return this.#drained.promise;
  }

  #isDue(): boolean {
    const isEnough = this.#queued >= this.#rules.bounds.enough;
    const isFree = this.#under_way === 0 || (this.#under_way < MAX_UNDER_WAY && isEnough);
    return this.#queue.length > 0 && isFree;
  }

  #pump(): void {
    this.#scheduled = false;
    while (this.#isDue()) detach(this.#commit(this.#takeBatch()), this.#rules.onFault);
  }

  /** At least one. */
  #takeBatch(): Waiting<Item, Fate>[] {
    const queue = this.#queue;
    let weight = 0;
    const beyond = queue.findIndex((each) => (weight += each.weight) > this.#rules.bounds.batch);
    const batch = queue.splice(0, beyond === -1 ? queue.length : Math.max(1, beyond));
    this.#queued -= weightOf(batch);
    return batch;
  }

  async #commit(batch: readonly Waiting<Item, Fate>[]): Promise<void> {
    const { commit, refused, onFault } = this.#rules;
    this.#under_way += 1;
    const fates = await guard(
      () => commit(batch.map(({ item }) => item)),
      (error) => {
        onFault(error);
        return [];
      },
    );
    this.#under_way -= 1;
    this.#pending -= weightOf(batch);
    for (const [index, { resolve }] of batch.entries()) resolve(fates[index] ?? refused);
    if (this.#pending === 0) this.#drained?.resolve();
    this.#pump();
  }
}

function weightOf(batch: readonly { weight: number }[]): number {
  return batch.reduce((sum, { weight }) => sum + weight, 0);
}
