// What each fault does to the connection.
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import { gunzipSync } from "node:zlib";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault, FaultKind } from "./faults.ts";
import { plantIn } from "./hidden-text.ts";
import { answerJson, type Reply, send } from "./http.ts";

const HOLD_MS = 60_000;
const HUGE_BYTES = 84 * 1024 * 1024;

export type Exchange = {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** What would be answered without a fault. */
  answer(): Reply;
  /** The same, but never a 304. */
  answerInFull(): Reply;
};

type Act = (exchange: Exchange) => void | Promise<void>;

export async function commit(fault: Fault, exchange: Exchange): Promise<void> {
  if (fault.delay_ms > 0 && !(await waited(fault.delay_ms, exchange.response))) return;
  await ACTS[fault.fault](exchange);
}

const plainly: Act = ({ response, answer }) => send(response, answer());

const ACTS: Readonly<Record<FaultKind, Act>> = {
  none: plainly,
  // The source itself misbehaves.
  stalled: plainly,
  last_week: plainly,
  wrong_trips: plainly,
  future: plainly,
  no_entities: plainly,
  slow: plainly,
  timeout: ({ incoming, response }) => hold(incoming, response),
  http_500: ({ response }) => send(response, answerJson(500, { error: "internal server error" })),
  http_429: ({ response }) =>
    send(response, answerJson(429, { error: "too many requests" }, { "retry-after": "5" })),
  http_401: ({ response }) =>
    send(response, answerJson(401, { error: "unauthorized" }, { "www-authenticate": "Bearer" })),
  garbage: ({ response }) => send(response, answerJson(200, GARBAGE)),
  truncated: truncate,
  empty: ({ response }) => send(response, { ...answerJson(200, null), body: Buffer.alloc(0) }),
  huge: ({ response }) => flood(response),
  reset: ({ incoming }) => {
    incoming.socket.resetAndDestroy();
  },
  hidden_text: ({ response, answerInFull }) => {
    const { status, headers, body } = answerInFull();
    const isJson = /json/.test(headers["content-type"] ?? "");
    const { etag: _, "content-encoding": coding, ...others } = headers;
    const plain = coding === "gzip" ? gunzipSync(body) : body;
    send(response, { status, headers: others, body: isJson ? plantIn(plain) : plain });
  },
};

/** Well-formed, and of no shape that any version of any feed has. */
const GARBAGE = {
  last_updated: "yesterday",
  ttl: { seconds: -1 },
  version: ["3.0"],
  data: { feeds: 42, stations: "none", bikes: { 0: true }, vehicles: false, en: null },
};

/** False when the client left before the time was up. */
async function waited(delay_ms: number, response: ServerResponse): Promise<boolean> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  return sleep(delay_ms, true, { signal: left.signal, ref: false }).catch(() => false);
}

function hold(incoming: IncomingMessage, response: ServerResponse): void {
  const timer = setTimeout(() => incoming.socket.destroy(), HOLD_MS).unref();
  response.once("close", () => clearTimeout(timer));
}

/** Announces the whole length, sends the first half, and closes. */
function truncate({ incoming, response, answerInFull }: Exchange): void {
  const { status, headers, body } = answerInFull();
  response.writeHead(status, { ...headers, "content-length": String(body.length) });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () =>
    incoming.socket.destroySoon(),
  );
}

async function flood(response: ServerResponse): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
  response.write(
    '{"last_updated":1700000000,"ttl":60,"version":"2.3","data":{"stations":[{"station_id":"0"}',
  );
  const filler = Buffer.from(FILLER);
  for (let sent = 0; sent < HUGE_BYTES && !response.destroyed; sent += filler.length) {
    if (response.write(filler)) continue;
    const drained = await once(response, "drain", { signal: left.signal }).then(
      () => true,
      () => false,
    );
    if (!drained) return;
  }
  if (!response.destroyed) response.end("]}}");
}

const FILLER =
  ',{"station_id":"7","num_bikes_available":3,"num_docks_available":9,"is_renting":true}'.repeat(
    800,
  );
