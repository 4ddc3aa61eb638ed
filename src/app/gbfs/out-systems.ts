/** Which systems are published, and why the others are not. */
import type { OutTerms } from "#stations/gbfs-out/out-system.ts";
import { findProvider } from "#providers/registry.ts";
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import type { FeedInfo } from "#upstream/feeds/feed-types.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { FindTimezone } from "#app/timezone.ts";
import { type Box, type Location, middleOf } from "#kit/geo.ts";
import type { BandIndex } from "#stations/shard/band-index.ts";
import type { SourceOutTerms } from "./out-types.ts";

/**
 * `not_read`: nothing of it has been read, its licence neither; a request for a file of it has it read.
 * `timezone_unknown`: its source states no time zone, and its places are of none or of several.
 */
export type NotPublished = "terms_forbid" | "licence_unknown" | "not_read" | "timezone_unknown";

/** null: it is no system, but a list of them. */
export type FindTerms = (source_id: string) => SourceOutTerms | null;

export type ReadSystem = SystemEntry & { shard: Shard };

export function isRead(entry: SystemEntry): entry is ReadSystem {
  return entry.shard !== null;
}

/** Returns why a system is not published; null: it is. */
export function whyNot(
  entry: SystemEntry,
  terms: SourceOutTerms,
  findTimezone: FindTimezone,
): NotPublished | null {
  if (terms.store !== "all") return "terms_forbid";
  if (!isLicensed(terms)) return isRead(entry) ? "licence_unknown" : "not_read";
  return isRead(entry) && timezoneOf(entry, findTimezone) === null ? "timezone_unknown" : null;
}

/** Places of a system of which the zone is looked up. */
const ZONE_SAMPLES = 12;
/** Names of offsets: what the map has at sea, where no system is. */
const OFFSET_PREFIX = "Etc/";

/** What the source of a system states, else the one zone of its places; null: there is no such one. */
export function timezoneOf({ shard, box }: ReadSystem, find: FindTimezone): string | null {
  const stated = shard.statics.meta.system?.timezone;
  if (stated != null) return stated;
  const { statics, vehicles } = shard;
  const places = [statics, vehicles?.data].flatMap((things) =>
    things ? samplesOf(things.index, things.count) : [],
  );
  const points = places.length > 0 ? places : cornersOf(shard.box ?? box);
  const zones = new Set(points.map(({ lat, lon }) => find(lat, lon)));
  const [zone] = zones;
  return zone === undefined || zones.size > 1 || zone.startsWith(OFFSET_PREFIX) ? null : zone;
}

/** Rows lie in bands of latitude: evenly spread, the first and the last are among them. */
function samplesOf({ lat, lon }: BandIndex, count: number): Location[] {
  const samples = Math.min(count, ZONE_SAMPLES);
  return Array.from({ length: samples }, (_, i) => {
    const row = samples === 1 ? 0 : Math.round((i * (count - 1)) / (samples - 1));
    return { lat: lat[row]!, lon: lon[row]! };
  });
}

function cornersOf(box: Box | null): Location[] {
  if (box === null) return [];
  const { south, north, west, east } = box;
  const corners = [south, north].flatMap((lat) => [west, east].map((lon) => ({ lat, lon })));
  return [...corners, middleOf(box)];
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
