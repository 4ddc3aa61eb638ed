/** What PostgreSQL has about an account: read whole, or forgotten, in steps of their own transactions. */
import type { Account, Accounts, UsageRow } from "#ports.ts";
import type { StoredDataset, StoredEvent, People } from "#ports/people.ts";
import { ENDS_AT_MS } from "#storage/embedded/datasets-reader.ts";
import type { JournalEntry } from "#storage/usage/journal.ts";
import { listWaiting } from "#storage/usage/usage-ledger.ts";
import { attemptTwice } from "./attempt.ts";
import { createDatasetReader } from "./datasets-reader.ts";
import { LOCK_CONTENTS, RELEASE_CONTENTS } from "./datasets-writer.ts";
import type { Pool, Query } from "./pool.ts";

type Deps = {
  pool: Pick<Pool, "query" | "transact" | "isRefusal" | "noteDefect">;
  accounts: Accounts;
  /** Of the data folder of this replica. */
  readJournal: () => readonly JournalEntry[];
};

/** Rows of one statement. No index leads from an account to its events, so that one may take long. */
const STEP = { events: 5_000, datasets: 100 } as const;
const TIMEOUT_MS = 60_000;

export function createPostgresPeople(deps: Deps): People {
  const { pool } = deps;
  /** Again where the server refused it: a replica that counts usage was in the way. */
  const transact = <T>(task: (query: Query) => Promise<T>): Promise<T> =>
    attemptTwice(pool, () => pool.transact(task, { timeout_ms: TIMEOUT_MS }));
  const run: Run = (text, values) => transact((query) => query(text, values));
  return {
    read: (id) => readAccount(deps, run, id),
    end: (id) =>
      transact(async (query) => {
        const keys = await query("DELETE FROM api_key WHERE account_id = $1 RETURNING id", [id]);
        await query("DELETE FROM account WHERE id = $1", [id]);
        return keys.length;
      }),
    async forget(id) {
      const waiting = listWaiting(deps.readJournal(), id);
      const events = await repeat(() => forgetEvents(run, id, waiting), STEP.events);
      const units = await transact((query) => makeAnonymous(query, id));
      const datasets = await repeat(
        () => transact((query) => forgetDatasets(query, id)),
        STEP.datasets,
      );
      await run("DELETE FROM dataset_room WHERE owner = $1", [id]);
      return { events, units, datasets, waiting: waiting.length };
    },
  };
}

type Run = Query;

/** Repeats a step until it finds fewer than it may; returns the sum. */
async function repeat(step: () => Promise<number>, full: number): Promise<number> {
  let sum = 0;
  for (let count = full; count === full; sum += count) count = await step();
  return sum;
}

const TOTALS = `
  SELECT account_id, nullif(key_id, '') AS key_id, operation, day, units, requests
    FROM usage_day WHERE account_id = $1 ORDER BY day, usage_day.key_id, operation`;

async function readAccount({ accounts, pool }: Deps, run: Run, id: string) {
  const account: Account | null = await accounts.findAccount(id);
  const keys = (await accounts.listKeys()).filter(({ account_id }) => account_id === id);
  const totals = await run<UsageRow>(TOTALS, [id]);
  const stored = await run("SELECT 1 FROM dataset WHERE owner = $1 LIMIT 1", [id]);
  if (account === null && totals.length === 0 && stored.length === 0) return null;
  return {
    account,
    keys,
    totals,
    events: readAll(run, id),
    datasets: readDatasets(run, createDatasetReader(pool), id),
  };
}

const EVENTS = `
  SELECT event_id, key_id, operation, units, requests, at_ms FROM usage_event
    WHERE account_id = $1 AND event_id > $2 ORDER BY event_id LIMIT ${STEP.events}`;

async function* readAll(run: Run, id: string): AsyncGenerator<StoredEvent> {
  for (let after = ""; ;) {
    const rows = await run<StoredEvent>(EVENTS, [id, after]);
    yield* rows;
    if (rows.length < STEP.events) return;
    after = rows.at(-1)!.event_id;
  }
}

