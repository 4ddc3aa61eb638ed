/** A public server over stubs, for the tests of `http/`. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { Writable } from "node:stream";
import { pino } from "pino";
import type { NearbyInput, NearbyResult, SourceItem } from "#app/answer-types.ts";
import type { FindShared } from "#app/share/shared-thing.ts";
import type { Plan } from "#core/plans.ts";
import { createOnFoot } from "#app/walk/on-foot.ts";
import { createWalks } from "#upstream/bases/walks.ts";
import { SANDBOX_DEPLOYMENT } from "#api/deployment.ts";
import { Meter } from "#app/access/meter.ts";
import { createProfile } from "#app/access/unit-quota.ts";
import { Quotas } from "#app/access/unit-quota.ts";
import { BadKeyThrottle } from "#http/bad-keys.ts";
import { AccessGate, type GateDeps } from "#http/gate.ts";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import { createMemoryUsage } from "./memory-usage.ts";
import { createDrainState, type DrainState } from "#http/drain.ts";
import { createMetrics } from "#http/metrics.ts";
import type { PageGate } from "#http/pages/page-gate.ts";
import type { Pages } from "#http/pages/page-site.ts";
import { TilePages } from "#http/pages/tile-pages.ts";
import { SharePages } from "#http/share/share-pages.ts";
import { buildServer, type ServerConfig, type ServerDeps } from "#http/server.ts";
import { ServingThread } from "#http/serving.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import type { Clock } from "#ports.ts";
import type { BaseMaps, PinnedTile } from "#ports/base-maps.ts";
import { DEFAULT_DEADLINES_MS } from "./deadlines.ts";
import { noFault } from "./faults.ts";
import { searchesOfNone } from "./searches.ts";

export const NOW_MS = Date.UTC(2026, 10, 14, 9, 30);

export const FREE: Plan = {
  name: "free",
  rate_per_s: 5,
  burst: 50,
  units: 5000,
  period: "day",
  hard: true,
  nearby_limit_max: 100,
  nearby_offset_max: 1000,
  datasets: 1000,
};

export type StubOptions = {
  nearby?: ServerDeps["nearby"];
  sources?: ServerDeps["sources"];
  history?: ServerDeps["history"];
  readQuality?: ServerDeps["readQuality"];
  searches?: ServerDeps["searches"];
  onFoot?: ServerDeps["onFoot"];
  findPlace?: ServerDeps["findPlace"];
  readPlaceHistory?: ServerDeps["readPlaceHistory"];
  changelog?: ServerDeps["changelog"];
  mode?: ServerDeps["mode"];
  drain?: DrainState;
  gate?: Partial<GateDeps>;
  capabilities?: ServerDeps["capabilities"];
  pages?: Pages;
  findShared?: FindShared;
  onShareFault?: (error: unknown) => void;
  page_gate?: PageGate;
  maps?: BaseMaps;
  connections?: Partial<ServerConfig["connections"]>;
  /** No log lines: there will be many requests. */
  quiet?: boolean;
  legacy?: ServerDeps["legacy"];
  weather?: ServerDeps["weather"];
  mcp?: ServerDeps["mcp"];
  photon?: ServerDeps["photon"];
  live?: ServerDeps["live"];
  liveTiles?: ServerDeps["liveTiles"];
  gbfs?: ServerDeps["gbfs"];
  /** Absent: one that stands still. */
  clock?: Clock;
  /** Absent: no request takes any time. */
  serving?: ServingThread;
};

const NO_MAPS: BaseMaps = {
  list: () => [],
  covers: () => false,
  pin: () => Promise.resolve(pinnedTile(() => null)),
};

/** A tile that lacks nothing, and is drawn when its turn comes. */
export function pinnedTile(draw: () => Uint8Array | null | Promise<Uint8Array | null>): PinnedTile {
  return {
    draw: async () => ({ bytes: await draw(), lacks: null }),
    [Symbol.dispose]: () => undefined,
  };
}

const NO_LEGACY: ServerDeps["legacy"] = {
  water: () =>
    Promise.resolve({
      kind: "failed",
      code: "provider_unavailable",
      message: "no source is configured",
      retry_after_s: null,
    }),
  vehicles: {
    ofBrand: () => Promise.resolve({ kind: "unknown", known: ["lime"] }),
    scooters: () =>
      Promise.resolve({
        kind: "failed",
        code: "provider_unavailable",
        message: "no source is configured",
        retry_after_s: null,
      }),
  },
};

const UNKNOWN_WEATHER = {
  kind: "failed",
  code: "provider_unavailable",
  message: "no source is configured",
  retry_after_s: null,
} as const;
const NO_WEATHER: ServerDeps["weather"] = {
  weather: () => Promise.resolve(UNKNOWN_WEATHER),
  forecast: () => Promise.resolve(UNKNOWN_WEATHER),
};

const NO_CAPABILITIES: ServerDeps["capabilities"] = {
  execute: () => Promise.resolve({ kind: "refused", code: "store_unavailable", message: "away" }),
  begin: () => Promise.resolve({ free: false, turn: null, end: () => undefined }),
  read: () => Promise.resolve({ kind: "refused", code: "dataset_not_found" }),
};

