/** gbfs.json and gbfs_versions: which files a system publishes, in which version and language (mobility.md 1.3). */
import { FEED_FILES } from "../feed.ts";
import type { FeedFile } from "../feed.ts";
import { primary, type Row, toList, toRow, toText } from "#kit/coerce.ts";
import { readEnvelope } from "./envelope.ts";

type FeedName = FeedFile | "gbfs_versions";
export type Discovery = {
  feeds: Map<FeedName, string>;
  version: string | null;
  /** Languages of a 1.x/2.x map in published order; [] in 3.x, where files hold all languages. */
  languages: string[];
  /** Files that one list has several times, with different addresses: the first is read. */
  repeated: FeedName[];
};
export type DiscoveryOptions = {
  language?: string | null;
  /** URL the document was finally read from, after redirects. */
  base_url: string;
};

export type PublishedVersion = { version: string; url: string };

/** The European Union has 24. */
const MOST_LANGUAGES = 64;
const NAMES: ReadonlyMap<string, FeedName> = new Map<string, FeedName>([
  ...FEED_FILES.map((name) => [name, name] as const),
  ["free_bike_status", "vehicle_status"],
  ["gbfs_versions", "gbfs_versions"],
]);
/** 1.0, 1.1, 2.0 to 2.3 and any 3.*: release candidates name themselves in several ways. */
const UNDERSTOOD = /^(?:1\.[01]|2\.[0-3]|3(?:\.\d{1,3})?(?:-[\w.]{1,16})?)$/;

/**
 * Reads a discovery document; null: it is none. The shape decides, since versions lie (mobility.md
 * 1.12 #3).
 */
export function readDiscovery(wire: unknown, options: DiscoveryOptions): Discovery | null {
  const envelope = readEnvelope(wire) ?? bareEnvelope(wire);
  if (!envelope) return null;
  const { data, version } = envelope;
  if (Array.isArray(data["feeds"])) {
    return { ...toFeeds(data["feeds"], options.base_url), version, languages: [] };
  }
  const lists = new Map(
    Object.entries(data).flatMap(([language, value]) => {
      const feeds = Array.isArray(value) ? value : toRow(value)?.["feeds"];
      return Array.isArray(feeds) ? [[language, feeds] as const] : [];
    }),
  );
  const languages = [...lists.keys()].slice(0, MOST_LANGUAGES);
  const chosen = chooseLanguage(languages, options.language ?? null);
  if (chosen === null) return null;
  const { feeds, repeated } = toFeeds(lists.get(chosen)!, options.base_url);
  // A language may list few of the files: the others are the same in any.
  for (const language of languages)
    for (const [name, url] of toFeeds(lists.get(language)!, options.base_url).feeds)
      if (!feeds.has(name)) feeds.set(name, url);
  return { feeds, version, languages, repeated };
}

/** Most languages of one system that are asked for its names. */
const MOST_OTHERS = 4;

/** Where 1.x and 2.x name the system in the languages that were not chosen: system_information. */
export function otherNameFiles(wire: unknown, options: DiscoveryOptions): string[] {
  const discovery = readDiscovery(wire, options);
  if (!discovery || discovery.languages.length < 2) return [];
  const own_feed = discovery.feeds.get("system_information");
  const files = discovery.languages.flatMap((language) => {
    const url = readDiscovery(wire, { ...options, language })?.feeds.get("system_information");
    return url === undefined || url === own_feed ? [] : [url];
  });
  return [...new Set(files)].slice(0, MOST_OTHERS);
}

/**
 * Some leave the envelope out: then its content is the document, which is one when it lists feeds by
 * name and address. Anything else may be an error body.
 */
function bareEnvelope(wire: unknown): { data: Row; version: string | null } | null {
  const document = Array.isArray(wire) ? { feeds: wire } : toRow(wire);
  if (!document) return null;
  const data = Object.fromEntries(
    Object.entries(document).filter(([key, value]) => {
      const feeds = key === "feeds" ? value : toRow(value)?.["feeds"];
      return toList(feeds).some((feed) => toText(toRow(feed)?.["url"]) !== null);
    }),
  );
  if (Object.keys(data).length === 0) return null;
  return { data, version: toText(toRow(wire)?.["version"]) };
}

