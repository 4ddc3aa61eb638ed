/** Terms of a source's content, for callers that keep it (decisions, Capabilities). */
import type { SourceItem } from "#app/types.ts";
import type { SourceTerms, TermsOf } from "#app/capabilities/observation.ts";
import type { Config } from "#config/load.ts";
import type { FeedInfo } from "#upstream/feeds/types.ts";
import { findProvider, listSources } from "#providers/registry.ts";

type Sources = Pick<Config, "sources">["sources"];

export function createTermsOf(
  sources: Sources,
  { findFeed, others }: { findFeed(id: string): FeedInfo | null; others(): SourceItem[] },
): TermsOf {
  const configured = storesOf(sources);
  const storeOf = (provider: string): SourceTerms["store"] =>
    // Without known terms no content is kept.
    configured.get(provider) ?? findProvider(provider)?.terms.store ?? "ids";
  return (source_id) => {
    const feed = findFeed(source_id);
    const provider = feed?.provider ?? source_id;
    const source = feed ?? others().find(({ id }) => id === source_id);
    const shown = feed?.provider === "gbfs" ? sources.gbfs : findProvider(provider)?.terms;
    return {
      provider,
      licence: source?.licence ?? shown?.licence ?? null,
      attribution: source?.attribution ?? shown?.attribution ?? null,
      store: storeOf(provider),
    };
  };
}

/** Storage terms set by the operator, by source; elsewhere the source's own terms apply. */
function storesOf(sources: Sources): Map<string, SourceTerms["store"]> {
  const stated = listSources().map(([id]) => {
    const { store = null } = sources[id] as { store?: SourceTerms["store"] | null };
    return [id, store] as const;
  });
  return new Map(stated.flatMap(([id, store]) => (store === null ? [] : [[id, store]])));
}
