/** Units that the ledger of a fleet has counted, in the memory of a replica. */
import type { Time } from "#storage/store-time.ts";
import { unavailable } from "#storage/unavailable.ts";
import type { PeriodRow } from "#storage/usage/usage-ledger.ts";

export type Changed<Row> = { rows: readonly Row[]; complete: boolean };

/**
 * Units by account and period in memory, of periods of one kind, as far back as the one they were
 * loaded from. A total only grows, so of two answers that overtook one another the higher one is the
 * later.
 */
export class PeriodTotals {
  readonly #periods = new Map<string, Map<string, number>>();
  #loaded_from: string | null = null;

  raise(rows: readonly PeriodRow[]): void {
    for (const { account_id, period, units } of rows) {
      if (this.#loaded_from !== null && period < this.#loaded_from) continue;
      let totals = this.#periods.get(period);
      if (!totals) this.#periods.set(period, (totals = new Map()));
      totals.set(account_id, Math.max(units, totals.get(account_id) ?? 0));
    }
  }

  /**
   * Takes rows of this period and later ones: all there are (`complete`), or those that changed
   * since. Earlier periods are dropped.
   */
  load(from: string, { rows, complete }: Changed<PeriodRow>): void {
    if (complete || this.#loaded_from === null || from > this.#loaded_from)
      this.#loaded_from = from;
    for (const period of this.#periods.keys())
      if (period < this.#loaded_from) this.#periods.delete(period);
    this.raise(rows);
  }

  /** Throws where nothing was loaded yet, or the period is before all that was. */
  unitsOf(account_id: string, period: string): number {
    if (this.#loaded_from === null || period < this.#loaded_from)
      throw unavailable(`the usage of ${period} is not known`);
    return this.#periods.get(period)?.get(account_id) ?? 0;
  }
}

/** Time for which totals wait for the answer to what this replica has applied, ms. */
const UNCONFIRMED_MS = 5_000;

/**
 * Totals that were read while the store had not answered whether it counts what this replica applied:
 * they may hold it, and it is counted as not applied until then. They are taken after the answer.
 */
export class Unconfirmed {
  readonly #time: Pick<Time, "now">;
  #since_ms: number | null = null;
  #waiting: (() => void)[] = [];

  constructor(time: Pick<Time, "now">) {
    this.#time = time;
  }

  begin(): void {
    this.#since_ms ??= this.#time.now();
  }

  end(): void {
    this.#since_ms = null;
    this.#take();
  }

  defer(load: () => void): void {
    this.#waiting.push(load);
    const since_ms = this.#since_ms;
    if (since_ms === null || this.#time.now() - since_ms >= UNCONFIRMED_MS) this.#take();
  }

  #take(): void {
    for (const load of this.#waiting.splice(0)) load();
  }
}
