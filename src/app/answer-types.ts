/** Input that `http/` and `mcp/` pass to a use case, and its results. No types of HTTP here. */
import type { NearestKnown } from "#api/filter-match.ts";
import type { FootOfPage } from "#app/nearby-page.ts";
import type { SystemZones } from "#app/zone-items.ts";
import type { NEARBY_PARAMETERS, NearbyBodyValue } from "#api/nearby.ts";
import type { Decoded } from "#api/primitives.ts";
import type { SystemPricesValue } from "#api/prices.ts";
import type { SourcesBody } from "#api/sources.ts";
import type { Clamped } from "#kit/clamp.ts";
import type { QueriedSource, Coverage } from "#core/coverage.ts";
import type { ServiceItem } from "#core/places/place-results.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { Caller } from "#app/access/request-caller.ts";
import type { LineItem } from "#app/transit/line-items.ts";
import type { FoundItem, Tally } from "#world/found.ts";
import type { UnknownHits } from "#world/nearby-hits.ts";
import type { SystemEntry } from "#world/system-entry.ts";

/** Result families of §4.9 `include`. */
export type ItemFamily = NearbyQuestion["include"][number];

/** Decoded parameters of /v1/nearby; radius (metres) and limit are clamped by the use case (§8). */
export type NearbyQuestion = Decoded<typeof NEARBY_PARAMETERS>;

/** §4.8; null is what GET /v1/nearby does. */
export type FreshnessPolicy = "accept_valid_cache" | "revalidate" | null;

export type NearbyInput = {
  question: NearbyQuestion;
  caller: Pick<Caller, "plan">;
  /** Id of the one item that is listed, wherever it ranks; absent: the page of the question. */
  only?: string;
  /** Of the caller's period, before this reply; null: any number. */
  remaining_units: number | null;
  freshness_policy: FreshnessPolicy;
  /** When the answer must be on its way, epoch ms. */
  deadline_ms: number;
  now_ms: number;
};

/** The families that decide which live files a question needs. */
export type Wants = { stations: boolean; vehicles: boolean; alerts: boolean };

/** Record of how one system was consulted, for coverage and for `debug`. */
export type Consulted = Pick<QueriedSource, "source_id" | "status" | "reason"> & {
  name: string;
  /** What is held of it when the answer is put together; null: nothing yet. */
  shard: Shard | null;
  cache: "hit" | "miss" | "revalidated" | null;
  /** Of the wait for it, ms since the first; null: there was none. */
  started_ms: number | null;
  elapsed_ms: number | null;
};

/**
 * The answer to a question about nearby things, as data: nothing of it changes later, and its bodies
 * (app/nearby-body) and its audit (app/audit) are functions of it.
 */
export type NearbyResult = {
  kind: "ok";
  input: NearbyInput;
  /** Radius and limit after the clamp, and its warnings. */
  applied: Clamped;
  wants: Wants;
  /** Systems whose box touches the circle. */
  sources: readonly Consulted[];
  /** Systems that may be here and have no known place yet. */
  unsurveyed: readonly Pick<SystemEntry, "source_id" | "unread">[];
  /** Places or lines were looked up in what is held. */
  stored: boolean;
  found: NearbyMatch;
  /** Its notices say as well where the page ends. */
  coverage: Coverage;
  /** Seconds the answer may be cached; null: `no-store` (partial or debug). */
  max_age_s: number | null;
  /** Stations, vehicles and places of the page: what metering counts. */
  objects: number;
  /** When the answer was put together, epoch ms: ages are counted from here. */
  now_ms: number;
};

export type NearbyMatch = {
  /** Stations, vehicles and places in the circle, before the page is cut. */
  total: number;
  /** Stations and vehicles of the page, by distance, then id. */
  items: readonly FoundItem[];
  places: readonly ServiceItem[];
  lines: readonly LineItem[];
  /** Rendered, by id. */
  alerts: readonly string[];
  /** Lines and alerts of the circle, listed or not. */
  lines_total: number;
  alerts_total: number;
  /** null: not asked for. */
  zones: readonly SystemZones[] | null;
  prices: readonly SystemPricesValue[] | null;
  /** Of the filters that are set; null: none is. */
  unknown: UnknownHits | null;
  /** The first that is known to fit, null: none is; undefined: no filter is set. */
  nearest_known: NearestKnown | null | undefined;
  /** null without `debug`. */
  tally: Tally | null;
  /** How ways on foot were found; null: none were asked for. */
  foot: FootOfPage | null;
  /** The nearest outside a circle without stations and vehicles, null: none is known; absent: it has some. */
  beyond?: Exclude<NearbyBodyValue["beyond"], undefined>;
};

export type NearbyReply =
  | NearbyResult
  | { kind: "refused"; code: "plan_not_allowed"; message: string };

/** Answers at once when everything needed is in memory, else a promise. Never rejects on data. */
export type Nearby = (input: NearbyInput) => NearbyReply | Promise<NearbyReply>;

/** One source of `GET /v1/sources` (decisions, Conventions). Unknown is null. */
export type SourceItem = SourcesBody["sources"][number];

/** Lists the sources, narrowed to those that may cover the circle when one is given. */
export type ListSources = (circle?: { lat: number; lon: number; radius: number }) => SourceItem[];
