/**
 * POST /mcp: the tools of agent-tools.ts over the Model Context Protocol. It carries other
 * operations and is none itself: its bodies are JSON-RPC, so /openapi.json does not describe it.
 */
import { Type } from "typebox";
import { booleanParameter, optionalChoiceParameter } from "./primitives.ts";
import { listOperations, type OperationId, type OperationOf } from "./operations.ts";
import { CREDENTIAL_401, FREE, type Operation } from "./operation.ts";

const AnyObject = Type.Object({}, { additionalProperties: true });

/** Which tools a host is offered (docs/agents.md, The set). */
export const TOOL_SETS = ["essential", "whole"] as const;
export type ToolSet = (typeof TOOL_SETS)[number];

export const MCP_OPERATION = {
  id: "callMcp",
  method: "POST",
  path: "/mcp",
  also: ["/mcp/"],
  resource_metadata: "/.well-known/oauth-protected-resource/mcp",
  tag: "Capabilities",
  summary: "Tools for agents",
  description: "Model Context Protocol, streamable HTTP without sessions.",
  parameters: {
    tools: optionalChoiceParameter({
      choices: TOOL_SETS,
      description:
        "Tools that are listed and can be called: the five essential ones, or all. Left out, the setting `mcp.tools` decides.",
      example: "essential",
    }),
    output_schemas: booleanParameter("Whether the list of tools has the schemas of answers."),
  },
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
  /** A tool costs what its operation costs, and has that one's deadline. */
  charge: FREE,
  deadline: null,
  caching: "no-store",
  licence_link: true,
  addition: true,
} as const satisfies Operation;

/** Every revision of the protocol that is served, the newest first. */
export const MCP_REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;

export type RouteId = OperationId | typeof MCP_OPERATION.id;
export type RouteOf<Id extends RouteId> = Id extends OperationId
  ? OperationOf<Id>
  : typeof MCP_OPERATION;

/** Lists the routes of the public listener: the operations, and what carries them. */
export function listRoutes(): readonly Operation[] {
  return [...listOperations(), MCP_OPERATION];
}
