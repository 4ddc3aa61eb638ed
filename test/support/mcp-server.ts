/** A public server over tools that answer at once, on which every key is one caller. */
import type { KeyedCaller } from "#app/access/request-caller.ts";
import type { GateDeps } from "#http/gate.ts";
import { type Call, call } from "./call.ts";
import { ringOf } from "./gate.ts";
import { createStubTools, type StubStations } from "./mcp-stub.ts";
import { RPC_HEADERS, toRpc } from "./mcp.ts";
import { FREE, stubServer } from "./server.ts";

/** A caller with a plan of two units. */
export const MCP_CALLER: KeyedCaller = {
  kind: "keyed",
  key_id: "key_1",
  account_id: "acc_1",
  standing: "active",
  plan: { ...FREE, name: "tiny", units: 2, period: "month" },
  scopes: ["data:read", "geography:read"],
};

/** A server on which every key is this caller. */
export function openMcpServer(
  caller: Partial<KeyedCaller> = {},
  gate: Partial<GateDeps> = {},
  stations?: StubStations,
) {
  const verdict = { ok: true as const, caller: { ...MCP_CALLER, ...caller } };
  const tools = createStubTools(stations);
  const server = stubServer({
    mcp: tools.answer,
    gate: { enforced: true, keyring: ringOf(verdict), ...gate },
  });
  const ask = async (method: string, params?: object, more: Partial<Call> = {}) => {
    const headers = { ...RPC_HEADERS, authorization: "Bearer any", ...more.headers };
    const payload = more.payload ?? toRpc(method, params);
    return call(server.app, { url: "/mcp", method: "POST", ...more, headers, payload });
  };
  return { ...server, ...tools, ask };
}

const VERSION = "2026-07-28";
const NAMED = "io.modelcontextprotocol";

/** Parameters and headers of a message of the stateless revision. */
export function toStateless(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  version: string = VERSION,
): { params: object; headers: Record<string, string> } {
  const meta = {
    [`${NAMED}/protocolVersion`]: version,
    [`${NAMED}/clientInfo`]: { name: "tests", version: "1" },
    [`${NAMED}/clientCapabilities`]: {},
  };
  const name = params["name"] ?? params["uri"];
  const match = typeof name === "string" ? { "mcp-name": name } : {};
  return {
    params: { ...params, _meta: meta },
    headers: { "mcp-protocol-version": version, "mcp-method": method, ...match },
  };
}
