/**
 * The Model Context Protocol on standard streams: one JSON-RPC message a line goes to the server's
 * /mcp, its answer comes back as a line. The server speaks the protocol; here only those members of
 * a message are read that HTTP needs.
 */
import { createInterface } from "node:readline";
import type { Io } from "#cli/io.ts";
import { reasonOf } from "#client/client.ts";
import { isObject } from "#core/members/rules.ts";
import { parseJson } from "#core/json.ts";

export type RelayOptions = {
  url: string;
  api_key: string | null;
  io: Pick<Io, "in" | "out" | "err" | "fetch">;
};

type Message = Readonly<Record<string, unknown>>;
type Id = string | number;

/** Of one answer; a search waits five seconds at most. */
const TIMEOUT_MS = 30_000;

/** Ends with the input, once everything asked has been answered. */
export async function relay(options: RelayOptions): Promise<void> {
  const pending = new Set<Promise<void>>();
  const cancels = new Map<Id, AbortController>();
  for await (const line of createInterface({ input: options.io.in })) {
    if (line.trim() === "") continue;
    const passing = pass(options, line, cancels);
    pending.add(passing);
    void passing.then(() => pending.delete(passing));
  }
  await Promise.all(pending);
}

async function pass(
  options: RelayOptions,
  line: string,
  cancels: Map<Id, AbortController>,
): Promise<void> {
  const parsed = parseJson(line);
  const message = isObject(parsed) ? parsed : {};
  if (message["method"] === "notifications/cancelled") cancel(message, cancels);
  const id = idOf(message);
  const controller = new AbortController();
  if (id !== null) cancels.set(id, controller);
  const answer = await ask(options, { line, message, controller });
  if (id !== null) cancels.delete(id);
  // A cancelled request gets no answer, and neither does a notification.
  if (controller.signal.aborted) return;
  if (answer.ok && answer.text !== "") return write(options, answer.text);
  if (answer.ok) return;
  if (id === null) options.io.err.write(`vicinity: ${answer.message}\n`);
  else write(options, toErrorText(id, answer));
}

function cancel(message: Message, cancels: ReadonlyMap<Id, AbortController>): void {
  const params = membersOf(message["params"]);
  cancels.get(params["requestId"] as Id)?.abort();
}

function write({ io }: RelayOptions, text: string): void {
  io.out.write(`${text}\n`);
}

type Answer = { ok: true; text: string } | { ok: false; message: string; code?: string };
type Asking = { line: string; message: Message; controller: AbortController };

function ask({ url, api_key, io }: RelayOptions, asking: Asking): Promise<Answer> {
  const { line, message, controller } = asking;
  const sent = io.fetch(`${url}/mcp`, {
    method: "POST",
    headers: toHeaders(message, api_key),
    body: line,
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  return sent
    .then(async (response) => toAnswer(response, await response.text()))
    .then(undefined, (error: unknown) => ({ ok: false, message: toReason(url, error) }));
}

function toReason(url: string, error: unknown): string {
  return `no answer from ${url} (${reasonOf(error)}); start it with npm start, or name another with --url`;
}

/** An answer without JSON-RPC is a refusal before there was a message (docs/errors.md). */
function toAnswer(response: Response, text: string): Answer {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) return { ok: true, text: toLines(text) };
  const body = membersOf(parseJson(text));
  if (text === "" || body["jsonrpc"] === "2.0") return { ok: true, text };
  const { code, message } = membersOf(body["error"]);
  if (typeof code !== "string")
    return { ok: false, message: `the server answered ${response.status}` };
  return { ok: false, code, message: `${response.status} ${code}: ${String(message)}` };
}

/** The messages of an event stream, one a line; the server writes each on one `data` line. */
function toLines(events: string): string {
  const data = events.split("\n").filter((line) => line.startsWith(DATA));
  return data.map((line) => line.slice(DATA.length)).join("\n");
}

const DATA = "data: ";

/** The revisions without a handshake want what the body says repeated in headers. */
function toHeaders(message: Message, api_key: string | null): Record<string, string> {
  const params = membersOf(message["params"]);
  const version = membersOf(params["_meta"])["io.modelcontextprotocol/protocolVersion"];
  const method = message["method"];
  const name = params["name"] ?? params["uri"];
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(api_key === null ? {} : { authorization: `Bearer ${api_key}` }),
    ...(typeof version === "string" ? { "mcp-protocol-version": version } : {}),
    ...(typeof version === "string" && typeof method === "string" ? { "mcp-method": method } : {}),
    ...(typeof version === "string" && typeof name === "string" ? { "mcp-name": name } : {}),
  };
}

/** JSON-RPC: what a server defines itself. */
const REFUSED = -32_000;

function toErrorText(id: Id, { message, code }: Extract<Answer, { ok: false }>): string {
  const data = code === undefined ? {} : { data: { code } };
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: REFUSED, message, ...data } });
}

/** Of a request; null: a notification, or nothing we could answer to. */
function idOf({ id, method }: Message): Id | null {
  const isRequest =
    typeof method === "string" && (typeof id === "string" || typeof id === "number");
  return isRequest ? id : null;
}

function membersOf(value: unknown): Message {
  return isObject(value) ? value : {};
}
