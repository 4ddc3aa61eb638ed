/**
 * Access to datasets (decisions, Capabilities): a tag that fits neither the caller's account nor
 * `public` is 404; one that fits is 410 when the dataset is gone, whatever the version, and 404 when
 * it is stored with another version. The codes are those of packages/api/errors.ts.
 */

export type DatasetVerdict = "found" | "dataset_not_found" | "dataset_gone";

type Stored = { owner: string; version: string; expires_at_ms: number };

/**
 * Judges a read. `issued_to`: as findIssuedTo says; where that is null the store need not be asked.
 * `stored`: what the store has under the id, null: nothing. Retention ends at `expires_at_ms`,
 * forgotten or not.
 */
export function judgeDataset(request: {
  issued_to: string | null;
  version: string;
  stored: Stored | null;
  now_ms: number;
}): DatasetVerdict {
  const { issued_to, version, stored, now_ms } = request;
  if (issued_to === null) return "dataset_not_found";
  if (!stored || stored.expires_at_ms <= now_ms) return "dataset_gone";
  const fits = stored.owner === issued_to && stored.version === version;
  return fits ? "found" : "dataset_not_found";
}
