// The GBFS hosts: /upstreams/gbfs/<system_id>/gbfs.json and, below it, one path per version and feed.
import {
  answerDocument,
  answerJson,
  type Document,
  refuse,
  type Reply,
  type SandboxRequest,
  toDocument,
} from "../http.ts";
import type { Observation, Source } from "../source.ts";
import { copyOf } from "../world/fleet.ts";
import type { GbfsVersion, Operator, VehicleThing } from "../world/model.ts";
import type { World } from "../world/world.ts";
import { createGuard, type Guard } from "./auth.ts";
import { type Context, firstLanguage, rfc3339, type Writer } from "./context.ts";
import { FEED_TTL_S, type FeedName, isLive, listFeeds } from "./feeds.ts";
import { v1 } from "./v1.ts";
import { v2 } from "./v2.ts";
import { v3 } from "./v3.ts";

const PREFIX = "/upstreams/gbfs/";
const DAY_S = 86_400;
const WRITERS: Readonly<Record<GbfsVersion, Writer>> = { "1.0": v1, "2.3": v2, "3.0": v3 };

export type GbfsHost = Source & { readonly systems: readonly GbfsSystem[] };
export type GbfsSystem = {
  readonly operator: Operator;
  readonly url: string;
  readonly guard: Guard;
};

type Wanted = { readonly version: GbfsVersion; readonly feed: FeedName; readonly language: string };
type Stored = { readonly stamp_s: number; readonly document: Document };
type Deps = { readonly world: World; readonly now: () => number; readonly origin: string };

export function createGbfsHost({ world, now, origin }: Deps): GbfsHost {
  const base = origin + PREFIX;
  const now_s = (): number => now() / 1000;
  const systems = world.operators.map((operator) => ({
    operator,
    url: `${base}${operator.id}/gbfs.json`,
    guard: createGuard(operator, `${base}${operator.id}/oauth/token`, now_s),
  }));
  const byId = new Map(systems.map((system) => [system.operator.id, system]));
  const stored = new Map<string, Stored>();

  const documentOf = (operator: Operator, wanted: Wanted): Document => {
    const generation = world.generationOf(operator);
    const { version, feed, language } = wanted;
    const key = [operator.id, generation, version, feed, language].join("/");
    const minute_s = Math.floor(now_s() / 60) * 60;
    const stamp_s = isLive(wanted.feed) ? minute_s : minute_s - (minute_s % DAY_S);
    const entry = stored.get(key);
    if (entry?.stamp_s === stamp_s) return entry.document;
    const document = toDocument(write(operator, wanted, { world, base, minute_s, stamp_s }));
    stored.set(key, { stamp_s, document });
    return document;
  };

  const copiesOf = (vehicle: VehicleThing): Observation[] =>
    world.operators
      .filter(({ copies }) => copies === vehicle.operator.id)
      .flatMap((copier) => {
        const copy = copyOf(copier, vehicle);
        if (copy === null) return [];
        const observation = observationOf(copier, copy.id);
        return [copy.apart ? { ...observation, apart: true } : observation];
      });

  return {
    id: "gbfs",
    description: "General Bikeshare Feed Specification 1.0, 2.3 and 3.0",
    systems,
    parts: systems.map(({ operator, url }) => ({ id: `gbfs:${operator.id}`, url })),
    partsOf: (pathname) => (byId.has(systemIn(pathname)) ? [`gbfs:${systemIn(pathname)}`] : []),
    observe(thing) {
      if (thing.kind === "vehicle")
        return [observationOf(thing.operator, thing.id), ...copiesOf(thing)];
      if (thing.kind !== "station") return [];
      const { operator, id, index } = thing.place;
      const former = world.operators
        .filter(({ successor }) => successor === operator.id)
        .flatMap((one) => world.listPlaces(one).filter((place) => place.index === index));
      return [
        observationOf(operator, id),
        ...former.map((place) => observationOf(place.operator, place.id)),
      ];
    },
    handle: (request) => {
      const system = byId.get(systemIn(request.pathname));
      if (system === undefined) return refuse(404, "no such system");
      return handle(system, request, documentOf);
    },
  };
}

