/** The stream of a box (GET /v1/nearby/stream): it comes again by itself, and says why it is away. */

/**
 * Why there is no stream. `wait_ms`: until the next attempt; null: there is none, since it would be
 * refused again.
 * @typedef {{ code: string, message: string, wait_ms: number | null, cause?: unknown }} Away
 */
/**
 * @typedef {object} Wish
 * @property {string} url with its query
 * @property {string} key empty: none
 * @property {(event: string, data: any) => void} onEvent
 * @property {(away: Away) => void} onAway
 */

/** The service says something every 15 s; a connection that is silent for longer is dead. */
const SILENT_MS = 45_000;
/** Before the service says how long, and at most. */
const RETRY_MS = 2000;
const RETRY_MAX_MS = 60_000;
/** Characters of one event; the 20,000 things that a box may have are half of it. */
const EVENT_MAX = 16_000_000;
/** Answers that are the same however often one asks. */
const FINAL = new Set([400, 401, 403, 404, 405, 406, 410, 414]);

export class Stream {
  #wish;
  #stop = new AbortController();
  /** Id of the last event, with which the next connection goes on without a gap. */
  #last = "";
  #retry_ms = RETRY_MS;
  #bye = /** @type {Away | null} */ (null);
  #taken = 0;

  /** Connects at once. @param {Wish} wish */
  constructor(wish) {
    this.#wish = wish;
    this.resume();
  }

  /** Ends the connection. */
  pause() {
    this.#stop.abort();
  }

  /** Goes on where it was; the service sends all again where it cannot. */
  resume() {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#run(signal).catch((cause) => {
      this.#wish.onAway({ code: "failed", message: String(cause), wait_ms: null, cause });
    });
  }

  /** @param {AbortSignal} signal */
  async #run(signal) {
    for (let failures = 0; ;) {
      const before = this.#taken;
      this.#bye = null;
      const away = await this.#read(signal);
      if (signal.aborted) return;
      if (away.wait_ms === null) return this.#wish.onAway(away);
      failures = this.#taken > before ? 0 : failures + 1;
      const own_ms = Math.min(RETRY_MAX_MS, this.#retry_ms * 2 ** Math.min(failures, 9));
      // Those that were cut off together do not come again together.
      const wait_ms = Math.max(away.wait_ms, own_ms) * (1 + Math.random() / 4);
      this.#wish.onAway({ ...away, wait_ms });
      await pause(wait_ms, signal);
      if (signal.aborted) return;
    }
  }

  /** One connection, until it ends. @param {AbortSignal} signal @returns {Promise<Away>} */
  async #read(signal) {
    const { url, key } = this.#wish;
    const silence = new AbortController();
    let timer = 0;
    const listen = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENT_MS);
    };
    let code = "unreachable";
    try {
      listen();
      const response = await fetch(url, {
        headers: {
          accept: "text/event-stream",
          ...(key && { authorization: `Bearer ${key}` }),
          ...(this.#last && { "last-event-id": this.#last }),
        },
        credentials: "omit",
        cache: "no-store",
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (!response.ok || !response.body) return await toRefusal(response);
      code = "interrupted";
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { value, done } = await reader.read();
        if (done) return this.#bye ?? { code, message: "the stream ended", wait_ms: 0 };
        listen();
        const events = (text + value).split(/\r?\n\r?\n/);
        text = events.pop() ?? "";
        if (text.length > EVENT_MAX) throw new Error("an event has no end");
        for (const event of events) this.#take(event);
      }
    } catch (cause) {
      return { code, message: String(cause), wait_ms: 0, cause };
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  /** @param {string} text of one event */
  #take(text) {
    const fields = { event: "message", data: "", id: "", retry: "" };
    for (const line of text.split(/\r?\n/)) {
      const at = line.indexOf(":");
      const name = /** @type {keyof typeof fields} */ (line.slice(0, at));
      if (at > 0 && name in fields) fields[name] = line.slice(at + 1).replace(/^ /, "");
    }
    if (/^\d{1,6}$/.test(fields.retry)) this.#retry_ms = Number(fields.retry);
    if (fields.data === "") return;
    const data = JSON.parse(fields.data);
    if (fields.event === "bye") {
      const { reason, message, retry_after_s } = data;
      this.#bye = {
        code: String(reason),
        message: String(message),
        wait_ms: retry_after_s * 1000 || 0,
      };
      return;
    }
    this.#wish.onEvent(fields.event, data);
    this.#taken++;
    // After it was taken: what was not is sent again.
    if (fields.id) this.#last = fields.id;
  }
}

/** @param {Response} response @returns {Promise<Away>} */
async function toRefusal(response) {
  const { status, headers } = response;
  const { error } = await response.json().catch(() => ({}));
  const wait_s = Number(headers.get("retry-after"));
  return {
    code: String(error?.code ?? `http_${status}`),
    message: String(error?.message ?? `HTTP ${status}`),
    wait_ms: FINAL.has(status) ? null : wait_s * 1000 || 0,
  };
}

/** @param {number} ms @param {AbortSignal} signal */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve(null);
      },
      { once: true },
    );
  });
}
