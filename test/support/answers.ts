/**
 * Runs /v1/nearby in a test: the real use case over a real world, with scripted feeds and a stopped
 * clock. Every answer is validated against its schema (§2.9) before a test looks at it.
 */
import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { FindCountries } from "#app/country.ts";
import { createNearby } from "#app/nearby.ts";
import { createOpenStates } from "#app/places/open-states.ts";
import { createRenderNearby, NEARBY_TYPES } from "#app/nearby-body.ts";
import type { NearbyInput, NearbyQuestion, NearbyReply } from "#app/answer-types.ts";
import type { AdjustableClock } from "#process/clock.ts";
import { createManualClock } from "./manual-clock.ts";
import {
  NEARBY_PARAMETERS,
  NearbyBody,
  type NearbyBodyValue,
  NearbyGeoJson,
  type NearbyGeoJsonValue,
} from "#api/nearby.ts";
import type { Plan } from "#core/plans.ts";
import type { Shard } from "#stations/shards.ts";
import type { FeedHealth, Feeds, RefreshResult } from "#ports.ts";
import { createIdentity, type IdentityDeps } from "#world/identity/world-identity.ts";
import { createWorld, type World } from "#world/world.ts";
import { copyOf } from "#world/render.ts";
import { HERE, NOW_MS } from "./domain.ts";
import { resolveHere } from "./memory.ts";
import { defaultsOf } from "#api/primitives.ts";

const ajv = new Ajv2020({ strict: true, allErrors: true, keywords: ["x-stability"] });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
const isBody = ajv.compile<NearbyBodyValue>(NearbyBody);
const isGeoJson = ajv.compile<NearbyGeoJsonValue>(NearbyGeoJson);

export type Station = NearbyBodyValue["results"]["stations"][number];
export type Vehicle = NearbyBodyValue["results"]["vehicles"][number];

function validated<T>(validate: ValidateFunction<T>, body: unknown): T {
  const fits = validate(body);
  assert.ok(fits, JSON.stringify(validate.errors, null, 1));
  return body;
}

