// GTFS Realtime: /upstreams/gtfs-rt/<feed>/trip_updates.pb, vehicle_positions.pb and alerts.pb, or
// all.pb where one address serves all. A message is made once a minute, for that minute.
import { createHash } from "node:crypto";
import { plant } from "../hidden-text.ts";
import { LIVE_FAULT_KINDS, type LiveFaultKind } from "../faults.ts";
import { type Feed, listFeeds } from "../gtfs/style.ts";
import { answerJson, isUnchanged, type Reply, type SandboxRequest } from "../http.ts";
import type { Source } from "../source.ts";
import type { World } from "../world/world.ts";
import { encodeMessage } from "./encode.ts";
import { type Moment, writeMessage } from "./messages.ts";
import { type File, FILES, KEY_HEADER, keyOf, type LiveStyle, liveStyleOf } from "./style.ts";

const ROOT = "/upstreams/gtfs-rt";
const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

type Deps = { readonly world: World; readonly now: () => number; readonly origin: string };

/** Addresses of the live data of a feed, as a deployment states them. */
export type LiveAddresses = {
  readonly trip_updates?: string;
  readonly vehicle_positions?: string;
  readonly alerts?: string;
  readonly auth?: { readonly kind: "headers"; readonly headers: Record<string, string> };
};

export type RealtimeHost = Source & {
  /** By id of the feed. */
  readonly addresses: ReadonlyMap<string, LiveAddresses>;
};

type Live = { readonly feed: Feed; readonly style: LiveStyle; readonly key: string | null };
type Made = { readonly name: string; readonly body: Buffer; readonly etag: string };

export function createGtfsRealtime({ world, now, origin }: Deps): RealtimeHost {
  const lives = new Map(listFeeds(world).flatMap((feed) => toEntry(feed, world.seed)));
  const made = new Map<string, Made>();
  /** The last minute in which a file was well: there it stops while it is made to. */
  const well = new Map<string, number>();

  function momentOf({ live, file }: Target, fault: LiveFaultKind | null): Moment {
    const id = `${live.feed.id}/${file}`;
    const minute_ms = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    if (fault !== "stalled") well.set(id, minute_ms);
    const stamp_ms = well.get(id) ?? minute_ms;
    return {
      minute_ms: fault === "last_week" ? minute_ms - WEEK_MS : stamp_ms,
      stamp_ms: fault === "future" ? minute_ms + HOUR_MS : stamp_ms,
      renamed: fault === "wrong_trips",
      is_empty: fault === "no_entities",
    };
  }

  function make({ live, file }: Target, moment: Moment, isHostile: boolean): Made {
    const place = `${live.feed.id}/${file}`;
    const name = JSON.stringify([moment, isHostile]);
    const entry = made.get(place);
    if (entry?.name === name) return entry;
    const message = writeMessage(live, file, moment);
    const body = encodeMessage(isHostile ? plant(message) : message);
    const digest = createHash("sha256").update(body).digest("base64url").slice(0, 22);
    const fresh = { name, body, etag: `"${digest}"` };
    made.set(place, fresh);
    return fresh;
  }

  const find = (pathname: string): Target | null => {
    const [, id = "", name] = PATH.exec(pathname) ?? [];
    const live = lives.get(id);
    const file = live?.style.files.find((each) => each === name);
    return live === undefined || file === undefined ? null : { live, file };
  };
  const all = [...lives.values()];
  return {
    id: "gtfs-rt",
    description: "GTFS Realtime: trip updates, vehicle positions, alerts",
    own_faults: LIVE_FAULT_KINDS,
    parts: all.flatMap(({ feed, style }) => [
      { id: `gtfs-rt:${feed.id}`, url: `${origin}${ROOT}/${feed.id}` },
      ...style.files.map((file) => ({
        id: `gtfs-rt:${feed.id}:${file}`,
        url: addressOf(origin, feed, file),
      })),
    ]),
    partsOf(pathname) {
      const target = find(pathname);
      if (target === null) return [];
      const feed = `gtfs-rt:${target.live.feed.id}`;
      return [`${feed}:${target.file}`, feed];
    },
    observe: () => [],
    addresses: new Map(all.map((live) => [live.feed.id, addressesOf(origin, live)])),
    handle(request, fault) {
      if (request.method !== "GET" && request.method !== "HEAD")
        return answerJson(405, { error: "method not allowed" }, { allow: "GET, HEAD" });
      const target = find(request.pathname);
      if (target === null) return answerJson(404, { error: "no such file" });
      const { key } = target.live;
      if (key !== null && request.headers[KEY_HEADER] !== key)
        return answerJson(401, { error: "no key" }, { "www-authenticate": "ApiKey" });
      const own = LIVE_FAULT_KINDS.find((kind) => kind === fault) ?? null;
      const moment = momentOf(target, own);
      return answer(make(target, moment, fault === "hidden_text"), moment, request);
    },
  };
}

type Target = { readonly live: Live; readonly file: File };

const PATH = new RegExp(`^${ROOT}/([\\w-]+)/(${FILES.join("|")})\\.pb$`);

function toEntry(feed: Feed, seed: number): [string, Live][] {
  const style = liveStyleOf(feed);
  if (style === null) return [];
  return [[feed.id, { feed, style, key: style.keyed ? keyOf(feed, seed) : null }]];
}

const addressOf = (origin: string, feed: Feed, file: File): string =>
  `${origin}${ROOT}/${feed.id}/${file}.pb`;

function addressesOf(origin: string, { feed, style, key }: Live): LiveAddresses {
  const names = ["trip_updates", "vehicle_positions", "alerts"] as const;
  const served = names.flatMap((name) => {
    const file = style.files.includes("all") ? "all" : name;
    return style.files.includes(file) ? [[name, addressOf(origin, feed, file)] as const] : [];
  });
  return {
    ...Object.fromEntries(served),
    ...(key === null ? {} : { auth: { kind: "headers", headers: { [KEY_HEADER]: key } } }),
  };
}

function answer({ body, etag }: Made, { stamp_ms }: Moment, request: SandboxRequest): Reply {
  const fresh = {
    etag,
    "last-modified": new Date(stamp_ms).toUTCString(),
    "cache-control": "public, max-age=10",
  };
  if (isUnchanged(request, { etag, modified_ms: stamp_ms }))
    return { status: 304, headers: fresh, body: Buffer.alloc(0) };
  return { status: 200, headers: { ...fresh, "content-type": "application/x-protobuf" }, body };
}
