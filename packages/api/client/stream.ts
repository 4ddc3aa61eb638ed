/**
 * The stream of a box as events: it comes again by itself, goes on where it was, and is read no
 * faster than its events are taken. It throws nothing: what goes wrong is an event.
 */
import { Connection, pause, RUNTIME, type StreamRuntime } from "./connection.ts";
import { EventParser, type ServerSentEvent } from "./event-parser.ts";
import type { LiveEvent, StreamOptions } from "./live-event.ts";
import type { ClientOptions } from "./reply.ts";
import {
  parse,
  type QueryMembers,
  reasonOf,
  TIMEOUT_MS,
  toHeaders,
  toReply,
  toUrl,
} from "./request.ts";

export const STREAM_PATH = "/v1/nearby/stream";

/** The service sends something every 15 s. */
const SILENCE_MS = 45_000;
/** The pause before a new connection, where the service says nothing. */
const RETRY_MS = 2_000;
const PAUSE = { least_ms: 100, most_ms: 30_000 } as const;
/** A connection that has lasted this long has gone well. */
const GOOD_MS = 30_000;

/** What is kept from one connection to the next. */
type Memory = { last_event_id: string; retry_ms: number; failures: number };

/** Why a connection is over; `event`: the stream is over as well. */
type End =
  | { kind: "last"; event: LiveEvent }
  | { kind: "again"; reason: string | null; status: number | null; wait_ms: number };

type Source = { options: ClientOptions; url: URL; signal: AbortSignal | undefined };

/** Yields the events of a box until the signal is aborted, the caller leaves, or it is refused. */
export async function* openStream(
  options: ClientOptions,
  query: QueryMembers,
  { signal, last_event_id = "" }: StreamOptions = {},
  runtime: StreamRuntime = RUNTIME,
): AsyncGenerator<LiveEvent, void, undefined> {
  const memory: Memory = { last_event_id, retry_ms: RETRY_MS, failures: 0 };
  const url = findUrl(options, query);
  if (url === null) return yield { kind: "unreachable", reason: "invalid_url" };
  for (;;) {
    if (signal?.aborted) return;
    const end = yield* readConnection({ options, url, signal }, memory, runtime);
    if (signal?.aborted) return;
    if (end.kind === "last") return yield end.event;
    const { reason, status } = end;
    const retry_after_ms = pauseAfter(end.wait_ms, memory, runtime);
    if (reason !== null) yield { kind: "interrupted", reason, status, retry_after_ms };
    await pause(retry_after_ms, runtime, signal);
  }
}

function findUrl(options: ClientOptions, query: QueryMembers): URL | null {
  try {
    return toUrl(options, STREAM_PATH, query);
  } catch {
    return null;
  }
}

/** Longer from failure to failure, and never the same for two readers that were cut off together. */
function pauseAfter(wait_ms: number, memory: Memory, { random }: StreamRuntime): number {
  const base = Math.min(Math.max(memory.retry_ms, PAUSE.least_ms), PAUSE.most_ms);
  const grown = Math.min(base * 2 ** Math.min(memory.failures, 16), PAUSE.most_ms);
  memory.failures += 1;
  return Math.round(Math.max(wait_ms, grown / 2) + (grown / 2) * random());
}

async function* readConnection(
  source: Source,
  memory: Memory,
  runtime: StreamRuntime,
): AsyncGenerator<LiveEvent, End, undefined> {
  const connection = new Connection(runtime, source.signal);
  const opened_ms = runtime.now();
  try {
    const response = await ask(source, connection, memory);
    const refusal = await readRefusal(source, response, connection, runtime);
    if (refusal) return refusal;
    return yield* readEvents(connection, response, memory);
  } catch (error) {
    return again(reasonOf(error));
  } finally {
    if (runtime.now() - opened_ms >= GOOD_MS) memory.failures = 0;
    connection.close();
  }
}