export const PLAN: Plan = {
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

/** The result of a refresh of a feed, which may change the world first. */
type Script = (source_id: string, begun_after_ms: number) => Promise<RefreshResult>;

type StubFeeds = Feeds & {
  woken: string[];
  prioritised: string[];
  refreshed: { source_id: string; begun_after_ms: number }[];
};

export const HEALTHY: FeedHealth = {
  status: "ok",
  reason: null,
  last_success_at_ms: NOW_MS,
  last_attempt_at_ms: NOW_MS,
};

export type Setup = {
  shards?: readonly Shard[];
  /** Absent: every observation is a station of its own. */
  identity?: Pick<IdentityDeps, "bridges" | "overrides">;
  /** Registered, but nothing is known of them. */
  unsurveyed?: readonly { source_id: string; country: string | null }[];
  /** Surveyed systems whose shard is not loaded: their box is a square around HERE. */
  unloaded?: readonly string[];
  refresh?: (deps: { world: World; clock: AdjustableClock }) => Script;
  health?: (source_id: string) => FeedHealth;
  countries?: FindCountries;
};

export type Deployment = ReturnType<typeof deploy>;

/** A world, feeds that note what they are asked, and the use case over both. */
export function deploy(setup: Setup = {}) {
  const clock = createManualClock(NOW_MS);
  const { identity } = setup;
  const world = createWorld(
    identity && createIdentity({ resolve: resolveHere, ...identity, now: clock.now }),
  );
  for (const shard of setup.shards ?? []) {
    world.register({ source_id: shard.source_id, country: "FR" });
    world.put(shard);
  }
  for (const source_id of setup.unloaded ?? []) {
    world.register({ source_id, country: "FR" });
    const { lat, lon } = HERE;
    world.setBox(source_id, { south: lat - 1, north: lat + 1, west: lon - 1, east: lon + 1 });
  }
  for (const system of setup.unsurveyed ?? []) world.register(system);
  const script: Script = setup.refresh?.({ world, clock }) ?? (() => new Promise(() => {}));
  const feeds: StubFeeds = {
    woken: [],
    prioritised: [],
    refreshed: [],
    wake: (source_id) => feeds.woken.push(source_id),
    refresh(source_id, { begun_after_ms }) {
      feeds.refreshed.push({ source_id, begun_after_ms });
      return script(source_id, begun_after_ms);
    },
    health: setup.health ?? (() => HEALTHY),
    prioritise: (country) => feeds.prioritised.push(country),
  };
  const countries = async (): Promise<FindCountries> => setup.countries ?? (() => ["FR"]);
  const timezones = () => Promise.resolve(() => "Europe/Paris");
  const openStates = createOpenStates({ countries, timezones });
  return {
    world,
    clock,
    countries,
    feeds,
    openStates,
    nearby: createNearby({
      ...{ world, feeds, clock, countries, openStates },
      findRetained: null,
      findLines: () => null,
    }),
  };
}

export type Wish = Partial<NearbyQuestion> & {
  plan?: Plan;
  freshness_policy?: NearbyInput["freshness_policy"];
};

/** The input of a question at HERE with the defaults of §4.9 and two seconds to answer in. */
export function toInput({ clock }: Pick<Deployment, "clock">, wish: Wish = {}): NearbyInput {
  const { plan = PLAN, freshness_policy = null, ...question } = wish;
  return {
    question: {
      ...defaultsOf(NEARBY_PARAMETERS),
      ...HERE,
      radius: 400,
      modes: ["bicycle", "scooter", "moped", "car"],
      include: ["stations", "vehicles"],
      limit: 100,
      offset: 0,
      format: "json",
      debug: false,
      ...question,
    },
    caller: { plan },
    remaining_units: null,
    freshness_policy,
    deadline_ms: clock.now() + 2000,
    now_ms: clock.now(),
  };
}

export type Answered = Extract<NearbyReply, { kind: "ok" }>;

const renderNearby = createRenderNearby();

/** The body as a sender would send it. */
export function toBytes(result: Answered): Buffer {
  return copyOf((use) => renderNearby(result, use));
}

/** The parsed and validated body. */
export function readBody(reply: NearbyReply): NearbyBodyValue {
  return validated(isBody, readJson(reply, "application/json"));
}

export function readGeoJson(reply: NearbyReply): NearbyGeoJsonValue {
  return validated(isGeoJson, readJson(reply, "application/geo+json"));
}

function readJson(reply: NearbyReply, content_type: string): unknown {
  assert.ok(reply.kind === "ok");
  assert.equal(NEARBY_TYPES[reply.input.question.format], content_type);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(toBytes(reply)));
}

/** Asks and reads, for questions that need not wait for time to pass. */
export async function ask(deployment: Deployment, wish: Wish = {}): Promise<NearbyBodyValue> {
  return readBody(await deployment.nearby(toInput(deployment, wish)));
}

export async function askGeoJson(
  deployment: Deployment,
  wish: Wish = {},
): Promise<NearbyGeoJsonValue> {
  const input = toInput(deployment, { ...wish, format: "geojson" });
  return readGeoJson(await deployment.nearby(input));
}

/** The one list of §4.9 restored: (stated distance, id) of stations and vehicles of an answer. */
export function rankOf(body: NearbyBodyValue): { distance: number; id: string }[] {
  const { stations, vehicles } = body.results;
  return [
    ...stations.map((each) => ({ distance: each.distance_meters, id: each.id })),
    ...vehicles.map((each) => ({
      distance: each.source.distance_meters ?? -1,
      id: each.source_id,
    })),
  ].sort((a, b) => a.distance - b.distance || Buffer.from(a.id).compare(Buffer.from(b.id)));
}
