/**
 * Geocode, place search, reverse geocode (§4.3 to §4.5): one maps provider, its order, at most five
 * candidates. A failure is 502, 503 or 504 (decisions, Errors), unless an old answer may replace it.
 */
import { judgeStatus } from "#core/coverage.ts";
import type {
  GEOCODE_PARAMETERS,
  PLACE_SEARCH_PARAMETERS,
  REVERSE_PARAMETERS,
} from "#api/geocoding.ts";
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { Decoded } from "#api/primitives.ts";
import type { Candidate } from "#osm/geocoder/candidate.ts";
import type { Clock } from "#ports.ts";
import type { GeocodeQuery, ReverseQuery } from "#providers/lookup.ts";
import type { Ask } from "#upstream/lookup/ask-source.ts";
import { askOne, type SourceReply } from "../one-source.ts";
import type { SearchInput } from "../search-reply.ts";

export type GeocodingDeps = {
  clock: Clock;
  maps: { id: string; name: string };
  /** null: no maps provider is configured. */
  ask: {
    geocode: Ask<GeocodeQuery, Candidate[]>;
    search: Ask<GeocodeQuery, Candidate[]>;
    reverse: Ask<ReverseQuery, Candidate[]>;
  } | null;
};

type Body = ReplyAt<"/v1/geocode">;
export type GeocodeReply = SourceReply<Body>;

type Geocode<Q> = (input: SearchInput<Q>) => Promise<GeocodeReply>;
export type Geocoding = {
  geocode: Geocode<Decoded<typeof GEOCODE_PARAMETERS>>;
  search: Geocode<Decoded<typeof PLACE_SEARCH_PARAMETERS>>;
  reverse: Geocode<Decoded<typeof REVERSE_PARAMETERS>>;
};

export function createGeocoding(deps: GeocodingDeps): Geocoding {
  const { ask } = deps;
  return {
    geocode: (input) => {
      const { q, language = null, country } = input.question;
      const query = { q, language, country: country?.toUpperCase() ?? null, near: null };
      return answer(deps, input, { ask: ask?.geocode, query, meta: { query: q } });
    },
    search: (input) => {
      const { q, lat, lon, language = null, prefix } = input.question;
      const near = lat === undefined || lon === undefined ? null : { lat, lon };
      const query = { q, language, country: null, near, ...(prefix ? { prefix } : {}) };
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
  { deadline_ms, signal, keyed }: SearchInput<unknown>,
  {
    ask,
    query,
    meta,
  }: {
    ask: Ask<Q, Candidate[]> | undefined;
    query: Q;
    meta: Pick<Body["meta"], "query" | "origin">;
  },
): Promise<GeocodeReply> {
  const answered = await askOne(ask, query, { clock, deadline_ms, signal, keyed, name: maps.name });
  if (answered.kind === "failed") return answered;
  const { cache, max_age_s, notices = [], isPartial = false } = answered;
  const listed = answered.value.slice(0, LIMITS.geocode.results_max);
  const results = listed.map((candidate) => toResult(candidate, maps.id));
  const bases = [...new Set(listed.flatMap(({ base }) => base ?? []))];
  const more = {
    ...(bases.length > 0 ? { bases } : {}),
    ...(notices.length > 0 ? { notices } : {}),
    ...(isPartial ? { status: judgeStatus({ isIncomplete: true, found: true }) } : {}),
  };
  const body = {
    results,
    meta: { source: maps.id, cache, total: results.length, ...meta, ...more },
  };
  return { kind: "ok", body, max_age_s };
}

/** In the order of §2.2. */
function toResult(candidate: Candidate, source_id: string): Body["results"][number] {
  const { name, label, type, location, address, source_place_id, match_quality, base } = candidate;
  return {
    svc_id: null,
    name,
    label,
    type,
    location,
    address,
    source_id,
    source_place_id,
    ...(match_quality === undefined ? {} : { match_quality }),
    ...(base ? { base_id: base.id } : {}),
  };
}
