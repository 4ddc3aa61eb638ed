/** What the host serves of a set: documents moved in time, discovery that leads back to the host. */
import { member } from "./files.ts";
import type { ReplaySet } from "./sets.ts";
import { offset_s, shiftText } from "./shift.ts";

/** Documents by GBFS name; several are a series. */
export type Documents = Map<string, string[]>;

export type ServeOptions = {
  /** Address of the set: `http://127.0.0.1:1234/helsinki`. */
  base_url: string;
  shift: boolean;
  now_ms: number;
};

export function documentsOf(set: ReplaySet, options: ServeOptions): Documents {
  const captured = [...set.files.values()].flat().map(({ text }) => text);
  const by_s = options.shift ? offset_s(captured, options.now_ms) : 0;
  const documents: Documents = new Map();
  for (const [name, files] of set.files) {
    documents.set(
      name,
      files.map(({ text, wire }) =>
        shiftText(withOwnUrls(name, { text, wire }, set, options), by_s),
      ),
    );
  }
  if (!documents.has("gbfs")) {
    documents.set("gbfs", [shiftText(makeDiscovery(set, options.base_url), by_s)]);
  }
  return documents;
}

/** Discovery documents name addresses; all other files stay as they are. */
function withOwnUrls(
  name: string,
  { text, wire }: { text: string; wire: unknown },
  set: ReplaySet,
  { base_url }: ServeOptions,
): string {
  if (name === "gbfs") return rewritten(text, wire, (copy) => rewriteFeeds(copy, base_url));
  if (name === "gbfs_versions") {
    return rewritten(text, wire, (copy) => rewriteVersions(copy, set.version, base_url));
  }
  return text;
}

function rewritten(text: string, wire: unknown, rewrite: (copy: unknown) => void): string {
  if (wire === undefined) return text;
  const copy: unknown = structuredClone(wire);
  rewrite(copy);
  return JSON.stringify(copy);
}

/** Every entry keeps its place and name; its URL becomes ours. */
function rewriteFeeds(wire: unknown, base_url: string): void {
  for (const feed of feedsOf(wire)) {
    const name = member(feed, "name");
    if (typeof name === "string") (feed as { url: string }).url = urlOf(base_url, name);
  }
}

/** Files with stations or vehicles that the publisher lists and that were not captured: 404 here. */
export function missingFiles(set: ReplaySet): string[] {
  const wire = set.files.get("gbfs")?.[0]?.wire;
  const names = feedsOf(wire).map((feed) => member(feed, "name"));
  return EXPECTED.filter((name) => names.includes(name) && !set.files.has(name));
}

const EXPECTED = ["station_information", "station_status", "free_bike_status", "vehicle_status"];

/** Entries of every list of a discovery document: language maps and plain arrays alike. */
function feedsOf(wire: unknown): unknown[] {
  const data = member(wire, "data");
  if (typeof data !== "object" || data === null) return [];
  const lists = [data, ...Object.values(data)].map((each) => member(each, "feeds") ?? each);
  return lists.filter(Array.isArray).flat() as unknown[];
}

/** Only one version was captured; the others lead to addresses that answer 404. */
function rewriteVersions(wire: unknown, own: string | null, base_url: string): void {
  const versions = member(member(wire, "data"), "versions");
  if (!Array.isArray(versions)) return;
  const plain = (version: unknown): string => String(version).replace(/^v/i, "");
  const isKnown = versions.some((entry) => plain(member(entry, "version")) === own);
  versions.forEach((entry: unknown, index) => {
    const version = plain(member(entry, "version"));
    const isOwn = isKnown ? version === own : index === versions.length - 1;
    if (typeof entry !== "object" || entry === null) return;
    (entry as { url: string }).url = isOwn
      ? urlOf(base_url, "gbfs")
      : `${base_url}/not-captured/${encodeURIComponent(version)}/gbfs.json`;
  });
}

/** A discovery document in the shape of the set's version, for a set captured without one. */
function makeDiscovery(set: ReplaySet, base_url: string): string {
  const feeds = [...set.files.keys()].map((name) => ({ name, url: urlOf(base_url, name) }));
  const newest = [...set.files.values()].flat().map(({ wire }) => member(wire, "last_updated"));
  const modern = Number.parseInt(set.version ?? "1", 10) >= 3;
  return JSON.stringify({
    last_updated: newest.find((value) => value !== undefined) ?? 0,
    ttl: 60,
    ...(set.version === null ? {} : { version: set.version }),
    data: modern ? { feeds } : { [languageOf(set)]: { feeds } },
  });
}

function languageOf(set: ReplaySet): string {
  const data = member(set.files.get("system_information")?.[0]?.wire, "data");
  const language = member(data, "language");
  return typeof language === "string" && language !== "" ? language : "en";
}

export function urlOf(base_url: string, name: string): string {
  return `${base_url}/${encodeURIComponent(name)}.json`;
}
