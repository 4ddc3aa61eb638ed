/** Terms of a source's content, for callers that keep it (decisions, Capabilities). */
import type { SourceItem } from "#app/answer-types.ts";
import type { SourceTerms, TermsOf } from "#app/capabilities/search-observation.ts";
import type { Config } from "#config/load.ts";
import type { FeedInfo } from "#upstream/feeds/feed-types.ts";
import { findProvider, listSources } from "#providers/registry.ts";

type Sources = Pick<Config, "sources">["sources"];

type Deps = {
  findFeed(id: string): FeedInfo | null;
  /** All sources that are no feeds of systems: each call makes their list. */
  others(): SourceItem[];
  now(): number;
};

/** Terms change when something is imported, and an answer asks for those of each of its sources. */
const KEPT_MS = 1_000;

export function createTermsOf(sources: Sources, { findFeed, others, now }: Deps): TermsOf {
  let stored: { made_ms: number; byId: ReadonlyMap<string, SourceItem> } | null = null;
  const findOther = (id: string): SourceItem | undefined => {
    const now_ms = now();
    if (stored === null || Math.abs(now_ms - stored.made_ms) >= KEPT_MS)
      stored = { made_ms: now_ms, byId: new Map(others().map((each) => [each.id, each])) };
    return stored.byId.get(id);
  };
  const configured = storesOf(sources);
  const storeOf = (provider: string): SourceTerms["store"] =>
    // Without known terms no content is kept.
    configured.get(provider) ?? findProvider(provider)?.terms.store ?? "ids";
  return (source_id) => {
    const feed = findFeed(source_id);
    const provider = feed?.provider ?? source_id;
    const source = feed ?? findOther(source_id);
    const listed = feed?.provider === "gbfs" ? sources.gbfs : findProvider(provider)?.terms;
    return {
      provider,
      licence: source?.licence ?? listed?.licence ?? null,
      attribution: source?.attribution ?? listed?.attribution ?? null,
      store: storeOf(provider),
    };
  };
}

/** Storage terms set by the operator, by source; elsewhere the source's own terms apply. */
function storesOf(sources: Sources): Map<string, SourceTerms["store"]> {
  const stated = listSources().map(([id]): [string, SourceTerms["store"] | null] => {
    const { store = null } = sources[id] as { store?: SourceTerms["store"] | null };
    return [id, store];
  });
  for (const { id, store } of sources.registers ?? []) stated.push([id, store]);
  return new Map(stated.flatMap(([id, store]) => (store === null ? [] : [[id, store]])));
}
