/** What a run has met: the figures of the report, and the proof that nothing was left out. */
export type Tally = {
  requests: number;
  malformed: number;
  /** Pairs compared, by kind. */
  twins: Map<string, number>;
  /** By operation, then status. */
  statuses: Map<string, Map<string, number>>;
  codes: Map<string, number>;
  /** By operation, then what its answers called themselves. */
  answers: Map<string, Map<string, number>>;
  /** Refused or strange requests by what was done to them; `allowed:` what had to be accepted. */
  labels: Map<string, number>;
  items: number;
  unknown: number;
};

export function createTally(): Tally {
  const none = { requests: 0, malformed: 0, items: 0, unknown: 0 };
  const maps = { statuses: new Map(), codes: new Map(), answers: new Map() };
  return { ...none, ...maps, twins: new Map(), labels: new Map() };
}

/** One more in a table of rows. */
export function countIn(
  table: Map<string, Map<string, number>>,
  operation: string,
  key: string,
): void {
  const row = table.get(operation) ?? new Map<string, number>();
  table.set(operation, row);
  count(row, key);
}

export function count(row: Map<string, number>, key: string): void {
  row.set(key, (row.get(key) ?? 0) + 1);
}
