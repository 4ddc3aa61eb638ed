/**
 * Answers that are the same for every caller, until the service is another version: the lists of
 * what /mcp offers, and the document of the map. Each is rendered once, and kept for messages that
 * are equal but for their id. What the library refuses is not kept.
 */
import type { McpMessage, McpReply, WholeReply } from "#app/mcp.ts";
import { MAP_RESOURCE } from "#api/agent-tools.ts";
import { parseJson } from "#kit/json.ts";
import { isObject } from "#core/members/member-rules.ts";

const LISTS: ReadonlySet<unknown> = new Set([
  ...["tools/list", "prompts/list", "resources/list", "resources/templates/list"],
]);
/** Of one message: what programs say of themselves is shorter. */
const LONGEST = 2_048;
/** Different messages; some programs name a version of theirs. */
const MESSAGES_MAX = 64;

type Id = string | number;
/** A message whose answer is ready, or can be from then on. */
export type Constant = { key: string; id: Id };
/** A reply without its id: the parts before and after it. */
type Rendered = { before: string; after: string };

/** Reads a message that anybody gets the same answer to; null: it is another. */
export function findConstant({ headers, text, offer }: McpMessage): Constant | null {
  if (text.length > LONGEST) return null;
  const message = parseJson(text);
  if (!isObject(message) || !isConstant(message)) return null;
  const { id, ...rest } = message;
  if (typeof id !== "string" && typeof id !== "number") return null;
  return { key: JSON.stringify([headers, offer, rest]), id };
}

function isConstant({ method, params }: Readonly<Record<string, unknown>>): boolean {
  if (LISTS.has(method)) return true;
  return method === "resources/read" && isObject(params) && params["uri"] === MAP_RESOURCE;
}

export class ReadyReplies {
  /** By message, the oldest first. */
  readonly #kept = new Map<string, Rendered>();
  /** Replies by their text, so that messages of many programs share one. */
  readonly #rendered = new Map<string, Rendered>();

  find({ key, id }: Constant): WholeReply | null {
    const rendered = this.#kept.get(key);
    if (!rendered) return null;
    const body = rendered.before + JSON.stringify(id) + rendered.after;
    return { status: 200, type: "json", body };
  }

  keep({ key, id }: Constant, reply: McpReply): void {
    if (reply.type !== "json" || reply.status !== 200) return;
    const message = parseJson(reply.body);
    if (!isObject(message) || message["id"] !== id || !isObject(message["result"])) return;
    const [before, after] = JSON.stringify({ ...message, id: ID }).split(JSON.stringify(ID));
    if (before === undefined || after === undefined) return;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MESSAGES_MAX && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, this.#share({ before, after }));
  }

  #share(rendered: Rendered): Rendered {
    const text = rendered.before + rendered.after;
    const entry = this.#rendered.get(text);
    if (entry) return entry;
    if (this.#rendered.size >= MESSAGES_MAX) this.#rendered.clear();
    this.#rendered.set(text, rendered);
    return rendered;
  }
}

/** In no text of ours. */
const ID = "\u0000 id";