/** Exact, same primary subtag, else the first that the publisher names (mobility.md 1.3). */
function chooseLanguage(languages: readonly string[], wanted: string | null): string | null {
  const lower = wanted?.toLowerCase() ?? null;
  return (
    languages.find((language) => language.toLowerCase() === lower) ??
    languages.find((language) => lower !== null && samePrimary(language, lower)) ??
    languages[0] ??
    null
  );
}

/**
 * Returns where the files of a system without gbfs.json would be (violation 20): next to it, under
 * the names of 1.x, with the same query string (it may hold a key). Empty for a base that is no
 * URL.
 */
export function defaultFeeds(base_url: string): Map<FeedFile, string> {
  const feeds = new Map<FeedFile, string>();
  const base = URL.parse(base_url);
  if (base?.protocol !== "https:" && base?.protocol !== "http:") return feeds;
  for (const file of FEED_FILES) {
    const name = file === "vehicle_status" ? "free_bike_status" : file;
    const url = URL.parse(`${name}.json${base.search}`, base_url);
    if (url) feeds.set(file, url.href);
  }
  return feeds;
}

export function readVersions(wire: unknown): PublishedVersion[] {
  const bare = Array.isArray(wire) ? wire : toRow(wire)?.["versions"];
  return toList(readEnvelope(wire)?.data["versions"] ?? bare).flatMap((entry) => {
    const row = toRow(entry);
    // Lyft writes "v2.3".
    const version = toText(row?.["version"])?.replace(/^v/i, "") || null;
    const url = URL.parse(toText(row?.["url"]) ?? "");
    const usable = url?.protocol === "https:" || url?.protocol === "http:";
    return version !== null && usable ? [{ version, url: url.href }] : [];
  });
}

/** The highest version understood; null when none is. Of equals the first. */
export function chooseVersion(list: readonly PublishedVersion[]): PublishedVersion | null {
  let best: PublishedVersion | null = null;
  for (const entry of list) {
    if (!UNDERSTOOD.test(entry.version)) continue;
    if (!best || compareVersions(entry.version, best.version) > 0) best = entry;
  }
  return best;
}

/** The first entry of a name wins; entries of other names or without a usable URL are passed over. */
function toFeeds(
  entries: readonly unknown[],
  base_url: string,
): Pick<Discovery, "feeds" | "repeated"> {
  const feeds = new Map<FeedName, string>();
  const repeated = new Set<FeedName>();
  for (const entry of toList(entries)) {
    const row = toRow(entry);
    const name = NAMES.get(
      toText(row?.["name"])
        ?.toLowerCase()
        .replace(/\.json$/, "") ?? "",
    );
    const url = toUrl(row?.["url"], base_url);
    if (!name || !url) continue;
    const first = feeds.get(name);
    if (first === undefined) feeds.set(name, url);
    else if (first !== url) repeated.add(name);
  }
  return { feeds, repeated: [...repeated] };
}

/** Absolute, and https where the document itself came by https from that host (violation 19). */
function toUrl(value: unknown, base_url: string): string | null {
  const text = toText(value);
  const base = URL.parse(base_url);
  const url = text === null ? null : URL.parse(text, base?.href);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  if (url.protocol === "http:" && base?.protocol === "https:" && url.host === base.host) {
    url.protocol = "https:";
  }
  return url.href;
}

function samePrimary(a: string, b: string): boolean {
  return primary(a).toLowerCase() === primary(b).toLowerCase();
}

/** By number; a candidate ("3.1-RC3") comes before its release. */
function compareVersions(a: string, b: string): number {
  const [numberA, candidateA] = splitVersion(a);
  const [numberB, candidateB] = splitVersion(b);
  if (numberA !== numberB) return numberA - numberB;
  if (candidateA === candidateB) return 0;
  if (candidateA === "" || candidateB === "") return candidateA === "" ? 1 : -1;
  return candidateA < candidateB ? -1 : 1;
}

function splitVersion(version: string): [number, string] {
  const [release = "", candidate = ""] = version.split("-", 2);
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return [major * 1_000 + minor, candidate];
}
