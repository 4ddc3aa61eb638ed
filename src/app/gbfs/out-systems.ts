/** Which systems are published, and why the others are not. */
import type { OutTerms } from "#stations/gbfs-out/out-system.ts";
import { findProvider } from "#providers/registry.ts";
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import type { FeedInfo } from "#upstream/feeds/feed-types.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { SourceOutTerms } from "./out-types.ts";

/** `not_read`: nothing of it has been read, its licence neither; a request for a file of it has it read. */
export type NotPublished = "terms_forbid" | "licence_unknown" | "not_read";

/** null: it is no system, but a list of them. */
export type FindTerms = (source_id: string) => SourceOutTerms | null;

export type ReadSystem = SystemEntry & { shard: Shard };

export function isRead(entry: SystemEntry): entry is ReadSystem {
  return entry.shard !== null;
}

/** Returns why a system is not published; null: it is. */
export function whyNot(entry: SystemEntry, terms: SourceOutTerms): NotPublished | null {
  if (terms.store !== "all") return "terms_forbid";
  if (isLicensed(terms)) return null;
  return isRead(entry) ? "licence_unknown" : "not_read";
}

function isLicensed({ licence, licence_url }: OutTerms): boolean {
  return licence !== null || licence_url !== null;
}

/** Each system is looked at once, however many stations it shares. */
export function isOpenBy(find: FindTerms): (source_id: string) => boolean {
  const known = new Map<string, boolean>();
  return (source_id) =>
    known.getOrInsertComputed(source_id, () => {
      const terms = find(source_id);
      return terms !== null && terms.store === "all" && isLicensed(terms);
    });
}

type Deps = {
  termsOf: TermsOf;
  findFeed(id: string): FeedInfo | null;
};

/** The terms of a system: its own, else those that the operator of this service or its source states. */
export function createFindTerms({ termsOf: find, findFeed }: Deps): FindTerms {
  return (source_id) => {
    const feed = findFeed(source_id);
    if (feed === null) return null;
    const { provider, ...terms } = find(source_id);
    const own = findProvider(provider)?.terms;
    return {
      ...{ source_id, ...terms, name: feed.name },
      licence_url: feed.licence_url ?? own?.licence_url ?? null,
      attribution_url: feed.attribution_url ?? own?.attribution_url ?? null,
    };
  };
}

/** What a file says of the sources of what is in it. */
export function termsOf({ source_id, ...terms }: SourceOutTerms): OutTerms {
  const { licence, licence_url, attribution, attribution_url } = terms;
  return { source_id, licence, licence_url, attribution, attribution_url };
}
