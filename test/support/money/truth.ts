/**
 * What a model knows of its requests: which units were answered, and which were reserved when. The
 * judge of the classes that count, from times and prices alone.
 */
import { dayOf } from "#core/metering/metering-periods.ts";

export type Noted = {
  replica: number;
  owner: string;
  /** Reserved from its question on. */
  units: number;
  from_ms: number;
  /** Until it is answered, refused or lost. */
  until_ms: number;
  /** What the answer cost; null: there is none. */
  cost: number | null;
  isBlock: boolean;
};

export class Truth {
  readonly noted: Noted[] = [];

  answered(owner: string, period: string): number {
    let units = 0;
    for (const each of this.noted)
      if (each.owner === owner && each.cost !== null && dayOf(each.until_ms).startsWith(period))
        units += each.cost;
    return units;
  }

  /**
   * Units that were left at a moment beyond those reserved, but for the reservation of `own`.
   * `lag_ms`: what was released so recently is not known yet.
   */
  leftAt(at_ms: number, of: { own: Noted; quota: number; period: string; lag_ms: number }): number {
    const { own, quota, period, lag_ms } = of;
    let left = quota;
    for (const each of this.noted) {
      if (each === own || each.owner !== own.owner || each.from_ms > at_ms) continue;
      const { units, until_ms, cost } = each;
      if (until_ms + lag_ms >= at_ms && (lag_ms > 0 || until_ms > at_ms))
        left -= Math.max(units, cost ?? 0);
      else if (cost !== null && dayOf(until_ms).startsWith(period)) left -= cost;
    }
    return left;
  }

  /** The most units that one replica began to answer within such a time. */
  mostWithin(owner: string, span_ms: number): number {
    const own = this.noted.filter((each) => each.owner === owner && each.cost !== null);
    return own.reduce((most, first) => {
      const within = own.filter(
        (each) =>
          each.replica === first.replica &&
          each.from_ms >= first.from_ms &&
          each.from_ms <= first.from_ms + span_ms,
      );
      return Math.max(
        most,
        within.reduce((sum, each) => sum + (each.cost ?? 0), 0),
      );
    }, 0);
  }

  /** How many pages were under way at once, at most; each for so much longer than it took. */
  mostBlocks(owner: string, longer_ms: number): number {
    const own = this.noted.filter((each) => each.owner === owner && each.isBlock);
    const countAt = (at_ms: number): number =>
      own.filter((each) => each.from_ms <= at_ms && each.until_ms + longer_ms >= at_ms).length;
    return own.reduce((most, { until_ms }) => Math.max(most, countAt(until_ms)), 0);
  }
}
