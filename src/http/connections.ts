/**
 * Bounds on what one client may hold of the listener. Three things are bounded, since each could
 * shut out all other clients at no cost: connections of one address, requests that are pipelined on
 * one connection, and answers that are not read.
 */
import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Ip, parseIp } from "#core/ip.ts";
import { type AddressKeys, toAddressKeys } from "#core/limits/address-block.ts";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { SharedBound } from "#core/limits/shared-bound.ts";
import { createTrust } from "./client-address.ts";

export type ConnectionBounds = {
  /** Connections of all clients together. */
  max_connections: number;
  /**
   * Connections of an address, IPv6 of a /64; null: no bound. A /24 or /48 gets four times as many.
   */
  max_connections_per_address: number | null;
  /** A connection is ended when its client took nothing of an answer for this long. */
  write_timeout_ms: number;
  /** Proxies may have any number: they carry the requests of many, and bound those themselves. */
  trusted_proxies: readonly string[];
};

/** Unanswered requests of one connection; a client that pipelines more gets a 429 and is closed. */
export const PIPELINE_MAX = 32;
/** A read brings 64 KiB at most, and the shortest request has 18 bytes. */
const REQUESTS_OF_A_READ = 4_096;
const SWEEP_MS = 1_000;
const BLOCK_FACTOR = 4;

/**
 * Reason why a connection was refused or ended; `displaced`: all were in use, and one of a block of
 * addresses that has fewer came.
 */
export type EndedConnection = "address" | "pipeline" | "write_timeout" | "displaced";

type Connection = {
  /** null: not counted by address. */
  keys: AddressKeys | null;
  /** Responses that wait for the one before them. */
  waiting: number;
  refused: boolean;
  taken_bytes: number;
  /** Sweeps in a row without progress. */
  stalled: number;
};

