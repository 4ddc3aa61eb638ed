/** Server-sent events out of the text of a stream, as it comes in pieces. */

/** @typedef {{ type: string, id: string | null, data: string }} StreamEvent */

/** Characters of one event; a snapshot of twenty thousand things has a quarter of it. */
const MOST = 24_000_000;

/** Throws where an event is longer than any that the service sends. */
export class EventReader {
  /** What has come of a line that has not ended, in pieces. @type {string[]} */
  #rest = [];
  #length = 0;
  #type = "";
  /** @type {string | null} */
  #id = null;
  /** @type {string[]} */
  #data = [];
  /** The last id that came, of whatever event. @type {string | null} */
  last_id = null;
  /** What the service wants a client to wait before it comes again, ms; null: it has not said. @type {number | null} */
  retry_ms = null;

  /** Takes a piece of the text, and returns the events that end in it. @param {string} text @returns {StreamEvent[]} */
  push(text) {
    this.#length += text.length;
    if (this.#length > MOST) throw new RangeError("an event is too long");
    const lines = text.split("\n");
    const last = lines.pop() ?? "";
    if (lines.length > 0) {
      lines[0] = this.#rest.join("") + lines[0];
      this.#rest = [];
    }
    if (last !== "") this.#rest.push(last);
    return lines.flatMap((line) => this.#take(line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  /** @param {string} line @returns {StreamEvent[]} */
  #take(line) {
    if (line === "") return this.#end();
    const at = line.indexOf(":");
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? "" : line.slice(line[at + 1] === " " ? at + 2 : at + 1);
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#type = value;
    else if (name === "id") this.#id = value;
    else if (name === "retry" && /^\d{1,7}$/.test(value)) this.retry_ms = Number(value);
    return [];
  }

  /** @returns {StreamEvent[]} */
  #end() {
    const event = { type: this.#type || "message", id: this.#id, data: this.#data.join("\n") };
    const isWhole = this.#data.length > 0;
    if (isWhole && event.id !== null) this.last_id = event.id;
    this.#type = "";
    this.#id = null;
    this.#data = [];
    this.#length = this.#rest.reduce((sum, part) => sum + part.length, 0);
    return isWhole ? [event] : [];
  }
}
