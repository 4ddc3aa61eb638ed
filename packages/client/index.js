// Made by npm run generate, from packages/api/client.

/** Asks and reads the whole answer. */
async function get(options, path, parameters = {}) {
  const headers = toHeaders(options, "application/json");
  const send = options.fetch ?? fetch;
  try {
    const url = toUrl(options, path, parameters);
    const signal = AbortSignal.timeout(options.timeout_ms ?? TIMEOUT_MS);
    const response = await send(url, { headers, signal });
    return toReply(response, await response.text());
  } catch (error) {
    return { kind: "unreachable", reason: reasonOf(error) };
  }
}

/** Milliseconds that one answer may take, where the caller says nothing. */
const TIMEOUT_MS = 10_000;

/** Throws where the address is none. */
function toUrl(options, path, parameters) {
  const url = new URL(options.url.replace(/(?<!\/)\/+$/, "") + path);
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, String(value));
  }
  return url;
}

function toHeaders({ api_key }, accept) {
  return { accept, ...(api_key === undefined ? {} : { authorization: `Bearer ${api_key}` }) };
}

function toReply(response, text) {
  const body = parse(text);
  if (response.ok && body !== undefined) return { kind: "ok", body: body };
  const { status } = response;
  const error = body?.error;
  if (typeof error?.code === "string" && typeof error.message === "string") {
    return { kind: "refused", status, code: error.code, message: error.message };
  }
  const content_type = response.headers.get("content-type") ?? "no content type";
  return { kind: "stranger", status, content_type };
}

/** Undefined for anything but a JSON object. */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `fetch` hides the system's reason in the cause, or in the first of several causes. */
function reasonOf(error) {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "timeout";
  const cause = error.cause;
  return cause?.code ?? cause?.errors?.[0]?.code ?? error.message;
}

/** Characters that one event may have. */
const EVENT_MAX = 16_777_216;

class EventParser {
  // It drops a byte order mark at the beginning.
  #decoder = new TextDecoder();
  #most;
  /** Of the line that has not ended yet. */
  #line = "";
  /** A line feed that comes next belongs to the end of the line before. */
  #is_after_return = false;
  #type = "";
  #data = [];
  #data_size = 0;
  #id = "";
  #retry_ms = null;
  #is_too_large = false;

  constructor(most = EVENT_MAX) {
    this.#most = most;
  }

  /** The pause before a new connection that the server asks for; null: it has not. */
  get retry_ms() {
    return this.#retry_ms;
  }

  /** An event was larger than may be; nothing more is read then. */
  get is_too_large() {
    return this.#is_too_large;
  }

  /** Takes the next bytes and returns the events that end within them. */
  push(bytes) {
    const events = [];
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

  #endLine(rest, events) {
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

  #readField(line) {
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

  #measure() {
    if (this.#data_size + this.#line.length <= this.#most) return;
    this.#is_too_large = true;
    this.#line = "";
    this.#data = [];
    this.#data_size = 0;
  }
}

/** Time and chance; tests pass their own. */

/** Bytes of a refusal that are read. */
const REFUSAL_BYTES = 65_536;

class Connection {
  #controller = new AbortController();
  #runtime;
  #caller;
  #leave = () => this.#controller.abort();
  #reader = null;

  constructor(runtime, caller) {
    this.#runtime = runtime;
    this.#caller = caller;
    if (caller?.aborted) this.#leave();
    caller?.addEventListener("abort", this.#leave, { once: true });
  }

  get signal() {
    return this.#controller.signal;
  }

  /** Waits for something of the connection; rejects with `reason` after `ms`, or when it is closed. */
  within(ms, reason, task) {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const end = () => {
        cancel();
        signal.removeEventListener("abort", stop);
      };
      const stop = () => {
        end();
        reject(signal.reason);
      };
      const cancel = this.#runtime.schedule(ms, () => this.#controller.abort(new Error(reason)));
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      task().then(resolve, reject).then(end, end);
    });
  }

  /** The next bytes of the body; null: it has ended. */
  async read(response, ms) {
    this.#reader ??= response.body?.getReader() ?? null;
    const reader = this.#reader;
    if (reader === null) return null;
    const { done, value } = await this.within(ms, "silence", () => reader.read());
    return done ? null : value;
  }

  /** The body as text, of which the beginning is enough. */
  async readText(response, ms) {
    const decoder = new TextDecoder();
    let text = "";
    while (text.length < REFUSAL_BYTES) {
      const bytes = await this.read(response, ms);
      if (bytes === null) break;
      text += decoder.decode(bytes, { stream: true });
    }
    return text;
  }

  close() {
    this.#caller?.removeEventListener("abort", this.#leave);
    this.#controller.abort();
    this.#reader?.cancel().catch(() => undefined);
  }
}