function ask(
  { options, url }: Source,
  connection: Connection,
  { last_event_id }: Memory,
): Promise<Response> {
  const headers = toHeaders(options, "text/event-stream");
  if (/^[!-~]{1,256}$/.test(last_event_id)) headers["last-event-id"] = last_event_id;
  const { signal } = connection;
  const send = options.fetch ?? fetch;
  return connection.within(options.timeout_ms ?? TIMEOUT_MS, "timeout", () =>
    send(url, { headers, signal, cache: "no-store" }),
  );
}

/** null: it is a stream. What may pass is tried again; a refusal of the service is the last word. */
async function readRefusal(
  { options }: Source,
  response: Response,
  connection: Connection,
  runtime: StreamRuntime,
): Promise<End | null> {
  const { status, headers } = response;
  const content_type = headers.get("content-type") ?? "no content type";
  if (status === 200 && content_type.startsWith("text/event-stream")) return null;
  const text = await connection.readText(response, options.timeout_ms ?? TIMEOUT_MS);
  const reply = toReply(response, text);
  if (status === 429 || status >= 500) {
    const reason = reply.kind === "refused" ? reply.code : `http_${status}`;
    return again(reason, status, toWait(headers.get("retry-after"), runtime.now()));
  }
  if (reply.kind === "refused") return { kind: "last", event: reply };
  return { kind: "last", event: { kind: "stranger", status, content_type } };
}

async function* readEvents(
  connection: Connection,
  response: Response,
  memory: Memory,
): AsyncGenerator<LiveEvent, End, undefined> {
  const parser = new EventParser();
  for (;;) {
    const bytes = await connection.read(response, SILENCE_MS);
    if (bytes === null) return again("ended");
    for (const event of parser.push(bytes)) {
      memory.retry_ms = parser.retry_ms ?? memory.retry_ms;
      const live = toLiveEvent(event);
      if (live === null) continue;
      if (live === "malformed") return fromTheBeginning(live, memory);
      if ("id" in live) memory.last_event_id = live.id;
      yield live;
      if (live.kind === "bye") return again(null, null, live.body.retry_after_s * 1_000);
    }
    memory.retry_ms = parser.retry_ms ?? memory.retry_ms;
    if (parser.is_too_large) return fromTheBeginning("too_large", memory);
  }
}

function again(reason: string | null, status: number | null = null, wait_ms = 0): End {
  return { kind: "again", reason, status, wait_ms };
}

/** What cannot be read must not be asked for again. */
function fromTheBeginning(reason: string, memory: Memory): End {
  memory.last_event_id = "";
  return again(reason);
}

/** `Retry-After` in milliseconds: seconds, or a date. */
function toWait(header: string | null, now_ms: number): number {
  if (header === null) return 0;
  const wait_ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now_ms;
  return wait_ms > 0 ? wait_ms : 0;
}

/** Lists of an event, and the member that names each of their things. */
const LISTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  snapshot: { items: "id", sources: "source_id" },
  delta: { entered: "id", changed: "id", left: "id", sources: "source_id" },
  status: { sources: "source_id" },
  bye: {},
};
/** Of those, what an event may lack. */
const isOptional = (kind: string, name: string): boolean => kind === "delta" && name === "sources";

/** null: an event of a later version, which says nothing to this one. */
function toLiveEvent({ type, data, id }: ServerSentEvent): LiveEvent | null | "malformed" {
  if (!Object.hasOwn(LISTS, type)) return null;
  const body = parse(data) as Readonly<Record<string, unknown>> | undefined;
  if (body === undefined) return "malformed";
  for (const [name, key] of Object.entries(LISTS[type] ?? {})) {
    if (body[name] === undefined && isOptional(type, name)) continue;
    if (!isListOf(body[name], key)) return "malformed";
  }
  if (type === "bye" && !isSeconds(body["retry_after_s"])) return "malformed";
  const has_id = type === "snapshot" || type === "delta";
  return { kind: type, ...(has_id ? { id } : {}), body } as unknown as LiveEvent;
}

function isListOf(value: unknown, key: string): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (each: unknown) => typeof (each as Record<string, unknown> | null)?.[key] === "string",
    )
  );
}

function isSeconds(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}
