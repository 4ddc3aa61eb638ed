/** Reading datasets: all of what was stored and nothing else, or word that it cannot be read. */
import type { DatasetRead, DatasetRow, Datasets } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { isSame, sealOf, unpack } from "#storage/embedded/datasets-content.ts";
import { prepareCount } from "#storage/embedded/datasets-count.ts";

type Part = Parameters<Datasets["read"]>[1];

export type DatasetReader = {
  read(id: string, part: Part): DatasetRead;
  /** null: it cannot be read. */
  count(quota_key: string, now_ms: number): number | null;
};

export function createDatasetReader(database: DatabaseSync): DatasetReader {
  const find = {
    observation: prepareFind(database, "observation"),
    body: prepareFind(database, "packed"),
  };
  const count = prepareCount(database);
  return {
    read: (id, part) => attempt(() => judge(find[part].get(id), part)) ?? BROKEN,
    count: (quota_key, now_ms) => attempt(() => count(quota_key, now_ms)),
  };
}

const BROKEN: DatasetRead = { status: "unavailable", reason: "unreadable" };
const FALSIFIED: DatasetRead = { status: "unavailable", reason: "content_mismatch" };

type Found = DatasetRow & {
  observation_digest: Uint8Array;
  seal: Uint8Array;
  /** null: the content is missing, which a sound store never lets happen. */
  body_digest: Uint8Array | null;
  packed: Uint8Array | null;
};

function prepareFind(database: DatabaseSync, column: "observation" | "packed") {
  return database.prepare(
    `SELECT id, owner, version, created_at_ms, expires_at_ms, observation_digest, seal,
            content.digest AS body_digest, ${column} AS packed
       FROM dataset LEFT JOIN content USING (content_id) WHERE id = ?`,
  );
}

function judge(found: Record<string, unknown> | undefined, part: Part): DatasetRead {
  if (!found) return { status: "absent" };
  const { observation_digest, seal, body_digest, packed, ...row } = found as Found;
  if (!body_digest || !packed) return FALSIFIED;
  const digests = { observation: observation_digest, body: body_digest };
  const bytes = unpack(packed, digests[part]);
  if (!bytes || !isSame(sealOf(row, digests), seal)) return FALSIFIED;
  return { status: "ok", row, bytes };
}

/** SQLite and what unpacks tell of a broken disk by what they throw, only. */
function attempt<T>(task: () => T): T | null {
  try {
    return task();
  } catch {
    return null;
  }
}