/** Anonymous callers on the free plan are never refused; no key is known. */
function openGate({ gate = {} }: StubOptions, clock: Clock): Pick<ServerDeps, "gate" | "profile"> {
  const limiter = createMemoryLimiter({ max_buckets: 1000 });
  const usage = createMemoryUsage();
  const quotas = new Quotas(usage, assert.ifError, { addresses: 1_000, blocks: 1_000 });
  const deps: GateDeps = {
    clock,
    quotas,
    limiter,
    badKeys: new BadKeyThrottle(limiter),
    meter: new Meter({ usage, newEventId: randomUUIDv7, defer: setImmediate }),
    keyring: {
      recall: () => ({ ok: false, code: "invalid_api_key" }),
      lookUp: () => ({ ok: false, code: "invalid_api_key" }),
      isRemembered: () => false,
      flush: () => undefined,
      renew: () => undefined,
    },
    shedder: { admits: () => true, hold: () => null },
    addressOf: () => HOME,
    plan: () => FREE,
    enforced: false,
    ...gate,
  };
  return { gate: new AccessGate(deps), profile: createProfile(deps.quotas) };
}

const OPEN: PageGate = { judge: () => null, blockOf: () => "127.0.0.0/24" };

export const HOME = { narrow: "127.0.0.1/32", wide: "127.0.0.0/24" };

/** The server, the questions it passed on and its log lines. */
export function stubServer(options: StubOptions = {}) {
  const lines: Record<string, unknown>[] = [];
  const requested: NearbyInput[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const metrics = createMetrics();
  const drain = options.drain ?? createDrainState();
  const reply = options.nearby ?? (() => okReply());
  const clock: Clock = options.clock ?? {
    now: () => NOW_MS,
    schedule: () => () => {},
    sleep: async () => {},
  };
  const app = buildServer(
    {
      clock,
      log: pino({ level: options.quiet ? "silent" : "info" }, destination),
      metrics,
      nearby: (input) => {
        requested.push(input);
        return reply(input);
      },
      renderNearby: renderStub,
      searches: options.searches ?? searchesOfNone(clock),
      onFoot:
        options.onFoot ??
        createOnFoot({
          clock,
          walks: createWalks({ list: () => [], listUnread: () => [] }),
          held: [],
        }),
      deployment: SANDBOX_DEPLOYMENT,
      changelog: options.changelog ?? null,
      sources: options.sources ?? (() => [] as SourceItem[]),
      history: options.history ?? {
        addTo: (items) => items.map((item) => ({ ...item, history: null })),
      },
      readQuality: options.readQuality ?? (() => null),
      capabilities: options.capabilities ?? NO_CAPABILITIES,
      legacy: options.legacy ?? NO_LEGACY,
      findPlace: options.findPlace ?? (() => Promise.resolve(null)),
      readPlaceHistory: options.readPlaceHistory ?? (() => null),
      weather: options.weather ?? NO_WEATHER,
      mcp: options.mcp ?? (() => Promise.resolve({ status: 202, type: "json" as const, body: "" })),
      photon: options.photon ?? null,
      ...(options.live && { live: options.live }),
      ...(options.liveTiles && { liveTiles: options.liveTiles }),
      ...(options.gbfs && { gbfs: options.gbfs }),
      ...openGate(options, clock),
      pages: options.pages ? toPages({ ...options, pages: options.pages }, clock) : null,
      mode: options.mode ?? "live",
      drain,
      serving: options.serving ?? new ServingThread(() => 0),
    },
    {
      deadlines_ms: DEFAULT_DEADLINES_MS,
      trusted_proxies: [],
      token_sunset: null,
      mcp: { hosts: [], origins: [], tools: "whole" },
      connections: {
        max_connections: 10_000,
        max_connections_per_address: null,
        write_timeout_ms: 15_000,
        ...options.connections,
      },
      version: "1.1.0",
      service: "vicinity",
      drain_delay_ms: 5_000,
    },
  );
  app.server.once("close", () => metrics.close());
  return { app, lines, requested, metrics, drain };
}

/** A result that is rendered to `body`; its bytes are overwritten once the sender is done with them. */
export function okReply(
  body: Uint8Array = Buffer.from('{"status":"empty"}'),
  format: NearbyInput["question"]["format"] = "json",
): NearbyResult {
  const reply = { kind: "ok", input: { question: { format } }, max_age_s: 12, objects: 0, body };
  return reply as unknown as NearbyResult;
}

const renderStub: ServerDeps["renderNearby"] = (result, use) => {
  const { body } = result as unknown as { body: Uint8Array };
  if (use(body)) body.fill(OVERWRITTEN);
};

const OVERWRITTEN = 0x78;

function toPages(options: StubOptions & { pages: Pages }, { now }: Pick<Clock, "now">) {
  const tiles = new TilePages(options.maps ?? NO_MAPS, {
    onFault: (error) => noFault("tiles", error),
  });
  const share = new SharePages({
    ...{ tiles, now },
    run: (steps) => runSteps(steps, createTurn({})),
    find: options.findShared ?? (() => Promise.resolve(null)),
    onFault: options.onShareFault ?? ((error) => noFault("pictures", error)),
  });
  return { site: options.pages, gate: options.page_gate ?? OPEN, tiles, share };
}
