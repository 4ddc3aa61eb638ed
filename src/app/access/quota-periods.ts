/** The periods of plans: which units of a caller count together, and until when. */
import { type Period, periodAt, type PeriodKind } from "#core/metering/metering-periods.ts";
import type { Caller } from "./request-caller.ts";

/** Kind of a caller's period; that of a plan without units is only reported. */
export function periodKind({ kind, plan }: Caller): PeriodKind {
  return plan.period ?? (kind === "keyed" ? "month" : "day");
}

/** Remembers the day and the month that were last asked for: every request asks for one. */
export class Periods {
  readonly #stored: Record<PeriodKind, Period> = { day: NONE, month: NONE };

  at(kind: PeriodKind, now_ms: number): Period {
    const stored = this.#stored[kind];
    if (now_ms >= stored.from_ms && now_ms < stored.until_ms) return stored;
    return (this.#stored[kind] = periodAt(kind, now_ms));
  }
}

const NONE: Period = { name: "", from_ms: 0, until_ms: 0 };