export class Connections {
  readonly ended: Record<EndedConnection, number> = {
    ...{ address: 0, pipeline: 0, write_timeout: 0, displaced: 0 },
  };
  readonly #places: SharedBound<Socket>;
  readonly #open = new Map<Socket, Connection>();
  readonly #counts = new Map<string, number>();
  readonly #bounds: ConnectionBounds;
  readonly #isTrusted: (ip: Ip) => boolean;
  readonly #stalled_max: number;

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds;
    this.#isTrusted = createTrust(bounds.trusted_proxies);
    const of_all = { ...BOUNDS_OF_ALL.connections, most: bounds.max_connections };
    this.#places = new SharedBound<Socket>(of_all, (socket) => this.#displace(socket));
    this.#stalled_max = Math.max(1, Math.ceil(bounds.write_timeout_ms / SWEEP_MS));
  }

  get count(): number {
    return this.#open.size;
  }

  /** Counts a connection. false: its address or all together have too many, and it was closed. */
  admit(socket: Socket): boolean {
    const own_keys = this.#keysOf(socket.remoteAddress);
    const keys = this.#bounds.max_connections_per_address === null ? null : own_keys;
    if (keys !== null && this.#isFull(keys)) return this.#refuse(socket, "address");
    if (!this.#places.take(socket, own_keys?.wide ?? null))
      return this.#refuse(socket, "displaced");
    this.#add(keys, 1);
    this.#open.set(socket, { keys, waiting: 0, refused: false, taken_bytes: 0, stalled: 0 });
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#places.leave(socket);
      this.#add(keys, -1);
    });
    return true;
  }

  /** A key that is known was shown on it: it is ended for no other connection any more. */
  identify(socket: Socket): void {
    this.#places.identify(socket);
  }

  #refuse(socket: Socket, reason: EndedConnection): false {
    this.ended[reason]++;
    socket.resetAndDestroy();
    return false;
  }

  #displace(socket: Socket): void {
    this.ended.displaced++;
    socket.resetAndDestroy();
  }

  /** Judges a request. `drop`: an earlier one was refused, and an answer would not be read. */
  judge(socket: Socket, response: ServerResponse): "take" | "refuse" | "drop" {
    const connection = this.#open.get(socket);
    if (connection === undefined) return "take";
    if (connection.refused) return this.#drop(socket, connection);
    // It has the socket already: no response is before it.
    if (response.socket !== null) return "take";
    connection.waiting++;
    if (connection.waiting < PIPELINE_MAX) {
      response.once("socket", () => connection.waiting--);
      return "take";
    }
    connection.refused = true;
    this.ended.pipeline++;
    // Whatever else it sends stays with the kernel.
    socket.pause();
    return "refuse";
  }

  /** Drops a request that came with the same read; a later one ends the connection. */
  #drop(socket: Socket, connection: Connection): "drop" {
    connection.waiting++;
    if (connection.waiting > REQUESTS_OF_A_READ) socket.destroy();
    else socket.pause();
    return "drop";
  }

  /** Ends the connections whose clients do not read; called every `SWEEP_MS`. */
  sweep(): void {
    for (const [socket, connection] of this.#open) {
      const { bytesWritten, writableLength } = socket;
      // Answers are written in parts (`sendParts`), so that both move while a client reads.
      const taken_bytes = writableLength === 0 ? -1 : bytesWritten - writableLength;
      const isStalled = taken_bytes !== -1 && taken_bytes === connection.taken_bytes;
      connection.taken_bytes = taken_bytes;
      connection.stalled = isStalled ? connection.stalled + 1 : 0;
      if (connection.stalled < this.#stalled_max) continue;
      this.ended.write_timeout++;
      // A mere close would leave what was not read with the kernel for minutes.
      socket.resetAndDestroy();
    }
  }

  /** null: a proxy that is trusted, which carries the requests of many. */
  #keysOf(address: string | undefined): AddressKeys | null {
    const ip = parseIp(address ?? "");
    return ip === null || this.#isTrusted(ip) ? null : toAddressKeys(ip);
  }

  #isFull({ narrow, wide }: AddressKeys): boolean {
    const most = this.#bounds.max_connections_per_address ?? Infinity;
    const count = (key: string): number => this.#counts.get(key) ?? 0;
    return count(narrow) >= most || count(wide) >= most * BLOCK_FACTOR;
  }

  #add(keys: AddressKeys | null, step: 1 | -1): void {
    if (keys === null) return;
    for (const key of [keys.narrow, keys.wide]) {
      const count = (this.#counts.get(key) ?? 0) + step;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }
}

/** A client that takes one part of an answer within the write timeout keeps its connection. */
const PART_BYTES = 65_536;

/**
 * Writes a body part by part, each when the kernel has taken the one before, and ends the response.
 * When the client has closed its half of the connection, the rest is written at once: Node ends the
 * other half behind it.
 */
export function sendParts(response: ServerResponse, body: Uint8Array): void {
  const { socket } = response.req;
  let at = 0;
  let at_once = false;
  const next = (): void => {
    while (at < body.byteLength) {
      const isFull = !response.write(body.subarray(at, (at += PART_BYTES)));
      if (isFull && !at_once && at < body.byteLength) {
        response.once("drain", next);
        return;
      }
    }
    response.end();
  };
  const finish = (): void => {
    at_once = true;
    response.off("drain", next);
    if (!response.writableEnded) next();
  };
  // A listener for each unanswered request of the connection; Node adds a few of its own.
  socket.setMaxListeners(2 * PIPELINE_MAX);
  socket.prependOnceListener("end", finish);
  response.once("close", () => socket.off("end", finish));
  next();
}

export type GuardDeps = {
  connections: Connections;
  /** Answers a request that is one too many on its connection, and ends the connection. */
  refuse: RequestListener;
  /** Repeats a task; returns the end of the repetition. */
  every?: (task: () => void, ms: number) => () => void;
};

/** Puts the bounds in front of the server's present listeners. */
export function guardConnections(server: Server, deps: GuardDeps): void {
  const { connections, refuse, every = repeat } = deps;
  const accept = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.on("connection", (socket) => {
    // One that is closed already needs no parser.
    if (connections.admit(socket)) for (const each of accept) each.call(server, socket);
  });
  const listeners = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    switch (connections.judge(request.socket, response)) {
      case "take":
        for (const listener of listeners) listener.call(server, request, response);
        return;
      case "refuse":
        return refuse.call(server, request, response);
      case "drop":
    }
  });
  server.once(
    "close",
    every(() => connections.sweep(), SWEEP_MS),
  );
}

function repeat(task: () => void, ms: number): () => void {
  const timer = setInterval(task, ms);
  // No process stays up for it.
  timer.unref();
  return () => clearInterval(timer);
}
