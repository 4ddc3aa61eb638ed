/** Common parts of the legacy routes that ask several sources (§4.10 to §4.12). */
import type { Failed } from "#app/one-source.ts";

export type LegacyQuestion = {
  coords: { lat: number; lon: number };
  now_ms: number;
  deadline_ms: number;
};

export type LegacyReply =
  | {
      kind: "ok";
      items: readonly object[];
      /** Where the answer is more than its items. */
      body?: object;
      partial: boolean;
      max_age_s: number | null;
    }
  /** Every source failed, and nothing of any of them is held. */
  | Failed
  | { kind: "unknown"; known: readonly string[] };
