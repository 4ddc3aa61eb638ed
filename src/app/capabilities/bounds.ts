/** Bounds on what is stored for a caller (§4.8), and refusals that name the bound that was reached. */
import { type Caller, datasetOwnerOf, ownerOf } from "#app/access/caller.ts";
import type { DatasetFate } from "#core/datasets/fate.ts";
import { BLOCK_FACTOR } from "#core/limits/address.ts";
import type { NewDataset } from "#ports.ts";

export type DatasetBounds = Pick<
  NewDataset,
  "owner" | "quota_key" | "quota_max" | "block_quota" | "owner_bytes_max"
>;

export type BoundsDeps = {
  /** Of the store (ports, Datasets). */
  secret: Uint8Array;
  /** SHA-256. */
  hash: (bytes: Uint8Array) => Uint8Array;
  /** Space in the store for the datasets of all anonymous callers. */
  anonymous_bytes: number;
};

/** An account's datasets are its own; anonymous ones count for the address and the block around it. */
export function datasetBoundsOf(caller: Caller, deps: BoundsDeps): DatasetBounds {
  const owner = datasetOwnerOf(caller);
  const quota_max = caller.plan.datasets;
  if (caller.kind === "keyed") return { owner, quota_key: ownerOf(caller), quota_max };
  const block_key = toKey("block", caller.address.wide, deps);
  return {
    owner,
    quota_key: toKey("address", caller.address.narrow, deps),
    quota_max,
    ...(quota_max === null
      ? {}
      : { block_quota: { key: block_key, max: quota_max * BLOCK_FACTOR } }),
    owner_bytes_max: deps.anonymous_bytes,
  };
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
};

/** Explains to the caller why a dataset was not stored. */
export function refusePut(
  fate: Exclude<DatasetFate, "stored">,
  { plan }: Caller,
  { anonymous_bytes }: Pick<BoundsDeps, "anonymous_bytes">,
): PutRefusal {
  switch (fate) {
    case "quota":
      return full(`the plan ${plan.name} keeps at most ${plan.datasets} datasets at once`);
    case "block_quota": {
      const most = plan.datasets! * BLOCK_FACTOR;
      return full(
        `a block of addresses (IPv4 /24, IPv6 /48) has at most ${most} datasets at once on the plan ${plan.name}`,
      );
    }
    case "owner_full":
      return full(
        `the datasets of all callers without a key take at most ${toMB(anonymous_bytes)} MB together`,
      );
    case "disk_full":
      return unavailable("the disk has no room for another dataset; try again later");
    case "taken":
    case "unavailable":
      return unavailable(DATASETS_UNREACHED);
  }
}

export const DATASETS_UNREACHED = "the store of datasets cannot be reached; try again";

function full(bound: string): PutRefusal {
  const message = `${bound}; the oldest must expire first`;
  return { kind: "refused", code: "quota_exhausted", message };
}

function unavailable(message: string): PutRefusal {
  return { kind: "refused", code: "store_unavailable", message };
}

function toMB(bytes: number): number {
  return bytes / 1024 / 1024;
}
