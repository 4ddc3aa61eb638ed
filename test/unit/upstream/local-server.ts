/** Loopback servers that play an upstream, well or badly, and count who is still connected. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export type LocalServer = AsyncDisposable & {
  port: number;
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** Connections ever accepted, and those open now. */
  accepted(): number;
  open(): number;
  /** Resolves when no client is connected any more; false when that took longer than 300 ms. */
  isDrained(): Promise<boolean>;
};

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export function listenHttp(handler: Handler, host = "127.0.0.1", port = 0): Promise<LocalServer> {
  return listen(createServer({ keepAliveTimeout: 60_000 }, handler), host, port);
}

/** For what an HTTP server would refuse to say. */
export function listenTcp(
  handler: (socket: Socket) => void,
  host?: string,
  port?: number,
): Promise<LocalServer> {
  return listen(createTcpServer(handler), host, port);
}

async function listen(server: Server, host = "127.0.0.1", port = 0): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on("connection", (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await once(server.listen(port, host), "listening");
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    accepted: () => accepted,
    open: () => sockets.size,
    async isDrained() {
      for (let tries = 0; tries < 60 && sockets.size > 0; tries += 1) await wait(5);
      return sockets.size === 0;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
