/** The tables in which the threads that serve count together. */
import { randomBytes } from "node:crypto";
import { countsWidth, SharedCounts } from "./shared-counts.ts";
import { LIMITER_WIDTH } from "./shared-limiter.ts";
import { createTableMemory, SharedTable, type TableMemory } from "./shared-table.ts";

export type SharedTables = Readonly<Record<"limits" | "bad_keys" | "pages" | "units", TableMemory>>;

/** Callers that are remembered at a time. */
const ROWS = { limits: 200_000, bad_keys: 50_000, pages: 50_000, units: 300_000 } as const;
/** No thread that serves has this number. */
const MAIN = 1_000;

/** `count`: of the threads. */
export function createSharedTables(count: number): SharedTables {
  const make = (rows: number, width: number): TableMemory => {
    const draw = (): number => randomBytes(4).readInt32LE();
    return createTableMemory({ rows, width }, [draw(), draw()]);
  };
  return {
    limits: make(ROWS.limits, LIMITER_WIDTH),
    bad_keys: make(ROWS.bad_keys, LIMITER_WIDTH),
    pages: make(ROWS.pages, LIMITER_WIDTH),
    units: make(ROWS.units, countsWidth(count)),
  };
}

/** Takes back the locks and the reserved units of a thread that has died. */
export function takeBack({ units, ...limiters }: SharedTables, thread: number): void {
  for (const memory of Object.values(limiters)) new SharedTable(memory, MAIN).releaseOf(thread);
  new SharedCounts(units, MAIN).endOf(thread);
}
