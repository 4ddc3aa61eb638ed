/**
 * Reading a stored dataset (decisions, Capabilities): no source is asked, and it costs nothing. An
 * anonymous dataset that is read again is kept for longer than its search stated, where there is room.
 */
import { type Caller, datasetOwnersOf } from "#app/access/request-caller.ts";
import { findIssuedTo } from "#core/datasets/id.ts";
import { judgeDataset } from "#core/datasets/dataset-verdict.ts";
import type { DatasetRow, Datasets } from "#ports.ts";
import {
  type AnonymousTerms,
  DATASETS_UNREACHED,
  isShort,
  longerLifeOf,
} from "./capability-bounds.ts";

export type DatasetAddress = { id: string; version: string };
export type ReadReply =
  /** `is_short`: of a caller without a key, and without the longer life (yet). */
  | { kind: "ok"; bytes: Uint8Array; row: DatasetRow; is_short: boolean }
  | { kind: "refused"; code: "dataset_not_found" | "dataset_gone" }
  | { kind: "refused"; code: "store_unavailable"; message: string };

export type ReadDataset = (
  address: DatasetAddress,
  part: "observation" | "body",
  who: { caller: Caller; now_ms: number },
) => Promise<ReadReply>;

export function createReadDataset(
  datasets: Pick<Datasets, "read" | "keepOn" | "secret" | "knowsSecret">,
  terms: AnonymousTerms,
  onFault: (reason: string) => void,
): ReadDataset {
  return async ({ id, version }, part, { caller, now_ms }) => {
    if (datasets.knowsSecret?.() === false) return UNREACHED;
    const issued_to = findIssuedTo(id, datasetOwnersOf(caller), datasets.secret);
    if (issued_to === null) return { kind: "refused", code: "dataset_not_found" };
    const read = await datasets.read(id, part);
    if (read.status === "unavailable") {
      onFault(read.reason);
      return UNREACHED;
    }
    const stored = read.status === "ok" ? read.row : null;
    const verdict = judgeDataset({ issued_to, version, stored, now_ms });
    if (verdict !== "found") return { kind: "refused", code: verdict };
    const { bytes, row } = read as Extract<typeof read, { status: "ok" }>;
    const life = longerLifeOf(row, now_ms, terms);
    const isKept = life !== null && (await datasets.keepOn(id, life));
    const kept = isKept ? { ...row, expires_at_ms: life.until_ms } : row;
    return { kind: "ok", bytes, row: kept, is_short: isShort(kept, terms) };
  };
}

const UNREACHED = {
  kind: "refused",
  code: "store_unavailable",
  message: DATASETS_UNREACHED,
} as const;
