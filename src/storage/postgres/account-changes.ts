/**
 * Rows that any replica has written since they were last asked for. A row names the transaction
 * that wrote it (`changed`, an xid8). Transactions overtake one another, so the next question
 * begins at the oldest that was unfinished at the last one: nothing is missed, and some rows come
 * again.
 */
import type { Pool, Value } from "./pool.ts";

export type AccountChanges<Row> = {
  /**
   * Returns the rows written since the last call. `complete`: these are all rows there are, at
   * first, after a failure, and when the server is another one or was restarted (its numbers of
   * transactions may differ). `values`: those of `wanted`. Rejects as the pool does.
   */
  next(...values: Value[]): Promise<{ rows: Row[]; complete: boolean }>;
};

export type Followed<Row> = {
  table: string;
  /** NOT NULL; at least one. */
  columns: readonly (keyof Row & string)[];
  /** A condition, its values from $2 on. */
  wanted: string;
};

/** Follows a table, whose names go into the statement as they are. */
export function createChanges<Row extends object>(
  pool: Pick<Pool, "query">,
  { table, columns, wanted }: Followed<Row>,
): AccountChanges<Row> {
  type Answer = { [name in keyof Row]: Row[name] } & { until: string; server: string };
  const select = `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS until,
      pg_postmaster_start_time()::text AS server, ${columns.join(", ")}
    FROM (VALUES (1)) AS always LEFT JOIN ${table} ON ${wanted} AND`;
  const all = `${select} $1::text IS NULL`;
  // Two bounds, so that the planner expects few rows. Rows beyond the upper one were restored from
  // another server, where the numbers were higher.
  const some = `${select}
    changed >= $1::xid8 AND changed < pg_snapshot_xmax(pg_current_snapshot())`;
  let position: { until: string; server: string } | null = null;

  return {
    async next(...values) {
      const last = position;
      position = null;
      let answers = last ? await pool.query<Answer>(some, [last.until, ...values]) : [];
      const complete = answers[0]?.server !== last?.server || last === null;
      if (complete) answers = await pool.query<Answer>(all, [null, ...values]);
      position = answers[0]!;
      return { rows: answers.filter((answer) => answer[columns[0]!] !== null), complete };
    },
  };
}
