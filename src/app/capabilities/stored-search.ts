/**
 * `search_mobility` (§4.8): what GET /v1/nearby answers, kept as an immutable dataset before the
 * reply. Nothing is kept of an execution that failed.
 */
import { isPartial } from "#core/coverage.ts";
import { type Caller, datasetOwnerOf } from "#app/access/request-caller.ts";
import { auditOf } from "#app/audit.ts";
import type { RenderNearby } from "#app/nearby-body.ts";
import type { Nearby, NearbyResult } from "#app/answer-types.ts";
import { NEARBY_PARAMETERS } from "#api/nearby.ts";
import { defaultsOf } from "#api/primitives.ts";
import { newDatasetId } from "#core/datasets/id.ts";
import { versionOf } from "#core/datasets/dataset-version.ts";
import type { Clock, Datasets } from "#ports.ts";
import { copyOf } from "#world/render.ts";
import {
  type AnonymousTerms,
  datasetBoundsOf,
  firstLifeOf,
  type PutRefusal,
  refusePut,
} from "./capability-bounds.ts";
import {
  type ErrorObservation,
  type SearchRequest,
  findFailure,
  INTERNAL_FAILURE,
  type Kept,
  toApplied,
  toErrorObservation,
  toObservation,
  type TermsOf,
} from "./search-observation.ts";
import { toRecords } from "./stored-records.ts";

export type SearchDeps = {
  nearby: Nearby;
  renderNearby: RenderNearby;
  datasets: Pick<Datasets, "put" | "keepOn" | "secret" | "knowsSecret">;
  termsOf: TermsOf;
  clock: Pick<Clock, "now">;
  /** SHA-256. */
  hash: (bytes: Uint8Array) => Uint8Array;
  random: (size: number) => Uint8Array;
  retention_ms: { anonymous: number; keyed: number };
  /** Of what anonymous callers keep for longer. */
  anonymous: AnonymousTerms;
  /** Space in the store for the datasets of all anonymous callers. */
  anonymous_bytes: number;
  /** Whether the bounds of plans are enforced. */
  enforced: boolean;
  onFault: (error: unknown) => void;
  /** Resolves at the next turn of the event loop: between the search and what is kept of it. */
  pause?: () => Promise<void>;
};

/** Reply of a search; `free`: it failed, or nothing is known of what was asked. */
export type ObservationReply = { kind: "ok"; observation: Uint8Array; free: boolean } | PutRefusal;

/**
 * Executes a search; `repeat_key`: by which the dataset is found again; absent: it will not be
 * asked for by one.
 */
export type SearchCapability = (
  request: SearchRequest,
  who: {
    caller: Caller;
    remaining_units: number | null;
    now_ms: number;
    deadline_ms: number;
    repeat_key?: Uint8Array;
  },
) => Promise<ObservationReply>;

export function createSearch(deps: SearchDeps): SearchCapability {
  return async (request, who) => {
    try {
      return await search(deps, request, who);
    } catch (error) {
      // §7 rule 5: the outcome of an accepted execution is always reported in an observation.
      deps.onFault(error);
      const query = toApplied(request, request.args);
      return failed(toErrorObservation(query, [INTERNAL_FAILURE], deps.clock.now()));
    }
  };
}

async function search(
  deps: SearchDeps,
  request: SearchRequest,
  who: Parameters<SearchCapability>[1],
): Promise<ObservationReply> {
  const { args, policy } = request;
  const { intent = null, language: _, ...question } = args;
  // An id that is issued with another secret than that of the fleet would be of no caller.
  if (deps.datasets.knowsSecret?.() === false) return refusePut("unavailable", who.caller, deps);
  const reply = await deps.nearby({
    question: { ...DEFAULTS, ...question },
    caller: who.caller,
    remaining_units: who.remaining_units,
    freshness_policy: policy,
    deadline_ms: who.deadline_ms,
    now_ms: who.now_ms,
  });
  const result = reply as NearbyResult;
  const audit = auditOf(result);
  const failure = findFailure(audit, result.objects);
  if (failure) {
    return failed(toErrorObservation(toApplied(request, audit.applied), failure, audit.now_ms));
  }
  await deps.pause?.();
  const body = copyOf((use) => deps.renderNearby(result, use));
  const records = toRecords(body, audit, { intent, termsOf: deps.termsOf });
  const retained = toStored(deps, who.caller, { ...records, entity_count: result.objects });
  const observation = Buffer.from(
    JSON.stringify(toObservation(request, audit, retained, deps.termsOf)),
  );
  const stored = await deps.datasets.put({
    id: retained.id,
    version: retained.version,
    created_at_ms: retained.created_at_ms,
    expires_at_ms: retained.expires_at_ms,
    ...datasetBoundsOf(who.caller, { ...deps, secret: deps.datasets.secret }),
    observation,
    body: records.bytes,
    ...(who.repeat_key && { repeat_key: who.repeat_key }),
  });
  if (stored !== "stored") return refusePut(stored, who.caller, deps);
  if (who.caller.kind === "anonymous")
    await deps.datasets.keepOn(retained.id, firstLifeOf(retained.created_at_ms, deps.anonymous));
  const isVoid = isPartial(audit.coverage) && result.objects === 0;
  return { kind: "ok", observation, free: isVoid };
}

/** The first page, as JSON, without diagnostics. */
const DEFAULTS = defaultsOf(NEARBY_PARAMETERS);
/** Of a UUID of version 7. */
const RANDOM_BYTES = 10;

function failed(observation: ErrorObservation): ObservationReply {
  return { kind: "ok", observation: Buffer.from(JSON.stringify(observation)), free: true };
}

function toStored(
  { datasets, clock, hash, random, retention_ms }: SearchDeps,
  caller: Caller,
  { bytes, content, entity_count }: { bytes: Uint8Array; content: unknown; entity_count: number },
): Kept {
  const now_ms = clock.now();
  const issue = { secret: datasets.secret, now_ms, random: random(RANDOM_BYTES) };
  return {
    id: newDatasetId(datasetOwnerOf(caller), issue),
    version: versionOf(content, hash),
    digest: Buffer.from(hash(bytes)).toString("hex"),
    created_at_ms: now_ms,
    expires_at_ms: now_ms + retention_ms[caller.kind],
    entity_count,
  };
}
