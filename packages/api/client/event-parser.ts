/**
 * Server-sent events (WHATWG HTML 9.2.6) from bytes in pieces of any size. Each byte is looked at
 * once, and what waits for its end is bounded.
 */

export type ServerSentEvent = {
  /** `message` where the event names none. */
  type: string;
  data: string;
  /** The last id that was sent, by this event or an earlier one; empty: none. */
  id: string;
};

/** Characters that one event may have. */
const EVENT_MAX = 16_777_216;

export class EventParser {
  // It drops a byte order mark at the beginning.
  readonly #decoder = new TextDecoder();
  readonly #most: number;
  /** Of the line that has not ended yet. */
  #line = "";
  /** A line feed that comes next belongs to the end of the line before. */
  #is_after_return = false;
  #type = "";
  #data: string[] = [];
  #data_size = 0;
  #id = "";
  #retry_ms: number | null = null;
  #is_too_large = false;

  constructor(most: number = EVENT_MAX) {
    this.#most = most;
  }

  /** The pause before a new connection that the server asks for; null: it has not. */
  get retry_ms(): number | null {
    return this.#retry_ms;
  }

  /** An event was larger than may be; nothing more is read then. */
  get is_too_large(): boolean {
    return this.#is_too_large;
  }

  /** Takes the next bytes and returns the events that end within them. */
  push(bytes: Uint8Array): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    const text = this.#decoder.decode(bytes, { stream: true });
    let from = 0;
    for (const { 0: end, index } of text.matchAll(/[\r\n]/g)) {
      const is_second =
        end === "\n" && this.#is_after_return && index === from && this.#line === "";
      this.#is_after_return = end === "\r";
      if (!is_second) this.#endLine(text.slice(from, index), events);
      from = index + 1;
    }
    this.#line += text.slice(from);
    this.#measure();
    return events;
  }

  #endLine(rest: string, events: ServerSentEvent[]): void {
    const line = this.#line + rest;
    this.#line = "";
    if (this.#is_too_large) return;
    if (line !== "") return this.#readField(line);
    const data = this.#data.join("\n");
    if (this.#data.length > 0) events.push({ type: this.#type || "message", data, id: this.#id });
    this.#type = "";
    this.#data = [];
    this.#data_size = 0;
  }

  #readField(line: string): void {
    const colon = line.indexOf(":");
    // A comment.
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "event") this.#type = value;
    if (name === "id" && !value.includes("\0")) this.#id = value;
    if (name === "retry" && /^\d{1,9}$/.test(value)) this.#retry_ms = Number(value);
    if (name !== "data") return;
    this.#data.push(value);
    this.#data_size += value.length + 1;
    this.#measure();
  }

  #measure(): void {
    if (this.#data_size + this.#line.length <= this.#most) return;
    this.#is_too_large = true;
    this.#line = "";
    this.#data = [];
    this.#data_size = 0;
  }
}
