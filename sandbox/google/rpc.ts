// google.rpc errors as the Places API sends them (places.md 1.5).
import { answerJson, type Reply } from "../http.ts";
import { API_KEY } from "./keys.ts";

const CODES = {
  INVALID_ARGUMENT: 400,
  PERMISSION_DENIED: 403,
  RESOURCE_EXHAUSTED: 429,
} as const;

type RpcStatus = keyof typeof CODES;
type Extra = { readonly reason?: string; readonly field?: string };

export function rpcError(status: RpcStatus, message: string, extra: Extra = {}): Reply {
  const code = CODES[status];
  const details = [...toErrorInfo(extra), ...toBadRequest(extra, message)];
  const error = { code, message, status, ...(details.length === 0 ? {} : { details }) };
  return answerJson(code, { error });
}

const toErrorInfo = ({ reason }: Extra): unknown[] =>
  reason === undefined
    ? []
    : [
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason,
          domain: "googleapis.com",
          metadata: { service: "places.googleapis.com" },
        },
      ];

const toBadRequest = ({ field }: Extra, description: string): unknown[] =>
  field === undefined
    ? []
    : [
        {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field, description }],
        },
      ];

/** Null: the key is good. */
export function refuseKey(key: string | null): Reply | null {
  switch (key) {
    case API_KEY:
      return null;
    case null:
    case "":
      return rpcError(
        "PERMISSION_DENIED",
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      );
    case `${API_KEY}-disabled`:
      return rpcError("PERMISSION_DENIED", "Places API (New) has not been used or is disabled.", {
        reason: "SERVICE_DISABLED",
      });
    case `${API_KEY}-over-quota`:
      return rpcError(
        "RESOURCE_EXHAUSTED",
        "Quota exceeded for quota metric 'SearchNearbyRequest'.",
        {
          reason: "RATE_LIMIT_EXCEEDED",
        },
      );
    default:
      return rpcError("INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", {
        reason: "API_KEY_INVALID",
      });
  }
}
