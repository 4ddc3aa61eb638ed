/** Messages to /mcp: every tool, prompt and resource, each revision, and what is refused. */
import { AGENT_PROMPTS } from "#api/agent-prompts.ts";
import { AGENT_TOOLS, MAP_RESOURCE } from "#api/agent-tools.ts";
import { MCP_REVISIONS } from "#api/mcp-operation.ts";
import type { Step } from "../recording.ts";
import { aliasOf } from "../aliases.ts";
import { named, request, withLabels } from "./step.ts";

const ACCEPT = { accept: "application/json, text/event-stream" };
const [STATELESS] = MCP_REVISIONS;
const META = "io.modelcontextprotocol";

function message(part: string, method: string, params?: object, headers: object = {}): Step {
  const body = { jsonrpc: "2.0", id: 1, method, ...(params && { params }) };
  return request(part, "/mcp", { body, headers: { ...ACCEPT, ...headers } });
}

/** As the revision without a handshake has it: all that a message needs is in it. */
function stateless(part: string, method: string, params: object = {}): Step {
  const meta = {
    [`${META}/protocolVersion`]: STATELESS,
    [`${META}/clientInfo`]: { name: "trial", version: "1" },
    [`${META}/clientCapabilities`]: {},
  };
  const name = (params as { name?: string; uri?: string }).name ?? (params as { uri?: string }).uri;
  const headers = {
    "mcp-protocol-version": STATELESS,
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
  return message(part, method, { ...params, _meta: meta }, headers);
}

const LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] as const;

export function agentSteps(): Step[] {
  return withLabels([
    ...protocolSteps(),
    ...Object.keys(AGENT_TOOLS).flatMap(toolSteps),
    ...Object.keys(AGENT_PROMPTS).flatMap(promptSteps),
    ...resourceSteps(),
    ...refusedSteps(),
  ]);
}

function protocolSteps(): Step[] {
  const clientInfo = { name: "trial", version: "1" };
  const begin = (protocolVersion: unknown): Step =>
    message("initialize", "initialize", { protocolVersion, capabilities: {}, clientInfo });
  return [
    ...[...MCP_REVISIONS, "2025-03-26", "2024-11-05", "1999-01-01", 7].map(begin),
    message("initialize", "initialize"),
    stateless("server/discover", "server/discover"),
    ...LISTS.flatMap((list) => [
      message(list, list),
      message(list, list, { cursor: "none" }),
      stateless(list, list),
      ...MCP_REVISIONS.map((revision) =>
        message(list, list, {}, { "mcp-protocol-version": revision }),
      ),
    ]),
    message("ping", "ping"),
    request("notification", "/mcp", {
      body: { jsonrpc: "2.0", method: "notifications/initialized" },
      headers: ACCEPT,
    }),
  ];
}

/** Generated calls have the rest. */
function toolSteps(name: string): Step[] {
  const part = `tool ${name}`;
  const call = (input: object): Step => message(part, "tools/call", { name, ...input });
  return [
    call({}),
    ...[{}, { unknown: 1 }, [], "x", null].map((input) => call({ arguments: input })),
    call({ arguments: { near: "Paris", lat: "x", lon: {}, id: 5, places: "x", from: 1, to: [] } }),
    stateless(part, "tools/call", { name, arguments: { near: "Berlin" } }),
  ];
}

function promptSteps(name: string): Step[] {
  const rows = AGENT_PROMPTS[name as keyof typeof AGENT_PROMPTS].arguments;
  const fill = (keep: (required: boolean) => boolean, value: string): object =>
    Object.fromEntries(rows.filter((row) => keep(row.required)).map((row) => [row.name, value]));
  const every = fill(() => true, "Zürich [HB] {near}");
  return [
    every,
    fill((required) => required, " Paris "),
    fill((required) => !required, "x"),
    {},
    { ...every, unknown: "x" },
    fill(() => true, "x".repeat(201)),
    fill(() => true, "x".repeat(200)),
    fill(() => true, " "),
  ]
    .map((input) => message(`prompt ${name}`, "prompts/get", { name, arguments: input }))
    .concat(
      message(`prompt ${name}`, "prompts/get", { name }),
      stateless(`prompt ${name}`, "prompts/get", { name, arguments: every }),
    );
}

