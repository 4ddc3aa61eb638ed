/**
 * Datasets (§4.8): the bytes of one never change, whichever caller reads them and from whichever
 * replica, and it is there until it expires. Once a reply has named it, every replica knows it.
 */
import { type Fault, overlaps, type Span, toVerdict, type Verdict, VICTIMS } from "./verdict.ts";

export type DatasetWrite = { dataset_id: string; acked_ms: number; expires_ms: number };

export type DatasetRead = Span & {
  dataset_id: string;
  replica: number;
  /** null: no reply came. */
  status: number | null;
  /** Of the body of a 200. */
  digest: string | null;
  /** It says that it has too much to do. */
  shed: boolean;
};

export type DatasetTerms = { faults: readonly Fault[]; recovery_ms: number };

/** The status while the store is away; a dataset is never reported as missing because of it. */
const AWAY = 503;

export function checkDatasets(
  writes: readonly DatasetWrite[],
  reads: readonly DatasetRead[],
  { faults, recovery_ms }: DatasetTerms,
): Verdict {
  const written = new Map(writes.map((each) => [each.dataset_id, each]));
  const first = new Map<string, DatasetRead>();
  const findings: string[] = [];
  const replicas = new Set<number>();
  const outages = faults
    .filter(({ kind }) => VICTIMS[kind] !== "notices")
    .map((each) => ({ ...each, to_ms: each.to_ms + recovery_ms }));
  let same = 0;
  for (const read of reads.toSorted((a, b) => a.from_ms - b.from_ms)) {
    const { dataset_id, replica, status, digest } = read;
    const write = written.get(dataset_id);
    if (!write || status === null || read.shed || read.to_ms >= write.expires_ms) continue;
    const name = `${dataset_id} at ${replica}`;
    if (status !== 200) {
      const excused = status === AWAY && outages.some((each) => overlaps(each, read));
      if (!excused) findings.push(`${name}: ${status} before it expires`);
      continue;
    }
    const entry = first.get(dataset_id);
    if (!entry) first.set(dataset_id, read);
    else if (entry.digest !== digest)
      findings.push(`${name}: other bytes than at ${entry.replica}`);
    same += 1;
    replicas.add(replica);
  }
  const figures = { datasets: first.size, reads: same, replicas: replicas.size };
  return toVerdict({ rule: "datasets", findings, scanned: same, figures });
}
