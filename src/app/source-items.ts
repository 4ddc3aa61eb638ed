/** How the sources that are asked per question are doing, for `GET /v1/sources` and the metrics. */
import { explainFailure } from "#core/failure-words.ts";
import type { SourceItem } from "#app/answer-types.ts";
import type { Descriptor } from "#providers/define.ts";
import type { ReadingBody, RegisterLiveBody } from "#api/sources.ts";
import type { LiveHalf } from "#app/places/registers.ts";
import type { Source } from "#providers/source.ts";
import { createErrorRate, type ErrorRate } from "#upstream/feeds/error-rate.ts";
import type { Attempt } from "#upstream/lookup/lookup-caller.ts";
import type { OpenedSource } from "#upstream/lookup/opened-source.ts";
import type { TurnState } from "#upstream/registers/reading-turns.ts";
import type { RegistryRuntime } from "#upstream/registries.ts";

type Seen = {
  last: Attempt["status"];
  reason: string | null;
  last_success_at_ms: number | null;
  rate: ErrorRate;
};

export type LookupHealth = {
  note(attempt: Pick<Attempt, "provider" | "status" | "reason">): void;
  of(provider: string): Seen | undefined;
};

export function createLookupHealth(now: () => number): LookupHealth {
  const seen = new Map<string, Seen>();
  return {
    of: (provider) => seen.get(provider),
    note({ provider, status, reason }) {
      // A call that we called off says nothing about the source.
      if (reason === "aborted") return;
      let entry = seen.get(provider);
      if (!entry) {
        entry = { last: status, reason, last_success_at_ms: null, rate: createErrorRate() };
        seen.set(provider, entry);
      }
      Object.assign(entry, { last: status, reason });
      if (status === "ok") entry.last_success_at_ms = now();
      entry.rate.add(now(), status === "ok");
    },
  };
}

/** One line of `/v1/sources`: as the deployment calls the source, and under its terms. */
export type ListedSource = {
  id: string;
  name: string;
  provider: Source;
  operations: readonly string[];
  terms: { attribution: string | null; licence: string | null };
  /** Without its key or address it is not asked. */
  configured: boolean;
  /** Why it is not asked though it has what it needs, in a sentence. */
  unused?: string;
  registry: RegistryRuntime | null;
  /** Its live half; absent or null: it has none. */
  live?: Pick<LiveHalf, "health" | "turn" | "max_age_s"> | null;
};

/** Its line of `/v1/sources`. */
export function toListed({ source, settings, configured }: OpenedSource): ListedSource {
  const { id, name, operations } = source;
  return { id, name, provider: source, operations, terms: settings, configured, registry: null };
}

export function toSourceItem(
  listed: ListedSource,
  health: LookupHealth,
  now_ms: number,
): SourceItem {
  const { id, name, provider, terms, registry } = listed;
  const seen = health.of(provider.id);
  const read = registry?.health();
  const item = describeSource(provider, terms, now_ms, {
    id,
    name,
    kind: registry ? "feed" : "lookup",
    state: stateOf(listed, seen),
    entity_count: read?.count ?? null,
    problem: problemOf(listed, seen),
    last_success_at_ms: read ? read.last_success_at_ms : (seen?.last_success_at_ms ?? null),
    error_rate_5m: seen?.rate.read(now_ms) ?? null,
  });
  return {
    ...item,
    ...toReading(registry?.turn() ?? null, now_ms),
    ...(listed.live && { live: toLiveBody(listed.live, now_ms) }),
  };
}

function toReading(turn: TurnState | null, now_ms: number): { reading?: ReadingBody } {
  if (turn === null) return {};
  const { waits, ahead, since_ms } = turn;
  const for_s = Math.max(0, Math.round((now_ms - since_ms) / 1_000));
  return { reading: { state: waits ? "waiting" : "reading", ahead, for_s } };
}

function toLiveBody(
  live: Pick<LiveHalf, "health" | "turn" | "max_age_s">,
  now_ms: number,
): RegisterLiveBody {
  const { status, reason, resting, last_success_at_ms: last_ms, ...counts } = live.health();
  const isIdle = reason === NOT_LOADED;
  return {
    state: isIdle ? "idle" : status,
    problem:
      isIdle || status === "ok" ? null : explainFailure({ status, reason: reason ?? "unexpected" }),
    resting,
    ...toAge(last_ms, now_ms),
    ...counts,
    max_age_s: live.max_age_s,
    ...toReading(live.turn(), now_ms),
  };
}

/** It has not been asked for yet. */
const NOT_LOADED = "not_loaded";

type State = Pick<SourceItem, "id" | "name" | "kind" | "state" | "entity_count" | "problem"> & {
  last_success_at_ms: number | null;
  error_rate_5m?: number | null;
};

/** A source that is bound to no place, as `/v1/sources` shows it; `terms`: what the operator states. */
export function describeSource(
  { operations, terms: own_terms }: Descriptor,
  terms: ListedSource["terms"],
  now_ms: number,
  { id, name, kind, state, entity_count, problem, ...when }: State,
): SourceItem {
  const { last_success_at_ms: last_ms, error_rate_5m = null } = when;
  return {
    id,
    name,
    kind,
    operations: [...operations],
    state,
    licence: terms.licence ?? own_terms.licence,
    licence_url: own_terms.licence_url,
    attribution: terms.attribution ?? own_terms.attribution,
    attribution_url: own_terms.attribution_url,
    terms: { map: own_terms.map ?? "any" },
    entity_count,
    bbox: null,
    areas: null,
    problem,
    ...toAge(last_ms, now_ms),
    error_rate_5m,
  };
}

function toAge(last_ms: number | null, now_ms: number) {
  if (last_ms === null) return { last_success_at: null, age_s: null };
  const age_s = Math.max(0, Math.round((now_ms - last_ms) / 1000));
  return { last_success_at: new Date(last_ms).toISOString(), age_s };
}

function problemOf(listed: ListedSource, seen: Seen | undefined): SourceItem["problem"] {
  const { configured, unused, registry } = listed;
  if (unused !== undefined) return { word: "not configured", reason: "not_asked", message: unused };
  if (!configured) return explainFailure({ status: "unavailable", reason: "not_configured" });
  const { status, reason } = registry?.health() ?? { status: seen?.last, reason: seen?.reason };
  if (status === undefined || status === "ok") return null;
  return explainFailure({ status, reason: reason ?? "unexpected" });
}

function stateOf(
  { configured, unused, registry }: ListedSource,
  seen: Seen | undefined,
): SourceItem["state"] {
  if (unused !== undefined) return "disabled";
  if (!configured) return "unavailable";
  return registry ? registry.health().status : (seen?.last ?? "idle");
}
