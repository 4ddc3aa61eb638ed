/**
 * A bound on what all callers hold together, of which callers without a key never get all
 * (docs/shared-state.md, Bounds of all callers). Where the bound is reached, the oldest holder without
 * a key of the block that holds most ends for a new one: for one with a key always, for one without
 * only where its block holds less.
 */
export type BoundOfAll = {
  most: number;
  /** Part of it that callers without a key never hold, from 0 to 1. */
  keyed_share: number;
  /**
   * A key is shown only later: a new holder without one may have one, and gets a place unless no block
   * holds more than its own.
   */
  keyed_later?: boolean;
};

/** Returns how many callers without a key may hold. */
export function anonymousMost({ most, keyed_share }: BoundOfAll): number {
  return Math.ceil(most * (1 - keyed_share));
}

/** `H`: what is held, such as a stream. */
export class SharedBound<H extends object> {
  readonly #bound: BoundOfAll;
  readonly #end: (holder: H) => void;
  /** Block of each holder; null: with a key. */
  readonly #blocks = new Map<H, string | null>();
  /** Holders without a key by block, the oldest first. */
  readonly #anonymous = new Map<string, Set<H>>();
  #anonymous_count = 0;
  /** Blocks by how many they hold, so that the largest is found without a search. */
  readonly #bySize: Set<string>[] = [new Set()];

  /** `end`: ends a holder for another; it need not call `leave`. */
  constructor(bound: BoundOfAll, end: (holder: H) => void) {
    this.#bound = bound;
    this.#end = end;
  }

  get count(): number {
    return this.#blocks.size;
  }

  /** Whether one more of that block could be had; null: with a key. */
  hasRoom(block: string | null): boolean {
    return !this.#isFull(block) || this.#findLargest(block) !== null;
  }

  /** Takes a place, for which another holder may have to end. false: there is none. */
  take(holder: H, block: string | null): boolean {
    if (this.#isFull(block)) {
      const largest = this.#findLargest(block);
      if (largest === null) return false;
      const [oldest] = largest;
      this.leave(oldest!);
      this.#end(oldest!);
    }
    this.#add(holder, block);
    return true;
  }

  /** A holder has shown a key: it ends for no other any more. */
  identify(holder: H): void {
    if (this.#blocks.get(holder) == null) return;
    this.leave(holder);
    this.#add(holder, null);
  }

  /** Returns a place; of a holder that has none, nothing. */
  leave(holder: H): void {
    const block = this.#blocks.get(holder);
    if (block === undefined || !this.#blocks.delete(holder) || block === null) return;
    this.#anonymous_count--;
    const others = this.#anonymous.get(block)!;
    others.delete(holder);
    this.#resize(block, others.size + 1, others.size);
    if (others.size === 0) this.#anonymous.delete(block);
  }

  #add(holder: H, block: string | null): void {
    this.#blocks.set(holder, block);
    if (block === null) return;
    this.#anonymous_count++;
    const others = this.#anonymous.get(block) ?? new Set();
    this.#anonymous.set(block, others.add(holder));
    this.#resize(block, others.size - 1, others.size);
  }

  #resize(block: string, from: number, to: number): void {
    this.#bySize[from]?.delete(block);
    if (to > 0) (this.#bySize[to] ??= new Set()).add(block);
    while (this.#bySize.length > 1 && this.#bySize.at(-1)!.size === 0) this.#bySize.pop();
  }

  #isFull(block: string | null): boolean {
    if (this.count >= this.#bound.most) return true;
    return block !== null && this.#anonymous_count >= anonymousMost(this.#bound);
  }

  /** The block whose oldest holder may end for one of `block`; null: none. */
  #findLargest(block: string | null): ReadonlySet<H> | null {
    const [first] = this.#bySize.at(-1)!;
    const largest = first === undefined ? null : this.#anonymous.get(first)!;
    if (block === null || largest === null) return largest;
    const own = this.#anonymous.get(block)?.size ?? 0;
    // Else two blocks would end each other's in turn.
    const least = this.#bound.keyed_later === true ? own : own + 1;
    return largest.size > least ? largest : null;
  }
}
