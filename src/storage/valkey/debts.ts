/**
 * Admissions that this replica decided by itself and has yet to report to the store: they are
 * charged with the next admission that the store decides, so that an outage gives no caller a
 * second burst.
 */
import type { Bucket } from "#core/limits/address-block.ts";

export type Debts = {
  /** Notes one admission, or what an answer took beyond it. */
  note(buckets: readonly Bucket[], now_ms: number, count?: number): void;
  /** Whether no admission is owed. */
  isEmpty(): boolean;
  /** Takes the admissions owed for each; they are not owed any more. */
  take(buckets: readonly Bucket[], now_ms: number): number[];
};

type Debt = { count: number; noted_at_ms: number };

const DEBTS_MAX = 200_000;
/** By then the buckets of every sensible plan are full again. */
const FORGOTTEN_AFTER_MS = 600_000;

export function createDebts(): Debts {
  /** The one that was noted longest ago first. */
  const debts = new Map<string, Debt>();
  const forget = (now_ms: number): void => {
    for (const [key, { noted_at_ms }] of debts) {
      if (Math.abs(now_ms - noted_at_ms) <= FORGOTTEN_AFTER_MS && debts.size <= DEBTS_MAX) return;
      debts.delete(key);
    }
  };
  return {
    note(buckets, now_ms, count = 1) {
      for (const { key } of buckets) {
        const before = debts.get(key)?.count ?? 0;
        debts.delete(key);
        debts.set(key, { count: before + count, noted_at_ms: now_ms });
      }
      forget(now_ms);
    },
    isEmpty: () => debts.size === 0,
    take(buckets, now_ms) {
      forget(now_ms);
      return buckets.map(({ key, rate_per_s, burst }) => {
        const debt = debts.get(key);
        if (!debt) return 0;
        debts.delete(key);
        // All that was spent before has been refilled since.
        const isOver = now_ms - debt.noted_at_ms > (burst / rate_per_s) * 1000;
        return isOver ? 0 : debt.count;
      });
    },
  };
}
