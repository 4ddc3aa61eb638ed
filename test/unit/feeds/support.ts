/** A scripted upstream, a manual clock, a sink that keeps what it is given: a runtime in a bottle. */
import type { AdjustableClock } from "#process/clock.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import type { Box } from "#kit/geo.ts";
import type { Failure } from "#kit/outcome.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { FeedStore, Whereabouts } from "#ports.ts";
import { gbfsProtocol } from "#stations/gbfs/gbfs-protocol.ts";
import type { SourceRequest } from "#providers/provider.ts";
import type { IngestJob } from "#stations/feed.ts";
import { ingest } from "#providers/protocols.ts";
import { createFeeds } from "#upstream/feeds/runtime.ts";
import type { FeedDeps, FeedEvent, FeedRuntime, FeedSystem } from "#upstream/feeds/feed-types.ts";
import type { RunRequest } from "#upstream/run.ts";
import { createMemoryFeedStore } from "../../support/memory.ts";
import { noFault } from "../../support/faults.ts";

export const START_MS = Date.UTC(2026, 8, 21, 12, 0, 0);
export const START_S = START_MS / 1000;

/** What a URL answers with: JSON (or raw text) with an optional etag, or a failure. */
type Script = {
  body?: unknown;
  etag?: string;
  failure?: Failure;
  /** The answer waits for it. */
  gate?: Promise<void>;
};

export type Upstream = {
  run: RunRequest;
  set(url: string, script: Script): void;
  remove(url: string): void;
  requests: SourceRequest[];
  /** Requests whose URL ends so. */
  count(ending: string): number;
  /** Most requests in the air at once, in all. */
  peak(): number;
};

export function createUpstream(clock: AdjustableClock): Upstream {
  const scripts = new Map<string, Script>();
  const requests: SourceRequest[] = [];
  let flying = 0;
  let peak = 0;
  const answer = (request: SourceRequest): Awaited<ReturnType<RunRequest>> => {
    const script = scripts.get(request.url);
    if (!script) return { status: "error", reason: "http_404" };
    if (script.failure) return script.failure;
    const fetched_at_ms = clock.now();
    if (script.etag && request.etag === script.etag)
      return { status: "ok", value: { kind: "not_modified" }, fetched_at_ms, cache: "revalidated" };
    const { body } = script;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const value = {
      kind: "body" as const,
      body: new TextEncoder().encode(text),
      etag: script.etag ?? null,
      last_modified: null,
      url: request.url,
      max_age_s: null,
      content_type: null,
      link: null,
    };
    return { status: "ok", value, fetched_at_ms, cache: "miss" };
  };
  return {
    async run(request) {
      requests.push({ ...request });
      peak = Math.max(peak, ++flying);
      await scripts.get(request.url)?.gate;
      await turn();
      flying--;
      return answer(request);
    },
    set: (url, script) => void scripts.set(url, script),
    remove: (url) => void scripts.delete(url),
    requests,
    count: (ending) => requests.filter(({ url }) => url.endsWith(ending)).length,
    peak: () => peak,
  };
}

/** All promises that can go on have gone on. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

export type City = {
  base: string;
  url: string;
  file(name: string): string;
  publish(name: string, data: unknown, envelope?: Record<string, unknown>, etag?: string): void;
  fail(name: string, failure: Failure): void;
  hold(name: string, gate: Promise<void>): void;
};

/** A small GBFS 2.3 system with two stations and one scooter, all of it published. */
export function createCity(
  upstream: Upstream,
  base = "https://a.example",
  options: { lat?: number; stations?: number; vehicles?: boolean; extra?: string[] } = {},
): City {
  const { lat = 48.85, stations = 2, vehicles = true, extra = [] } = options;
  const scripts = new Map<string, Script>();
  const names = ["system_information", "vehicle_types"];
  if (stations) names.push("station_information", "station_status");
  if (vehicles) names.push("free_bike_status");
  names.push(...extra);
  const file = (name: string): string => `${base}/${name}.json`;
  const set = (name: string, script: Script): void => {
    scripts.set(name, script);
    upstream.set(file(name), script);
  };
  const city: City = {
    base,
    url: file("gbfs"),
    file,
    publish(name, data, envelope = {}, etag) {
      const body = { last_updated: START_S - 10, ttl: 60, version: "2.3", ...envelope, data };
      set(name, { body, ...(etag ? { etag } : {}) });
    },
    fail: (name, failure) => upstream.set(file(name), { failure }),
    hold: (name, gate) => upstream.set(file(name), { ...scripts.get(name), gate }),
  };
  city.publish("gbfs", { en: { feeds: names.map((name) => ({ name, url: file(name) })) } });
  city.publish("system_information", {
    system_id: "a",
    language: "en",
    name: "City",
    timezone: "UTC",
  });
  city.publish("vehicle_types", { vehicle_types: [SCOOTER] });
  city.publish("station_information", { stations: stationsOf(stations, lat) });
  city.publish("station_status", { stations: statusesOf(stations, 3) });
  city.publish("free_bike_status", { bikes: [bikeAt(lat)] });
  return city;
}

