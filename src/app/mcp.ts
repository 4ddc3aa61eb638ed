/**
 * Input that the public listener passes to the tools for agents, and their replies. No types of
 * HTTP here.
 */
import type { ToolSet } from "#api/mcp-operation.ts";
import type { Operation } from "#api/operation.ts";
import type { Passage } from "./access/request-caller.ts";

/** A JSON-RPC message over HTTP. */
export type McpMessage = {
  /** Those that the protocol reads, by their names in lower case. */
  headers: Readonly<Record<string, string>>;
  text: string;
  offer: McpOffer;
};

/** What its host is offered, by the address that it calls. */
export type McpOffer = {
  tools: ToolSet;
  /** Whether the list of tools has the schemas of answers. */
  output_schemas: boolean;
};

/**
 * Reply to a message; `body` is empty where there is nothing to say (202), and a whole event stream
 * where the protocol wants several messages in one reply. `stream`: an event stream of which each
 * frame is made when the one before has been taken; after `over` its end alone is still to come, and
 * `end` brings it about. It goes on as long as its caller may ask the operation.
 */
export type McpReply =
  | { status: number; type: "json" | "events"; body: string }
  | {
      status: 200;
      type: "stream";
      frames: AsyncIterable<string>;
      over: AbortSignal;
      end(): void;
      operation: Operation;
    };

export type WholeReply = Exclude<McpReply, { type: "stream" }>;

export type AnswerMcp = (message: McpMessage, passage: Passage) => Promise<McpReply>;
