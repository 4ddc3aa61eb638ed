/**
 * What replies cost is written down (decisions, "Authentication, plans, metering"): a keyed reply
 * waits until its units are durable; anonymous ones are summed and follow within a second.
 */
import { dayOf } from "#core/metering/periods.ts";
import type { Usage, UsageEvent } from "#ports.ts";
import type { Caller } from "./caller.ts";

export type Meter = {
  /** "full": it was not taken, and the reply must not leave. */
  record(caller: Caller, operation: string, units: number, now_ms: number): Recorded;
  /** Hands over what anonymous callers used. */
  flush(): void;
};
/** Absent: nobody need wait. */
export type Recorded = Promise<"durable" | "full"> | null;

export type MeterDeps = {
  usage: Pick<Usage, "record">;
  newEventId: (now_ms: number) => string;
};

type Sum = Pick<UsageEvent, "operation" | "units" | "at_ms"> & { requests: number };

export function createMeter({ usage, newEventId }: MeterDeps): Meter {
  let sums = new Map<string, Sum>();

  function add(operation: string, units: number, at_ms: number): void {
    const name = dayOf(at_ms) + operation;
    const sum = sums.get(name) ?? { operation, units: 0, requests: 0, at_ms };
    sum.units += units;
    sum.requests += 1;
    sums.set(name, sum);
  }
  async function handOver(sum: Sum): Promise<void> {
    const nobody = { account_id: null, key_id: null };
    const taken = await usage.record({ event_id: newEventId(sum.at_ms), ...nobody, ...sum });
    if (taken === "durable") return;
    const { operation, units, requests, at_ms } = sum;
    const name = dayOf(at_ms) + operation;
    const later = sums.get(name);
    // Not dropped: it goes with the next ones.
    sums.set(name, {
      ...sum,
      units: units + (later?.units ?? 0),
      requests: requests + (later?.requests ?? 0),
    });
  }
  return {
    record(caller, operation, units, now_ms) {
      if (units === 0) return null;
      if (caller.kind === "anonymous") {
        add(operation, units, now_ms);
        return null;
      }
      const { account_id, key_id } = caller;
      const event_id = newEventId(now_ms);
      return usage.record({ event_id, account_id, key_id, operation, units, at_ms: now_ms });
    },
    flush() {
      const taken = sums;
      sums = new Map();
      for (const sum of taken.values()) void handOver(sum);
    },
  };
}