export const SCOOTER = {
  vehicle_type_id: "s",
  form_factor: "scooter",
  propulsion_type: "electric",
  max_range_meters: 20_000,
};

export function stationsOf(count: number, lat = 48.85): unknown[] {
  return Array.from({ length: count }, (_, i) => ({
    station_id: `s${i}`,
    name: `Station ${i}`,
    lat: lat + i / 100,
    lon: 2.35,
    capacity: 20,
  }));
}

export function statusesOf(count: number, bikes: number): unknown[] {
  return Array.from({ length: count }, (_, i) => ({
    station_id: `s${i}`,
    num_bikes_available: bikes,
    num_docks_available: 5,
    is_installed: true,
    is_renting: true,
    is_returning: true,
    last_reported: START_S - 20,
  }));
}

export function bikeAt(lat: number): unknown {
  const place = { lat, lon: 2.36, vehicle_type_id: "s" };
  return { bike_id: "b1", ...place, is_reserved: false, is_disabled: false };
}

export type Bottle = {
  clock: AdjustableClock;
  upstream: Upstream;
  feeds: FeedRuntime;
  store: FeedStore;
  puts: Shard[];
  /** The shard last put. */
  shard(id?: string): Shard;
  boxes: Map<string, Box | null>;
  suspected: Map<string, Whereabouts>;
  events: FeedEvent[];
  jobs: IngestJob[];
};

export function systemOf(id: string, url: string, change: Partial<FeedSystem> = {}): FeedSystem {
  const unknown = { name: null, country: null, mode_hint: null, network: null };
  return { id, url, ...unknown, auth: { kind: "none" }, same_site_as: null, ...change };
}

export function createBottle(
  options: Partial<FeedDeps> & { clock?: AdjustableClock; upstream?: Upstream } = {},
): Bottle {
  const clock = options.clock ?? createManualClock(START_MS);
  const upstream = options.upstream ?? createUpstream(clock);
  const store = options.store ?? toWhole(createMemoryFeedStore());
  const puts: Shard[] = [];
  const boxes = new Map<string, Box | null>();
  const suspected = new Map<string, Whereabouts>();
  const events: FeedEvent[] = [];
  const jobs: IngestJob[] = [];
  const feeds = createFeeds({
    systems: [systemOf("a", "https://a.example/gbfs.json")],
    protocol: gbfsProtocol,
    onFault: noFault,
    run: upstream.run,
    random: () => 0.5,
    sink: {
      put(shard) {
        puts.push(shard);
        boxes.set(shard.source_id, shard.box);
        return null;
      },
      setBox: (id, box) => void boxes.set(id, box),
      suspect: (id, whereabouts) => void suspected.set(id, whereabouts),
    },
    store,
    async ingest(job) {
      jobs.push(job);
      return ingest(job);
    },
    timeout_ms: 5_000,
    idle_s: 300,
    survey: { enabled: false, concurrency: 8 },
    onEvent: (event) => void events.push(event),
    ...options,
    clock,
  });
  return {
    clock,
    upstream,
    feeds,
    store,
    puts,
    boxes,
    suspected,
    events,
    jobs,
    shard: (id = "a") => puts.findLast((shard) => shard.source_id === id)!,
  };
}

/** Asks near a system as a question does, and waits. */
export async function ask(bottle: Bottle, id = "a"): ReturnType<FeedRuntime["refresh"]> {
  bottle.feeds.wake(id);
  return bottle.feeds.refresh(id, { begun_after_ms: bottle.clock.now() });
}

/** Keeps asking near it for the given minutes. */
export async function pollFor(bottle: Bottle, minutes: number): Promise<void> {
  for (let i = 0; i < minutes; i++) {
    bottle.feeds.wake("a");
    await bottle.clock.advance(60_000);
  }
}

/** Some clocks of tests are between two milliseconds, which that of the service never does. */
function toWhole(store: FeedStore): FeedStore {
  return {
    ...store,
    putMemo: (memo) => store.putMemo({ ...memo, surveyed_at_ms: Math.floor(memo.surveyed_at_ms) }),
  };
}
