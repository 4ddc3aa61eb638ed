/**
 * The Model Context Protocol over streamable HTTP, without sessions (docs/agents.md): the official
 * library reads and writes messages of every revision, one server object a message; what tools do
 * is ours. Answers are JSON, since nothing is sent before the answer.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { AnswerMcp, McpMessage, McpReply } from "#app/mcp.ts";
import type { AgentToolName } from "#contract/agent-tools.ts";
import { type CallDeps, createCallTool } from "./call.ts";
import { createReadResource } from "./resources.ts";
import { buildMcpServer, type McpServerDeps } from "./server.ts";
import type { RunTool, ToolDeps } from "./tool.ts";
import { createReadDatasetTool, createSearchNearby } from "./tools/nearby.ts";
import {
  createFindServices,
  createFindStations,
  createGeocode,
  createReverseGeocode,
} from "./tools/places.ts";

export type McpDeps = ToolDeps &
  Pick<CallDeps, "deadlines_ms"> &
  Pick<McpServerDeps, "version" | "onFault">;

export function createMcp(deps: McpDeps): AnswerMcp {
  const offer: McpServerDeps = {
    call: createCallTool({ ...deps, tools: createTools(deps) }),
    readResource: createReadResource(deps),
    version: deps.version,
    onFault: deps.onFault,
  };
  return async (message, passage) => {
    const request = toRequest(message);
    const openServer = (): Server => buildMcpServer(offer, passage);
    return (await isLegacyRequest(request))
      ? answerHandshake(request, openServer)
      : answerStateless(request, openServer);
  };
}

/** Which function answers which tool of contract/agent-tools. */
function createTools(deps: ToolDeps): Record<AgentToolName, RunTool<never>> {
  return {
    search_mobility_nearby: createSearchNearby(deps),
    find_urban_services: createFindServices(deps),
    find_transit_stations: createFindStations(deps),
    geocode: createGeocode(deps),
    reverse_geocode: createReverseGeocode(deps),
    read_dataset: createReadDatasetTool(deps),
  };
}

const ADDRESS = "http://localhost/mcp";

/** The host plays no part any more: who may ask has been judged. */
function toRequest({ headers, text }: McpMessage): Request {
  return new Request(ADDRESS, { method: "POST", headers, body: text });
}

async function toReply(response: Response): Promise<McpReply> {
  return { status: response.status, body: await response.text() };
}

/**
 * Revisions that begin with `initialize`: each message is answered independently of earlier ones.
 */
async function answerHandshake(request: Request, openServer: () => Server): Promise<McpReply> {
  const server = openServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const reply = await toReply(await transport.handleRequest(request));
  await server.close();
  return reply;
}

/** Revisions whose every message says what it needs. There is nothing to subscribe to. */
async function answerStateless(request: Request, openServer: () => Server): Promise<McpReply> {
  const limits = { legacy: "reject", maxSubscriptions: 0, keepAliveMs: 0 } as const;
  const handler = createMcpHandler(openServer, limits);
  const reply = await toReply(await handler.fetch(request));
  await handler.close();
  return reply;
}
