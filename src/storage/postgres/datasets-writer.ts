/**
 * The transactions that write datasets. Each takes its locks in one order, so that no two wait for
 * each other: quota keys, then contents, both sorted; each put or deletion under a key holds the
 * lock of that key, so that a quota holds whichever replicas put at once.
 */
import type { LongerLife, NewDataset } from "#ports.ts";
import { digestOf, pack, sealOf, storedSizeOf } from "#storage/datasets-content.ts";
import { ENDS_AT_MS } from "#storage/embedded/datasets-reader.ts";
import { type PutFate, REPEATS_KEPT_MS } from "#storage/embedded/datasets-writer.ts";
import type { Query } from "./pool.ts";

/** Deleted in one transaction at most, so that no put waits long behind it. */
const FORGET_BATCH = 100;

/** The space of advisory locks that quota keys are in: "vids" as a number. */
const LOCK_SPACE = 0x76696473;

/** A dataset as it is stored, packed ahead of the transaction, which holds locks. */
export type PackedDataset = {
  dataset: NewDataset;
  observation: Uint8Array;
  observation_digest: Uint8Array;
  body: Uint8Array;
  body_digest: Uint8Array;
  seal: Uint8Array;
  /** Bytes that it takes in the store. */
  bytes: number;
};

export function packDataset(dataset: NewDataset): PackedDataset {
  const digests = { observation: digestOf(dataset.observation), body: digestOf(dataset.body) };
  const packed = { observation: pack(dataset.observation), body: pack(dataset.body) };
  return {
    dataset,
    ...packed,
    bytes: storedSizeOf(packed),
    seal: sealOf(dataset, digests),
    observation_digest: digests.observation,
    body_digest: digests.body,
  };
}

/**
 * Puts datasets in a transaction; returns the fate of each, in their order. Rejects when another
 * replica puts one of the same id at this moment: then it is worth another try.
 */
export async function putDatasets(
  query: Query,
  packed: readonly PackedDataset[],
): Promise<PutFate[]> {
  await lockQuotas(
    query,
    packed.flatMap(({ dataset }) => keysOf(dataset.quota_key, dataset.block_quota?.key ?? null)),
  );
  const fates = judge(packed, await query<WriteOutcome>(FIND, toQuestions(packed)));
  const stored = packed.filter((_, index) => fates[index] === "stored");
  if (stored.length > 0) {
    await query(PUT_CONTENTS, toContents(stored));
    await query(PUT_DATASETS, toRows(stored));
    await noteRepeats(query, stored);
  }
  return fates;
}

/** Gives a dataset a longer life, in a transaction, as Datasets.keepOn (ports) does. */
export async function keepOn(query: Query, id: string, life: LongerLife): Promise<boolean> {
  const { until_ms, now_ms, quota_max, block_max } = life;
  type Keys = { quota_key: string; block_key: string | null };
  const [keys] = await query<Keys>("SELECT quota_key, block_key FROM dataset WHERE id = $1", [id]);
  if (!keys) return false;
  await lockQuotas(query, keysOf(keys.quota_key, keys.block_key));
  await query(KEEP_ON, [id, until_ms, now_ms, quota_max, block_max]);
  const [row] = await query<{ kept: boolean }>(IS_KEPT, [id, until_ms, now_ms]);
  return row?.kept ?? false;
}

/** The counts are of the one who holds the locks: a statement sees what was committed before it. */
const KEEP_ON = `
  UPDATE dataset SET kept_until_ms = $2::bigint
    WHERE id = $1 AND ${ENDS_AT_MS} > $3::bigint AND ${ENDS_AT_MS} < $2::bigint
      AND (kept_until_ms IS NOT NULL OR (
        ($4::bigint IS NULL OR (SELECT count(*) FROM dataset AS other
           WHERE other.quota_key = dataset.quota_key AND other.kept_until_ms > $3::bigint) < $4)
        AND ($5::bigint IS NULL OR dataset.block_key IS NULL OR (SELECT count(*) FROM dataset AS other
           WHERE other.block_key = dataset.block_key AND other.kept_until_ms > $3::bigint) < $5)))`;

const IS_KEPT = `
  SELECT ${ENDS_AT_MS} >= $2::bigint AND ${ENDS_AT_MS} > $3::bigint AS kept
    FROM dataset WHERE id = $1`;

