/** Whose data an answer shows: attribution and licence by source. */
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import { createSourceOf } from "#core/record-source.ts";

export type Credit = {
  source_id: string;
  provider: string;
  attribution: string | null;
  licence: string | null;
};

/** A result in brief, with the ids of the sources that it is from. */
export type SourcedItem = { sources: readonly string[] };

/** Lists the credits of the results that are shown, and of no others. */
export function toCredits(listed: readonly SourcedItem[], termsOf: TermsOf): Credit[] {
  const ids = new Set(listed.flatMap(({ sources }) => sources));
  return [...ids].sort().map((source_id) => {
    const { provider, attribution, licence } = termsOf(source_id);
    return { source_id, provider, attribution, licence };
  });
}

/** Adds the ids of its sources to a result in brief. */
export function fromSources<B extends object>(brief: B, ids: readonly string[]): B & SourcedItem {
  return { ...brief, sources: [...new Set(ids)] };
}

/** Id of the source of a transit record: a timetable is a source of its own, a provider another. */
export function transitSource(from: { provider: string; feed_id: string | null }): string {
  const { provider, feed_id } = from;
  return provider === "gtfs" && feed_id !== null ? `gtfs:${feed_id}` : provider;
}

/** Lists the sources that observe a service. `provider` is no source: it is one's own publisher. */
export function observersOfPlace(place: { source_id: string; attributes: object }): string[] {
  const others = (place.attributes as { sources?: { source_id: string }[] }).sources ?? [];
  return [place.source_id, ...others.map(({ source_id }) => source_id)];
}

/** Lists the sources of records (core/record-source). */
export type SourcesOf = (records: readonly string[]) => string[];

export function createSourcesOf(source_ids: readonly string[]): SourcesOf {
  const sourceOf = createSourceOf(source_ids);
  return (records) => records.flatMap((record) => sourceOf(record) ?? []);
}
