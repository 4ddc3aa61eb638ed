/**
 * POST /mcp: a JSON-RPC message in, one out. Credential, shedding and burst are checked as for every
 * route; a tool call passes the same gate as the operation that it calls.
 */
import type { Caller } from "#app/access/request-caller.ts";
import type { Passage } from "#app/access/request-caller.ts";
import type { AnswerMcp, McpMessage, McpOffer, McpReply, WholeReply } from "#app/mcp.ts";
import { MCP_OPERATION } from "#api/mcp-operation.ts";
import { isObject } from "#core/members/member-rules.ts";
import { parseJson } from "#kit/json.ts";
import { readyLines, sendData } from "./data.ts";
import { type Problem, refusal, sendProblem } from "./error-replies.ts";
import { type Exchange, resume, sendRaw } from "./http-exchange.ts";
import type { Gate } from "./gate.ts";
import type { BodyHandler } from "./handler.ts";
import { JSON_TYPE } from "./reply-headers.ts";
import { findOriginProblem, type OriginRules } from "./request-origin.ts";
import { watch } from "./presence.ts";
import { EVENTS_TYPE, sendStream, UNBUFFERED } from "./event-stream.ts";
import type { Metered, StreamMinutes } from "./stream-minutes.ts";

/** `tools`: what a host is offered whose address does not say. */
export type McpRules = OriginRules & Pick<McpOffer, "tools">;

export type McpHandlerDeps = { gate: Gate; mcp: AnswerMcp };

export function createMcpHandler(
  { gate, mcp }: McpHandlerDeps,
  rules: McpRules,
  minutes: StreamMinutes,
): BodyHandler<Read> {
  const answer = async (
    exchange: Exchange,
    passage: Omit<Passage, "signal">,
    { text, wish = {} }: { text: string; wish?: Partial<McpOffer> },
  ) => {
    const presence = watch(exchange);
    const { tools = rules.tools, output_schemas = false } = wish;
    const offer = { tools, output_schemas };
    const message: McpMessage = { headers: toHeaders(exchange), text, offer };
    const reply = await mcp(message, { ...passage, signal: presence.signal });
    resume(exchange);
    if (reply.type === "stream") return sendFrames(exchange, reply, minutes);
    presence.end();
    send(exchange, reply);
  };
  return {
    read: ({ request }, _caller, bytes) => {
      const problem = findOriginProblem(request.raw, rules);
      if (problem) return { ok: false, ...problem };
      const text = Buffer.from(bytes).toString();
      const message = parseJson(text);
      if (Array.isArray(message)) return { ok: false, ...BATCH };
      return { ok: true, value: { text, message }, free: true };
    },
    run: (exchange, caller, { body: { text }, ...wish }) =>
      answer(exchange, toPassage(gate, exchange, caller), { text, wish }),
    refuse: (exchange, problem, { text, message }) => {
      if (isToolCall(message)) return answer(exchange, toRefusal(problem), { text });
      return sendProblem(exchange, MCP_OPERATION, problem);
    },
  };
}

type Read = { text: string; message: unknown };

/** Removed from the protocol in 2025-06-18; one request is one message, and counts as one. */
const BATCH = refusal(
  "invalid_request",
  "the body must be one JSON-RPC message; send several in requests of their own",
);

function toPassage(gate: Gate, exchange: Exchange, caller: Caller): Omit<Passage, "signal"> {
  return {
    caller,
    permit(operation, free, types) {
      resume(exchange);
      exchange.free = free;
      return gate.permit(exchange, operation, caller, { types });
    },
    remainingUnits: () => exchange.remaining_units,
    charge: async (operation, metered) => {
      resume(exchange);
      const problem = await gate.charge(exchange, { operation, caller, metered });
      resume(exchange);
      return problem;
    },
  };
}

/** Passage of a caller that was refused before its message was read. */
function toRefusal(problem: Problem): Omit<Passage, "signal"> {
  const none = null as unknown as Caller;
  return {
    caller: none,
    permit: () => problem,
    remainingUnits: () => null,
    charge: () => Promise.resolve(problem),
  };
}

function isToolCall(message: unknown): boolean {
  return isObject(message) && message["method"] === "tools/call" && message["id"] !== undefined;
}

/** Those that the protocol reads. */
const READ_HEADERS = [
  ...["accept", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version"],
] as const;

function toHeaders({ request }: Exchange): Record<string, string> {
  const { headers } = request.raw;
  return Object.fromEntries(
    READ_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

const TYPES = { json: JSON_TYPE, events: EVENTS_TYPE } as const;

/**
 * While it goes on, its caller may leave: the presence is watched to its end. It costs nothing, and ends
 * when its key may not read any more.
 */
async function sendFrames(
  exchange: Exchange,
  { status, frames, over, operation, end }: FrameReply,
  minutes: StreamMinutes,
): Promise<void> {
  const ready = readyLines(MCP_OPERATION, TYPES.events, "no-store", exchange.token_used);
  const metered: Metered = {
    exchange,
    operation,
    isFree: true,
    get isOver() {
      return over.aborted;
    },
    stop: end,
  };
  minutes.add(metered);
  try {
    await sendStream(exchange, { status, ready, headers: [...UNBUFFERED] }, { frames, over });
  } finally {
    minutes.remove(metered);
  }
}

type FrameReply = Extract<McpReply, { type: "stream" }>;

function send(exchange: Exchange, { status, type, body }: WholeReply): void {
  if (status === 200) {
    const ready = readyLines(MCP_OPERATION, TYPES[type], "no-store", exchange.token_used);
    return sendData(exchange, { status, ready, headers: [], body });
  }
  const headers = [
    "cache-control",
    "no-store",
    ...(body === "" ? [] : ["content-type", TYPES[type]]),
  ];
  sendRaw(exchange, { status, headers, body });
}
