/** Units that are counted and reserved where several threads serve one deployment. */

export type UnitCounts = {
  /** Runs a task that ends at once, in which no other thread counts or reserves. */
  together<T>(task: () => T): T;
  /** Units used under a key in the period that begins then, by all threads. */
  used(key: string, from_ms: number): number;
  add(key: string, units: number, from_ms: number): void;
  /** Units that requests under way have reserved under a name, at all threads. */
  reserved(name: string): number;
  /** Adds to what this thread has reserved, or takes from it. */
  reserve(name: string, units: number): void;
};
