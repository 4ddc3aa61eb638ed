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
  const debts = new Map<string, Debt>();
  let noted_at_ms = 0;
  return {
    note(buckets, now_ms, count = 1) {
      noted_at_ms = now_ms;
      for (const { key } of buckets) {
        const debt = debts.get(key);
        if (!debt && debts.size >= DEBTS_MAX) debts.delete(debts.keys().next().value!);
        debts.set(key, { count: (debt?.count ?? 0) + count, noted_at_ms: now_ms });
      }
    },
    isEmpty: () => debts.size === 0,
    take(buckets, now_ms) {
      if (Math.abs(now_ms - noted_at_ms) > FORGOTTEN_AFTER_MS) debts.clear();
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
