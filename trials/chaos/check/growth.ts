/**
 * What a soak may leave behind, by the documents (docs/operations.md, Sizing): bytes of the log a request,
 * bytes of the data folder a keyed reply, and no further series.
 */
import type { Verdict } from "./verdict.ts";

export type Growth = {
  requests: number;
  /** Bytes by which the log has grown. */
  log_bytes: number;
  /** The newest lines of it, without their ends. */
  lines: readonly string[];
  /** Bytes by which the data folder has grown; null: usage is kept elsewhere. */
  folder_bytes: number | null;
  /** Series of /metrics when the load had begun, and at its end. */
  series: readonly [before: readonly string[], after: readonly string[]];
};

/** Of one anonymous success, its end included; a line of a key names key and account. */
const LINE_BYTES = { anonymous: 110, keyed: 175 } as const;
/** 100 a keyed reply; below that number the log of SQLite, which is of one size, outweighs them. */
const REPLY_BYTES = 100;
const REPLIES_ENOUGH = 200_000;
/** Outcomes and statuses that come up for the first time. */
const SERIES = 20;

type RequestLine = { st?: number; by?: string; key?: string };

export function checkGrowth(growth: Growth): Pick<Verdict, "findings" | "figures"> {
  const { requests, log_bytes, lines, folder_bytes, series } = growth;
  const findings: string[] = [];
  const match = { anonymous: [] as number[], keyed: [] as number[] };
  for (const text of lines) {
    const line = JSON.parse(text) as RequestLine;
    if (line.st === 200) match[line.key === undefined ? "anonymous" : "keyed"].push(bytesOf(text));
  }
  const means = Object.entries(match).map(([kind, bytes]) => {
    const mean = bytes.reduce((sum, each) => sum + each, 0) / bytes.length;
    const most = LINE_BYTES[kind as keyof typeof LINE_BYTES];
    if (bytes.length === 0) findings.push(`the log has no line of a request that is ${kind}`);
    else if (mean > most)
      findings.push(
        `a line of the log that is ${kind} has ${mean.toFixed(1)} bytes, at most ${most}`,
      );
    return [`log_bytes_${kind}`, mean] as const;
  });
  const folder = folder_bytes === null ? null : folder_bytes / requests;
  if (folder !== null && requests >= REPLIES_ENOUGH && folder > REPLY_BYTES)
    findings.push(`the data folder has ${folder.toFixed(1)} bytes a reply, at most ${REPLY_BYTES}`);
  const [before, after] = series;
  const further = after.filter((name) => !before.includes(name));
  if (further.length > SERIES)
    findings.push(`${further.length} further series, at most ${SERIES}: ${further.join(" ")}`);
  return {
    findings,
    figures: {
      log_bytes_a_request: log_bytes / requests,
      ...Object.fromEntries(means),
      ...(folder !== null && { folder_bytes_a_reply: folder }),
      series: after.length,
    },
  };
}

function bytesOf(line: string): number {
  return Buffer.byteLength(line) + 1;
}
