/**
 * The line of the log about one request (docs/operations.md, The log): which request it was, how it
 * ended, and whose it was. Never the query, a credential, a coordinate or an address.
 */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Caller } from "#app/access/request-caller.ts";
import type { ErrorCode } from "#api/errors.ts";
import type { ClientAddress } from "./client-address.ts";
import type { RequestId } from "./reply-headers.ts";

/** Names are short, since there is a line for every request: docs/operations.md explains them. */
export type RequestLine = {
  /** Ours, of this request alone. */
  id: string;
  /** What the caller calls it, which several requests may share. */
  ref?: string;
  st: number;
  ms: number;
  error?: ErrorCode;
  key?: string;
  account?: string;
  /** Keyed hash of the address of a caller without a good key. */
  by?: string;
  traceId?: string;
  /** Of a stream of events: seconds from its head to its end, bytes of it, and why it ended. */
  open_s?: number;
  bytes?: number;
  end?: string;
};

/** How a stream of events went. */
export type StreamFacts = { open_s: number; bytes: number; end: string };

/** What is known of a request when its response is sent. */
export type Ended = {
  request: RequestId & { raw: Parameters<ClientAddress>[0] };
  status: number;
  ms: number;
  error: ErrorCode | null;
  /** null: it was refused before its caller was known. */
  caller: Caller | null;
  trace_id: string | null;
  /** Absent: the response was whole. */
  stream?: StreamFacts | undefined;
};

export function toRequestLine(ended: Ended, callers: CallerNames | null): RequestLine {
  const { request, status, ms, error, caller, trace_id } = ended;
  const { id, shown } = request;
  const line: RequestLine = { id, st: status, ms };
  if (shown !== id && shown !== trace_id) line.ref = shown;
  if (error !== null) line.error = error;
  if (caller?.kind === "keyed") {
    line.key = caller.key_id;
    line.account = caller.account_id;
  } else {
    const by = callers?.nameOf(request.raw) ?? null;
    if (by !== null) line.by = by;
  }
  if (trace_id !== null) line.traceId = trace_id;
  return ended.stream === undefined ? line : { ...line, ...ended.stream };
}

/** Addresses whose names are kept, so that they are not hashed again with each request. */
const NAMES_MAX = 10_000;
/** Of base64url, six bits each: of 100,000 addresses hardly any two have the same name. */
const NAME_CHARS = 6;

/**
 * Names addresses for the log by a keyed hash: the same address has the same name, on every replica
 * that shares the secret, and who does not know the secret cannot try all addresses.
 */
export class CallerNames {
  readonly #addressOf: ClientAddress;
  readonly #secretOf: () => Uint8Array | null;
  readonly #names = new LRUCache<string, string>({ max: NAMES_MAX });
  #key: string | null = null;

  /** `secretOf`: of the deployment; null while it is not known, and then addresses have no names. */
  constructor(addressOf: ClientAddress, secretOf: () => Uint8Array | null) {
    this.#addressOf = addressOf;
    this.#secretOf = secretOf;
  }

  nameOf(raw: Parameters<ClientAddress>[0]): string | null {
    const { narrow } = this.#addressOf(raw);
    const known_name = this.#names.get(narrow);
    if (known_name !== undefined) return known_name;
    this.#key ??= this.#deriveKey();
    if (this.#key === null) return null;
    const name = hash("sha256", `${this.#key} ${narrow}`, "base64url").slice(0, NAME_CHARS);
    this.#names.set(narrow, name);
    return name;
  }

  /** A key of its own: what is in the log says nothing about other uses of the secret. */
  #deriveKey(): string | null {
    const secret = this.#secretOf();
    if (secret === null) return null;
    return hash("sha256", Buffer.concat([Buffer.from("addresses in the log "), secret]), "hex");
  }
}
