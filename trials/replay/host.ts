/**
 * A GBFS host over captured sets: node:http on loopback, with ETags and compression like a real
 * one. A series of polls is played on: each document is served for a while, the last one stays.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Documents } from "./documents.ts";
import { documentsOf, missingFiles, urlOf } from "./documents.ts";
import type { ReplaySet, Skipped } from "./sets.ts";
import { findSets } from "./sets.ts";

export type ReplayOptions = {
  dir: string;
  host?: string;
  /** 0 or left out: a free one. */
  port?: number;
  /** Moves every set so that its capture happened at `now_ms`; default true. */
  shift?: boolean;
  now_ms?: number;
  onSet?: (set: { path: string }) => void;
};

export type ReplaySystem = {
  id: string;
  /** The discovery document. */
  url: string;
  name: string;
  set: ReplaySet;
  /** GBFS names served, without those made up. */
  files: string[];
  /** Files with stations or vehicles that it lists and that were not captured: 404. */
  missing: string[];
  /** What is served first under a name; null: 404. */
  document(name: string): string | null;
};

export type ReplayHost = {
  url: string;
  systems: ReplaySystem[];
  skipped: Skipped[];
  close(): Promise<void>;
};

/** How long a document of a series is served after its first request. */
const SERIES_STEP_MS = 60_000;
const MIN_GZIP_BYTES = 1024;

type Entity = { body: Buffer; etag: string; packed: Buffer | null };

export async function startReplayHost(options: ReplayOptions): Promise<ReplayHost> {
  const { sets, skipped } = findSets(options.dir, options.onSet);
  const routes = new Map<string, () => Entity>();
  const server = createServer((request, response) => answer(routes, request, response));
  const url = await listen(server, options.host ?? "127.0.0.1", options.port ?? 0);
  const now_ms = options.now_ms ?? Date.now();
  const systems = sets.map((set) => {
    const base_url = `${url}/${encodeURIComponent(set.id)}`;
    const documents = documentsOf(set, { base_url, shift: options.shift ?? true, now_ms });
    addRoutes(routes, base_url.slice(url.length), documents);
    return toSystem(set, base_url, documents);
  });
  const index = {
    systems: systems.map(({ id, name, url: at }) => ({ id, name, url: at })),
    skipped,
  };
  routes.set("/", constantly(toEntity(JSON.stringify(index))));
  return { url, systems, skipped, close: () => close(server) };
}

function toSystem(set: ReplaySet, base_url: string, documents: Documents): ReplaySystem {
  return {
    id: set.id,
    url: urlOf(base_url, "gbfs"),
    name: set.title ?? set.id,
    set,
    files: [...set.files.keys()],
    missing: missingFiles(set),
    document: (name) => documents.get(name)?.[0] ?? null,
  };
}

function addRoutes(routes: Map<string, () => Entity>, path: string, documents: Documents): void {
  for (const [name, texts] of documents) routes.set(urlOf(path, name), play(texts));
}

/** Entities are made when first asked for: hashing and packing are not free. */
function play(texts: readonly string[]): () => Entity {
  const made: Entity[] = [];
  let position = 0;
  let until_ms: number | null = null;
  return () => {
    const now_ms = performance.now();
    if (until_ms !== null && now_ms >= until_ms && position < texts.length - 1) {
      position++;
      until_ms = null;
    }
    until_ms ??= now_ms + SERIES_STEP_MS;
    return (made[position] ??= toEntity(texts[position]!));
  };
}

function constantly(entity: Entity): () => Entity {
  return () => entity;
}

function toEntity(text: string): Entity {
  const body = Buffer.from(text);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  return { body, etag, packed: body.length >= MIN_GZIP_BYTES ? gzipSync(body) : null };
}

function answer(
  routes: ReadonlyMap<string, () => Entity>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return refuse(response, 405, { allow: "GET, HEAD" });
  }
  const path = (request.url ?? "/").split("?", 1)[0]!;
  const entity = routes.get(path)?.();
  if (!entity) return refuse(response, 404, {});
  const headers = { etag: entity.etag, vary: "Accept-Encoding" };
  if (matches(request.headers["if-none-match"], entity.etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const packed = /\bgzip\b/i.test(request.headers["accept-encoding"] ?? "") ? entity.packed : null;
  const body = packed ?? entity.body;
  response.writeHead(200, {
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": body.length,
    ...(packed ? { "content-encoding": "gzip" } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** RFC 9110 13.1.2: weak comparison. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((each) => {
    const tag = each.trim().replace(/^W\//, "");
    return tag === "*" || tag === etag;
  });
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string>): void {
  const body = JSON.stringify({ error: status === 404 ? "not captured" : "method not allowed" });
  response.writeHead(status, { ...headers, "content-type": "application/json" }).end(body);
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${taken}`);
    });
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
