/** How many streams a caller has, and all of them together. */
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { SharedBound } from "#core/limits/shared-bound.ts";
import type { StreamOwner } from "#core/limits/stream-owner.ts";
import type { LiveStream } from "./live-types.ts";

/** null: no bound. */
export type LiveBounds = {
  address_max: number | null;
  /** Of the readers of a page that has its key, all together: each minute of theirs is a unit of its account. */
  account_max: number | null;
  /** Of the block around an anonymous address. */
  block_max: number | null;
  /** In all, of which callers without a key have a part at most. */
  streams_max: number;
};

export const LIVE_BOUNDS: LiveBounds = {
  address_max: 8,
  account_max: 500,
  block_max: 64,
  streams_max: BOUNDS_OF_ALL.live_streams.most,
};

/** Bounds of one caller hold where limits are enforced, that of all callers always. */
export function liveBoundsOf(enforced: boolean): LiveBounds {
  return enforced
    ? LIVE_BOUNDS
    : { ...LIVE_BOUNDS, address_max: null, account_max: null, block_max: null };
}

type Holder = Pick<LiveStream, "end"> & { owner: StreamOwner };

export class LivePlaces {
  readonly #bounds: LiveBounds;
  readonly #all: SharedBound<Holder>;
  readonly #owned = new Map<string, number>();

  constructor(bounds: LiveBounds) {
    this.#bounds = bounds;
    const of_all = { ...BOUNDS_OF_ALL.live_streams, most: bounds.streams_max };
    this.#all = new SharedBound<Holder>(of_all, (subscriber) => subscriber.end("replaced"));
  }

  get count(): number {
    return this.#all.count;
  }

  /** Says why a caller gets none; null: it may have one. */
  refusalOf({ own, block }: StreamOwner): "full" | "busy" | null {
    const { address_max, account_max, block_max } = this.#bounds;
    const own_max = block === null ? account_max : address_max;
    const isOwnFull = this.#countOf(own) >= (own_max ?? Infinity);
    if (
      isOwnFull ||
      (block !== null && this.#countOf(toBlockKey(block)) >= (block_max ?? Infinity))
    )
      return "full";
    return this.#all.hasRoom(block) ? null : "busy";
  }

  /** For which the stream of another caller may end. */
  take(subscriber: Holder): void {
    const { owner } = subscriber;
    this.#all.take(subscriber, owner.block);
    for (const key of keysOf(owner)) this.#owned.set(key, this.#countOf(key) + 1);
  }

  leave(subscriber: Holder): void {
    this.#all.leave(subscriber);
    for (const key of keysOf(subscriber.owner)) {
      const left = this.#countOf(key) - 1;
      if (left === 0) this.#owned.delete(key);
      else this.#owned.set(key, left);
    }
  }

  #countOf(key: string): number {
    return this.#owned.get(key) ?? 0;
  }
}

function keysOf({ own, block }: StreamOwner): readonly string[] {
  return block === null ? [own] : [own, toBlockKey(block)];
}

function toBlockKey(block: string): string {
  return `block ${block}`;
}
