/** What a run has met: the figures of the report, and the proof that nothing was left out. */
export type Tally = {
  requests: number;
  malformed: number;
  twins: number;
  /** By operation, then status. */
  statuses: Map<string, Map<string, number>>;
  codes: Map<string, number>;
  /** Refused or strange requests by what was done to them. */
  labels: Map<string, number>;
  items: number;
  unknown: number;
};

export function createTally(): Tally {
  const none = { requests: 0, malformed: 0, twins: 0, items: 0, unknown: 0 };
  return { ...none, statuses: new Map(), codes: new Map(), labels: new Map() };
}

export function countStatus(tally: Tally, operation: string, status: string): void {
  const row = tally.statuses.get(operation) ?? new Map<string, number>();
  tally.statuses.set(operation, row);
  count(row, status);
}

export function count(row: Map<string, number>, key: string): void {
  row.set(key, (row.get(key) ?? 0) + 1);
}
