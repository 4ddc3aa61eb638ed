// GTFS Schedule archives: /upstreams/gtfs/<feed>.zip, made when first asked for and kept.
import { createHash } from "node:crypto";
import { answerJson, isUnchanged, type Reply, type SandboxRequest } from "../http.ts";
import { once } from "../registry.ts";
import type { Observation, Source } from "../source.ts";
import type { TransitStation } from "../world/transit-model.ts";
import { feedIdOf, stationIdOf } from "../world/transit-stops.ts";
import type { World } from "../world/world.ts";
import { plant } from "../hidden-text.ts";
import type { Row } from "./csv.ts";
import { partsServing } from "./parts.ts";
import { type Feed, listFeeds } from "./style.ts";
import { listFiles } from "./tables.ts";
import { toZip } from "./zip.ts";

const ROOT = "/upstreams/gtfs";
const MAX_AGE_S = 86_400;
/** When the feeds were published. */
const MODIFIED_MS = Date.UTC(2026, 0, 5, 3, 30);

type Archive = { readonly body: Buffer; readonly etag: string };
type Deps = { readonly world: World; readonly origin: string };

export function createGtfs({ world, origin }: Deps): Source {
  const feeds = listFeeds(world);
  const archives = new Map(feeds.map((feed) => [feed.id, once(() => pack(feed))]));
  const hostile = new Map(
    feeds.map((feed) => [feed.id, once(() => pack(feed, (row) => plant(row)))]),
  );
  return {
    id: "gtfs",
    description: "GTFS Schedule archives",
    parts: feeds.map(({ id }) => ({ id: `gtfs:${id}`, url: `${origin}${ROOT}/${id}.zip` })),
    partsOf: (pathname) => (archives.has(idIn(pathname)) ? [`gtfs:${idIn(pathname)}`] : []),
    upstream: { url: `${origin}${ROOT}`, feeds: feeds.map(({ id }) => id).join(",") },
    observe: (thing) => (thing.kind === "transit_station" ? observe(thing) : []),
    handle(request, fault) {
      if (request.method !== "GET" && request.method !== "HEAD")
        return answerJson(405, { error: "method not allowed" }, { allow: "GET, HEAD" });
      const archive = (fault === "hidden_text" ? hostile : archives).get(idIn(request.pathname));
      return archive ? answer(archive(), request) : answerJson(404, { error: "no such file" });
    },
  };
}

const idIn = (pathname: string): string =>
  /^\/upstreams\/gtfs\/([\w-]+)\.zip$/.exec(pathname)?.[1] ?? "";

const observe = (station: TransitStation): readonly Observation[] =>
  partsServing(station).map((part) => ({
    source: "gtfs",
    network_id: feedIdOf(station.city, part),
    source_id: stationIdOf(station, part),
  }));

function pack(feed: Feed, write?: (row: Row) => Row): Archive {
  const body = toZip(listFiles(feed, write), feed.style);
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return { body, etag: `"${digest}"` };
}

function answer({ body, etag }: Archive, request: SandboxRequest): Reply {
  const fresh = {
    etag,
    "last-modified": new Date(MODIFIED_MS).toUTCString(),
    "cache-control": `public, max-age=${MAX_AGE_S}`,
  };
  if (isUnchanged(request, { etag, modified_ms: MODIFIED_MS }))
    return { status: 304, headers: fresh, body: Buffer.alloc(0) };
  return { status: 200, headers: { ...fresh, "content-type": "application/zip" }, body };
}
