/**
 * The head of an answer in two parts: lines that stand on every answer alike, checked and joined once,
 * and the few that differ. Node's writeHead would check and match each of them on each answer,
 * which is a tenth of what a small answer costs (docs/performance.md). What frames the message and
 * keeps the connection is left to Node, which must see it.
 */
// oxlint-disable no-underscore-dangle -- the names are those of Node
import {
  STATUS_CODES,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from "node:http";

/** Header lines, each ended by CRLF. */
export type Lines = string & { readonly lines: unique symbol };

/** Headers that Node reads when it decides about body and connection: never among the lines. */
const FRAMING = new Set([
  "connection",
  "content-disposition",
  "content-length",
  "date",
  "expect",
  "keep-alive",
  "trailer",
  "transfer-encoding",
]);

/** Joins flat name-value pairs. Throws on a pair that is no header, or that frames the message. */
export function toLines(pairs: readonly string[]): Lines {
  let lines = "";
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] as string;
    const value = pairs[at + 1] as string;
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (FRAMING.has(name.toLowerCase())) throw new TypeError(`${name} is left to Node`);
    lines += `${name}: ${value}\r\n`;
  }
  return lines as Lines;
}

/** Node's own step behind writeHead: the first line may be more than one; and what it leaves. */
type Storing = ServerResponse & {
  _storeHeader(firstLine: string, headers: readonly string[]): void;
  _header: string;
  _headerSent: boolean;
};

export function writeStored(
  raw: ServerResponse,
  { status, lines }: { status: number; lines: string },
  headers: readonly string[],
): void {
  // Node asks it whether there may be a body.
  raw.statusCode = status;
  (raw as Storing)._storeHeader(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}`, headers);
}

/**
 * Writes the stored head into the `room` bytes before the body and gives both as one piece: one
 * write instead of a vector of two. null: there is no room, or Node sends no body (HEAD).
 */
export function joinHead(
  raw: ServerResponse,
  body: Uint8Array,
  { room, method }: { room: number; method: string },
): Uint8Array | null {
  const stored = raw as Storing;
  const head = stored._header;
  if (head.length > room || method === "HEAD") return null;
  const start = body.byteOffset - head.length;
  const whole = Buffer.from(body.buffer, start, head.length + body.byteLength);
  whole.write(head, 0, "latin1");
  stored._headerSent = true;
  return whole;
}
