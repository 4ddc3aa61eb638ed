// The little of HTTP the simulator needs: replies as values, documents with their etag and gzip.
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

const BODY_LIMIT_BYTES = 64 * 1024;

export type SandboxRequest = {
  readonly method: string;
  readonly pathname: string;
  readonly query: URLSearchParams;
  /** Path and query as they came. */
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** A body that is asked for many times: its etag and its compressed form are made once. */
export type Document = { readonly etag: string; readonly plain: Buffer; gzip(): Buffer };

export function toDocument(value: unknown): Document {
  const plain = Buffer.from(JSON.stringify(value));
  const digest = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  let packed: Buffer | undefined;
  return { etag: `W/"${digest}"`, plain, gzip: () => (packed ??= gzipSync(plain, { level: 4 })) };
}

/** 304, gzip or plain, as the request allows. */
export function answerDocument(
  document: Document,
  request: SandboxRequest,
  max_age_s: number,
): Reply {
  const headers = {
    etag: document.etag,
    vary: "accept-encoding",
    "cache-control": `public, max-age=${max_age_s}`,
  };
  if (isKnown(document.etag, request.headers["if-none-match"]))
    return { status: 304, headers, body: Buffer.alloc(0) };
  const typed = { ...headers, "content-type": "application/json; charset=utf-8" };
  if (!acceptsGzip(request.headers["accept-encoding"]))
    return { status: 200, headers: typed, body: document.plain };
  return { status: 200, headers: { ...typed, "content-encoding": "gzip" }, body: document.gzip() };
}

export function answerJson(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Reply {
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      ...headers,
    },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** An error body of the simulator itself; `member` names what was wrong with the request. */
export const refuse = (status: number, message: string, member?: string): Reply =>
  answerJson(status, { error: { status, message, ...(member === undefined ? {} : { member }) } });

export function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  const length = reply.status === 304 ? {} : { "content-length": String(reply.body.length) };
  response.writeHead(reply.status, { ...reply.headers, ...length });
  response.end(reply.body);
}

/** The request with its body read, or null if that body is too big. */
export async function readRequest(incoming: IncomingMessage): Promise<SandboxRequest | null> {
  const target = incoming.url ?? "/";
  const cut = target.indexOf("?");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_LIMIT_BYTES) return null;
    chunks.push(chunk);
  }
  return {
    method: incoming.method ?? "GET",
    pathname: cut === -1 ? target : target.slice(0, cut),
    query: new URLSearchParams(cut === -1 ? "" : target.slice(cut + 1)),
    target,
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

/** RFC 9110 13.1: the etag decides alone where there is one. */
export function isUnchanged(
  { headers }: SandboxRequest,
  { etag, modified_ms }: { readonly etag: string; readonly modified_ms: number },
): boolean {
  const tags = headers["if-none-match"];
  if (tags !== undefined) return isKnown(etag, tags);
  const since = headers["if-modified-since"];
  return since !== undefined && Date.parse(since) >= modified_ms;
}

function isKnown(etag: string, condition: string | undefined): boolean {
  if (condition === undefined) return false;
  const bare = (tag: string): string => tag.trim().replace(/^W\//, "");
  return condition.trim() === "*" || condition.split(",").some((tag) => bare(tag) === bare(etag));
}

const acceptsGzip = (header: string | string[] | undefined): boolean =>
  String(header ?? "")
    .split(",")
    .some((coding) => /^\s*gzip\s*(;\s*q=(0\.\d*[1-9]\d*|1(\.0*)?)\s*)?$/i.test(coding));
