/**
 * What a client of a protected resource may read of it before it has a credential (RFC 9728). Keys
 * come from the operator of a deployment, so no authorization server is named.
 */
import { MCP_OPERATION } from "#api/mcp-operation.ts";
import { listOperations } from "#api/operations.ts";
import { type Exchange, sendRaw } from "./exchange.ts";
import { JSON_TYPE } from "./headers.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Paths of the metadata, with the path of the resource that each is about (RFC 9728 3.1). */
export const RESOURCES: Readonly<Record<string, string>> = {
  [WELL_KNOWN]: "",
  [MCP_OPERATION.resource_metadata]: MCP_OPERATION.path,
};

const SCOPES = [...new Set(listOperations().flatMap(({ scope }) => scope))].sort();

/** Documentation that every deployment has, whether or not it has pages. */
export const LLMS_PATH = "/llms.txt";

export function sendProtectedResource(exchange: Exchange, path: string, origin: string): void {
  const metadata = {
    resource: `${origin}${RESOURCES[path] ?? ""}`,
    resource_name: "Vicinity",
    resource_documentation: `${origin}${LLMS_PATH}`,
    bearer_methods_supported: ["header"],
    scopes_supported: SCOPES,
  };
  // It repeats the caller's own host, so a cache must not keep it.
  const headers = ["content-type", JSON_TYPE, "cache-control", "no-store"];
  sendRaw(exchange, { status: 200, headers, body: JSON.stringify(metadata) });
}
