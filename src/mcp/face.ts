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
import type { AnswerMcp, McpMessage, McpReply, WholeReply } from "#app/mcp.ts";
import { MCP_REVISIONS } from "#api/mcp-operation.ts";
import { type CallDeps, createCallTool, type Tools } from "./call.ts";
import { answerListen, type ListenDeps, readListen } from "./mcp-listen.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { createLookUp } from "./near-argument.ts";
import { findConstant, ReadyReplies } from "./ready.ts";
import { createReadResource, type ResourceDeps } from "./resources.ts";
import { acceptsJson } from "./accept.ts";
import { toHandshakeReply, toStatelessReply } from "./revisions.ts";
import { buildMcpServer, type Era, type McpServerDeps } from "./agent-server.ts";
import type { ToolDeps } from "./tool.ts";
import { createGetPlace } from "./tools/place-tool.ts";
import { createAskHere } from "./tools/ask-tool.ts";
import { createChangesSince } from "./tools/changes-tool.ts";
import { createReadDatasetTool, createSearchNearby, createShowMap } from "./tools/nearby-tool.ts";
import { createComparePlaces } from "./tools/compare-tool.ts";
import { createFindDepartures } from "./tools/departures-tool.ts";
import { createPlanNearby } from "./tools/plan-tool.ts";
import {
  createFindPlaces,
  createFindServices,
  createFindStations,
  createGeocode,
  createReverseGeocode,
} from "./tools/places-tool.ts";
import { createGetWeather } from "./tools/weather-tool.ts";
import { findWatchedAnswer } from "./watched-answers.ts";

export type McpDeps = ToolDeps &
  Pick<CallDeps, "deadlines_ms"> &
  Pick<McpServerDeps, "version" | "onFault" | "readMap"> &
  Pick<ListenDeps, "watch"> &
  Pick<ResourceDeps, "readStation" | "live" | "lookAtThing"> & {
    random: (size: number) => Uint8Array;
  };

export function createMcp(given: McpDeps): AnswerMcp {
  const deps = { ...given, answers: new KeptAnswers(given.random) };
  const parts: Omit<McpServerDeps, "offer"> = {
    call: createCallTool({
      ...deps,
      tools: createTools(deps),
      lookUp: createLookUp({ ...deps, ...deps.searches.geocoding }),
    }),
    readResource: createReadResource(deps),
    readMap: deps.readMap,
    version: deps.version,
    onFault: deps.onFault,
  };
  const answer: AnswerMcp = async (message, passage) => {
    const request = toRequest(message);
    const open = (era: Era) => (): Server =>
      buildMcpServer({ ...parts, offer: message.offer }, passage, era);
    if (await isLegacyRequest(request)) return answerHandshake(request, open("handshake"));
    const openServer = open("stateless");
    const listen = readListen(message.text);
    if (listen === null) return answerStateless(request, openServer);
    return answerListen(listen, passage, {
      watch: deps.watch,
      findAnswer: (uri, caller) => findWatchedAnswer(deps, uri, caller),
      openServer,
      toRequest: (text) => toRequest({ ...message, text }),
      toReply: toStateless,
    });
  };
  return answerOnce(answer, new ReadyReplies());
}

/** Renders what is the same for every caller once. */
function answerOnce(answer: AnswerMcp, replies: ReadyReplies): AnswerMcp {
  return async (message, passage) => {
    const constant = findConstant(message);
    const ready = constant && replies.find(constant);
    if (ready) return ready;
    const reply = await answer(message, passage);
    if (constant) replies.keep(constant, reply);
    return reply;
  };
}

/** Which function answers which tool of packages/api/agent-tools. */
function createTools(deps: ToolDeps & { answers: KeptAnswers }): Tools {
  return {
    ask_here: createAskHere(deps),
    search_mobility_nearby: createSearchNearby(deps),
    find_urban_services: createFindServices(deps),
    find_places: createFindPlaces(deps),
    find_transit_stations: createFindStations(deps),
    find_departures: createFindDepartures(deps),
    geocode: createGeocode(deps),
    reverse_geocode: createReverseGeocode(deps),
    get_place: createGetPlace(deps),
    get_weather: createGetWeather(deps),
    read_dataset: createReadDatasetTool(deps),
    plan_nearby: createPlanNearby(deps),
    compare_places: createComparePlaces(deps),
    changes_since: createChangesSince(deps),
    show_map: createShowMap(deps),
  };
}

const ADDRESS = "http://localhost/mcp";

const BOTH_TYPES = "application/json, text/event-stream";

/**
 * The host plays no part any more: who may ask has been judged. The library wants both types named
 * word for word, and a caller that takes JSON gets nothing else.
 */
function toRequest({ headers, text }: McpMessage): Request {
  const { accept } = headers;
  const fields = acceptsJson(accept) ? { ...headers, accept: BOTH_TYPES } : headers;
  return new Request(ADDRESS, { method: "POST", headers: fields, body: text });
}

async function toReply(response: Response): Promise<WholeReply> {
  const isEvents = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  return {
    status: response.status,
    type: isEvents ? "events" : "json",
    body: await response.text(),
  };
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
  return toHandshakeReply(reply);
}

/**
 * Revisions whose every message says what it needs. One that listens for anything but stations is
 * acknowledged with an empty filter and ends: its stream is whole before it is sent.
 */
async function answerStateless(request: Request, openServer: () => Server): Promise<McpReply> {
  const limits = { legacy: "reject", maxSubscriptions: 1, keepAliveMs: 0 } as const;
  const handler = createMcpHandler(openServer, limits);
  const reply = await toStateless(await handler.fetch(request));
  await handler.close();
  return reply;
}

async function toStateless(response: Response): Promise<WholeReply> {
  return toStatelessReply(await toReply(response), MCP_REVISIONS);
}
