/** The rows of §4.8 in the table of operations, and of the records behind an observation. */
import {
  CAPABILITIES_PARAMETERS,
  CapabilityRequestBody,
  CapabilityResult,
  DATASET_PARAMETERS,
  FREE_CAPABILITIES,
  PAID_CAPABILITIES,
} from "./capabilities.ts";
import {
  ERROR_OBSERVATION_EXAMPLE,
  READ_REQUEST_EXAMPLE,
  RESULT_EXAMPLE,
  SEARCH_REQUEST_EXAMPLE,
} from "./capabilities-examples.ts";
import { NEARBY_EXAMPLE } from "./examples.ts";
import { NearbyBody } from "./nearby.ts";
import { CREDENTIAL_401, FREE, type Operation } from "./operation.ts";

const SHARED = { tag: "Capabilities", auth: "optional", scope: ["data:read"] } as const;

/** §7: documented for /v1/capabilities, and 401 and 403 since it accepts credentials (decisions, Errors). */
const DATASET_ERRORS = {
  401: CREDENTIAL_401,
  403: ["insufficient_scope", "plan_not_allowed", "account_suspended"],
  404: ["dataset_not_found"],
  410: ["dataset_gone"],
  429: ["rate_limited", "quota_exhausted"],
  503: ["overloaded", "shutting_down", "store_unavailable"],
} as const;

export const CAPABILITIES_OPERATIONS = [
  {
    ...SHARED,
    id: "executeCapability",
    method: "POST",
    path: "/v1/capabilities",
    summary: "Search mobility, or read what was found before",
    description:
      "For agents: `search_mobility` asks what GET /v1/nearby asks and keeps the answer as a dataset that never changes; `read_dataset` gives the same observation again without asking any source. The body is strict: members that are not listed are refused by name. An execution that fails is an error observation in a 200.",
    parameters: CAPABILITIES_PARAMETERS,
    body: {
      schema: CapabilityRequestBody,
      examples: { search_mobility: SEARCH_REQUEST_EXAMPLE, read_dataset: READ_REQUEST_EXAMPLE },
    },
    success: {
      description: "What came of it.",
      content: {
        "application/json": {
          schema: CapabilityResult,
          examples: { observation: RESULT_EXAMPLE, error: ERROR_OBSERVATION_EXAMPLE },
        },
      },
    },
    errors: {
      400: [
        ...(["invalid_request", "invalid_json", "unexpected_member"] as const),
        ...(["unsupported_contract_version", "unknown_capability"] as const),
        ...(["unsupported_media_type", "body_too_large", "conflicting_credentials"] as const),
      ],
      ...DATASET_ERRORS,
    },
    charge: { per: "execution", units: 2, paid: PAID_CAPABILITIES, free: FREE_CAPABILITIES },
    deadline: { name: "capabilities", default_ms: 5_000 },
    caching: "no-store",
    licence_link: true,
  },
  {
    ...SHARED,
    id: "readDataset",
    method: "GET",
    path: "/v1/datasets/{id}/{version}",
    summary: "The records of a stored observation",
    description:
      "The answer of GET /v1/nearby that a `search_mobility` found, byte for byte as it was stored. Of a source whose terms forbid storing, ids alone are kept. It never changes; `If-None-Match` is answered with 304.",
    parameters: DATASET_PARAMETERS,
    success: {
      description: "The stored answer.",
      content: { "application/json": { schema: NearbyBody, examples: { stored: NEARBY_EXAMPLE } } },
    },
    conditional: true,
    errors: { 400: ["invalid_request", "conflicting_credentials"], ...DATASET_ERRORS },
    charge: FREE,
    deadline: null,
    caching: "Until the retention ends; anonymous ones `public`, an account's `private`.",
    licence_link: true,
    addition: true,
  },
] as const satisfies readonly Operation[];
