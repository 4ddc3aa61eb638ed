/** Requests as the cells of the trial write them: a GET with its query, a body, a message of /mcp. */
import type { Ask, SentRequest } from "./stage.ts";

export type Query = Readonly<Record<string, string | number | boolean>>;

export function get(
  path: string,
  query: Query = {},
  headers: Record<string, string> = {},
): SentRequest {
  const entries = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    `${value}`,
  ]);
  const search = new URLSearchParams(entries).toString();
  return { path: search === "" ? path : `${path}?${search}`, headers };
}

export const BROTLI = { "accept-encoding": "br" };

export function keyed(request: SentRequest, key: string): SentRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } };
}

export function post(path: string, body: object): SentRequest {
  const headers = { "content-type": "application/json" };
  return { path, method: "POST", headers, body: JSON.stringify(body) };
}

/** A message of a revision with handshakes: it needs no other headers. */
export function message(method: string, params: object): SentRequest {
  const request = post("/mcp", { jsonrpc: "2.0", id: 1, method, params });
  const headers = { ...request.headers, accept: "application/json, text/event-stream" };
  return { ...request, headers };
}

export function tool(name: string, args: object): SentRequest {
  return message("tools/call", { name, arguments: args });
}

export type Dataset = { id: string; version: string };

/** Stores a search by its capability, and returns where it is. */
export async function storeSearch(ask: Ask, request: SentRequest): Promise<Dataset> {
  const { text, status } = await ask(request);
  const match = /"dataset_id":"([^"]+)","version":"([^"]+)"/.exec(text);
  if (!match) throw new Error(`no dataset was stored (${status}): ${text.slice(0, 300)}`);
  return { id: match[1]!, version: match[2]! };
}

/** The first text that the pattern finds in an answer. */
export async function findText(ask: Ask, request: SentRequest, pattern: RegExp): Promise<string> {
  const { text, status } = await ask(request);
  const match = pattern.exec(text)?.[1];
  if (match === undefined)
    throw new Error(`${request.path} has no ${pattern} (${status}): ${text.slice(0, 300)}`);
  return match;
}
