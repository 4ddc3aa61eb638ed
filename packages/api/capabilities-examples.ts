/** Examples of §4.8, checked against their schemas by the tests. */

const CORRELATION = {
  conversation_id: "c-81",
  interaction_id: "i-3",
  request_id: "r-17",
  parent_request_id: null,
  turn_id: 4,
};
const ID = "nearby_agpkz6x4n5y6bk3x7q2m5o4h6u3d2c5j7i4w2yq";
const VERSION = "1-mfrggzdfmztwq2lknnwg23tpo4";

export const SEARCH_REQUEST_EXAMPLE = {
  contract_version: "1.0.0",
  correlation: CORRELATION,
  request: {
    capability: "search_mobility",
    args: { lat: 48.8566, lon: 2.3522, radius: 250, modes: ["bicycle"], intent: "pickup" },
  },
  freshness_policy: "accept_valid_cache",
};

export const READ_REQUEST_EXAMPLE = {
  contract_version: "1.0.0",
  correlation: { ...CORRELATION, request_id: "r-18", parent_request_id: "r-17" },
  request: { capability: "read_dataset", args: { id: ID, version: VERSION } },
  freshness_policy: null,
};

export const RESULT_EXAMPLE = {
  contract_version: "1.0.0",
  correlation: CORRELATION,
  observation: {
    dataset_id: ID,
    scope: "mobility.nearby",
    query_parameters: {
      lat: 48.8566,
      lon: 2.3522,
      radius: 250,
      requested_radius: 250,
      modes: ["bicycle"],
      include: ["stations", "vehicles"],
      limit: 100,
      requested_limit: 100,
      intent: "pickup",
      language: null,
      freshness_policy: "accept_valid_cache",
    },
    received_at: "2026-11-21T09:30:00.412Z",
    provenance: [
      {
        kind: "svc_internal",
        dataset_id: ID,
        version: VERSION,
        content_digest: `sha-256:${"3f".repeat(32)}`,
        created_at: "2026-11-21T09:30:00.412Z",
        expires_at: "2026-11-22T09:30:00.412Z",
        entity_count: 7,
        href: `/v1/datasets/${ID}/${VERSION}`,
      },
      {
        kind: "provider",
        source_id: "velib_metropole",
        provider: "gbfs",
        network_ids: ["velib_metropole"],
        fetched_at: "2026-11-21T09:29:31Z",
        feed_updated_at: "2026-11-21T09:29:12Z",
        ttl_s: 60,
        status: "ok",
        entity_count: 7,
        license: "Licence Ouverte 2.0",
        attribution: null,
      },
    ],
    freshness: { fresh: 7, stale: 0, unknown: 0, realtime_reliable: true },
  },
};

export const ERROR_OBSERVATION_EXAMPLE = {
  contract_version: "1.0.0",
  correlation: CORRELATION,
  observation: {
    contract_version: "1.0.0",
    status: "error",
    query: { lat: 48.8566, lon: 2.3522, radius: 250 },
    delivered_at: "2026-11-21T09:30:05.002Z",
    errors: [
      {
        code: "deadline_exceeded",
        message: "velib_metropole did not answer in time",
        source_id: "velib_metropole",
        retryable: true,
        retry_after_s: null,
      },
    ],
  },
};