/** Deletes in a transaction a few that had expired by this time; true: there may be more. */
export async function forgetDatasets(query: Query, now_ms: number): Promise<boolean> {
  type Expired = {
    id: string;
    quota_key: string;
    block_key: string | null;
    body_digest: Uint8Array;
  };
  const expired = await query<Expired>(FIND_EXPIRED, [now_ms]);
  if (expired.length === 0) return false;
  const digests = expired.map(({ body_digest }) => body_digest);
  await lockQuotas(
    query,
    expired.flatMap(({ quota_key, block_key }) => keysOf(quota_key, block_key)),
  );
  await query(LOCK_CONTENTS, [digests]);
  await query("DELETE FROM dataset WHERE id = ANY($1)", [expired.map(({ id }) => id)]);
  await query(RELEASE_CONTENTS, [digests]);
  return expired.length === FORGET_BATCH;
}

function keysOf(quota_key: string, block_key: string | null): string[] {
  return block_key === null ? [quota_key] : [quota_key, block_key];
}

/**
 * Notes the answers by which retries are recognised. Of two replicas that answer the same question
 * at once the later one's answer is noted. Each note deletes what is too old, except rows that
 * another transaction has locked.
 */
async function noteRepeats(query: Query, packed: readonly PackedDataset[]): Promise<void> {
  const noted = new Map<string, NewDataset & { repeat_key: Uint8Array }>();
  for (const { dataset } of packed) {
    const { repeat_key } = dataset;
    if (repeat_key !== undefined) noted.set(repeat_key.toHex(), { ...dataset, repeat_key });
  }
  if (noted.size === 0) return;
  // Sorted: no two transactions wait for each other.
  const all = [...noted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, dataset]) => dataset);
  const newest_ms = Math.max(...all.map(({ created_at_ms }) => created_at_ms));
  await query(NOTE_REPEATS, [
    all.map(({ repeat_key }) => repeat_key),
    all.map(({ id }) => id),
    all.map(({ created_at_ms }) => created_at_ms),
  ]);
  await query(FORGET_REPEATS, [newest_ms - REPEATS_KEPT_MS]);
}

const NOTE_REPEATS = `
  INSERT INTO dataset_repeat (repeat_key, dataset_id, made_at_ms)
    SELECT * FROM unnest($1::bytea[], $2::text[], $3::bigint[])
    ON CONFLICT (repeat_key) DO UPDATE
      SET dataset_id = excluded.dataset_id, made_at_ms = excluded.made_at_ms`;

const FORGET_REPEATS = `
  DELETE FROM dataset_repeat WHERE repeat_key IN
    (SELECT repeat_key FROM dataset_repeat WHERE made_at_ms <= $1 LIMIT 1000
       FOR UPDATE SKIP LOCKED)`;

async function lockQuotas(query: Query, quota_keys: readonly string[]): Promise<void> {
  await query(
    `SELECT pg_advisory_xact_lock(${LOCK_SPACE}, key) FROM (
       SELECT DISTINCT hashtext(name) AS key FROM unnest($1::text[]) AS name ORDER BY 1) AS sorted`,
    [quota_keys],
  );
}

/** One row for each dataset, in order; counts of living ones are null where there is no bound. */
type WriteOutcome = {
  taken: boolean;
  living: number | null;
  block_living: number | null;
  owner_bytes: number;
};

/**
 * The expired are few: they are forgotten within minutes. The bytes of an owner are read without a
 * lock, which all anonymous callers of a fleet would share: replicas that put at the same moment may
 * exceed the bound by what one commit of each holds.
 */
const FIND = `
  SELECT EXISTS (SELECT 1 FROM dataset WHERE dataset.id = asked.id) AS taken,
         CASE WHEN bounded THEN
           coalesce((SELECT stored FROM dataset_count WHERE quota_key = asked.quota_key), 0)
             - (SELECT count(*) FROM dataset
                  WHERE quota_key = asked.quota_key AND ${ENDS_AT_MS} <= asked.now_ms)
         END AS living,
         CASE WHEN asked.block_key IS NOT NULL THEN
           coalesce((SELECT stored FROM dataset_count WHERE quota_key = asked.block_key), 0)
             - (SELECT count(*) FROM dataset
                  WHERE block_key = asked.block_key AND ${ENDS_AT_MS} <= asked.now_ms)
         END AS block_living,
         coalesce((SELECT bytes FROM dataset_room WHERE owner = asked.owner), 0) AS owner_bytes
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[], $5::text[], $6::text[])
      WITH ORDINALITY AS asked (id, quota_key, now_ms, bounded, block_key, owner, place)
    ORDER BY place`;

function toQuestions(packed: readonly PackedDataset[]) {
  const all = packed.map(({ dataset }) => dataset);
  return [
    all.map(({ id }) => id),
    all.map(({ quota_key }) => quota_key),
    all.map(({ created_at_ms }) => created_at_ms),
    all.map(({ quota_max }) => quota_max !== null),
    all.map(({ block_quota }) => block_quota?.key ?? null),
    all.map(({ owner }) => owner),
  ];
}

