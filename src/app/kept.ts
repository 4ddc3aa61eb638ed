/**
 * Values that were made from data that never change, kept by what they were made from: the ones used
 * least lately go first (docs/shared-state.md). A value must not be changed by whom it is given to.
 */
import { LRUCache } from "lru-cache";

export class BoundedCache<V extends object> {
  readonly #values: LRUCache<string, V>;

  /** `most_bytes`: of all values together, by the sizes that `keep` receives. */
  constructor(most_bytes: number) {
    this.#values = new LRUCache({ maxSize: most_bytes });
  }

  find(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** A value that is larger than all may be together is not kept. */
  keep(key: string, value: V, bytes: number): void {
    this.#values.set(key, value, { size: Math.max(1, bytes) });
  }
}