/** Waits, or until the signal is aborted. */
function pause(ms, { schedule }, signal) {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = schedule(ms, end);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

/** Longer ones are beyond the timers of browsers and Node. */
const LONGEST_MS = 2_147_483_647;

const RUNTIME = {
  now: () => Date.now(),
  random: () => Math.random(),
  schedule(ms, task) {
    const timer = setTimeout(task, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

const STREAM_PATH = "/v1/nearby/stream";

/** The service sends something every 15 s. */
const SILENCE_MS = 45_000;
/** The pause before a new connection, where the service says nothing. */
const RETRY_MS = 2_000;
const PAUSE = { least_ms: 100, most_ms: 30_000 };
/** A connection that has lasted this long has gone well. */
const GOOD_MS = 30_000;

/** What is kept from one connection to the next. */

/** Why a connection is over; `event`: the stream is over as well. */

/** Yields the events of a box until the signal is aborted, the caller leaves, or it is refused. */
async function* openStream(options, query, { signal, last_event_id = "" } = {}, runtime = RUNTIME) {
  const memory = { last_event_id, retry_ms: RETRY_MS, failures: 0 };
  const url = findUrl(options, query);
  if (url === null) return yield { kind: "unreachable", reason: "invalid_url" };
  for (;;) {
    if (signal?.aborted) return;
    const end = yield* readConnection({ options, url, signal }, memory, runtime);
    if (signal?.aborted) return;
    if (end.kind === "last") return yield end.event;
    const { reason, status } = end;
    const retry_after_ms = pauseAfter(end.wait_ms, memory, runtime);
    if (reason !== null) yield { kind: "interrupted", reason, status, retry_after_ms };
    await pause(retry_after_ms, runtime, signal);
  }
}

function findUrl(options, query) {
  try {
    return toUrl(options, STREAM_PATH, query);
  } catch {
    return null;
  }
}

/** Longer from failure to failure, and never the same for two readers that were cut off together. */
function pauseAfter(wait_ms, memory, { random }) {
  const base = Math.min(Math.max(memory.retry_ms, PAUSE.least_ms), PAUSE.most_ms);
  const grown = Math.min(base * 2 ** Math.min(memory.failures, 16), PAUSE.most_ms);
  memory.failures += 1;
  return Math.round(Math.max(wait_ms, grown / 2) + (grown / 2) * random());
}

async function* readConnection(source, memory, runtime) {
  const connection = new Connection(runtime, source.signal);
  const opened_ms = runtime.now();
  try {
    const response = await ask(source, connection, memory);
    const refusal = await readRefusal(source, response, connection, runtime);
    if (refusal) return refusal;
    return yield* readEvents(connection, response, memory);
  } catch (error) {
    return again(reasonOf(error));
  } finally {
    if (runtime.now() - opened_ms >= GOOD_MS) memory.failures = 0;
    connection.close();
  }
}

function ask({ options, url }, connection, { last_event_id }) {
  const headers = toHeaders(options, "text/event-stream");
  if (/^[!-~]{1,256}$/.test(last_event_id)) headers["last-event-id"] = last_event_id;
  const { signal } = connection;
  const send = options.fetch ?? fetch;
  return connection.within(options.timeout_ms ?? TIMEOUT_MS, "timeout", () =>
    send(url, { headers, signal, cache: "no-store" }),
  );
}

/** null: it is a stream. What may pass is tried again; a refusal of the service is the last word. */
async function readRefusal({ options }, response, connection, runtime) {
  const { status, headers } = response;
  const content_type = headers.get("content-type") ?? "no content type";
  if (status === 200 && content_type.startsWith("text/event-stream")) return null;
  const text = await connection.readText(response, options.timeout_ms ?? TIMEOUT_MS);
  const reply = toReply(response, text);
  if (status === 429 || status >= 500) {
    const reason = reply.kind === "refused" ? reply.code : `http_${status}`;
    return again(reason, status, toWait(headers.get("retry-after"), runtime.now()));
  }
  if (reply.kind === "refused") return { kind: "last", event: reply };
  return { kind: "last", event: { kind: "stranger", status, content_type } };
}

async function* readEvents(connection, response, memory) {
  const parser = new EventParser();
  for (;;) {
    const bytes = await connection.read(response, SILENCE_MS);
    if (bytes === null) return again("ended");
    for (const event of parser.push(bytes)) {
      memory.retry_ms = parser.retry_ms ?? memory.retry_ms;
      const live = toLiveEvent(event);
      if (live === null) continue;
      if (live === "malformed") return fromTheBeginning(live, memory);
      if ("id" in live) memory.last_event_id = live.id;
      yield live;
      if (live.kind === "bye") return again(null, null, live.body.retry_after_s * 1_000);
    }
    memory.retry_ms = parser.retry_ms ?? memory.retry_ms;
    if (parser.is_too_large) return fromTheBeginning("too_large", memory);
  }
}

function again(reason, status = null, wait_ms = 0) {
  return { kind: "again", reason, status, wait_ms };
}

/** What cannot be read must not be asked for again. */
function fromTheBeginning(reason, memory) {
  memory.last_event_id = "";
  return again(reason);
}

/** `Retry-After` in milliseconds: seconds, or a date. */
function toWait(header, now_ms) {
  if (header === null) return 0;
  const wait_ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now_ms;
  return wait_ms > 0 ? wait_ms : 0;
}

/** Lists of an event, and the member that names each of their things. */
const LISTS = {
  snapshot: { items: "id", sources: "source_id" },
  delta: { entered: "id", changed: "id", left: "id", sources: "source_id" },
  status: { sources: "source_id" },
  bye: {},
};
/** Of those, what an event may lack. */
const isOptional = (kind, name) => kind === "delta" && name === "sources";

/** null: an event of a later version, which says nothing to this one. */
function toLiveEvent({ type, data, id }) {
  if (!Object.hasOwn(LISTS, type)) return null;
  const body = parse(data);
  if (body === undefined) return "malformed";
  for (const [name, key] of Object.entries(LISTS[type] ?? {})) {
    if (body[name] === undefined && isOptional(type, name)) continue;
    if (!isListOf(body[name], key)) return "malformed";
  }
  if (type === "bye" && !isSeconds(body["retry_after_s"])) return "malformed";
  const has_id = type === "snapshot" || type === "delta";
  return { kind: type, ...(has_id ? { id } : {}), body };
}

function isListOf(value, key) {
  return Array.isArray(value) && value.every((each) => typeof each?.[key] === "string");
}

function isSeconds(value) {
  return typeof value === "number" && value >= 0;
}

/**
 * Brings the items to the state after an event, and the sources where they are given; events that
 * change nothing are taken as well. After each event the items are those of the box at that moment.
 */
function applyEvent(items, event, sources) {
  switch (event.kind) {
    case "snapshot":
      items.clear();
      sources?.clear();
      setAll(items, event.body.items);
      break;
    case "delta":
      for (const { id } of event.body.left) items.delete(id);
      setAll(items, event.body.entered);
      setAll(items, event.body.changed);
      break;
    case "status":
      break;
    default:
      return;
  }
  for (const source of event.body.sources ?? []) sources?.set(source.source_id, source);
}

function setAll(items, list) {
  for (const item of list) items.set(item.id, item);
}

/** Method → what it asks; its query and its answer are those of the operation there. */
const PATHS = {
  nearby: "/v1/nearby",
  geocode: "/v1/geocode",
  searchPlaces: "/v1/place-search",
  reverseGeocode: "/v1/reverse-geocode",
  services: "/v1/services/nearby",
  parking: "/v1/parking/nearby",
  charging: "/v1/charging/nearby",
  places: "/v1/places/nearby",
  transport: "/v1/transport/nearby",
  departures: "/v1/departures/nearby",
  walk: "/v1/walk",
  reach: "/v1/reach",
  sources: "/v1/sources",
  health: "/health",
  openapi: "/openapi.json",
};

/** The same of the legacy routes whose coordinates and language are segments of the path. */
const WEATHER_PATHS = {
  weather: "/realtime/{coords}/weather/{lang}",
  forecast: "/realtime/{coords}/forecast/{lang}",
};

/** Path of `sourceQuality`, whose id is a segment. */
const QUALITY_PATH = "/v1/sources/{id}/quality";

/** Path of `stationDepartures`, whose id is a segment. */
const STATION_PATH = "/v1/departures/{station_id}";

/** `once` is a method of its own here. */

/** Returns one method for each operation; nothing is sent until one is called. */
function createClient(options) {
  const methods = Object.entries(PATHS).map(([name, path]) => [
    name,
    (query) => get(options, path, query),
  ]);
  return {
    ...Object.fromEntries(methods),
    weather: (query) => get(options, toPath(WEATHER_PATHS.weather, query)),
    forecast: (query) => get(options, toPath(WEATHER_PATHS.forecast, query)),
    sourceQuality: (id) => get(options, withSegment(QUALITY_PATH, "{id}", id)),
    stationDepartures: (id, query) =>
      get(options, withSegment(STATION_PATH, "{station_id}", id), query),
    snapshot: (query) => get(options, STREAM_PATH, { ...query, once: true }),
    stream: (query, each) => openStream(options, query, each),
  };
}

function withSegment(path, segment, value) {
  return path.replace(segment, () => encodeURIComponent(value));
}

function toPath(path, { lat, lon, language }) {
  const coords = `${lat},${lon}`;
  return withSegment(path.replace("{coords}", coords), "{lang}", language);
}
export { createClient, PATHS, WEATHER_PATHS, reasonOf, applyEvent };
