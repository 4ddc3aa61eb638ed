/** POST /v1/capabilities and GET /v1/datasets (§4.8): a body is read, a reply goes out or is refused. */
import { hash } from "node:crypto";
import type { Caller } from "#app/access/request-caller.ts";
import type { Begin, Begun, Execute } from "#app/capabilities/execute.ts";
import type { ReadDataset, ReadReply } from "#app/capabilities/dataset-read.ts";
import { BoundedCache } from "#app/kept.ts";
import { type ErrorCode, errorRow } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { type Deadlines, findOperation } from "#api/operations.ts";
import {
  type CapabilityRequest,
  readCapabilityRequest,
} from "#core/capabilities/capability-request.ts";
import type { Clock } from "#ports.ts";
import { compress } from "./compression.ts";
import { isNotModified } from "./conditional.ts";
import { DATA_VARY, dataLines, readyLines, sendData } from "./data.ts";
import { sendProblem } from "./error-replies.ts";
import { type Exchange, resume, sendRaw } from "./http-exchange.ts";
import type { Gate } from "./gate.ts";
import type { BodyHandler, Handlers } from "./handler.ts";
import { JSON_TYPE } from "./reply-headers.ts";
import { type Encoding, pickEncoding } from "./negotiate.ts";

export type CapabilityHandlerDeps = {
  clock: Clock;
  gate: Gate;
  capabilities: { begin: Begin; execute: Execute; read: ReadDataset };
};

/** `begun`: null where the body is read to refuse the caller. */
type CapabilityCall = { requested: CapabilityRequest; deadline_ms: number; begun: Begun | null };

const EXECUTE = findOperation("executeCapability");
const READ = findOperation("readDataset");

/** In seconds; a store that is away is usually back soon. */
const STORE_RETRY_S = 1;

export function createCapabilityHandlers(
  deps: CapabilityHandlerDeps,
  deadlines_ms: Deadlines,
): Pick<Handlers, "executeCapability" | "readDataset"> {
  return {
    executeCapability: createExecuteHandler(deps, deadlines_ms),
    readDataset: createDatasetHandler(deps),
  };
}

function createExecuteHandler(
  { clock, gate, capabilities }: CapabilityHandlerDeps,
  deadlines_ms: Deadlines,
): BodyHandler<CapabilityCall> {
  return {
    read: async (exchange, caller, bytes) => {
      const read = readCapabilityRequest(Buffer.from(bytes).toString());
      if (!read.ok) return read;
      const requested = read.value;
      const deadline_ms = clock.now() + deadlines_ms[EXECUTE.deadline.name];
      if (caller === null)
        return { ok: true, value: { requested, deadline_ms, begun: null }, free: true };
      const begun = await capabilities.begin(requested, caller, deadline_ms);
      exchange.onSettled = begun.end;
      return { ok: true, value: { requested, deadline_ms, begun }, free: begun.free };
    },
    run: async (exchange, caller, { body: { requested, deadline_ms, begun } }) => {
      const { remaining_units } = exchange;
      const who = { caller, remaining_units, now_ms: clock.now(), deadline_ms };
      const reply = await capabilities.execute(requested, who, begun!);
      resume(exchange);
      if (reply.kind === "refused") {
        const message = toMessage(reply);
        const retry_after_s = "retry_after_s" in reply ? reply.retry_after_s : STORE_RETRY_S;
        return sendProblem(exchange, EXECUTE, { code: reply.code, message, retry_after_s });
      }
      const metered = { void: reply.free, objects: 0, maps_categories: 0 };
      const ready = readyLines(EXECUTE, JSON_TYPE, "no-store", exchange.token_used);
      const send = (): void =>
        sendData(exchange, { status: 200, ready, headers: [], body: reply.body });
      return gate.release(exchange, { operation: EXECUTE, caller, metered }, { send });
    },
  };
}

/** Of compressed datasets: a thousand of usual size. */
const PACKED_BYTES = 16 * 1024 * 1024;

function createDatasetHandler({
  clock,
  capabilities,
}: CapabilityHandlerDeps): Handlers["readDataset"] {
  const packed = new BoundedCache<Uint8Array>(PACKED_BYTES);
  return async (exchange, caller, request) => {
    const who = { caller, now_ms: clock.now() };
    const reply = await capabilities.read(request, "body", who);
    resume(exchange);
    if (reply.kind === "ok") return sendDataset(exchange, who, reply, packed);
    return sendProblem(exchange, READ, { code: reply.code, message: toMessage(reply) });
  };
}

function toMessage(refused: { code: ErrorCode; message?: string }): string {
  return refused.message ?? errorRow(refused.code).example;
}

/** Bytes that never change, until they are gone; a strong tag a coding (RFC 9110 8.8.3.3). */
async function sendDataset(
  exchange: Exchange,
  { caller, now_ms }: { caller: Caller; now_ms: number },
  { bytes, row }: Extract<ReadReply, { kind: "ok" }>,
  packed: BoundedCache<Uint8Array>,
): Promise<void> {
  const { headers } = exchange.request.raw;
  const isWorth = bytes.byteLength >= LIMITS.compress_from_bytes;
  const encoding = isWorth ? pickEncoding(headers["accept-encoding"]) : null;
  const left_s = Math.max(0, Math.floor((row.expires_at_ms - now_ms) / 1000));
  const scope = caller.kind === "anonymous" ? "public" : "private";
  const cache_control = `${scope}, max-age=${left_s}, immutable`;
  const etag = encoding === null ? `"${row.version}"` : `"${row.version}-${encoding}"`;
  if (isNotModified(headers, { etag, last_modified_ms: null })) {
    const remaining = ["etag", etag, "cache-control", cache_control, "vary", DATA_VARY];
    return sendRaw(exchange, { status: 304, headers: remaining, body: null });
  }
  const ready = dataLines(READ, JSON_TYPE, cache_control, exchange);
  const response = { status: 200, ready, headers: ["etag", etag] };
  if (encoding === null) return sendRaw(exchange, { ...response, body: bytes });
  const body = await pack(packed, bytes, encoding);
  response.headers.push("content-encoding", encoding);
  sendRaw(exchange, { ...response, body });
}

/** Compresses the bytes, or returns what came of the same bytes before: by their digest, for every caller. */
async function pack(
  packed: BoundedCache<Uint8Array>,
  bytes: Uint8Array,
  encoding: Encoding,
): Promise<Uint8Array> {
  const key = `${encoding} ${hash("sha256", bytes, "base64url")}`;
  const entry = packed.find(key);
  if (entry) return entry;
  const made = await compress(bytes, encoding);
  packed.keep(key, made, made.length);
  return made;
}
