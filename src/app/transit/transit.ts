/** GET /v1/transport/nearby (§4.7a): stations of the requested providers, merged, ranked and cut. */
import { TRANSPORT_PROVIDERS } from "#contract/tokens.ts";
import { LIMITS } from "#contract/limits.ts";
import type { Decoded } from "#contract/primitives.ts";
import type { TRANSPORT_PARAMETERS } from "#contract/transit.ts";
import { type Coverage, judgeCoverage } from "#core/coverage.ts";
import { NEAR_M } from "#core/transit/merge.ts";
import { toTransitItems, type TransitItem } from "#core/transit/results.ts";
import { type TransitProvider } from "#core/transit/station.ts";
import type { Clock } from "#ports.ts";
import type { Search, SearchInput, SearchReply } from "#app/places/services.ts";
import { createDeadline } from "#upstream/deadline.ts";
import type { TransitFinder, TransitFinding } from "./finder.ts";
import { REPLY_MARGIN_MS } from "#core/time.ts";

export type TransportDeps = { finders: readonly TransitFinder[]; clock: Clock };

/** Decoded parameters, not yet clamped. `realtime` is reserved, and not read (§4.7a). */
export type TransportQuestion = Omit<Decoded<typeof TRANSPORT_PARAMETERS>, "realtime">;

type Answered = {
  input: SearchInput<TransportQuestion>;
  radius_m: number;
  limit: number;
  items: TransitItem[];
  findings: TransitFinding[];
  coverage: Coverage;
};

export function createTransport(deps: TransportDeps): Search<TransportQuestion> {
  return async (input) => {
    const { question, deadline_ms, keyed = false, now_ms } = input;
    // 1. Clamp (§7 rule 3).
    const radius_m = Math.min(question.radius, LIMITS.transport.radius_max);
    const limit = Math.min(question.limit, LIMITS.transport.limit_max);
    // 2. Which providers, and those that this deployment does not have.
    const there = deps.finders.filter((finder) => finder.isThere?.() ?? true);
    const wanted = question.providers ?? [defaultProvider(there)];
    const own = there.filter(({ provider }) => wanted.includes(provider));
    const unserved = wanted.filter((name) => !own.some(({ provider }) => provider === name));
    // 3. Ask them all at once, of a station on the edge also for the pin that lies outside.
    const until_ms = deadline_ms - REPLY_MARGIN_MS;
    using deadline = createDeadline(deps.clock, until_ms, input.signal);
    const { lat, lon, language = null } = question;
    const circle = { lat, lon, radius_m: radius_m + NEAR_M };
    const { signal } = deadline;
    const asking = { circle, language, now_ms, until_ms, signal, keyed, freshness: null };
    const asked = own.filter((finder) => finder.covers(asking));
    const findings = await Promise.all(asked.map((finder) => finder.find(asking)));
    // 4. One station is one result; the providers lead in the contract's order.
    const order = TRANSPORT_PROVIDERS.flatMap((provider) =>
      findings.filter((_, i) => asked[i]!.provider === provider),
    );
    const items = toTransitItems(
      order.flatMap(({ groups }) => groups),
      { lat, lon, radius_m, modes: question.modes },
    );
    // 5. Coverage decides the status.
    const coverage = judgeCoverage({
      asked: findings.map(({ key, status, reason }) => ({ source_id: key, status, reason })),
      unserved: unserved.map((name) => `provider ${name}`),
      unsurveyed: 0,
      found: items.length,
      radius_m,
    });
    return present(deps, { input, radius_m, limit, items, findings, coverage });
  };
}

/** Decisions, Transport: where Navitia is not enabled the local feeds replace it. */
function defaultProvider(finders: readonly TransitFinder[]): TransitProvider {
  return finders.some(({ provider }) => provider === "navitia") ? "navitia" : "gtfs";
}

function present(deps: TransportDeps, answered: Answered): SearchReply {
  const { input, radius_m, limit, items, findings, coverage } = answered;
  const { lat, lon, debug } = input.question;
  const stations = items.slice(0, limit);
  const complete = coverage.status !== "partial" && !debug;
  return {
    body: {
      status: coverage.status,
      ...(coverage.message === null ? {} : { message: coverage.message }),
      query_origin: { lat, lon },
      radius: radius_m,
      total: items.length,
      results: { stations },
      ...(debug ? { debug: debugOf(answered, stations) } : {}),
    },
    max_age_s: complete ? remaining_s(findings, deps.clock.now()) : null,
    metered: {
      void: coverage.status === "partial" && stations.length === 0,
      objects: stations.length,
      maps_categories: 0,
    },
  };
}

function remaining_s(findings: readonly TransitFinding[], now_ms: number): number {
  const until = findings.map(({ good_until_ms }) => good_until_ms ?? now_ms);
  const least_s = (Math.min(...until, Number.POSITIVE_INFINITY) - now_ms) / 1000;
  return Math.max(0, Math.min(Math.floor(least_s), LIMITS.cache_max_age_s));
}

/** The block of §2.7. */
function debugOf({ input, radius_m, limit, findings }: Answered, shown: TransitItem[]): object {
  const providers = findings.map(({ key, status, raw, reason }) => {
    const returned = shown.filter(({ sources }) => sources.some((each) => isFrom(each, key)));
    const report = { status, raw_count: raw, returned_count: returned.length };
    return [key, reason === null ? report : { ...report, reason }];
  });
  const [only = "miss", ...others] = new Set(findings.map(({ cache }) => cache));
  return {
    providers: Object.fromEntries(providers) as object,
    provider_calls: findings.reduce((sum, { calls }) => sum + calls, 0),
    cache: others.length > 0 ? "partial" : only,
    requested_radius: input.question.radius,
    applied_radius: radius_m,
    requested_limit: input.question.limit,
    applied_limit: limit,
  };
}

/** A key is a provider, or one of its feeds. */
function isFrom({ provider, feed_id }: TransitItem["sources"][number], key: string): boolean {
  return key === provider || key === `${provider}:${feed_id}`;
}
