/**
 * The Model Context Protocol on standard streams: one JSON-RPC message a line goes to the server's
 * /mcp, its answer comes back as a line. The server speaks the protocol; here only those members of
 * a message are read that HTTP needs.
 */
import { createInterface } from "node:readline";
import type { Io } from "#cli/io.ts";
import { printMessage } from "#cli/print/print-message.ts";
import { reasonOf } from "#api/client/request.ts";
import { isObject } from "#core/members/member-rules.ts";
import { detach, guard } from "#kit/guard.ts";
import { parseJson } from "#kit/json.ts";

export type RelayOptions = {
  url: string;
  api_key: string | null;
  /** Set of tools to offer; absent: as the server has it. */
  tools?: string | undefined;
  io: Pick<Io, "in" | "out" | "err" | "fetch">;
};

type Message = Readonly<Record<string, unknown>>;
type Id = string | number;

/**
 * Silence of the server, until an answer and within a stream; a search waits five seconds at most, and
 * a stream on which nothing happens has a comment every 15 seconds.
 */
const SILENCE_MS = 30_000;

/** What is under way: how each request is called off, and those that are answered by a stream. */
type UnderWay = {
  cancels: Map<Id, AbortController>;
  streams: Set<AbortController>;
  /** The host says nothing more. */
  is_last: boolean;
};

/** Ends with the input, once everything asked has been answered; no stream goes on after it. */
export async function relay(options: RelayOptions): Promise<void> {
  const pending = new Set<Promise<void>>();
  const underWay: UnderWay = { cancels: new Map(), streams: new Set(), is_last: false };
  for await (const line of createInterface({ input: options.io.in })) {
    if (line.trim() === "") continue;
    const passing = guard(
      () => pass(options, line, underWay),
      (error) => say(options, String(error)),
    );
    pending.add(passing);
    detach(
      passing.then(() => pending.delete(passing)),
      (error) => say(options, String(error)),
    );
  }
  underWay.is_last = true;
  for (const stream of underWay.streams) stream.abort();
  await Promise.all(pending);
}

async function pass(options: RelayOptions, line: string, underWay: UnderWay): Promise<void> {
  const { cancels, streams } = underWay;
  const parsed = parseJson(line);
  const message = isObject(parsed) ? parsed : {};
  if (message["method"] === "notifications/cancelled") cancel(message, cancels);
  const id = idOf(message);
  const controller = new AbortController();
  if (id !== null) cancels.set(id, controller);
  const answer = await ask(options, {
    line,
    message,
    controller,
    onStream() {
      if (underWay.is_last) controller.abort();
      else streams.add(controller);
    },
  });
  if (id !== null) cancels.delete(id);
  streams.delete(controller);
  // A cancelled request gets no answer, and neither does a notification.
  if (controller.signal.aborted) return;
  if (answer.ok && answer.text !== "") return write(options, answer.text);
  if (answer.ok) return;
  if (id === null) say(options, answer.message);
  else write(options, toErrorText(id, answer));
}

function cancel(message: Message, cancels: ReadonlyMap<Id, AbortController>): void {
  const params = membersOf(message["params"]);
  cancels.get(params["requestId"] as Id)?.abort();
}

function say({ io }: RelayOptions, message: string): void {
  printMessage(io.err, message);
}

function write({ io }: RelayOptions, text: string): void {
  io.out.write(`${text}\n`);
}

type Answer = { ok: true; text: string } | { ok: false; message: string; code?: string };
type PendingCall = {
  line: string;
  message: Message;
  controller: AbortController;
  /** The answer is a stream, whose messages are written as they come. */
  onStream(): void;
};

async function ask(options: RelayOptions, query: PendingCall): Promise<Answer> {
  const { url, api_key, io, tools } = options;
  const { line, message, controller } = query;
  const set = tools === undefined ? "" : `?tools=${encodeURIComponent(tools)}`;
  const silence = openSilence();
  const sent = io.fetch(`${url}/mcp${set}`, {
    method: "POST",
    headers: toHeaders(message, api_key),
    body: line,
    signal: AbortSignal.any([controller.signal, silence.signal]),
  });
  const answer = await sent
    .then(async (response) => {
      if (!isStream(response)) return toAnswer(response, await response.text());
      query.onStream();
      return passOn(options, response, silence.renew);
    })
    .then(undefined, (error: unknown): Answer => ({ ok: false, message: toReason(url, error) }));
  silence.end();
  return answer;
}

/** Aborts where nothing has been received for too long. */
function openSilence(): { signal: AbortSignal; renew(): void; end(): void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new DOMException("no answer in time", "TimeoutError"));
  const timer = setTimeout(stop, SILENCE_MS).unref();
  return {
    signal: controller.signal,
    renew() {
      timer.refresh();
    },
    end: () => clearTimeout(timer),
  };
}

function toReason(url: string, error: unknown): string {
  return `no answer from ${url} (${reasonOf(error)}); start it with npm start, or name another with --url`;
}

/** An answer without JSON-RPC is a refusal before there was a message (docs/errors.md). */
function toAnswer(response: Response, text: string): Answer {
  const body = membersOf(parseJson(text));
  if (text === "" || body["jsonrpc"] === "2.0") return { ok: true, text };
  const { code, message } = membersOf(body["error"]);
  if (typeof code !== "string")
    return { ok: false, message: `the server answered ${response.status}` };
  return { ok: false, code, message: `${response.status} ${code}: ${String(message)}` };
}

function isStream({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").startsWith("text/event-stream");
}

/** Writes the messages of an event stream as they come; the server has each on one `data` line. */
async function passOn(
  options: RelayOptions,
  { body }: Response,
  renew: () => void,
): Promise<Answer> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    renew();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.startsWith(DATA)) write(options, line.slice(DATA.length));
  }
  return { ok: true, text: "" };
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
