/**
 * Static packs on their way into the world: each is resolved before it is shown, one after the
 * other, so that what is resolved is still there when the result is put in place.
 */
import type { StaticsRefusal } from "#stations/identity/group.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { continueWith, type Eventual } from "#world/eventual.ts";
import type { IdentifiedSystem, Identity } from "#world/identity/world-identity.ts";

type Parts<S> = {
  identity: Identity;
  entries: readonly S[];
  show(entry: S, shard: Shard): void;
};

export class Settling<S extends IdentifiedSystem> {
  readonly #parts: Parts<S>;
  /** Shards whose static pack is being resolved, each with the live parts that came for it since. */
  readonly #pending = new Map<S, Shard>();
  #last: Promise<unknown> | null = null;

  constructor(parts: Parts<S>) {
    this.#parts = parts;
  }

  /** Shows the shard, at once where its static pack is shown already. */
  put(entry: S, shard: Shard): Eventual<StaticsRefusal | null> {
    const { show } = this.#parts;
    if (this.#pending.get(entry)?.statics === shard.statics) {
      this.#pending.set(entry, shard);
      return null;
    }
    if (entry.shard?.statics !== shard.statics)
      // What came for it meanwhile may say what it was not resolved by.
      return continueWith(this.#settle(entry, shard), (refused) => refused ?? this.#follow(entry));
    show(entry, shard);
    return this.#follow(entry);
  }

  #follow(entry: S): Eventual<null> {
    return this.#parts.identity.hasTurned(entry) ? this.#resettle(entry) : null;
  }

  #settle(entry: S, shard: Shard): Eventual<StaticsRefusal | null> {
    const { identity, entries, show } = this.#parts;
    this.#pending.set(entry, shard);
    return this.#inTurn(() =>
      continueWith(identity.settle(entry, shard, entries), ({ refused, apply }) => {
        const newest = this.#take(entry, shard);
        if (refused) return refused;
        show(entry, newest);
        return continueWith(apply(), () => null);
      }),
    );
  }

  /** What came for this static pack last; a later pack stays pending. */
  #take(entry: S, shard: Shard): Shard {
    const latest = this.#pending.get(entry);
    if (latest?.statics !== shard.statics) return shard;
    this.#pending.delete(entry);
    return latest;
  }

  /** The same packs, of which one has come to life or has gone out of service. */
  #resettle(entry: S): Eventual<null> {
    const { identity, entries } = this.#parts;
    return this.#inTurn(() => {
      if (!identity.hasTurned(entry)) return null;
      const settled = identity.settle(entry, entry.shard!, entries);
      return continueWith(settled, ({ apply }) => continueWith(apply(), () => null));
    });
  }

  #inTurn<T>(task: () => Eventual<T>): Eventual<T> {
    const turn = this.#last ? this.#last.then(task) : task();
    // A turn that fails is its caller's; the next one comes all the same.
    if (turn instanceof Promise) this.#last = Promise.allSettled([turn]);
    return turn;
  }
}
