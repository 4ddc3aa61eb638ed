/** Refusals of messages that are no tool calls: errors of JSON-RPC with our codes in their data. */
import type { ToolFailure } from "./tool.ts";

type Refused = Pick<ToolFailure, "code" | "message" | "retry_after_s">;

/** JSON-RPC: what a server defines itself. */
export const REFUSED = -32_000;

export function toRefusalMessage({ code, message }: Refused): string {
  return `${code}: ${message}`;
}

export function toRefusalData({ code, retry_after_s = null }: Refused) {
  return { code, retry_after_s };
}

/** The whole reply to the request with this id. */
export function toRefusalText(id: unknown, refused: Refused): string {
  const error = {
    code: REFUSED,
    message: toRefusalMessage(refused),
    data: toRefusalData(refused),
  };
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}
