/** Bounds on what is stored for a caller (§4.8), and refusals that name the bound that was reached. */
import { type Caller, datasetOwnerOf, ownerOf } from "#app/access/request-caller.ts";
import type { DatasetFate } from "#core/datasets/fate.ts";
import { BLOCK_FACTOR } from "#core/limits/address-block.ts";
import { PUBLIC_OWNER } from "#core/datasets/id.ts";
import type { DatasetRow, LongerLife, NewDataset } from "#ports.ts";

export type DatasetBounds = Pick<
  NewDataset,
  "owner" | "quota_key" | "quota_max" | "block_quota" | "owner_bytes_max"
>;

/** Bytes in the store that an account's datasets may take on average. */
const KEYED_BYTES_EACH = 32 * 1024;

export type BoundsDeps = {
  /** Of the store (ports, Datasets). */
  secret: Uint8Array;
  /** SHA-256. */
  hash: (bytes: Uint8Array) => Uint8Array;
  /** Space in the store for the datasets of all anonymous callers. */
  anonymous_bytes: number;
  /** Whether the bounds of plans are enforced; the room of anonymous callers always is. */
  enforced: boolean;
};

/**
 * An account's datasets are its own, and bounded in number and bytes. Anonymous searches are bounded
 * by their units and the common room alone: what they find lives for a short time, and for longer as
 * far as its address and the block around it have not too many of these (firstLifeOf, longerLifeOf).
 */
export function datasetBoundsOf(caller: Caller, deps: BoundsDeps): DatasetBounds {
  const owner = datasetOwnerOf(caller);
  if (caller.kind === "keyed") {
    const quota_max = deps.enforced ? caller.plan.datasets : null;
    const bytes = quota_max === null ? {} : { owner_bytes_max: quota_max * KEYED_BYTES_EACH };
    return { owner, quota_key: ownerOf(caller), quota_max, ...bytes };
  }
  return {
    owner,
    quota_key: toKey("address", caller.address.narrow, deps),
    quota_max: null,
    block_quota: { key: toKey("block", caller.address.wide, deps), max: null },
    owner_bytes_max: deps.anonymous_bytes,
  };
}

/** What is kept of anonymous callers, and how many of those that were read again. */
export type AnonymousTerms = {
  /** Lives of a dataset from its making on: as stated when it is made, and once it was read again. */
  retention_ms: { anonymous: number; read_again: number };
  /** Datasets with the longer life, an address; null: any number. */
  datasets_max: number | null;
};

/**
 * The life that reading gives to an anonymous dataset; null: it stays as it is. The read that began
 * before the dataset was made is the search's own.
 */
export function longerLifeOf(
  row: DatasetRow,
  now_ms: number,
  { retention_ms, datasets_max }: AnonymousTerms,
): LongerLife | null {
  const until_ms = row.created_at_ms + retention_ms.read_again;
  const isAgain = now_ms > row.created_at_ms;
  if (!isAgain || !isShort(row, { retention_ms })) return null;
  const block_max = datasets_max === null ? null : datasets_max * BLOCK_FACTOR;
  return { until_ms, now_ms, quota_max: datasets_max, block_max };
}

/** Whether an anonymous dataset would live for longer if it was read again and there were room. */
export function isShort(
  row: DatasetRow,
  { retention_ms }: Pick<AnonymousTerms, "retention_ms">,
): boolean {
  const until_ms = row.created_at_ms + retention_ms.read_again;
  return row.owner === PUBLIC_OWNER && row.expires_at_ms < until_ms;
}

/** Datasets of an anonymous address that live for the longer time without having been read again. */
const UNREAD_MAX = 100;

/**
 * The life that an anonymous search gives to its dataset, as far as its address has not as many of
 * these: the others live as long as the search stated, and nothing that was promised is shortened.
 */
export function firstLifeOf(created_at_ms: number, terms: AnonymousTerms): LongerLife {
  const { retention_ms, datasets_max } = terms;
  const quota_max = datasets_max === null ? null : Math.min(datasets_max, UNREAD_MAX);
  const until_ms = created_at_ms + retention_ms.read_again;
  const block_max = quota_max === null ? null : quota_max * BLOCK_FACTOR;
  return { until_ms, now_ms: created_at_ms, quota_max, block_max };
}

/** Addresses are not written down: a digest with the store's secret is, which cannot be guessed. */
function toKey(kind: "address" | "block", address: string, { secret, hash }: BoundsDeps): string {
  const digest = hash(Buffer.concat([secret, new TextEncoder().encode(address)]));
  return `${kind} ${Buffer.from(digest).toString("base64url").slice(0, 22)}`;
}

export type PutRefusal = {
  kind: "refused";
  code: "quota_exhausted" | "store_unavailable";
  message: string;
  retry_after_s: number;
};

/** Until an account's oldest datasets may have expired, which live for days. */
const QUOTA_RETRY_S = 3600;
/** Until some anonymous datasets are likely to have expired: they live for minutes. */
const ROOM_RETRY_S = 60;
/** A store that is away is usually back soon. */
const STORE_RETRY_S = 1;

/** Explains to the caller why a dataset was not stored. */
export function refusePut(
  fate: Exclude<DatasetFate, "stored">,
  { kind, plan }: Caller,
  { anonymous_bytes }: Pick<BoundsDeps, "anonymous_bytes">,
): PutRefusal {
  switch (fate) {
    case "quota":
    case "block_quota":
      return full(
        `the plan ${plan.name} keeps at most ${plan.datasets} datasets at once`,
        QUOTA_RETRY_S,
      );
    case "owner_full":
      return kind === "keyed"
        ? full(
            `the datasets of an account on the plan ${plan.name} take at most ${toMB(plan.datasets! * KEYED_BYTES_EACH)} MB`,
            QUOTA_RETRY_S,
          )
        : full(
            `the datasets of all callers without a key take at most ${toMB(anonymous_bytes)} MB together`,
            ROOM_RETRY_S,
          );
    case "disk_full":
      return unavailable("the disk has no room for another dataset; try again later");
    case "taken":
    case "unavailable":
      return unavailable(DATASETS_UNREACHED);
  }
}

export const DATASETS_UNREACHED = "the store of datasets cannot be reached; try again";

function full(bound: string, retry_after_s: number): PutRefusal {
  const message = `${bound}; the oldest must expire first`;
  return { kind: "refused", code: "quota_exhausted", message, retry_after_s };
}

function unavailable(message: string): PutRefusal {
  return { kind: "refused", code: "store_unavailable", message, retry_after_s: STORE_RETRY_S };
}

function toMB(bytes: number): number {
  return bytes / 1024 / 1024;
}
