/** Report of an execution (§4.8; decisions, Capabilities): an observation, or an error. */
import { CONTRACT_VERSION } from "#api/capabilities.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { CapabilityRequest, SearchArgs } from "#core/capabilities/capability-request.ts";
import { adviseOn, OPERATOR_ALONE, sayRefusal } from "#core/failure-words.ts";
import { toRfc3339 } from "#kit/time.ts";
import type { Audit, AuditedSource } from "#app/audit.ts";

/** Publisher of a source, and its terms. */
export type SourceTerms = {
  provider: string;
  licence: string | null;
  attribution: string | null;
  /** What of its content may be kept (providers/provider, Terms). */
  store: "all" | "ids" | "none";
};
export type TermsOf = (source_id: string) => SourceTerms;

/** Facts that an observation reports of the stored dataset. */
export type Kept = {
  id: string;
  version: string;
  /** SHA-256 of the body's bytes, hexadecimal. */
  digest: string;
  created_at_ms: number;
  expires_at_ms: number;
  entity_count: number;
};

type Result = ReplyAt<"/v1/capabilities">["observation"];
export type ErrorObservation = Extract<Result, { status: "error" }>;
type Whole = Exclude<Result, ErrorObservation>;
type Stored = Extract<Whole["provenance"][number], { kind: "svc_internal" }>;
type Provided = Exclude<Whole["provenance"][number], Stored>;
/** What was asked, as it was applied; null where it was left open. */
export type AppliedSearch = ReturnType<typeof toApplied>;
export type Observation = Omit<Whole, "query_parameters" | "provenance"> & {
  query_parameters: AppliedSearch;
  provenance: readonly [Stored, ...Provided[]];
};

export type SearchRequest = { args: SearchArgs; policy: CapabilityRequest["freshness_policy"] };

export function toObservation(
  request: SearchRequest,
  audit: Audit,
  stored: Kept,
  termsOf: TermsOf,
): Observation {
  const isNothing = stored.entity_count === 0 && audit.sources.length === 0;
  return {
    dataset_id: stored.id,
    scope: "mobility.nearby",
    query_parameters: toApplied(request, audit.applied),
    // No source was asked, and nothing was found: nothing was received.
    received_at: isNothing ? null : new Date(audit.now_ms).toISOString(),
    provenance: [
      toStored(stored),
      ...audit.sources.map((source) => toProvided(source, termsOf(source.source_id))),
    ],
    freshness: audit.freshness,
  };
}

/** Returns what was asked, with what of it was applied. */
export function toApplied(
  { args, policy }: SearchRequest,
  applied: { radius: number; limit: number },
) {
  const { lat, lon, radius, modes, include, limit, intent = null, language = null } = args;
  const { min_vehicles, min_docks, propulsion = null } = args;
  const { form_factors = null, operators = null, strict } = args;
  return {
    lat,
    lon,
    radius: applied.radius,
    requested_radius: radius,
    modes,
    include,
    limit: applied.limit,
    requested_limit: limit,
    intent,
    min_vehicles,
    min_docks,
    propulsion,
    form_factors,
    operators,
    strict,
    language,
    freshness_policy: policy,
  };
}

function toStored(stored: Kept): Stored {
  return {
    kind: "svc_internal",
    dataset_id: stored.id,
    version: stored.version,
    content_digest: `sha-256:${stored.digest}`,
    created_at: new Date(stored.created_at_ms).toISOString(),
    expires_at: new Date(stored.expires_at_ms).toISOString(),
    entity_count: stored.entity_count,
    href: hrefOf(stored),
  };
}

function hrefOf({ id, version }: Pick<Kept, "id" | "version">): string {
  return `/v1/datasets/${id}/${version}`;
}

function toProvided(source: AuditedSource, terms: SourceTerms): Provided {
  const { fetched_at_ms, feed_updated_at_s } = source;
  return {
    kind: "provider",
    source_id: source.source_id,
    provider: terms.provider,
    network_ids: source.network_ids,
    fetched_at: fetched_at_ms === null ? null : toRfc3339(fetched_at_ms / 1000),
    feed_updated_at: feed_updated_at_s === null ? null : toRfc3339(feed_updated_at_s),
    ttl_s: source.ttl_s,
    status: source.status,
    entity_count: source.entity_count,
    license: terms.licence,
    attribution: terms.attribution,
  };
}

export type FailedSearch = ErrorObservation["errors"][number];

/** §7 rule 5: an execution that was accepted and failed. */
export function toErrorObservation(
  query: AppliedSearch | null,
  errors: readonly FailedSearch[],
  now_ms: number,
): ErrorObservation {
  const delivered_at = new Date(now_ms).toISOString();
  return { contract_version: CONTRACT_VERSION, status: "error", query, delivered_at, errors };
}

/** More say nothing new, and an agent reads them all. */
const MOST_ERRORS = 20;

/** Returns why there is nothing to report; null: there is, even if only that nothing is there. */
export function findFailure(audit: Audit, objects: number): FailedSearch[] | null {
  const { sources, coverage, stored, unsurveyed } = audit;
  if (coverage.status === "success" || objects > 0 || stored) return null;
  if (sources.length === 0 && unsurveyed === 0) return [NO_SOURCES];
  if (sources.length === 0) return [NOT_SURVEYED];
  if (sources.some(({ status }) => status === "ok")) return null;
  const isLate = sources.every(({ status }) => status === "timeout");
  const code = isLate ? "deadline_exceeded" : "all_sources_failed";
  return sources.slice(0, MOST_ERRORS).flatMap(({ source_id, name, status, reason }) => {
    if (status === "ok") return [];
    const failure = { status, reason: reason ?? "unexpected" };
    const retryable = adviseOn(failure) !== OPERATOR_ALONE;
    return [
      { code, source_id, retryable, retry_after_s: null, message: sayRefusal(name, failure) },
    ];
  });
}

export const NO_SOURCES: FailedSearch = {
  code: "no_sources_in_area",
  message: "no source covers this point; asking again changes nothing",
  source_id: null,
  retryable: false,
  retry_after_s: null,
};
const NOT_SURVEYED: FailedSearch = {
  code: "all_sources_failed",
  message: "the systems of this area have not been surveyed yet; ask again in a moment",
  source_id: null,
  retryable: true,
  retry_after_s: 10,
};
export const INTERNAL_FAILURE: FailedSearch = {
  code: "internal",
  message: "an internal error occurred",
  source_id: null,
  retryable: true,
  retry_after_s: null,
};
/** Of a retry whose deadline passes before the first one is answered. */
export const UNDER_WAY: FailedSearch = {
  code: "deadline_exceeded",
  message: "an equal request is still being executed; ask again in a moment",
  source_id: null,
  retryable: true,
  retry_after_s: 1,
};
