/** Whose data an answer shows: attribution and licence by source. */
import type { TermsOf } from "#app/capabilities/observation.ts";

export type Credit = {
  source_id: string;
  provider: string;
  attribution: string | null;
  licence: string | null;
};

export function toCredits(source_ids: Iterable<string>, termsOf: TermsOf): Credit[] {
  return [...new Set(source_ids)].sort().map((source_id) => {
    const { provider, attribution, licence } = termsOf(source_id);
    return { source_id, provider, attribution, licence };
  });
}
