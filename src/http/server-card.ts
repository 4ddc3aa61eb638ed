/**
 * How a host finds the tools of /mcp before it connects: a server card, and the catalogue of the
 * site that names it (SEP-2127 of the Model Context Protocol). Both state the address that they
 * were asked at, as the metadata of the resource does.
 */
import { isIP } from "node:net";
import { MCP_OPERATION, MCP_REVISIONS } from "#api/mcp-operation.ts";
import { API_KEY_HEADER, SERVER_SUMMARY } from "#api/mcp-server.ts";
import { type Exchange, sendRaw } from "./exchange.ts";
import { JSON_TYPE } from "./headers.ts";
import { LLMS_PATH } from "./protected-resource.ts";

const CARD_PATH = `${MCP_OPERATION.path}/server-card`;
const CATALOG_PATH = "/.well-known/mcp/catalog.json";
const CARD_TYPE = "application/mcp-server-card+json";
const CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

/** Documents by path; each is made for the origin that it was asked at. */
export const CARDS: Readonly<Record<string, (origin: string, version: string) => Document>> = {
  [CARD_PATH]: (origin, version) => ({ type: CARD_TYPE, body: toCard(origin, version) }),
  [CATALOG_PATH]: (origin) => ({ type: JSON_TYPE, body: toCatalog(origin) }),
};

type Document = {
  type: string;
  body: ReturnType<typeof toCard> | ReturnType<typeof toCatalog>;
};

export function sendCard(exchange: Exchange, { type, body }: Document): void {
  // It repeats the caller's own host, so a cache must not keep it.
  const headers = ["content-type", type, "cache-control", "no-store"];
  sendRaw(exchange, { status: 200, headers, body: JSON.stringify(body) });
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
