/**
 * POST /mcp: the tools of agent-tools.ts over the Model Context Protocol. It carries other
 * operations and is none itself: its bodies are JSON-RPC, so /openapi.json does not describe it.
 */
import { Type } from "typebox";
import { listOperations } from "./operations.ts";
import { CREDENTIAL_401, type Operation } from "./operation.ts";

const AnyObject = Type.Object({}, { additionalProperties: true });

export const MCP_OPERATION = {
  id: "callMcp",
  method: "POST",
  path: "/mcp",
  tag: "Capabilities",
  summary: "Tools for agents",
  description: "Model Context Protocol, streamable HTTP without sessions.",
  parameters: {},
  body: { schema: AnyObject, examples: {} },
  success: {
    description: "A JSON-RPC message.",
    content: { "application/json": { schema: AnyObject, examples: {} } },
  },
  errors: {
    400: ["invalid_request", "unsupported_media_type", "body_too_large", "invalid_json"],
    401: CREDENTIAL_401,
    403: ["forbidden_origin"],
    429: ["rate_limited"],
    503: ["overloaded", "shutting_down", "store_unavailable"],
  },
  auth: "optional",
  scope: [],
  units: "0; a tool costs what its operation costs",
  caching: "no-store",
  licence_link: true,
  addition: true,
} as const satisfies Operation;

/** What the public listener answers: the operations, and what carries them. */
export function listRoutes(): readonly Operation[] {
  return [...listOperations(), MCP_OPERATION];
}
