/**
 * Geocode, place search, reverse geocode (§4.3 to §4.5): one maps provider, its order, at most five
 * candidates. A failure is 502, 503 or 504 (decisions, Errors), unless an old answer may stand in.
 */
import { LIMITS } from "#contract/limits.ts";
import type { Location } from "#core/entities.ts";
import type { Failure } from "#core/outcome.ts";
import type { Candidate } from "#core/places/candidate.ts";
import type { Clock } from "#ports.ts";
import type { GeocodeQuery, ReverseQuery } from "#providers/lookup.ts";
import type { Ask, Reply } from "#upstream/lookup/ask.ts";
import { createPatience } from "#upstream/lookup/patience.ts";
import type { SearchInput } from "./services.ts";

export type GeocodingDeps = {
  clock: Clock;
  maps: { id: string };
  /** null: no maps provider is configured. */
  ask: {
    geocode: Ask<GeocodeQuery, Candidate[]>;
    search: Ask<GeocodeQuery, Candidate[]>;
    reverse: Ask<ReverseQuery, Candidate[]>;
  } | null;
};

export type GeocodeQuestion = {
  q: string;
  language: string | undefined;
  country: string | undefined;
};
export type SearchQuestion = {
  q: string;
  lat: number | undefined;
  lon: number | undefined;
  language: string | undefined;
};
export type ReverseQuestion = Location & { language: string | undefined };

type Code = "provider_bad_response" | "provider_unavailable" | "provider_timeout";
export type GeocodeReply =
  | { kind: "ok"; body: object; max_age_s: number }
  | { kind: "failed"; code: Code; retry_after_s: number | null };

type Geocode<Q> = (input: SearchInput<Q>) => Promise<GeocodeReply>;
export type Geocoding = {
  geocode: Geocode<GeocodeQuestion>;
  search: Geocode<SearchQuestion>;
  reverse: Geocode<ReverseQuestion>;
};

/** Answers this much before the deadline, so that the reply leaves in time. */
const MARGIN_MS = 50;

export function createGeocoding(deps: GeocodingDeps): Geocoding {
  const { ask } = deps;
  return {
    geocode: (input) => {
      const { q, language = null, country } = input.question;
      const query = { q, language, country: country?.toUpperCase() ?? null, near: null };
      return answer(deps, input, { ask: ask?.geocode, query, meta: { query: q } });
    },
    search: (input) => {
      const { q, lat, lon, language = null } = input.question;
      const near = lat === undefined || lon === undefined ? null : { lat, lon };
      const query = { q, language, country: null, near };
      const meta = { query: q, ...(near ? { origin: near } : {}) };
      return answer(deps, input, { ask: ask?.search, query, meta });
    },
    reverse: (input) => {
      const { lat, lon, language = null } = input.question;
      const meta = { origin: { lat, lon } };
      return answer(deps, input, { ask: ask?.reverse, query: { lat, lon, language }, meta });
    },
  };
}

async function answer<Q>(
  { clock, maps }: GeocodingDeps,
  { deadline_ms, signal }: SearchInput<unknown>,
  { ask, query, meta }: { ask: Ask<Q, Candidate[]> | undefined; query: Q; meta: object },
): Promise<GeocodeReply> {
  if (!ask) return { kind: "failed", code: "provider_unavailable", retry_after_s: null };
  const patience = createPatience(clock, { until_ms: deadline_ms - MARGIN_MS, signal });
  const reply = await ask(query, { patience, freshness: null });
  patience.end();
  const held = reply.status === "ok" ? reply.held : reply.rescue;
  if (!held) return toFailed(reply as Failure, clock.now());
  const cache = reply.status === "ok" ? reply.cache : "hit";
  const results = held.value
    .slice(0, LIMITS.geocode.results_max)
    .map((candidate) => toResult(candidate, maps.id));
  return {
    kind: "ok",
    body: { results, meta: { source: maps.id, cache, total: results.length, ...meta } },
    max_age_s: ageLeft_s(reply, clock.now()),
  };
}

/** In the order of §2.2. */
function toResult(candidate: Candidate, source_id: string): object {
  const { name, label, type, location, address, source_place_id, match_quality } = candidate;
  return {
    ...{ svc_id: null, name, label, type, location, address, source_id, source_place_id },
    ...(match_quality === undefined ? {} : { match_quality }),
  };
}

function ageLeft_s(reply: Reply<unknown>, now_ms: number): number {
  if (reply.status !== "ok") return 0;
  const left_s = Math.floor((reply.held.good_until_ms - now_ms) / 1000);
  return Math.max(0, Math.min(left_s, LIMITS.cache_max_age_s));
}

/** Reasons why a source that is there takes no requests from us now: 503, the others are 502. */
const TAKES_NONE =
  /^(http_429|quota|blocked|circuit_open|cooling_down|busy|spend_cap|not_configured)$/;
const MIN_RETRY_S = 1;
const MAX_RETRY_S = 60;

function toFailed({ status, reason, retry_at_ms }: Failure, now_ms: number): GeocodeReply {
  if (status === "timeout")
    return { kind: "failed", code: "provider_timeout", retry_after_s: null };
  const code =
    status === "unavailable" && TAKES_NONE.test(reason)
      ? "provider_unavailable"
      : "provider_bad_response";
  const wait_s = retry_at_ms === undefined ? MIN_RETRY_S : Math.ceil((retry_at_ms - now_ms) / 1000);
  const retry_after_s = Math.min(MAX_RETRY_S, Math.max(MIN_RETRY_S, wait_s));
  return { kind: "failed", code, retry_after_s };
}