const observationOf = (operator: Operator, id: string) => ({
  source: "gbfs",
  network_id: operator.id,
  source_id: `${operator.id}:${id}`,
});

const systemIn = (pathname: string): string => pathname.slice(PREFIX.length).split("/")[0] ?? "";

function handle(
  { operator, guard }: GbfsSystem,
  request: SandboxRequest,
  documentOf: (operator: Operator, wanted: Wanted) => Document,
): Reply {
  const rest = request.pathname.slice(PREFIX.length + operator.id.length + 1);
  if (rest === "oauth/token" && operator.auth === "oauth2") return answerToken(guard, request);
  if (request.method !== "GET") return refuse(405, "use GET");
  if (!guard.admits(request)) return unauthorised(operator);
  const wanted = findFeed(operator, rest);
  if (wanted === undefined) return refuse(404, "no such feed");
  return answerDocument(documentOf(operator, wanted), request, FEED_TTL_S[wanted.feed]);
}

function answerToken(guard: Guard, request: SandboxRequest): Reply {
  if (request.method !== "POST") return refuse(405, "use POST");
  const token = guard.issue(request);
  return token === undefined
    ? answerJson(401, { error: "invalid_client" })
    : answerJson(200, token);
}

function unauthorised(operator: Operator): Reply {
  const scheme = operator.auth === "basic" ? "Basic" : "Bearer";
  return answerJson(
    401,
    { message: "Unauthorized" },
    { "www-authenticate": `${scheme} realm="${operator.id}"` },
  );
}

/** `gbfs.json`, `<version>/<feed>.json` in 3.0 and for discovery, `<version>/<language>/<feed>.json` before. */
function findFeed(operator: Operator, rest: string): Wanted | undefined {
  const first = firstLanguage(operator);
  if (rest === "gbfs.json") return { version: operator.versions[0], feed: "gbfs", language: first };
  const parts = /^([0-9.]+)\/(?:([A-Za-z-]+)\/)?([a-z_]+)\.json$/.exec(rest);
  const version = operator.versions.find((published) => published === parts?.[1]);
  if (parts === null || version === undefined) return undefined;
  const language = parts[2] ?? first;
  const feed =
    parts[3] === "gbfs" ? "gbfs" : listFeeds(operator, version).find((name) => name === parts[3]);
  const wordless = version === "3.0" || feed === "gbfs" || feed === "gbfs_versions";
  if (feed === undefined || wordless !== (parts[2] === undefined)) return undefined;
  return operator.city.languages.includes(language) ? { version, feed, language } : undefined;
}

type Moment = {
  readonly world: World;
  readonly base: string;
  readonly minute_s: number;
  readonly stamp_s: number;
};

function write(operator: Operator, { version, feed, language }: Wanted, moment: Moment): unknown {
  const context: Context = {
    operator,
    version,
    language,
    scene: moment.world.getScene(operator, moment.minute_s * 1000),
    day_s: moment.minute_s - (moment.minute_s % DAY_S),
    urlOf: (v, name, tag) => {
      const tongue = v === "3.0" || name === "gbfs" || name === "gbfs_versions" ? "" : `${tag}/`;
      return `${moment.base}${operator.id}/${v}/${tongue}${name}.json`;
    },
  };
  const data = WRITERS[version][feed]?.(context);
  if (data === undefined) throw new Error(`GBFS ${version} has no writer for ${feed}`);
  return {
    last_updated:
      version === "3.0" ? rfc3339(moment.stamp_s, operator.city.offset_min) : moment.stamp_s,
    ttl: FEED_TTL_S[feed],
    ...(version === "1.0" ? {} : { version }),
    data,
  };
}
