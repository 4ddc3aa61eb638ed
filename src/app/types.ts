/** What the faces (`http/`, `mcp/`) hand to a use case and get back. No types of HTTP here. */
import type { ProblemBody } from "#contract/sources.ts";
import type { Box, Mode } from "#core/entities.ts";
import type { UseBody } from "#world/render.ts";
import type { Audit } from "#app/audit.ts";
import type { Caller } from "#app/access/caller.ts";

/** Result families of §4.9 `include`. */
export type Family = "places" | "lines" | "stations" | "vehicles" | "alerts";

/** Decoded and validated parameters of /v1/nearby, not yet clamped. */
export type NearbyQuestion = {
  lat: number;
  lon: number;
  /** Requested radius, metres; clamped by the use case (§8). */
  radius: number;
  modes: readonly Mode[];
  include: readonly Family[];
  limit: number;
  offset: number;
  format: "json" | "geojson";
  debug: boolean;
};

/** §4.8; null is what GET /v1/nearby does. */
export type FreshnessPolicy = "accept_valid_cache" | "revalidate" | null;

export type NearbyInput = {
  question: NearbyQuestion;
  caller: Pick<Caller, "plan">;
  /** Of the caller's period, before this reply; null: any number. */
  remaining_units: number | null;
  freshness_policy: FreshnessPolicy;
  /** Who keeps the answer wants to know what stands behind it. */
  audited: boolean;
  /** When the answer must be on its way, epoch ms. */
  deadline_ms: number;
  now_ms: number;
};

export type Answer = {
  kind: "ok";
  content_type: "application/json" | "application/geo+json";
  /**
   * Renders the answer as JSON and passes it to `use`. To be called once: in the turn in which the
   * answer was given or, after `hold`, at any time.
   */
  render(use: UseBody): void;
  /** Keeps what the answer is rendered from, for a reply that must wait. */
  hold(): void;
  /** Seconds the answer may be cached; null: `no-store` (partial or debug). */
  max_age_s: number | null;
  /** Stations + vehicles + places in the page: what metering counts later. */
  objects: number;
  /** null: nobody asked for it. */
  audit: Audit | null;
};

export type NearbyReply = Answer | { kind: "refused"; code: "plan_not_allowed"; message: string };

/** Answers at once when everything needed is in memory, else a promise. Never rejects on data. */
export type Nearby = (input: NearbyInput) => NearbyReply | Promise<NearbyReply>;

/** One source of `GET /v1/sources` (decisions, Conventions). Unknown is null. */
export type SourceItem = {
  id: string;
  name: string;
  kind: "feed" | "lookup";
  operations: string[];
  state:
    | "ok"
    | "timeout"
    | "error"
    | "unauthorized"
    | "unavailable"
    | "idle"
    | "not_surveyed"
    | "disabled";
  licence: string | null;
  licence_url: string | null;
  attribution: string | null;
  attribution_url: string | null;
  terms: { map: "any" | "own" };
  entity_count: number | null;
  bbox: Box | null;
  areas: Box[] | null;
  problem: ProblemBody | null;
  last_success_at: string | null;
  age_s: number | null;
  error_rate_5m: number | null;
};

/** Lists the sources, narrowed to those that may cover the circle when one is given. */
export type ListSources = (circle?: { lat: number; lon: number; radius: number }) => SourceItem[];
