/**
 * Shutdown without losing a request. Readiness goes off and requests are still served, with
 * `Connection: close`, while the load balancer notices; then nothing new is accepted. Connections
 * that are kept alive are closed last, once they have been quiet for a further moment: until then
 * requests that arrive on them are still answered.
 *
 * Clients that honour the advertised `Keep-Alive: timeout` (`keepAliveOf`) have closed their idle
 * connections by then. Of the others a request may cross our closing on its way; HTTP gives a server
 * no means against that, and the client may send it again (RFC 9112 9.3.1).
 */
import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";

export type DrainState = { phase: "serving" | "draining" | "closed" };

export function createDrainState(): DrainState {
  return { phase: "serving" };
}

export type DrainOptions = {
  /** Time to keep serving after readiness went off. */
  delay_ms: number;
  /** Time to wait for requests under way. */
  timeout_ms: number;
  sleep(ms: number): Promise<void>;
  /** Called while requests delay the end, with the number of connections that have one. */
  onWait?: (connections: number) => void;
};

export type Draining = {
  app: { close(): PromiseLike<unknown>; server: Server };
  sockets: Sockets;
};

/** The connections of a server, each with its last response (null: no request yet). */
export type Sockets = {
  readonly open: ReadonlyMap<Socket, ServerResponse | null>;
  readonly accepted: number;
};

/** Time after which idle connections are closed. */
const IDLE_MS = 65_000;
/** Part of the drain delay left to a client that closes a connection when it is asked to. */
const MARGIN_MS = 1_000;

/**
 * Returns the timeout of idle connections as advertised, and how much later Node closes them. A
 * client that honours it has closed its connection before the drain delay is over. The timeout is
 * advertised in whole seconds, so that below a delay of two it cannot be short enough.
 */
export function keepAliveOf(drain_delay_ms: number): { advertised_ms: number; buffer_ms: number } {
  const most_ms = Math.floor((drain_delay_ms - MARGIN_MS) / 1000) * 1000;
  const advertised_ms = Math.min(Math.max(most_ms, 1_000), IDLE_MS);
  return { advertised_ms, buffer_ms: IDLE_MS - advertised_ms };
}

/** Follows the connections of a server that are accepted from now on. */
export function followSockets(server: Server): Sockets {
  const open = new Map<Socket, ServerResponse | null>();
  const sockets = { open, accepted: 0 };
  server.on("connection", (socket) => {
    sockets.accepted += 1;
    open.set(socket, null);
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    if (open.has(socket)) open.set(socket, response);
  });
  return sockets;
}

/** Closes a server; connections with requests still under way after `timeout_ms` are cut. */
export async function drain(
  state: DrainState,
  { app, sockets }: Draining,
  options: DrainOptions,
): Promise<void> {
  const { sleep, delay_ms, timeout_ms } = options;
  state.phase = "draining";
  await sleep(delay_ms);
  await acceptWaiting(sockets);
  // Of http's own close this is the half that leaves connections alone.
  NetServer.prototype.close.call(app.server);
  let late = false;
  const quiet = closeQuiet(sockets.open, options, () => late);
  await Promise.race([quiet, sleep(timeout_ms).then(() => (late = true))]);
  state.phase = "closed";
  app.server.closeAllConnections();
  await app.close();
}

/** More than wait to be accepted at any time (the backlog has 511 places). */
const ACCEPT_TURNS = 1_000;

/** Accepts the clients that have connected so far: one in each turn of the event loop. */
async function acceptWaiting(sockets: Sockets): Promise<void> {
  let before = -1;
  for (let turns = 0; turns < ACCEPT_TURNS && before !== sockets.accepted; turns++) {
    before = sockets.accepted;
    await turn();
  }
}

/** Time that an idle connection must be quiet after the delay, and that its client has to leave. */
const QUIET_MS = 400;
const LEAVE_MS = 200;
const PAUSE_MS = 50;

async function closeQuiet(
  sockets: Sockets["open"],
  { delay_ms, sleep, onWait }: DrainOptions,
  isOver: () => boolean,
): Promise<void> {
  const read = new Map([...sockets.keys()].map((socket) => [socket, socket.bytesRead]));
  const isQuiet = (socket: Socket): boolean =>
    isIdle(socket, sockets.get(socket)) && read.get(socket) === socket.bytesRead;
  let reported = false;
  if (sockets.size > 0) await sleep(Math.min(QUIET_MS, delay_ms));
  while (sockets.size > 0 && !isOver()) {
    const ended = await endQuiet(sockets, isQuiet);
    if (sockets.size > ended.length && !reported) {
      reported = true;
      onWait?.(sockets.size - ended.length);
    }
    await sleep(ended.length > 0 ? LEAVE_MS : PAUSE_MS);
    for (const socket of ended) socket.destroy();
  }
}

/** Longer than closing some connections takes: this process was stopped, and bytes may lie unread. */
const STALL_MS = 2;

/**
 * Ends the connections that are quiet after the bytes that the kernel holds for them were read.
 * Unread bytes would be lost, and turn the end into a reset.
 */
async function endQuiet(
  sockets: Sockets["open"],
  isQuiet: (socket: Socket) => boolean,
): Promise<Socket[]> {
  const ended: Socket[] = [];
  await turn();
  let read_ms = performance.now();
  for (const socket of [...sockets.keys()]) {
    if (performance.now() - read_ms >= STALL_MS) {
      await turn();
      read_ms = performance.now();
    }
    if (!isQuiet(socket)) continue;
    // Half: a request that crosses it finds a closed connection, not a reset (http/lane).
    socket.end();
    ended.push(socket);
  }
  return ended;
}

/** Whether no answer is due on it. Responses of one connection are sent in order. */
function isIdle(socket: Socket, last: ServerResponse | null | undefined): boolean {
  return (last?.writableFinished ?? true) && !socket.writableEnded;
}

/** One look of the event loop at its sockets: bytes are read, waiting clients are accepted. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}
