/** geocode, reverse_geocode, find_urban_services, find_transit_stations: one question, its results in brief. */
import { ONE_ANSWER } from "#core/metering/units.ts";
import type { GeocodeReply } from "#app/places/geocoding.ts";
import type { SearchInput, SearchReply } from "#app/search.ts";
import type { AGENT_TOOLS } from "#contract/agent-tools.ts";
import type { GeocodeBodyValue } from "#contract/geocoding.ts";
import type { Decoded } from "#contract/primitives.ts";
import type { ServicesBodyValue } from "#contract/services.ts";
import type { TransportBodyValue } from "#contract/transit.ts";
import { SHOWN } from "#contract/agent-results.ts";
import { fit, toBriefPlace, toBriefService, toBriefTransit, toUnsaid } from "../brief.ts";
import { type Credit, toCredits } from "../sources.ts";
import { type Asking, type ToolOutcome, type RunTool, type ToolDeps } from "../tool.ts";

type Args<N extends keyof typeof AGENT_TOOLS> = Decoded<(typeof AGENT_TOOLS)[N]["parameters"]>;

export function createGeocode(deps: ToolDeps): RunTool<Args<"geocode">> {
  return async (question, asking) => {
    return toPlacesOutcome(deps, await deps.searches.geocoding.geocode(toInput(question, asking)));
  };
}

export function createReverseGeocode(deps: ToolDeps): RunTool<Args<"reverse_geocode">> {
  return async (question, asking) => {
    return toPlacesOutcome(deps, await deps.searches.geocoding.reverse(toInput(question, asking)));
  };
}

export function createFindServices(deps: ToolDeps): RunTool<Args<"find_urban_services">> {
  const { searches, termsOf } = deps;
  return async (args, asking) => {
    const reply = await searches.services(toInput({ ...args, debug: false }, asking));
    if ("kind" in reply) return { ...reply, charged: false, retry_after_s: null };
    const { results, status, message, notices, ...rest } = reply.body as ServicesBodyValue;
    const { query_origin, radius, total, summary, not_potable, local_time, time_zone } = rest;
    const credits = toCredits(results.flatMap(listSources), termsOf);
    const asked = { query_origin, radius, local_time, time_zone };
    const found = { summary, ...(not_potable === undefined ? {} : { not_potable }) };
    const head = { status, message, ...toUnsaid(notices, message), ...asked, ...found };
    return toListOutcome(deps, reply, {
      head,
      total,
      results: results.map(toBriefService),
      credits,
    });
  };
}

type ServiceItem = ServicesBodyValue["results"][number];

/** Lists the sources that observe it, where there are several. */
function listSources({ source_id, provider, attributes }: ServiceItem): string[] {
  const others = (attributes as { sources?: { source_id: string }[] }).sources ?? [];
  const through = provider === undefined ? [] : [provider.id];
  return [source_id, ...through, ...others.map((other) => other.source_id)];
}

export function createFindStations(deps: ToolDeps): RunTool<Args<"find_transit_stations">> {
  const { searches, termsOf } = deps;
  return async (args, asking) => {
    const reply = await searches.transport(toInput({ ...args, debug: false }, asking));
    const { results, status, message, notices, query_origin, radius, total } =
      reply.body as TransportBodyValue;
    const { stations } = results;
    const seen = stations.flatMap(({ sources }) =>
      sources.map(({ provider, feed_id }) => (provider === "gtfs" ? feed_id : null) ?? provider),
    );
    const credits = toCredits(seen, termsOf);
    const head = { status, message, ...toUnsaid(notices, message), query_origin, radius };
    return toListOutcome(deps, reply, {
      head,
      total,
      credits,
      results: stations.map(toBriefTransit),
    });
  };
}

function toInput<Q>(question: Q, asking: Asking): SearchInput<Q> {
  const { now_ms, deadline_ms, signal, caller } = asking;
  return { question, deadline_ms, signal, keyed: caller.kind === "keyed", now_ms };
}

type Listed = { head: object; total: number; results: object[]; credits: Credit[] };

function toListOutcome({ clock }: ToolDeps, reply: SearchReply, listed: Listed): ToolOutcome {
  const { head, total, results, credits } = listed;
  const common = { valid_for_s: reply.max_age_s, attribution: credits };
  const answer = fit(results, SHOWN.items_max, (shown) =>
    toAnswer(clock.now(), { head, total, shown, ...common }),
  );
  return { kind: "answered", answer, metered: reply.metered };
}

function toPlacesOutcome({ termsOf, clock }: ToolDeps, reply: GeocodeReply): ToolOutcome {
  if (reply.kind === "failed") {
    const { code, message, retry_after_s } = reply;
    return { kind: "refused", charged: false, code, message, retry_after_s };
  }
  const { results, meta } = reply.body as GeocodeBodyValue;
  const common = { valid_for_s: reply.max_age_s, attribution: toCredits([meta.source], termsOf) };
  const answer = fit(results.map(toBriefPlace), SHOWN.items_max, (shown) =>
    toAnswer(clock.now(), { head: {}, total: meta.total, shown, ...common }),
  );
  return { kind: "answered", answer, metered: ONE_ANSWER };
}

function toAnswer(
  now_ms: number,
  parts: {
    head: object;
    total: number;
    shown: readonly object[];
    valid_for_s: number | null;
    attribution: readonly Credit[];
  },
): object {
  const { head, total, shown, valid_for_s, attribution } = parts;
  const freshness = { answered_at: new Date(now_ms).toISOString(), valid_for_s };
  return { ...head, total, shown: shown.length, results: shown, freshness, attribution };
}
