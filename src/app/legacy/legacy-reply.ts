/** Common parts of the legacy routes that ask several sources (§4.10 to §4.12). */
import type { Failed } from "#app/one-source.ts";

export type LegacyQuestion = {
  coords: { lat: number; lon: number };
  now_ms: number;
  deadline_ms: number;
};

export type LegacyReply<B = unknown> =
  | {
      kind: "ok";
      body: B;
      /** Records that it shows. */
      shown: number;
      partial: boolean;
      max_age_s: number | null;
    }
  /** Every source failed, and nothing of any of them is held. */
  | Failed
  | { kind: "unknown"; known: readonly string[] };
