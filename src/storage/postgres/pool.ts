/**
 * Connections to PostgreSQL. Every statement is prepared once per connection under a name, and ends
 * within `TIMEOUT_MS`, its wait for a connection included, whatever the server does: gone, frozen
 * or slow, it costs a caller that long and no longer.
 */
import { hash } from "node:crypto";
import type { PoolClient, QueryConfig } from "pg";
import { isDefect } from "#kit/guard.ts";
import type { Reports } from "#storage/store-health.ts";
import { postgresFailure } from "#storage/store-reasons.ts";
import { type Driver, type StoreAddress, QUERY_TIMEOUT_MS, toClientConfig } from "./driver.ts";

/** A parameter of a statement; an array becomes an array of PostgreSQL. */
export type Value = string | number | bigint | boolean | null | Uint8Array | readonly Value[];

/**
 * Returns rows as the statement names them: int8 as numbers, bytea as Uint8Array (numeric, which is
 * what sum() of int8 gives, stays text). Statements name their columns (no `*`), since a newer
 * replica may add some. Without `values` the text is sent as it is, and may be several statements.
 * Rejects: the statement was refused and changed nothing (`isRefusal`), or its outcome is unknown.
 */
export type Query = <Row extends object>(text: string, values?: readonly Value[]) => Promise<Row[]>;

export type Pool = {
  query: Query;
  /** Writes all of what the task writes, or nothing; each statement has its own timeout. */
  transact<T>(task: (query: Query) => Promise<T>, options?: { timeout_ms?: number }): Promise<T>;
  /** Whether the server itself refused a statement (a constraint), so that nothing was written. */
  isRefusal(error: unknown): boolean;
  /** Reports what code of ours threw instead of a store that failed. */
  noteDefect(error: unknown): void;
  /** Waits for what is under way; later calls reject. */
  close(): Promise<void>;
};

const CONNECTIONS_MAX = 8;

export type PoolEvents = {
  /** An idle connection broke. */
  onFault: (error: Error) => void;
  onDefect: (error: unknown) => void;
  /** Receives the outcome of every statement. */
  health?: Reports;
};

/** What changes rows, by its text. */
const WRITES = /\b(INSERT|UPDATE|DELETE|reserve_units)\b/;
/** Parts of the store, as its health knows them: a server that answers need not take writes. */
const PARTS = { statements: "statements", writes: "writes" } as const;

/** Creates a pool that connects with the first statement. */
export function createPool(
  driver: Driver,
  address: StoreAddress,
  { onFault, onDefect, health }: PoolEvents,
): Pool {
  const connections = new driver.Pool({
    ...toClientConfig(driver, address),
    max: CONNECTIONS_MAX,
    allowExitOnIdle: true,
  });
  connections.on("error", onFault);
  // For all of its life, since an error event without a listener ends the process: one that the server
  // ends in the packet that makes it ready does so before it is handed out, and one that is given up may
  // be notified of that later. What it costs, its statement reports.
  connections.on("connect", (client) => client.on("error", ignore));
  const isRefusal = (error: unknown): boolean =>
    error instanceof driver.DatabaseError && error.severity === "ERROR";

  /** A connection that failed in any other way is not used again: a late answer may come over it. */
  async function withConnection<T>(
    task: (client: PoolClient, by_ms: number) => Promise<T>,
  ): Promise<T> {
    const by_ms = performance.now() + QUERY_TIMEOUT_MS;
    const client = await connections.connect();
    let fit = false;
    try {
      const result = await task(client, by_ms);
      fit = true;
      return result;
    } catch (error) {
      fit = isRefusal(error);
      throw error;
    } finally {
      client.release(!fit);
    }
  }
  async function report<T>(writes: boolean, statement: () => Promise<T>): Promise<T> {
    try {
      const result = await statement();
      health?.succeed(PARTS.statements);
      if (writes) health?.succeed(PARTS.writes);
      return result;
    } catch (error) {
      if (!closing) noteFailure(health, error);
      throw error;
    }
  }
  let closing = false;
  return {
    isRefusal,
    noteDefect: onDefect,
    query: (text, values) =>
      report(WRITES.test(text), () =>
        withConnection((client, by_ms) => run(client, { text, values, by_ms })),
      ),
    transact: (task, { timeout_ms = QUERY_TIMEOUT_MS } = {}) =>
      report(true, () =>
        withConnection((client) => inTransaction(client, { task, isRefusal, timeout_ms })),
      ),
    close() {
      closing = true;
      return connections.end();
    },
  };
}

function ignore(): void {
  // The statement over it fails, or the pool reports it.
}

/** A statement that the server judged, and one that failed by a defect of ours, say nothing of it. */
function noteFailure(health: Reports | undefined, error: unknown): void {
  const failing = isDefect(error) ? null : postgresFailure(error);
  if (failing === null) return health?.succeed(PARTS.statements);
  const ofWrites = failing.reason === "read_only" || failing.reason === "full";
  health?.fail(ofWrites ? PARTS.writes : PARTS.statements, failing);
}

type Transaction<T> = {
  task: (query: Query) => Promise<T>;
  isRefusal: Pool["isRefusal"];
  timeout_ms: number;
};

async function inTransaction<T>(
  client: PoolClient,
  { task, isRefusal, timeout_ms }: Transaction<T>,
): Promise<T> {
  const query: Query = (text, values) =>
    run(client, { text, values, by_ms: performance.now() + timeout_ms });
  await query(`BEGIN; SET LOCAL statement_timeout = ${timeout_ms}`);
  let result: T;
  try {
    result = await task(query);
  } catch (error) {
    // Otherwise the connection is closed, which rolls back as well.
    if (isRefusal(error)) await query("ROLLBACK");
    throw error;
  }
  await query("COMMIT");
  return result;
}

type Statement = { text: string; values: readonly Value[] | undefined; by_ms: number };

async function run<Row extends object>(
  client: PoolClient,
  { text, values, by_ms }: Statement,
): Promise<Row[]> {
  const query_timeout = Math.max(1, Math.ceil(by_ms - performance.now()));
  const request: QueryConfig & { query_timeout: number } = {
    text,
    query_timeout,
    ...(values && { values: [...values], name: nameOf(text) }),
  };
  return (await client.query<Row>(request)).rows;
}

const names = new Map<string, string>();

/** Names a statement by its text, alike on every connection, within PostgreSQL's 63 characters. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = hash("sha256", text, "base64url").slice(0, 20)));
  return name;
}
