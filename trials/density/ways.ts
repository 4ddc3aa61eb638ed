/** Requests as the cells of the trial write them: a GET with its query, a body, a message of /mcp. */
import type { Ask, Asked } from "./stage.ts";

export type Query = Readonly<Record<string, string | number | boolean>>;

export function get(path: string, query: Query = {}, headers: Record<string, string> = {}): Asked {
  const entries = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    `${value}`,
  ]);
  const search = new URLSearchParams(entries).toString();
  return { path: search === "" ? path : `${path}?${search}`, headers };
}

export const BROTLI = { "accept-encoding": "br" };

export function keyed(asked: Asked, key: string): Asked {
  return { ...asked, headers: { ...asked.headers, authorization: `Bearer ${key}` } };
}

export function post(path: string, body: object): Asked {
  const headers = { "content-type": "application/json" };
  return { path, method: "POST", headers, body: JSON.stringify(body) };
}

/** A message of a revision with handshakes: it needs no other headers. */
export function message(method: string, params: object): Asked {
  const asked = post("/mcp", { jsonrpc: "2.0", id: 1, method, params });
  const headers = { ...asked.headers, accept: "application/json, text/event-stream" };
  return { ...asked, headers };
}

export function tool(name: string, args: object): Asked {
  return message("tools/call", { name, arguments: args });
}

export type Dataset = { id: string; version: string };

/** Stores a search by its capability, and returns where it is. */
export async function storeSearch(ask: Ask, asked: Asked): Promise<Dataset> {
  const { text, status } = await ask(asked);
  const found = /"dataset_id":"([^"]+)","version":"([^"]+)"/.exec(text);
  if (!found) throw new Error(`no dataset was stored (${status}): ${text.slice(0, 300)}`);
  return { id: found[1]!, version: found[2]! };
}

/** The first text that the pattern finds in an answer. */
export async function findText(ask: Ask, asked: Asked, pattern: RegExp): Promise<string> {
  const { text, status } = await ask(asked);
  const found = pattern.exec(text)?.[1];
  if (found === undefined)
    throw new Error(`${asked.path} has no ${pattern} (${status}): ${text.slice(0, 300)}`);
  return found;
}
