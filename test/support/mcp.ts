/** The protocol's own client, of each revision, over real sockets. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** One that begins with `initialize`, and one that begins with nothing. */
export const REVISIONS = {
  "2025-11-25": {},
  "2026-07-28": { versionNegotiation: { mode: { pin: "2026-07-28" } } },
} as const;
export type Revision = keyof typeof REVISIONS;

/** Answers are held to their schemas. */
const SCHEMAS = "?output_schemas=true";

export async function connect(
  url: string,
  options: { revision?: Revision; key?: string; asksPerson?: boolean; query?: string } = {},
): Promise<Client> {
  const { revision = "2025-11-25", key, asksPerson = false, query = SCHEMAS } = options;
  const capabilities = asksPerson ? { elicitation: {} } : {};
  const client = new Client(
    { name: "tests", version: "1" },
    { ...REVISIONS[revision], capabilities },
  );
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit: { headers } }),
  );
  return client;
}

type Called = Awaited<ReturnType<Client["callTool"]>>;

/** What every answer of a tool has (packages/api/agent-results), read loosely. */
export type ToolResult = {
  status?: string;
  total: number;
  shown: number;
  results: Record<string, unknown>[];
  freshness: { answered_at: string };
  attribution: { source_id: string }[];
  next_offset?: number | null;
  notices?: string[];
  unusable?: number;
  searched?: string[];
  weekday?: string;
  dataset?: {
    id: string;
    version: string;
    href: string;
    uri: string;
    entity_count: number;
    found: number;
    next_offset: number | null;
  };
};

export function resultOf(called: Called): ToolResult {
  if (called.isError) throw new Error(JSON.stringify(called.content));
  return called.structuredContent as ToolResult;
}

type ToolError = {
  code: string;
  message: string;
  retry_after_s?: number;
  near?: { label: string };
  candidates?: { label: string; lat: number; lon: number; kind: string }[];
};

export function errorOf(called: Called): ToolError {
  const [content] = called.content;
  if (!called.isError || content?.type !== "text") throw new Error("it is no error");
  return (JSON.parse(content.text) as { error: ToolError }).error;
}

export const RPC_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

export function toRpc(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, ...(params ? { params } : {}) });
}