const DATASETS = `
  SELECT id, version, created_at_ms, ${ENDS_AT_MS} AS ends_at_ms FROM dataset
    WHERE owner = $1 ORDER BY created_at_ms, id`;

async function* readDatasets(
  run: Run,
  reader: Pick<ReturnType<typeof createDatasetReader>, "read">,
  id: string,
): AsyncGenerator<StoredDataset> {
  const rows = await run<Omit<StoredDataset, "observation" | "body">>(DATASETS, [id]);
  for (const row of rows) {
    const [observation, body] = await Promise.all(
      (["observation", "body"] as const).map((part) => reader.read(row.id, part)),
    );
    const bytesOf = (read: typeof body): Uint8Array | null =>
      read?.status === "ok" ? read.bytes : null;
    yield { ...row, observation: bytesOf(observation), body: bytesOf(body) };
  }
}

const FORGET_EVENTS = `
  WITH gone AS (
    DELETE FROM usage_event WHERE event_id IN (
      SELECT event_id FROM usage_event WHERE account_id = $1 AND event_id <> ALL($2::text[])
        ORDER BY event_id LIMIT ${STEP.events} FOR UPDATE SKIP LOCKED)
    RETURNING 1
  ) SELECT count(*) AS count FROM gone`;

async function forgetEvents(run: Run, id: string, waiting: readonly string[]): Promise<number> {
  const [row] = await run<{ count: number }>(FORGET_EVENTS, [id, waiting]);
  return row!.count;
}

/** Months, then days of accounts, then the rest, as the ledger takes them (ledger-statements.ts). */
const MAKE_ANONYMOUS = [
  `INSERT INTO usage_month AS total (account_id, month, units, requests)
     SELECT '', month, units, requests FROM usage_month WHERE account_id = $1 ORDER BY month
     ON CONFLICT (account_id, month) DO UPDATE SET
       units = total.units + excluded.units, requests = total.requests + excluded.requests,
       changed = pg_current_xact_id()`,
  "DELETE FROM usage_month WHERE account_id = $1",
  `INSERT INTO usage_account_day AS total (account_id, day, units)
     SELECT '', day, units FROM usage_account_day WHERE account_id = $1 ORDER BY day
     ON CONFLICT (account_id, day) DO UPDATE SET
       units = total.units + excluded.units, changed = pg_current_xact_id()`,
  "DELETE FROM usage_account_day WHERE account_id = $1",
  `INSERT INTO usage_day AS total (day, account_id, key_id, operation, units, requests)
     SELECT day, '', '', operation, sum(units)::bigint, sum(requests)::bigint
       FROM usage_day WHERE account_id = $1 GROUP BY 1, 4 ORDER BY 1, 4
     ON CONFLICT (day, account_id, key_id, operation) DO UPDATE SET
       units = total.units + excluded.units, requests = total.requests + excluded.requests`,
  "DELETE FROM usage_day WHERE account_id = $1",
  "DELETE FROM usage_reservation WHERE account_id = $1",
] as const;

/** Returns the units. */
async function makeAnonymous(query: Query, id: string): Promise<number> {
  const [sum] = await query<{ units: number }>(
    "SELECT coalesce(sum(units), 0)::bigint AS units FROM usage_month WHERE account_id = $1",
    [id],
  );
  for (const statement of MAKE_ANONYMOUS) await query(statement, [id]);
  return sum!.units;
}

const FORGET_DATASETS = `
  DELETE FROM dataset WHERE id IN (
    SELECT id FROM dataset WHERE owner = $1 ORDER BY id LIMIT ${STEP.datasets} FOR UPDATE)
  RETURNING id, body_digest`;

/** A content goes with the last dataset that refers to it. */
async function forgetDatasets(query: Query, owner: string): Promise<number> {
  const rows = await query<{ id: string; body_digest: Uint8Array }>(FORGET_DATASETS, [owner]);
  if (rows.length === 0) return 0;
  const digests = rows.map(({ body_digest }) => body_digest);
  await query("DELETE FROM dataset_repeat WHERE dataset_id = ANY($1)", [rows.map(({ id }) => id)]);
  await query(LOCK_CONTENTS, [digests]);
  await query(RELEASE_CONTENTS, [digests]);
  return rows.length;
}