/** Judges datasets as if they came one after the other. */
function judge(packed: readonly PackedDataset[], matches: readonly WriteOutcome[]): PutFate[] {
  const accepted = new Map<string, PackedDataset>();
  return packed.map((each, index) => {
    const { id } = each.dataset;
    if (matches[index]!.taken || accepted.has(id)) return "taken";
    const refused = refuse(each, matches[index]!, [...accepted.values()]);
    if (refused !== null) return refused;
    accepted.set(id, each);
    return "stored";
  });
}

/** Returns the bound that a dataset would exceed, given those `before` it in the commit, or null. */
function refuse(
  { dataset, bytes }: PackedDataset,
  { living, block_living, owner_bytes }: WriteOutcome,
  before: readonly PackedDataset[],
): PutFate | null {
  const { quota_key, quota_max, block_quota, owner, owner_bytes_max, created_at_ms } = dataset;
  const alive = before
    .map((other) => other.dataset)
    .filter((other) => other.expires_at_ms > created_at_ms);
  const own = alive.filter((other) => other.quota_key === quota_key);
  if (quota_max !== null && (living ?? 0) + own.length >= quota_max) return "quota";
  const near = alive.filter((other) => other.block_quota?.key === block_quota?.key);
  const block_max = block_quota?.max ?? null;
  if (block_max !== null && (block_living ?? 0) + near.length >= block_max) return "block_quota";
  if (owner_bytes_max === undefined) return null;
  const sameOwner = before.filter((other) => other.dataset.owner === owner);
  const taken = sameOwner.reduce((sum, other) => sum + other.bytes, owner_bytes);
  return taken + bytes > owner_bytes_max ? "owner_full" : null;
}

/**
 * Contents that are there are locked, so that they are not deleted meanwhile, and replaced where
 * they are broken: packing is deterministic, so other bytes are another release's, or broken; ours
 * are neither.
 */
const PUT_CONTENTS = `
  INSERT INTO dataset_content AS kept (digest, packed)
    SELECT * FROM unnest($1::bytea[], $2::bytea[])
    ON CONFLICT (digest) DO UPDATE SET packed = excluded.packed WHERE kept.packed <> excluded.packed`;

/** Each once, sorted. */
function toContents(packed: readonly PackedDataset[]) {
  const contents = new Map(packed.map((each) => [each.body_digest.toHex(), each]));
  const sorted = [...contents].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  return [sorted.map(({ body_digest }) => body_digest), sorted.map(({ body }) => body)];
}

const PUT_DATASETS = `
  INSERT INTO dataset (id, owner, version, quota_key, created_at_ms, expires_at_ms, body_digest,
                       observation_digest, seal, observation, block_key, bytes)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
                         $7::bytea[], $8::bytea[], $9::bytea[], $10::bytea[], $11::text[],
                         $12::bigint[])`;

function toRows(packed: readonly PackedDataset[]) {
  const all = packed.map(({ dataset }) => dataset);
  return [
    ...[all.map(({ id }) => id), all.map(({ owner }) => owner), all.map(({ version }) => version)],
    all.map(({ quota_key }) => quota_key),
    all.map(({ created_at_ms }) => created_at_ms),
    all.map(({ expires_at_ms }) => expires_at_ms),
    packed.map(({ body_digest }) => body_digest),
    packed.map(({ observation_digest }) => observation_digest),
    packed.map(({ seal }) => seal),
    packed.map(({ observation }) => observation),
    all.map(({ block_quota }) => block_quota?.key ?? null),
    packed.map(({ bytes }) => bytes),
  ];
}

/** Another replica forgets others at the same time. */
const FIND_EXPIRED = `
  SELECT id, quota_key, block_key, body_digest FROM dataset WHERE ${ENDS_AT_MS} <= $1
    ORDER BY ${ENDS_AT_MS} LIMIT ${FORGET_BATCH} FOR UPDATE SKIP LOCKED`;

/** Taken before the rows that refer to them are looked up, so that a concurrent put is seen. */
export const LOCK_CONTENTS = `
  SELECT FROM dataset_content WHERE digest = ANY($1) ORDER BY digest FOR UPDATE`;

/** A content goes with the last dataset that refers to it. */
export const RELEASE_CONTENTS = `
  DELETE FROM dataset_content WHERE digest = ANY($1)
    AND NOT EXISTS (SELECT 1 FROM dataset WHERE body_digest = dataset_content.digest)`;
