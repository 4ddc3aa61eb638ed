/** One stream of one box: it is opened, read, and opened again where it left off when it breaks. */
import { EventReader } from "./events.js";

/**
 * @typedef {import("./known.js").Snapshot} Snapshot @typedef {import("./known.js").Delta} Delta
 * @typedef {{ kind: "broken" } | { kind: "refused" | "bye", reason: string, message: string, retry_s: number }} Over
 * How an attempt ended; `reason`: the status of a refusal, or that of a `bye`.
 * @typedef {{
 *   snapshot(snapshot: Snapshot): void, delta(delta: Delta): void, status(status: Pick<Delta, "at"> & { sources: any[] }): void,
 *   over(over: Over, failures: number): number | null,
 * }} Hooks `over`: says after how many ms it is tried again; null: never
 * @typedef {{
 *   open(target: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>,
 *   wait(ms: number, signal: AbortSignal): Promise<void>,
 * }} Means
 */

/** The service says something every 15 s: after this time of silence the connection is dead, ms. */
const SILENCE_MS = 45_000;
const EVENTS = new Set(["snapshot", "delta", "status"]);

export class Run {
  #means;
  #hooks;
  #end = new AbortController();
  #failures = 0;
  /** A snapshot has come. */
  isBegun = false;
  /** The id of the last event, from which the service can go on. @type {string | null} */
  last_id;
  target;

  /** @param {string} target @param {string | null} last_id @param {Means} means @param {Hooks} hooks */
  constructor(target, last_id, means, hooks) {
    this.target = target;
    this.last_id = last_id;
    this.#means = means;
    this.#hooks = hooks;
  }

  /** Ends it: no hook is called any more. */
  end() {
    this.#end.abort();
  }

  /** Reads until it is ended, or is not to be tried again. */
  async read() {
    const { signal } = this.#end;
    while (!signal.aborted) {
      const over = await this.#attempt();
      if (signal.aborted) return;
      this.#failures += 1;
      const wait_ms = this.#hooks.over(over, this.#failures);
      if (wait_ms === null) return;
      await this.#means.wait(wait_ms, signal);
    }
  }

  /** @returns {Promise<Over>} */
  async #attempt() {
    const quiet = new AbortController();
    const signal = AbortSignal.any([this.#end.signal, quiet.signal]);
    let timer = setTimeout(() => quiet.abort(), SILENCE_MS);
    try {
      const headers = { ...(this.last_id === null ? {} : { "last-event-id": this.last_id }) };
      const response = await this.#means.open(this.target, headers, signal);
      if (!isStream(response)) return await toRefusal(response);
      const events = new EventReader();
      const decoder = new TextDecoder();
      const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) return { kind: "broken" };
        clearTimeout(timer);
        timer = setTimeout(() => quiet.abort(), SILENCE_MS);
        for (const { type, data } of events.push(decoder.decode(value, { stream: true }))) {
          const body = JSON.parse(data);
          if (type === "bye") return { kind: "bye", ...toEnd(body) };
          if (EVENTS.has(type)) this.#take(type, body);
        }
        this.last_id = events.last_id ?? this.last_id;
      }
    } catch (error) {
      // What cannot be read is read again from the beginning.
      if (!(error instanceof DOMException || error instanceof TypeError)) this.last_id = null;
      return { kind: "broken" };
    } finally {
      clearTimeout(timer);
      quiet.abort();
    }
  }

  /** @param {string} type @param {any} body */
  #take(type, body) {
    if (this.#end.signal.aborted) return;
    this.#failures = 0;
    this.isBegun ||= type === "snapshot";
    const hook = type === "snapshot" ? "snapshot" : type === "delta" ? "delta" : "status";
    try {
      this.#hooks[hook](body);
    } catch (error) {
      // A defect of ours, which ends no stream.
      reportError(error);
    }
  }
}

/** @param {Response} response */
function isStream({ ok, headers, body }) {
  return ok && body !== null && (headers.get("content-type") ?? "").startsWith("text/event-stream");
}

/** @param {Response} response @returns {Promise<Over>} */
async function toRefusal(response) {
  const body = await response.json().catch(() => null);
  const { message, retry_s } = toEnd({ ...body?.error, retry_after_s: 0 });
  const wished = Number(response.headers.get("retry-after"));
  return {
    kind: "refused",
    reason: String(response.status),
    message,
    retry_s: wished > 0 ? wished : retry_s,
  };
}

/** @param {any} body */
function toEnd({ reason = "", message = "", retry_after_s = 0 }) {
  const retry_s = Number(retry_after_s);
  return {
    reason: String(reason),
    message: typeof message === "string" ? message : "",
    retry_s: retry_s > 0 ? retry_s : 0,
  };
}
