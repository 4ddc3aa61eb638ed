/** What is stored about an account, for who is asked to hand it over or to forget it (docs/data.md). */
import type { Account, DatasetRow, KeyRecord, MaybePromise, UsageRow } from "#ports.ts";

/** A single metered reply, as long as it is kept. */
export type StoredEvent = {
  event_id: string;
  key_id: string | null;
  operation: string;
  units: number;
  /** null: written before this was kept. */
  requests: number | null;
  at_ms: number;
};

/** A stored search: its content as it was answered, or null where it cannot be read. */
export type StoredDataset = Pick<DatasetRow, "id" | "version" | "created_at_ms"> & {
  /** When it is forgotten. */
  ends_at_ms: number;
  observation: Uint8Array | null;
  body: Uint8Array | null;
};

/** All about one account, part after part, since its events and datasets may be many. */
export type AccountRecords = {
  /** null: the account is gone, and something of it is left. */
  account: Account | null;
  keys: readonly KeyRecord[];
  totals: readonly UsageRow[];
  events: AsyncIterable<StoredEvent> | Iterable<StoredEvent>;
  datasets: AsyncIterable<StoredDataset> | Iterable<StoredDataset>;
};

/** What was forgotten. */
type Forgotten = {
  /** Single metered replies. */
  events: number;
  /** Units that became anonymous. */
  units: number;
  datasets: number;
  /** Metered replies that the journal of this folder still has, which the ledger must count first. */
  waiting: number;
};

export type People = {
  /** null: nothing is stored about it. Throws as the store does. */
  read(account_id: string): MaybePromise<AccountRecords | null>;
  /** Deletes the account and its keys, in one transaction; returns how many keys. 0: it had none, or is gone. */
  end(account_id: string): MaybePromise<number>;
  /**
   * Deletes its events and datasets, in steps, and makes its totals anonymous. Called when nothing is
   * answered for it any more; it may be called again.
   */
  forget(account_id: string): MaybePromise<Forgotten>;
};
