/** Beginning of every GBFS file (mobility.md 1.2): last_updated, ttl, version, data. */
import { toMeasure, toRow, toText, toTime_s } from "#kit/coerce.ts";
import type { Row } from "#kit/coerce.ts";

export type Envelope = {
  data: Row;
  /** May lie in the future: only the caller knows the time. */
  last_updated_s: number | null;
  ttl_s: number | null;
  version: string | null;
};

/**
 * Reads the envelope; null: not a GBFS document, for instance an error body under status 200
 * (violation 21).
 */
export function readEnvelope(wire: unknown): Envelope | null {
  const document = toRow(wire);
  const data = toRow(document?.["data"]);
  if (!document || !data) return null;
  return {
    data,
    last_updated_s: toTime_s(document["last_updated"]),
    ttl_s: toMeasure(document["ttl"]),
    version: toText(document["version"]),
  };
}

/** The major number of a version such as "3.1-RC3"; null when unknown. */
export function majorOf(version: string | null): number | null {
  const match = /^v?(\d{1,3})(?:\D|$)/.exec(version ?? "");
  return match ? Number(match[1]) : null;
}
