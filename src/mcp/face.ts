/**
 * The Model Context Protocol over streamable HTTP, without sessions (docs/agents.md): the official
 * library reads and writes messages of every revision, one server object a message; what tools do
 * is ours. Answers are JSON, since nothing is told before the answer.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Passage } from "#app/access/passage.ts";
import type { AnswerMcp, McpMessage, McpReply } from "#app/mcp.ts";
import { AGENT_TOOLS, type AgentTool, DATASET_RESOURCE } from "#contract/agent-tools.ts";
import type { ReadDataset } from "#app/capabilities/read.ts";
import type { Clock } from "#ports.ts";
import { toInputSchema } from "./arguments.ts";
import { type CallTool, createCallTool } from "./call.ts";
import { createReadResource, type ReadResource } from "./resources.ts";
import { toOutputSchema } from "./schema.ts";
import type { ToolDeps } from "./tool.ts";
import { createTools } from "./tools.ts";

export type McpDeps = ToolDeps & {
  read: ReadDataset;
  version: string;
  onFault(error: Error): void;
};

/** 2025-03-26 would oblige us to take several messages in one request, which its limits could not count. */
const HANDSHAKE_VERSIONS = ["2025-11-25", "2025-06-18"];
const STATELESS_VERSIONS = ["2026-07-28"];

const LISTS_TTL_MS = 3_600_000;
const LISTS = { ttlMs: LISTS_TTL_MS, cacheScope: "public" } as const;

export function createMcp(deps: McpDeps): AnswerMcp {
  const parts: Parts = {
    call: createCallTool({ tools: createTools(deps), clock: deps.clock }),
    readResource: createReadResource(deps),
    version: deps.version,
  };
  return async (message, passage) => {
    const request = toRequest(message);
    const openServer = () => buildServer(parts, passage);
    const isHandshake = await isLegacyRequest(request);
    const reply = isHandshake
      ? await answerHandshake(request, openServer)
      : await answerStateless(request, openServer, deps.onFault);
    return toReply(reply);
  };
}

type Parts = { call: CallTool; readResource: ReadResource; version: string };

const ADDRESS = "http://localhost/mcp";

/** The host plays no part any more: who may ask has been judged. */
function toRequest({ headers, text }: McpMessage): Request {
  return new Request(ADDRESS, { method: "POST", headers, body: text });
}

async function toReply(response: Response): Promise<McpReply> {
  return { status: response.status, body: await response.text() };
}

/** Revisions that begin with `initialize`: each message stands alone, whatever came before. */
async function answerHandshake(request: Request, openServer: () => Server): Promise<Response> {
  const server = openServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request);
  await server.close();
  return response;
}

/** Revisions whose every message says what it needs. There is nothing to subscribe to. */
async function answerStateless(
  request: Request,
  openServer: () => Server,
  onFault: McpDeps["onFault"],
): Promise<Response> {
  const handler = createMcpHandler(openServer, {
    ...{ legacy: "reject", maxSubscriptions: 0, keepAliveMs: 0 },
  });
  const response = await handler.fetch(request);
  // Not read any further than its end: nobody streams.
  handler.close().then(undefined, onFault);
  return response;
}

const INSTRUCTIONS =
  "Live mobility and urban services near a coordinate, anywhere on Earth. Coordinates are WGS 84 degrees, lat and lon; use geocode for an address. Unknown is null, never 0. Status `partial` means that a source failed or does not cover the point: say so. Always show `attribution` with what you tell from an answer. Answers show the nearest results; page on with read_dataset.";

function buildServer(parts: Parts, passage: Passage): Server {
  const server = new Server(
    { name: "vicinity", title: "Vicinity", version: parts.version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: [...HANDSHAKE_VERSIONS, ...STATELESS_VERSIONS],
      cacheHints: {
        ...{ "tools/list": LISTS, "server/discover": LISTS },
        ...{ "resources/list": LISTS, "resources/templates/list": LISTS },
      },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [...TOOLS] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const result = await parts.call(params.name, params.arguments, passage);
    if (result) return result;
    const message = `unknown tool; known are ${Object.keys(AGENT_TOOLS).join(", ")}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  });
  // Datasets are told to whom they belong; nobody lists them.
  server.setRequestHandler("resources/list", () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [TEMPLATE] }));
  server.setRequestHandler("resources/read", ({ params }) =>
    readDataset(parts, params.uri, passage),
  );
  return server;
}

const TEMPLATE = {
  uriTemplate: DATASET_RESOURCE,
  name: "dataset",
  title: "A stored search",
  description: "Everything that a search_mobility_nearby found, as it was stored. Large.",
  mimeType: "application/json",
};

/** Read only; of the world as it is; asking twice does no harm. */
const ANNOTATIONS = { readOnlyHint: true, idempotentHint: true, openWorldHint: true } as const;

const TOOLS = Object.entries(AGENT_TOOLS).map(([name, tool]: [string, AgentTool]) => ({
  ...{ name, title: tool.title, description: tool.description },
  inputSchema: toInputSchema(tool.parameters) as { type: "object" },
  outputSchema: toOutputSchema(tool.output) as { type: "object" },
  annotations: { ...ANNOTATIONS, title: tool.title },
}));

async function readDataset({ readResource }: Parts, uri: string, passage: Passage) {
  const reply = await readResource(uri, passage);
  if (reply.kind === "unknown") throw new ResourceNotFoundError(uri);
  if (reply.kind === "refused") {
    const { code, message, retry_after_s = null } = reply;
    throw new ProtocolError(REFUSED, `${code}: ${message}`, { code, retry_after_s });
  }
  const { text, expires_at_ms, now_ms, owner } = reply;
  return {
    contents: [{ uri, mimeType: "application/json", text }],
    ttlMs: Math.max(0, expires_at_ms - now_ms),
    cacheScope: owner,
  };
}

/** JSON-RPC: reserved for what a server defines itself. */
const REFUSED = -32_000;
