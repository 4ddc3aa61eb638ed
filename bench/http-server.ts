/**
 * One process with a server for each way to answer over HTTP, and the floor. All do the same work for
 * a request: check a key, read the query, send prepared bytes under the same head, write one log
 * line, observe one duration. They differ in routing, and in how the head is written.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import findMyWay from "find-my-way";
import { pino } from "pino";
import { createMetrics } from "#http/metrics.ts";
import { createRequestIds, toCommonHeaders } from "#http/reply-headers.ts";

/** Bytes left free before a body, as the renderer of answers leaves them. */
const ROOM = 1024;
const PATH = "/v1/nearby";
const PREFIX = `${PATH}?`;

const log = pino({}, pino.destination("/dev/null")).child({ route: PATH });
const series = createMetrics().route(PATH);
const ids = createRequestIds();
const keys = new Map<string, { key: string; left: number }>(
  Array.from({ length: 1_000 }, () => {
    const key = `vk_${randomBytes(24).toString("base64url")}`;
    return [`Bearer ${key}`, { key, left: 1e9 }];
  }),
);

const DATA = [
  "content-type",
  "application/json; charset=utf-8",
  "cache-control",
  "private, max-age=12",
  "link",
  '</v1/sources>; rel="license"',
  "vary",
  "Accept-Encoding, Authorization",
];
const COMMON = toCommonHeaders("live");
const LINES = toLines([...COMMON, ...DATA]);
const POLICY = '"burst";q=600;w=60, "quota";q=1000000;w=2592000;pk=:bW9udGg=:';

let body: Buffer = Buffer.alloc(0);

type Answer = { started_ms: number; id: string; limit: string };

/** What a question costs before it is answered; null: no such key. */
function judge(request: IncomingMessage, query: string): Answer | null {
  const started_ms = performance.now();
  const caller = keys.get(request.headers.authorization ?? "");
  if (caller === undefined) return null;
  caller.left--;
  for (const pair of query.split("&"))
    if (!Number.isFinite(Number(pair.split("=")[1]))) return null;
  const limit = `"burst";r=599;t=1, "quota";r=${caller.left};t=86400`;
  return { started_ms, id: ids.of(request).shown, limit };
}

function settle({ started_ms, id }: Answer, status: number): void {
  const ms = performance.now() - started_ms;
  series.observe("GET", status, ms / 1000);
  log.info({ id, st: status, ms });
}

function toHead({ id, limit }: Answer, length: number): string[] {
  const head = [...DATA, "content-length", String(length), "x-request-id", id];
  head.push("ratelimit-policy", POLICY, "ratelimit", limit);
  for (let at = 0; at < COMMON.length; at++) head.push(COMMON[at] as string);
  return head;
}

function toLines(pairs: readonly string[]): string {
  let lines = "";
  for (let at = 0; at < pairs.length; at += 2) lines += `${pairs[at]}: ${pairs[at + 1]}\r\n`;
  return lines;
}

type Storing = ServerResponse & {
  _storeHeader(first: string, headers: readonly string[]): void;
  _header: string;
  _headerSent: boolean;
};

/** As it was (docs/decisions/0010 and 0014): taken before routing, a prepared head, one piece of bytes. */
const stored: RequestListener = (request, response) => {
  const url = request.url as string;
  if (request.method !== "GET" || !url.startsWith(PREFIX))
    return void response.writeHead(404).end();
  const answer = judge(request, url.slice(PREFIX.length));
  if (answer === null) return void response.writeHead(401).end();
  const raw = response as Storing;
  const lines = `${LINES}ratelimit-policy: ${POLICY}\r\nratelimit: ${answer.limit}\r\n`;
  // oxlint-disable no-underscore-dangle -- the names are those of Node
  raw._storeHeader(`HTTP/1.1 200 OK\r\n${lines}`, [
    "content-length",
    String(body.byteLength),
    "x-request-id",
    answer.id,
  ]);
  const head = raw._header;
  const whole = Buffer.from(body.buffer, body.byteOffset - head.length, head.length + body.length);
  whole.write(head, 0, "latin1");
  raw._headerSent = true;
  // oxlint-enable no-underscore-dangle
  raw.end(whole);
  settle(answer, 200);
};

/** Documented members of Node alone. */
function sendPublic(request: IncomingMessage, response: ServerResponse, query: string): void {
  const answer = judge(request, query);
  if (answer === null) return void response.writeHead(401).end();
  response.writeHead(200, toHead(answer, body.byteLength)).end(body);
  settle(answer, 200);
}

/** The same; a short body as text, which Node joins with the head in one write. */
function sendText(request: IncomingMessage, response: ServerResponse, query: string): void {
  const answer = judge(request, query);
  if (answer === null) return void response.writeHead(401).end();
  response.writeHead(200, toHead(answer, body.byteLength));
  if (body.byteLength > 4096) response.end(body);
  else response.end(body.toString("latin1"), "latin1");
  settle(answer, 200);
}

type Send = typeof sendPublic;

function unrouted(send: Send): RequestListener {
  return (request, response) => {
    const url = request.url as string;
    if (request.method !== "GET" || !url.startsWith(PREFIX))
      return void response.writeHead(404).end();
    send(request, response, url.slice(PREFIX.length));
  };
}

/** As many routes as the service has. */
const OTHERS =
  "geocode search reverse services/nearby parking/nearby charging/nearby transport/nearby me sources capabilities changelog openapi.json water weather forecast";

function routed(send: Send): RequestListener {
  const router = findMyWay({
    ignoreTrailingSlash: false,
    maxParamLength: 8192,
    querystringParser: (raw) => raw,
    defaultRoute: (_request, response) => void response.writeHead(404).end(),
  });
  const none: RequestListener = (_request, response) => void response.writeHead(404).end();
  for (const path of OTHERS.split(" ")) router.on("GET", `/v1/${path}`, none);
  router.on("GET", "/legacy/:brand/:coords", none);
  router.on("GET", PATH, (request, response, _params, _store, query) =>
    send(request, response, query as unknown as string),
  );
  return (request, response) => void router.lookup(request, response);
}

const floorHead = (): string[] =>
  toHead(
    { started_ms: 0, id: "x".repeat(16), limit: '"burst";r=599;t=1, "quota";r=999999;t=86400' },
    body.byteLength,
  );
let head = floorHead();

const listeners: Record<string, RequestListener> = {
  floor: (_request, response) => void response.writeHead(200, head).end(body),
  stored,
  unrouted: unrouted(sendPublic),
  unrouted_text: unrouted(sendText),
  router: routed(sendPublic),
  router_text: routed(sendText),
};

const ports: Record<string, number> = {};
for (const [name, listener] of Object.entries(listeners))
  ports[name] = await open(createServer(listener));
// A request without a body is born ended, and no stream events are made for it.
for (const [name, listener] of Object.entries({
  stored_empty: stored,
  router_empty: routed(sendPublic),
  router_text_empty: routed(sendText),
}))
  ports[name] = await open(createServer({ optimizeEmptyRequests: true }, listener));

async function open(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

export type HttpCommand = { kind: "body"; bytes: number } | { kind: "cpu" };

process.on("message", (command: HttpCommand) => {
  if (command.kind === "cpu") return void process.send!(process.cpuUsage());
  body = Buffer.alloc(ROOM + command.bytes, "x").subarray(ROOM);
  head = floorHead();
  return void process.send!(null);
});
process.once("disconnect", () => process.exit());
process.send!({ ports, keys: [...keys.values()].map(({ key }) => key) });
