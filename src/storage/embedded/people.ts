/**
 * What the embedded store has about an account: read whole, or forgotten. Events go in steps, so that
 * a service that runs on the folder never waits long for the lock of a writer.
 */
import type { Account, KeyRecord, UsageRow } from "#ports.ts";
import type { AccountRecords, StoredDataset, StoredEvent, People } from "#ports/people.ts";
import { createAccounts } from "#storage/embedded/accounts.ts";
import { type DatabaseSync, transact } from "#storage/embedded/database.ts";
import { createDatasetReader, ENDS_AT_MS } from "#storage/embedded/datasets-reader.ts";
import type { JournalEntry } from "#storage/usage/journal.ts";
import { listWaiting } from "#storage/usage/usage-ledger.ts";

/** A database that is opened when it is first needed. */
export class LazyDatabase {
  #opened: DatabaseSync | null = null;
  readonly #open: () => DatabaseSync;
  readonly #isThere: () => boolean;

  /** `isThere`: false where there has never been one, so that nothing can be in it. */
  constructor(open: () => DatabaseSync, isThere: () => boolean) {
    this.#open = open;
    this.#isThere = isThere;
  }

  get(): DatabaseSync {
    return (this.#opened ??= this.#open());
  }

  /** null: there has never been one. */
  find(): DatabaseSync | null {
    return this.#opened !== null || this.#isThere() ? this.get() : null;
  }

  close(): void {
    this.#opened?.close();
  }
}

type Deps = {
  database: DatabaseSync;
  datasets: LazyDatabase;
  readJournal: () => readonly JournalEntry[];
};

/** Events that are looked through in one step, and datasets that are deleted in one. */
const STEP = { events: 5_000, datasets: 100 } as const;

export function createPeople(deps: Deps): People {
  const { database, datasets } = deps;
  const accounts = createAccounts(database);
  return {
    read: (id) => readAccount(deps, accounts, id),
    end(id) {
      database.exec("PRAGMA secure_delete = ON");
      let keys = 0;
      transact(database, () => {
        keys = Number(database.prepare("DELETE FROM api_key WHERE account_id = ?").run(id).changes);
        database.prepare("DELETE FROM account WHERE id = ?").run(id);
      });
      return keys;
    },
    forget(id) {
      const waiting = new Set(listWaiting(deps.readJournal(), id));
      for (const each of [database, datasets.get()]) each.exec("PRAGMA secure_delete = ON");
      const events = forgetEvents(database, id, waiting);
      const units = makeAnonymous(database, id, waiting.size === 0);
      const forgotten = forgetDatasets(datasets.get(), id);
      // What was deleted is in the log until it is written over; a reader alongside only delays that.
      for (const each of [database, datasets.get()]) each.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      return { events, units, datasets: forgotten, waiting: waiting.size };
    },
  };
}

function readAccount(
  { database, datasets }: Deps,
  accounts: ReturnType<typeof createAccounts>,
  id: string,
): AccountRecords | null {
  const account: Account | null = accounts.findAccount(id);
  const keys: KeyRecord[] = accounts.listKeys().filter(({ account_id }) => account_id === id);
  const totals = database
    .prepare(
      `SELECT account_id, nullif(key_id, '') AS key_id, operation, day, units, requests
         FROM usage_day WHERE account_id = ? ORDER BY day, key_id, operation`,
    )
    .all(id)
    .map((row) => ({ ...row })) as unknown as UsageRow[];
  if (account === null && totals.length === 0 && !hasDatasets(datasets.find(), id)) return null;
  const events = database.prepare(
    `SELECT event_id, nullif(key_id, '') AS key_id, operation, units, requests, at_ms
       FROM usage_event JOIN usage_meter USING (meter) WHERE account_id = ? ORDER BY event_id`,
  );
  return {
    account,
    keys,
    totals,
    events: events.iterate(id) as unknown as Iterable<StoredEvent>,
    datasets: readDatasets(datasets.find(), id),
  };
}

function hasDatasets(database: DatabaseSync | null, owner: string): boolean {
  if (database === null) return false;
  return database.prepare("SELECT 1 FROM dataset WHERE owner = ? LIMIT 1").get(owner) !== undefined;
}

function* readDatasets(database: DatabaseSync | null, owner: string): Generator<StoredDataset> {
  if (database === null) return;
  const reader = createDatasetReader(database);
  const list = database.prepare(
    `SELECT id, version, created_at_ms, ${ENDS_AT_MS} AS ends_at_ms
       FROM dataset WHERE owner = ? ORDER BY created_at_ms, id`,
  );
  for (const row of list.all(owner) as unknown as Omit<StoredDataset, "observation" | "body">[]) {
    const partOf = (part: "observation" | "body"): Uint8Array | null => {
      const read = reader.read(row.id, part);
      return read.status === "ok" ? read.bytes : null;
    };
    yield { ...row, observation: partOf("observation"), body: partOf("body") };
  }
}

/**
 * In the order of ids, so that no second index is needed. Those of meters that have lost their name came
 * late, after an erasure.
 */
function forgetEvents(
  database: DatabaseSync,
  account_id: string,
  waiting: ReadonlySet<string>,
): number {
  const look = database.prepare(
    `SELECT max(event_id) AS last, count(*) AS count FROM
       (SELECT event_id FROM usage_event WHERE event_id > ? ORDER BY event_id LIMIT ${STEP.events})`,
  );
  const forget = database.prepare(
    `DELETE FROM usage_event WHERE event_id > ? AND event_id <= ?
       AND meter IN (SELECT meter FROM usage_meter WHERE account_id = ? OR account_id LIKE 'erased %')
       AND event_id NOT IN (SELECT value FROM json_each(?))`,
  );
  const left = JSON.stringify([...waiting]);
  let forgotten = 0;
  for (let after: string | null = ""; after !== null;) {
    const { last, count } = look.get(after) as { last: string | null; count: number };
    if (last === null) break;
    forgotten += Number(forget.run(after, last, account_id, left).changes);
    after = count === STEP.events ? last : null;
  }
  return forgotten;
}

const RAISED = "SET units = units + excluded.units, requests = requests + excluded.requests";

/**
 * Adds its totals to those of no account; returns their units. `isLast`: no event is left, so that
 * meters lose their names as well. They are not deleted: the ledger's thread remembers their numbers.
 */
function makeAnonymous(database: DatabaseSync, account_id: string, isLast: boolean): number {
  let units = 0;
  transact(database, () => {
    const sum = database
      .prepare("SELECT sum(units) AS units FROM usage_month WHERE account_id = ?")
      .get(account_id);
    units = Number(sum?.["units"] ?? 0);
    const statements = [
      `INSERT INTO usage_day SELECT day, '', '', operation, sum(units), sum(requests)
         FROM usage_day WHERE account_id = ? GROUP BY day, operation
         ON CONFLICT (day, account_id, key_id, operation) DO UPDATE ${RAISED}`,
      "DELETE FROM usage_day WHERE account_id = ?",
      `INSERT INTO usage_month SELECT '', month, units, requests
         FROM usage_month WHERE account_id = ?
         ON CONFLICT (account_id, month) DO UPDATE ${RAISED}`,
      "DELETE FROM usage_month WHERE account_id = ?",
      ...(isLast
        ? [
            "UPDATE usage_meter SET account_id = 'erased ' || meter, key_id = '' WHERE account_id = ?",
          ]
        : []),
    ];
    for (const statement of statements) database.prepare(statement).run(account_id);
  });
  return units;
}

function forgetDatasets(database: DatabaseSync, owner: string): number {
  const list = database.prepare(
    `SELECT rowid AS number, id, content_id FROM dataset WHERE owner = ? AND rowid > ?
       ORDER BY rowid LIMIT ${STEP.datasets}`,
  );
  const forget = database.prepare("DELETE FROM dataset WHERE rowid = ?");
  const forgetRepeats = database.prepare(
    "DELETE FROM dataset_repeat WHERE dataset_id IN (SELECT value FROM json_each(?))",
  );
  const release = database.prepare(
    `DELETE FROM content WHERE content_id = ?1
       AND NOT EXISTS (SELECT 1 FROM dataset WHERE content_id = ?1)`,
  );
  /** Returns the number of the last one that was looked at; null: there are no more. */
  const forgetSome = (after: number): { last: number | null; count: number } => {
    let rows: Listed[] = [];
    transact(database, () => {
      rows = list.all(owner, after) as unknown as Listed[];
      forgetRepeats.run(JSON.stringify(rows.map(({ id }) => id)));
      for (const { number } of rows) forget.run(number);
      for (const content_id of new Set(rows.map((row) => row.content_id))) release.run(content_id);
    });
    const last = rows.length === STEP.datasets ? rows.at(-1)!.number : null;
    return { last, count: rows.length };
  };
  let forgotten = 0;
  for (let after: number | null = 0; after !== null;) {
    const { last, count } = forgetSome(after);
    forgotten += count;
    after = last;
  }
  return forgotten;
}

type Listed = { number: number; id: string; content_id: number };
