/**
 * The closed list of error codes: their HTTP statuses and when they are given (§7 and decisions,
 * Errors). The row of an operation in operations.ts lists those it may emit.
 */
export type ErrorRow = {
  /** More than one where the operation's documented statuses decide (402 or 429, 429 or 503). */
  statuses: readonly number[];
  when: string;
  /** What the caller does then, as one sentence or two. */
  remedy: string;
  /** An example of the message a caller may see. */
  example: string;
  /** `Retry-After` goes with it. */
  retry?: true;
};

export const ERRORS = {
  invalid_request: {
    statuses: [400],
    when: "A parameter is missing, ill-typed, out of range, repeated or names an unknown value.",
    remedy: "Correct the parameter that the message names; the same request fails again.",
    example: "radius must be a number >= 1 (metres)",
  },
  invalid_json: {
    statuses: [400],
    when: "The body is not JSON in UTF-8, or an object in it has a member twice.",
    remedy: "Send one JSON object in UTF-8, each member once.",
    example: "the body must be JSON",
  },
  unexpected_member: {
    statuses: [400],
    when: "The body has a member that the contract does not list.",
    remedy: "Remove or rename the member; the message may suggest a name.",
    example: "request.args.radios: unexpected member, did you mean radius?",
  },
  unsupported_contract_version: {
    statuses: [400],
    when: "contract_version is another than 1.0.0.",
    remedy: "Send contract_version 1.0.0.",
    example: "contract_version must be 1.0.0",
  },
  unknown_capability: {
    statuses: [400],
    when: "request.capability names none of the capabilities.",
    remedy: "Use one of the capabilities that the message lists.",
    example: "request.capability must be one of search_mobility, read_dataset",
  },
  unsupported_media_type: {
    statuses: [400],
    when: "The body is not declared as application/json in UTF-8, or is compressed.",
    remedy: "Send Content-Type: application/json and no Content-Encoding.",
    example: "the request needs Content-Type: application/json",
  },
  body_too_large: {
    statuses: [400],
    when: "The body is larger than 64 KiB.",
    remedy: "Send less than 64 KiB.",
    example: "the body must be at most 65536 bytes",
  },
  conflicting_credentials: {
    statuses: [400],
    when: "The Authorization header and the parameter token carry different credentials.",
    remedy: "Send the Authorization header alone.",
    example: "the Authorization header and the parameter token differ; send one of them",
  },
  invalid_api_key: {
    statuses: [401],
    when: "A credential is presented and is malformed, unknown or revoked. There is no silent fall-back to anonymous.",
    remedy:
      "Check the key for missing characters, or ask the operator for a new one. Without a key the request is anonymous.",
    example: "the API key is not valid",
  },
  missing_token: {
    statuses: [401],
    when: "A legacy route that needs an account's token was asked without one.",
    remedy: "Send a key: Authorization: Bearer <API_KEY>.",
    example: "the parameter token is required here",
  },
  expired_api_key: {
    statuses: [401],
    when: "The key's expiry has passed.",
    remedy: "Replace the key; the operator can rotate it with an overlap.",
    example: "the API key has expired",
  },
  unknown_station: {
    statuses: [404],
    when: "No station of this deployment has the id, or none has it any longer.",
    remedy: "Search again with GET /v1/departures/nearby and use an id of that answer.",
    example: "no station has this id; ask GET /v1/departures/nearby again",
  },
  unknown_place: {
    statuses: [404],
    when: "Nothing has the id, or nothing any longer, at the point that was given.",
    remedy: "Search again with GET /v1/nearby and use an id of that answer.",
    example: "nothing has this id here; ask GET /v1/nearby again",
  },
  unknown_system: {
    statuses: [404],
    when: "No system of this deployment has the id, its terms do not let it be handed on, or it has no such file.",
    remedy: "Use a system of GET /gbfs/v3/manifest.json and a file that its gbfs.json lists.",
    example: "no system that is published has this id; see /gbfs/v3/manifest.json",
  },
  unknown_source: {
    statuses: [404],
    when: "No source of this deployment has the id.",
    remedy: "Use an id that GET /v1/sources lists.",
    example: "no source has this id; GET /v1/sources lists them",
  },
  quota_exhausted: {
    statuses: [402, 429],
    when: "402: a key's units are used up, where 402 is documented. 429: the anonymous daily allowance is used up, of an address or of the block around it; a key's units elsewhere; or no more datasets may be stored.",
    remedy:
      "Wait for as long as Retry-After says, or move to a plan with more units; GET /v1/me shows what is left.",
    example: "the units of this period are used up",
    retry: true,
  },
  subscription_inactive: {
    statuses: [402],
    when: "The plan of the key's account has lapsed.",
    remedy: "The account holder renews the plan; until then call anonymously.",
    example: "the plan of this account has lapsed",
    retry: true,
  },
  insufficient_scope: {
    statuses: [403],
    when: "The key lacks the scope that the operation requires.",
    remedy: "Use a key with the scope that the message names.",
    example: "the API key lacks the scope data:read",
  },
  plan_not_allowed: {
    statuses: [403],
    when: "The caller's plan does not include what was asked.",
    remedy: "Stay within the limit that the message names, or change the plan.",
    example: "offset must be <= 1000 on the plan free",
  },
  account_suspended: {
    statuses: [403],
    when: "The key's account is suspended.",
    remedy: "Contact the operator; asking again changes nothing.",
    example: "the account of this API key is suspended",
  },
  forbidden_origin: {
    statuses: [403],
    when: "/mcp alone: the page that sent the request, or the name it used for this host, is not one that may.",
    remedy:
      "The operator adds the origin or the host to the configuration (mcp.origins, mcp.hosts).",
    example: "this server does not answer pages of that origin",
  },
  not_found: {
    statuses: [404],
    when: "No route has this path, or the changelog is not published.",
    remedy: "Check the path against /openapi.json.",
    example: "no route has this path; see /openapi.json",
  },
  unknown_provider: {
    statuses: [404],
    when: "No loaded system is of this brand; the message lists those that are known.",
    remedy: "Use one of the brands that the message lists.",
    example: "no such provider; known are bird, dott, lime",
  },
  dataset_not_found: {
    statuses: [404],
    when: "The dataset was never issued, is another account's, or never had this version.",
    remedy:
      "Use id and version exactly as an observation gave them, with the key that made the search.",
    example: "there is no such dataset for this caller",
  },
  dataset_gone: {
    statuses: [410],
    when: "The dataset was issued, and its retention has ended.",
    remedy: "Search again: POST /v1/capabilities makes a new dataset.",
    example: "the retention of this dataset has ended",
  },
  method_not_allowed: {
    statuses: [405],
    when: "The path is known, the method is not; Allow lists the methods.",
    remedy: "Use one of the methods in Allow.",
    example: "this path answers GET, HEAD, OPTIONS",
  },
  request_timeout: {
    statuses: [408],
    when: "The request was not received completely in time.",
    remedy: "Send the request again, in one piece.",
    example: "the request was not received in time",
  },
  uri_too_long: {
    statuses: [414],
    when: "The request target is longer than 8 KiB.",
    remedy: "Shorten the query, such as its lists.",
    example: "the request target must be at most 8192 bytes",
  },
  headers_too_large: {
    statuses: [431],
    when: "The request line and headers are larger than 16 KiB.",
    remedy: "Send fewer or shorter headers, such as cookies.",
    example: "the request headers must be at most 16384 bytes",
  },
  rate_limited: {
    statuses: [429],
    when: "Too many requests in a short time; an answer that takes long counts as one more for each whole 2 ms of work.",
    remedy: "Wait for as long as Retry-After says, and keep to the rate in RateLimit-Policy.",
    example: "more than 5 requests a second on the plan free",
    retry: true,
  },
  overloaded: {
    statuses: [429, 503],
    when: "The service sheds load or is shutting down: 503 where that is documented, else 429.",
    remedy: "Wait for as long as Retry-After says, then send the request again.",
    example: "the service is busy; try again shortly",
    retry: true,
  },
  shutting_down: {
    statuses: [503],
    when: "This instance is going away; another one answers.",
    remedy: "Send the request again after Retry-After; another instance answers.",
    example: "this instance is shutting down; try again",
    retry: true,
  },
  provider_bad_response: {
    statuses: [502],
    when: "The provider refused our credential, failed, or answered nonsense; the message says which.",
    remedy: "Send the request again in a moment; if it fails for long, the operator has to act.",
    example: "Open-Meteo is unreadable: its answer is not JSON; ask again in a moment",
  },
  provider_unavailable: {
    statuses: [503],
    when: "No provider is configured, it cannot be reached, or it takes no requests at the moment.",
    remedy:
      "Send the request again after Retry-After; if none is configured, the operator has to act.",
    example: "Open-Meteo is unreachable: the connection was refused; ask again in a moment",
    retry: true,
  },
  provider_timeout: {
    statuses: [504],
    when: "The provider did not answer within the deadline.",
    remedy: "Send the request again in a moment.",
    example:
      "Open-Meteo is too slow: it did not answer within its time limit; ask again in a moment",
  },
  store_unavailable: {
    statuses: [503],
    when: "A store that the answer needs (keys, usage, datasets) cannot be reached, takes no writes, or has no room. It is 503 on every operation, also where none is documented.",
    remedy: "Wait for as long as Retry-After says, then send the request again.",
    example: "the key store cannot be reached; try again",
    retry: true,
  },
  internal: {
    statuses: [500],
    when: "A defect of the service. No operation documents it.",
    remedy: "Report it to the operator with the x-request-id of the response.",
    example: "internal error",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export function errorRow(code: ErrorCode): ErrorRow {
  return ERRORS[code];
}
