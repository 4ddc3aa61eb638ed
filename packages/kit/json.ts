/**
 * JSON.parse as a value. It is the one call on data that throws, so the catch is here and
 * nowhere else in the pure layers.
 */
import { ANSWER_BOUNDS } from "./feed-bounds.ts";
import { exceededBound, type JsonBounds } from "./json-bounds.ts";

/** The parsed value, or undefined when the text is not JSON. A leading byte order mark is skipped. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** A parsed document, or why there is none. */
export type ParsedJson<Reason> = { value: unknown } | { reason: "not_json" | Reason };

/** Parses a document of a stranger, unless it exceeds these bounds. */
export function parseWithin(
  bytes: Uint8Array,
  bounds: JsonBounds,
): ParsedJson<NonNullable<ReturnType<typeof exceededBound>>> {
  const exceeded = exceededBound(bytes, bounds);
  if (exceeded !== null) return { reason: exceeded };
  const value = parseJsonBytes(bytes);
  return value === undefined ? { reason: "not_json" } : { value };
}

/** Parses the answer of a source; undefined: it is not JSON, or beyond the bounds of an answer. */
export function parseAnswer(bytes: Uint8Array): unknown {
  const parsed = parseWithin(bytes, ANSWER_BOUNDS);
  return "value" in parsed ? parsed.value : undefined;
}

const decoder = new TextDecoder();

/** Parses UTF-8 bytes; invalid sequences become U+FFFD, as publishers send Latin-1 at times. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  return parseJson(decoder.decode(bytes));
}
