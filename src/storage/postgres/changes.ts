/**
 * Rows that any replica has written since they were last asked for. A row bears the transaction that
 * wrote it (`changed`, an xid8). Transactions overtake one another, so the next question begins at
 * the oldest that was unfinished at the last one: nothing is missed, and some rows come again.
 */
import type { Pool, Value } from "./pool.ts";

export type Changes<Row> = {
  /**
   * `anew`: these are all rows there are, at first, after a failure, and when the server is another
   * one or was started again (its numbers of transactions may be other ones). `values`: those of
   * `wanted`. Rejects as the pool does.
   */
  next(...values: Value[]): Promise<{ rows: Row[]; anew: boolean }>;
};

export type Followed<Row> = {
  table: string;
  /** NOT NULL; at least one. */
  columns: readonly (keyof Row & string)[];
  /** A condition, its values from $2 on. */
  wanted: string;
};

/** What is told of the table stands in the statement as it is. */
export function createChanges<Row extends object>(
  pool: Pick<Pool, "query">,
  { table, columns, wanted }: Followed<Row>,
): Changes<Row> {
  type Answer = { [name in keyof Row]: Row[name] } & { until: string; server: string };
  const select = `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS until,
      pg_postmaster_start_time()::text AS server, ${columns.join(", ")}
    FROM (VALUES (1)) AS always LEFT JOIN ${table} ON ${wanted} AND`;
  const all = `${select} $1::text IS NULL`;
  // Two bounds, which the planner takes for few rows. Beyond the upper one stands what was restored
  // from another server, where the numbers were higher.
  const some = `${select}
    changed >= $1::xid8 AND changed < pg_snapshot_xmax(pg_current_snapshot())`;
  let told: { until: string; server: string } | null = null;

  return {
    async next(...values) {
      const last = told;
      told = null;
      let answers = last ? await pool.query<Answer>(some, [last.until, ...values]) : [];
      const anew = answers[0]?.server !== last?.server || last === null;
      if (anew) answers = await pool.query<Answer>(all, [null, ...values]);
      told = answers[0]!;
      return { rows: answers.filter((answer) => answer[columns[0]!] !== null), anew };
    },
  };
}
