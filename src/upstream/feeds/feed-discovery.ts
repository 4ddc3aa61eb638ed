/**
 * Locations of a system's files: its discovery document, or that of the best version it lists, or
 * the default places when it publishes none (mobility.md 1.3, 1.12 #20).
 */
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { parseWithin } from "#kit/json.ts";
import type { Failure } from "#kit/outcome.ts";
import { FEED_FILES } from "#stations/feed.ts";
import { jittered } from "#upstream/feeds/backoff.ts";
import type { Feed } from "#upstream/feeds/feed-runtime.ts";
import { detach } from "#kit/guard.ts";
import { measured } from "#upstream/feeds/work.ts";

/** Where to look for what is not published: requested again sooner than a published discovery. */
const GUESS_LIFE_MS = 300_000;
const GUESSABLE = new Set(["http_404", "not_json", "wrong_shape"]);

type Places = ReadonlyMap<string, string>;

/** Looks where the files are now; the failure, where it leaves the system without any places. */
export async function discover(feed: Feed): Promise<Failure | null> {
  const { state, ctx } = feed;
  const { protocol, system } = state.view;
  const now_ms = feed.now();
  const places = protocol.places?.(system.url);
  if (places) {
    state.discovered({ feeds: places, guessed_for: null, due_at_ms: Infinity });
    return null;
  }
  const read = await readDiscovery(feed, system.url);
  if ("status" in read) return fallBack(feed, read);
  state.recovered("discovery");
  const { feeds, name_files } = await bestVersion(feed, read);
  // Discovery changes as rarely as the static files, and lives as long as one without a ttl.
  const life_ms = protocol.nextPoll_s("system_information", null) * 1000;
  const due_at_ms = now_ms + jittered(ctx.random, life_ms);
  const names = state.view.discovery?.names;
  state.discovered({ feeds, guessed_for: null, due_at_ms, ...(names && { names }) });
  if (name_files.length > 0)
    detach(readNames(feed, name_files), (error) => feed.events.fault("not_named", error));
  return null;
}

/** Nothing waits for names in other languages, and one that cannot be read is no failure. */
async function readNames(feed: Feed, files: readonly string[]): Promise<void> {
  const { state } = feed;
  const docs = await Promise.all(files.map((url) => readDocument(feed, url)));
  const names = docs.flatMap((doc) =>
    "status" in doc ? [] : (state.view.protocol.readNames?.(doc.wire) ?? []),
  );
  if (names.length > 0) state.named([...new Set(names)]);
}

function fallBack(feed: Feed, failure: Failure): Failure | null {
  const { state, ctx } = feed;
  const { discovery, protocol, system } = state.view;
  const due_at_ms = feed.now() + jittered(ctx.random, GUESS_LIFE_MS);
  const guessable = GUESSABLE.has(failure.reason);
  if (discovery && !(discovery.guessed_for && guessable)) {
    state.keptDiscovery(failure, due_at_ms);
    return null;
  }
  const feeds = protocol.defaultFeeds(system.url);
  if (!guessable || feeds.size === 0) return state.failed("discovery", failure);
  state.guessed({ feeds, guessed_for: failure, due_at_ms });
  return null;
}

/** `name_files`: where the system has its names in other languages. */
type Discovered = { feeds: Places; url: string; name_files: readonly string[] };

async function readDiscovery(feed: Feed, url: string): Promise<Discovered | Failure> {
  const doc = await readDocument(feed, url);
  if ("status" in doc) return doc;
  const { protocol } = feed.state.view;
  const options = { base_url: doc.url };
  const discovery = protocol.readDiscovery(doc.wire, options);
  const useful = discovery && FEED_FILES.some((file) => discovery.feeds.has(file));
  if (!useful) return { status: "error", reason: "wrong_shape" };
  feed.events.repeated(discovery.repeated);
  const name_files = protocol.otherNameFiles?.(doc.wire, options) ?? [];
  return { feeds: discovery.feeds, url: doc.url, name_files };
}

/** 1.3: the highest version understood; the one of the catalogue when that fails. */
async function bestVersion(feed: Feed, match: Discovered): Promise<Discovered> {
  const { protocol, system } = feed.state.view;
  const versions_url = match.feeds.get("gbfs_versions");
  if (versions_url === undefined) return match;
  const versions = await readDocument(feed, versions_url);
  const best = "status" in versions ? null : protocol.bestVersionUrl(versions.wire);
  if (best === null || isSameUrl(best, system.url) || isSameUrl(best, match.url)) return match;
  const better = await readDiscovery(feed, best);
  return "status" in better ? match : better;
}

async function readDocument(
  feed: Feed,
  url: string,
): Promise<{ wire: unknown; url: string } | Failure> {
  const outcome = await feed.fetch(url, FEED_BOUNDS.discovery_bytes);
  if (outcome.status !== "ok") return outcome;
  if (outcome.value.kind !== "body") return { status: "error", reason: "wrong_shape" };
  const { body } = outcome.value;
  const parsed = measured(feed.ctx.onWork, "parse", () => parseWithin(body, FEED_BOUNDS));
  if ("reason" in parsed) return { status: "error", reason: parsed.reason };
  return { wire: parsed.value, url: outcome.value.url };
}

function isSameUrl(a: string, b: string): boolean {
  return URL.parse(a)?.href === URL.parse(b)?.href;
}
