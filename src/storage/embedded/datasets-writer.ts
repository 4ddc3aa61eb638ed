/**
 * The statements that write datasets: a dataset with all of its bytes in one transaction, and the
 * deletion of what has expired. Called on the thread that writes (datasets-worker.ts).
 */
import type { DatasetFate } from "#core/datasets/fate.ts";
import type { LongerLife, NewDataset } from "#ports.ts";
import { type DatabaseSync, transact } from "#storage/embedded/database.ts";
import { digestOf, pack, sealOf, storedSizeOf } from "#storage/datasets-content.ts";
import { ENDS_AT_MS, prepareCount } from "#storage/embedded/datasets-reader.ts";

/** Deleted in one transaction at most, so that no put waits long behind it. */
const FORGET_BATCH = 100;

export type PutFate = Exclude<DatasetFate, "disk_full" | "unavailable">;

export type DatasetWriter = {
  /** Puts datasets in one transaction; returns the fate of each, in their order. */
  put(datasets: readonly NewDataset[]): PutFate[];
  /** As Datasets.keepOn (ports). */
  keepOn(id: string, life: LongerLife): boolean;
  /** Deletes a few of those that had expired by this time; true: there may be more. */
  forgetSome(now_ms: number): boolean;
};

/** Prepares the statements on a connection. Its calls throw as the database does. */
export function createDatasetWriter(database: DatabaseSync): DatasetWriter {
  const find = database.prepare("SELECT 1 FROM dataset WHERE id = ?");
  const refuse = prepareRefusal(database);
  const putContent = prepareContent(database);
  const insert = database.prepare(
    `INSERT INTO dataset (id, owner, version, quota_key, created_at_ms, expires_at_ms, content_id,
                          observation_digest, seal, observation, block_key, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const noteRepeat = prepareRepeats(database);

  function putOne(dataset: NewDataset): PutFate {
    const { id, owner, version, quota_key, created_at_ms, expires_at_ms } = dataset;
    if (find.get(id)) return "taken";
    const packed = { observation: pack(dataset.observation), body: pack(dataset.body) };
    const bytes = storedSizeOf(packed);
    const refused = refuse(dataset, bytes);
    if (refused !== null) return refused;
    const digests = { observation: digestOf(dataset.observation), body: digestOf(dataset.body) };
    const row = [id, owner, version, quota_key, created_at_ms, expires_at_ms] as const;
    const content_id = putContent(packed.body, digests.body);
    const contents = [content_id, digests.observation, sealOf(dataset, digests)] as const;
    insert.run(...row, ...contents, packed.observation, dataset.block_quota?.key ?? null, bytes);
    noteRepeat(dataset);
    return "stored";
  }

  return {
    put(datasets) {
      let fates: PutFate[] = [];
      transact(database, () => {
        fates = datasets.map(putOne);
      });
      return fates;
    },
    keepOn: prepareKeepOn(database),
    forgetSome: prepareForget(database),
  };
}

/** Prepares the check of which bound a dataset of this size would exceed; null: none. */
function prepareRefusal(
  database: DatabaseSync,
): (dataset: NewDataset, bytes: number) => PutFate | null {
  const count = prepareCount(database);
  const room = database.prepare("SELECT bytes FROM dataset_room WHERE owner = ?");
  return (dataset, bytes) => {
    const { quota_key, quota_max, block_quota, owner, owner_bytes_max, created_at_ms } = dataset;
    if (quota_max !== null && count(quota_key, created_at_ms) >= quota_max) return "quota";
    const { key, max = null } = block_quota ?? {};
    if (key !== undefined && max !== null && count(key, created_at_ms) >= max) return "block_quota";
    if (owner_bytes_max === undefined) return null;
    const taken = Number(room.get(owner)?.["bytes"] ?? 0);
    return taken + bytes > owner_bytes_max ? "owner_full" : null;
  };
}

function prepareKeepOn(database: DatabaseSync): DatasetWriter["keepOn"] {
  const find = database.prepare(
    `SELECT quota_key, block_key, kept_until_ms, ${ENDS_AT_MS} AS ends_at_ms
       FROM dataset WHERE id = ?`,
  );
  const [inQuota, inBlock] = ["quota_key", "block_key"].map((key) =>
    database.prepare(`SELECT count(*) AS kept FROM dataset WHERE ${key} = ? AND kept_until_ms > ?`),
  );
  const keep = database.prepare("UPDATE dataset SET kept_until_ms = ? WHERE id = ?");
  type Row = {
    quota_key: string;
    block_key: string | null;
    kept_until_ms: number | null;
    ends_at_ms: number;
  };
  return (id, { until_ms, now_ms, quota_max, block_max }) => {
    const row = find.get(id) as Row | undefined;
    if (!row || row.ends_at_ms <= now_ms) return false;
    if (row.ends_at_ms >= until_ms) return true;
    const isFull = (count: typeof inQuota, key: string | null, max: number | null): boolean =>
      max !== null && key !== null && Number(count!.get(key, now_ms)!["kept"]) >= max;
    const isNew = row.kept_until_ms === null;
    if (isNew && isFull(inQuota, row.quota_key, quota_max)) return false;
    if (isNew && isFull(inBlock, row.block_key, block_max)) return false;
    keep.run(until_ms, id);
    return true;
  };
}

/** Retries are recognised for two minutes (app/capabilities/repeats); older ones are never read. */
export const REPEATS_KEPT_MS = 120_000;
/** More than one is forgotten for each that is noted, so that none is kept for long. */
const REPEATS_FORGOTTEN = 4;

function prepareRepeats(database: DatabaseSync): (dataset: NewDataset) => void {
  const forget = database.prepare(
    `DELETE FROM dataset_repeat WHERE repeat_key IN
       (SELECT repeat_key FROM dataset_repeat WHERE made_at_ms <= ? LIMIT ${REPEATS_FORGOTTEN})`,
  );
  const note = database.prepare("INSERT OR REPLACE INTO dataset_repeat VALUES (?, ?, ?)");
  return ({ repeat_key, id, created_at_ms }) => {
    if (repeat_key === undefined) return;
    forget.run(created_at_ms - REPEATS_KEPT_MS);
    note.run(repeat_key, id, created_at_ms);
  };
}

/** Stores content once and replaces a broken copy; returns its number. */
function prepareContent(
  database: DatabaseSync,
): (packed: Uint8Array, digest: Uint8Array) => number | bigint {
  const find = database.prepare("SELECT content_id, packed FROM content WHERE digest = ?");
  const insert = database.prepare("INSERT INTO content (digest, packed) VALUES (?, ?)");
  const mend = database.prepare("UPDATE content SET packed = ? WHERE content_id = ?");
  return (packed, digest) => {
    const entry = find.get(digest);
    if (!entry) return insert.run(digest, packed).lastInsertRowid;
    const content_id = entry["content_id"] as number;
    // Packing is deterministic: other bytes are another release's, or broken; ours are neither.
    if (Buffer.compare(packed, entry["packed"] as Uint8Array) !== 0) mend.run(packed, content_id);
    return content_id;
  };
}

/** A content goes with the last dataset that refers to it. */
function prepareForget(database: DatabaseSync): (now_ms: number) => boolean {
  const forget = database.prepare(
    `DELETE FROM dataset WHERE rowid IN
       (SELECT rowid FROM dataset WHERE ${ENDS_AT_MS} <= ? ORDER BY ${ENDS_AT_MS} LIMIT ${FORGET_BATCH})
       RETURNING content_id`,
  );
  const release = database.prepare(
    `DELETE FROM content WHERE content_id = ?1
       AND NOT EXISTS (SELECT 1 FROM dataset WHERE content_id = ?1)`,
  );
  return (now_ms) => {
    let forgotten = 0;
    transact(database, () => {
      const rows = forget.all(now_ms);
      forgotten = rows.length;
      for (const content_id of new Set(rows.map((row) => row["content_id"] as number)))
        release.run(content_id);
    });
    return forgotten === FORGET_BATCH;
  };
}
