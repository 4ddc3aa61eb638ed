/**
 * Units by account and month in memory, as far back as the month they were loaded from. A total only
 * grows, so of two answers that overtook one another the higher one is the later.
 */
import type { MonthRow } from "#storage/ledger.ts";

export type MonthTotals = {
  raise(rows: readonly MonthRow[]): void;
  /**
   * Of this month and of the later ones: all rows that there are (`anew`), or those that changed
   * since. What is held of months before is let go.
   */
  load(from_month: string, told: { rows: readonly MonthRow[]; anew: boolean }): void;
  /** Throws: nothing was loaded yet, or the month is before all that was. */
  unitsOf(account_id: string, month: string): number;
};

export function createMonthTotals(): MonthTotals {
  const months = new Map<string, Map<string, number>>();
  let loaded_from: string | null = null;

  function raise(rows: readonly MonthRow[]): void {
    for (const { account_id, month, units } of rows) {
      if (loaded_from !== null && month < loaded_from) continue;
      let totals = months.get(month);
      if (!totals) months.set(month, (totals = new Map()));
      totals.set(account_id, Math.max(units, totals.get(account_id) ?? 0));
    }
  }
  return {
    raise,
    load(from_month, { rows, anew }) {
      if (anew || loaded_from === null || from_month > loaded_from) loaded_from = from_month;
      for (const month of months.keys()) if (month < loaded_from) months.delete(month);
      raise(rows);
    },
    unitsOf(account_id, month) {
      if (loaded_from === null || month < loaded_from)
        throw new Error(`the usage of ${month} is not known`);
      return months.get(month)?.get(account_id) ?? 0;
    },
  };
}
