/** GET /v1/transport/nearby (§4.7a): stations of the requested providers, merged, ranked and cut. */
import { TRANSPORT_PROVIDERS } from "#contract/tokens.ts";
import { LIMITS } from "#contract/limits.ts";
import type { Decoded } from "#contract/primitives.ts";
import type { TRANSPORT_PARAMETERS } from "#contract/transit.ts";
import { judgeCoverage } from "#core/coverage.ts";
import { NEAR_M } from "#core/transit/merge.ts";
import { toTransitItems, type TransitItem } from "#core/transit/results.ts";
import { type TransitProvider } from "#core/transit/station.ts";
import { REPLY_MARGIN_MS } from "#core/time.ts";
import type { Clock } from "#ports.ts";
import { createDeadline } from "#upstream/deadline.ts";
import { clamp, listAsked, type Search, toReply } from "../search.ts";
import type { TransitFinder } from "./finder.ts";

export type TransportDeps = { finders: readonly TransitFinder[]; clock: Clock };

/** Decoded parameters, not yet clamped. `realtime` is reserved, and not read (§4.7a). */
export type TransportQuestion = Omit<Decoded<typeof TRANSPORT_PARAMETERS>, "realtime">;

export function createTransport(deps: TransportDeps): Search<TransportQuestion> {
  return async (input) => {
    const { question, deadline_ms, keyed = false, now_ms } = input;
    // 1. Clamp (§7 rule 3).
    const applied = clamp(question, LIMITS.transport);
    const { radius_m } = applied;
    // 2. Requested providers, and those that this deployment does not have.
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
      asked: listAsked(findings),
      unserved: unserved.map((name) => `provider ${name}`),
      unsurveyed: 0,
      found: items.length,
      radius_m,
    });
    return toReply(
      {
        question,
        applied,
        now_ms: deps.clock.now(),
        coverage,
        findings,
        items,
        isFrom,
        maps_categories: 0,
      },
      (stations) => ({ results: { stations } }),
    );
  };
}

/** Decisions, Transport: where Navitia is not enabled the local feeds replace it. */
function defaultProvider(finders: readonly TransitFinder[]): TransitProvider {
  return finders.some(({ provider }) => provider === "navitia") ? "navitia" : "gtfs";
}

/** A key is a provider, or one of its feeds. */
function isFrom({ sources }: TransitItem, key: string): boolean {
  return sources.some(
    ({ provider, feed_id }) => key === provider || key === `${provider}:${feed_id}`,
  );
}
