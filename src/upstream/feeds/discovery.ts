/**
 * Where a system's files are: its discovery document, or that of the best version it lists, or the
 * default places when it publishes none (mobility.md 1.3, 1.12 #20).
 */
import { FEED_BOUNDS } from "#core/feed-bounds.ts";
import { parseWithin } from "#core/json.ts";
import { protocolOf } from "#upstream/feeds/state.ts";
import type { Failure } from "#core/outcome.ts";
import { FEED_FILES } from "#providers/provider.ts";
import { ask } from "#upstream/feeds/fetch.ts";
import { clearFailure, jittered, markFailed } from "#upstream/feeds/marks.ts";
import { measured } from "#upstream/feeds/work.ts";
import type { Context, Discovery, SystemState } from "#upstream/feeds/state.ts";

/** Where to look for what nobody publishes: asked again sooner than a published discovery. */
const GUESS_LIFE_MS = 300_000;
const GUESSABLE = new Set(["http_404", "not_json", "wrong_shape"]);

/** Makes sure that the discovery is known and young enough; a failure leaves an older one. */
export async function ensureDiscovery(ctx: Context, state: SystemState): Promise<Failure | null> {
  const now_ms = ctx.clock.now();
  if (state.discovery && state.discovery.due_at_ms > now_ms) return null;
  const places = protocolOf(ctx, state).places?.(state.system.url);
  if (places) {
    adopt(state, { feeds: places, guessed_for: null, due_at_ms: Infinity });
    return null;
  }
  const read = await readDiscovery(ctx, state, state.system.url);
  if ("status" in read) return fallBack(ctx, state, read);
  clearFailure(state, "discovery");
  state.errors.add(ctx.clock.now(), true);
  const feeds = await bestVersion(ctx, state, read);
  // Discovery changes as rarely as the static files, and lives as long as one without a ttl.
  const life_ms = protocolOf(ctx, state).nextPoll_s("system_information", null) * 1000;
  adopt(state, { feeds, guessed_for: null, due_at_ms: now_ms + jittered(ctx, life_ms) });
  return null;
}

function fallBack(ctx: Context, state: SystemState, failure: Failure): Failure | null {
  const due_at_ms = ctx.clock.now() + jittered(ctx, GUESS_LIFE_MS);
  const guessable = GUESSABLE.has(failure.reason);
  if (state.discovery && !(state.discovery.guessed_for && guessable)) {
    // Files move rarely: the old places are the best guess.
    markFailed(ctx, state, "discovery", failure);
    state.discovery.due_at_ms = due_at_ms;
    return null;
  }
  const feeds = protocolOf(ctx, state).defaultFeeds(state.system.url);
  if (!guessable || feeds.size === 0) return markFailed(ctx, state, "discovery", failure);
  // Told only if nothing is found there; the count of failures stays, for the back-off.
  state.files.discovery.failure = null;
  adopt(state, { feeds, guessed_for: failure, due_at_ms });
  return null;
}

/** New places may hold what the old ones did not. */
function adopt(state: SystemState, discovery: Discovery): void {
  state.discovery = discovery;
  for (const file of FEED_FILES) state.files[file].absent = false;
}

type Feeds = ReadonlyMap<string, string>;

async function readDiscovery(
  ctx: Context,
  state: SystemState,
  url: string,
): Promise<{ feeds: Feeds; url: string } | Failure> {
  const doc = await readDocument(ctx, state, url);
  if ("status" in doc) return doc;
  const found = protocolOf(ctx, state).readDiscovery(doc.wire, { base_url: doc.url });
  const useful = found && FEED_FILES.some((file) => found.feeds.has(file));
  return useful ? { feeds: found.feeds, url: doc.url } : { status: "error", reason: "wrong_shape" };
}

/** 1.3: the highest version understood; the one of the catalogue when that fails. */
async function bestVersion(
  ctx: Context,
  state: SystemState,
  found: { feeds: Feeds; url: string },
): Promise<Feeds> {
  const versions_url = found.feeds.get("gbfs_versions");
  if (versions_url === undefined) return found.feeds;
  const versions = await readDocument(ctx, state, versions_url);
  const best = "status" in versions ? null : protocolOf(ctx, state).bestVersionUrl(versions.wire);
  if (best === null || isSameUrl(best, state.system.url) || isSameUrl(best, found.url))
    return found.feeds;
  const better = await readDiscovery(ctx, state, best);
  return "status" in better ? found.feeds : better.feeds;
}

async function readDocument(
  ctx: Context,
  state: SystemState,
  url: string,
): Promise<{ wire: unknown; url: string } | Failure> {
  const outcome = await ask(ctx, state, url, { max_bytes: FEED_BOUNDS.discovery_bytes });
  if (outcome.status !== "ok") return outcome;
  if (outcome.value.kind !== "body") return { status: "error", reason: "wrong_shape" };
  const { body } = outcome.value;
  const parsed = measured(ctx.onWork, "parse", () => parseWithin(body, FEED_BOUNDS));
  if ("reason" in parsed) return { status: "error", reason: parsed.reason };
  return { wire: parsed.value, url: outcome.value.url };
}

function isSameUrl(a: string, b: string): boolean {
  return URL.parse(a)?.href === URL.parse(b)?.href;
}