const SEARCH = "a search of an agent";

function resourceSteps(): Step[] {
  const read = (uri: unknown): Step => message("resources/read", "resources/read", { uri });
  const [id, version] = [aliasOf("dataset", SEARCH), aliasOf("version", SEARCH)];
  const place = { lat: 48.8566, lon: 2.3522, include: ["stations"] };
  const params = { name: "search_mobility_nearby", arguments: place };
  return [
    named(SEARCH, message("tool search_mobility_nearby", "tools/call", params)),
    ...[MAP_RESOURCE, `vicinity:///v1/datasets/${id}/${version}`].map(read),
    ...[`https://elsewhere.example/v1/datasets/${id}/${version}`, "vicinity:///v1/stations/x"].map(
      read,
    ),
    ...["ui://vicinity/none", "file:///etc/passwd", "", 5, "vicinity:///v1/datasets/x/y"].map(read),
    stateless("resources/read", "resources/read", { uri: MAP_RESOURCE }),
    message("resources/subscribe", "resources/subscribe", { uri: MAP_RESOURCE }),
    message("tool read_dataset", "tools/call", {
      name: "read_dataset",
      arguments: { id, version },
    }),
    message("tool show_map", "tools/call", { name: "show_map", arguments: { id, version } }),
    message("tool changes_since", "tools/call", {
      name: "changes_since",
      arguments: { id, version },
    }),
  ];
}

function refusedSteps(): Step[] {
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const send = (body: string | object, headers: object = {}, target = "/mcp"): Step =>
    request("refused messages", target, { body, headers: { ...ACCEPT, ...headers } });
  return [
    ...["", "{", "null", "5", "[]", '"x"', `[${JSON.stringify(list)}]`].map((body) => send(body)),
    ...[
      { ...list, jsonrpc: "1.0" },
      { ...list, id: null },
      { ...list, id: { a: 1 } },
    ].map((body) => send(body)),
    ...[
      { ...list, method: 7 },
      { ...list, method: "" },
      { ...list, method: "toString" },
    ].map((body) => send(body)),
    ...[
      { ...list, params: [] },
      { ...list, params: 5 },
      { ...list, extra: 1 },
    ].map((body) => send(body)),
    send({ jsonrpc: "2.0", id: 1, result: {} }),
    send({ jsonrpc: "2.0", id: "text", method: "tools/call", params: { name: "no_such_tool" } }),
    send({ jsonrpc: "2.0", id: -5.5, method: "prompts/get", params: { name: "no_such_prompt" } }),
    ...["text/html", "text/event-stream", "application/json;q=0", "*/*", "application/json"].map(
      (accept) => send(list, { accept }),
    ),
    ...["text/plain", "application/json; charset=latin1", "application/x-www-form-urlencoded"].map(
      (type) => send(list, { "content-type": type }),
    ),
    ...["https://evil.example", "null", "http://127.0.0.1:28480", "http://localhost:1"].map(
      (origin) => send(list, { origin }),
    ),
    ...["1999-01-01", "x", "2025-03-26"].map((revision) =>
      send(list, { "mcp-protocol-version": revision }),
    ),
    send(list, { host: "elsewhere.example" }),
    send(list, { authorization: "Bearer svc_test_x" }),
    send(list, {}, "/mcp/"),
    send(list, {}, "/MCP"),
    send({ ...list, params: { cursor: "x".repeat(70_000) } }),
    ...["GET", "DELETE", "OPTIONS", "HEAD", "PUT"].map((method) =>
      request("refused messages", "/mcp", { method, headers: ACCEPT }),
    ),
  ];
}
