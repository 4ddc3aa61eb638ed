/**
 * Documents by which programs find out what this server is; they are no operations of the API. A host
 * finds the tools of /mcp before it connects: a server card, and the catalogue of the site that names
 * it (SEP-2127 of the Model Context Protocol). A client reads of a protected resource before it has a
 * credential (RFC 9728): keys come from the operator of a deployment, so no authorization server is
 * named. All state the address that they were asked at.
 */
import { isIP } from "node:net";
import { LLMS_TEXT } from "#api/llms.ts";
import { MCP_OPERATION, MCP_REVISIONS } from "#api/mcp-operation.ts";
import { API_KEY_HEADER, SERVER_SUMMARY } from "#api/mcp-server.ts";
import { listOperations } from "#api/operations.ts";
import { createDocument } from "./document.ts";
import { refusal, runGuarded, sendProblem } from "./error-replies.ts";
import { type AddRoute, type Exchange, openExchange, sendRaw } from "./http-exchange.ts";
import { JSON_TYPE } from "./reply-headers.ts";
import { ownOrigin } from "./own-origin.ts";
import { findTransportProblem, type Unmatched } from "./unmatched.ts";

const CARD_PATH = `${MCP_OPERATION.path}/server-card`;
const CARD_TYPE = "application/mcp-server-card+json";
const CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

/** Documentation that every deployment has, whether or not it has pages. */
const LLMS_PATH = "/llms.txt";

type Made = {
  type: string;
  body: ReturnType<typeof toMetadata | typeof toCard | typeof toCatalog>;
};

/** Documents by path; each is made for the origin that it was asked at. */
const DOCUMENTS: Readonly<Record<string, (origin: string, version: string) => Made>> = {
  "/.well-known/oauth-protected-resource": (origin) => ({
    type: JSON_TYPE,
    body: toMetadata(origin),
  }),
  // With the path of the resource (RFC 9728 3.1).
  [MCP_OPERATION.resource_metadata]: (origin) => ({
    type: JSON_TYPE,
    body: toMetadata(origin, MCP_OPERATION.path),
  }),
  [CARD_PATH]: (origin, version) => ({ type: CARD_TYPE, body: toCard(origin, version) }),
  "/.well-known/mcp/catalog.json": (origin) => ({ type: JSON_TYPE, body: toCatalog(origin) }),
};

/** Paths that are answered here, with their templates. */
export const DISCOVERY_PATHS: readonly (readonly [path: string, template: string])[] = [
  ...Object.keys(DOCUMENTS),
  LLMS_PATH,
].map((path) => [path, path]);

/** `version`: that of this server, as its card states it. */
export function addDiscovery(
  add: AddRoute,
  { wire, toRoute }: Unmatched,
  { version }: { version: string },
): void {
  const serve = (path: string, send: (exchange: Exchange) => void): void => {
    const route = toRoute(path);
    add("GET", path, (request, response) => {
      const exchange = openExchange(wire, route, request, response);
      const problem = findTransportProblem(request);
      if (problem === null) runGuarded(send, exchange);
      else sendProblem(exchange, null, problem);
    });
  };
  for (const [path, make] of Object.entries(DOCUMENTS))
    serve(path, (exchange) => {
      const origin = ownOrigin(exchange.request.raw);
      if (origin === null) return sendProblem(exchange, null, NO_HOST);
      const { type, body } = make(origin, version);
      // It repeats the caller's own host, so a cache must not keep it.
      const headers = ["content-type", type, "cache-control", "no-store"];
      sendRaw(exchange, { status: 200, headers, body: JSON.stringify(body) });
    });
  serve(LLMS_PATH, createDocument(LLMS_TEXT, { content_type: TEXT_TYPE }));
}

const NO_HOST = refusal("invalid_request", "the request header Host must name this server");

const TEXT_TYPE = "text/plain; charset=utf-8";
const SCOPES = [...new Set(listOperations().flatMap(({ scope }) => scope))].sort();

function toMetadata(origin: string, path = "") {
  return {
    resource: `${origin}${path}`,
    resource_name: "Vicinity",
    resource_documentation: `${origin}${LLMS_PATH}`,
    bearer_methods_supported: ["header"],
    scopes_supported: SCOPES,
  };
}

function toCard(origin: string, version: string) {
  const remote = {
    type: "streamable-http",
    url: `${origin}${MCP_OPERATION.path}`,
    headers: [API_KEY_HEADER],
    supportedProtocolVersions: MCP_REVISIONS,
  };
  return {
    $schema: CARD_SCHEMA,
    name: `${toPublisher(origin).split(".").toReversed().join(".")}/${SERVER_SUMMARY.name}`,
    version,
    title: SERVER_SUMMARY.title,
    description: SERVER_SUMMARY.description,
    websiteUrl: `${origin}${LLMS_PATH}`,
    remotes: [remote],
  };
}

function toCatalog(origin: string) {
  const entry = {
    identifier: `urn:air:${toPublisher(origin)}:${SERVER_SUMMARY.name}`,
    displayName: SERVER_SUMMARY.title,
    type: CARD_TYPE,
    url: `${origin}${CARD_PATH}`,
  };
  return { specVersion: "draft", entries: [entry] };
}

/** Returns the domain that publishes the server; `localhost` where it was asked by its address. */
function toPublisher(origin: string): string {
  const { hostname } = new URL(origin);
  const isAddress = hostname.startsWith("[") || isIP(hostname) !== 0;
  return isAddress ? "localhost" : hostname;
}
