/** The public listener and the one of operators: opened, drained and closed. */
import type { Config } from "#config/load.ts";
import { bind } from "#http/bind.ts";
import { drain, followSockets } from "#http/drain.ts";
import { buildServer } from "#http/server.ts";
import { sleep, type StartProblem } from "#process/parts.ts";
import { openAdmin } from "./access/open-admin.ts";
import { type Answering, openWatch, type Served, toServerConfig, toServerDeps } from "./listen.ts";
import { openLive } from "./open-live.ts";
import type { Inputs } from "./parts/given.ts";

/** Threads that serve next to one another (threads/serving-threads.ts). */
export type Threads = {
  /** How many serve, and how many have died since the start. */
  state(): { serving: number; ended: number };
  replacePlans(plans: Config["plans"]): void;
  reopenLog(): void;
  /** Moves their time with that of the service. */
  advance(ms: number): Promise<void>;
  /** Reports to them now what has changed. */
  flush(): void;
  /** Ends one as a fault would. */
  kill(thread: number): Promise<void>;
};

export type Listeners = {
  url: string;
  admin_url: string;
  /** The threads that answer; null: this one does. */
  threads: Threads | null;
  /** Lets requests under way be answered, and takes no more. */
  drain(delay_ms: number): Promise<void>;
  close(): Promise<unknown>;
};

export async function listen(source: Inputs, parts: Served): Promise<Listeners | StartProblem> {
  const { env } = source.options;
  const { server, drain: drainServer } = openServer({ ...source, ...parts });
  const admin = openAdmin({ ...source, ...parts });
  const bound = await bind([
    { listener: server, host: env.host, port: env.port },
    { listener: admin, host: env.admin_host, port: env.admin_port },
  ]);
  if ("problem" in bound) return bound;
  const [url = "", admin_url = ""] = bound.urls;
  const close = (): Promise<unknown> => Promise.all([server.close(), admin.close()]);
  return { url, admin_url, threads: null, drain: drainServer, close };
}

/** The public listener of one of several threads, which listen at one port. */
export async function listenTogether(
  source: Inputs,
  parts: Answering,
): Promise<Listeners | StartProblem> {
  const { host, port } = source.options.env;
  const { server, drain: drainServer } = openServer({ ...source, ...parts });
  const bound = await bind([{ listener: server, host, port, shared: true }]);
  if ("problem" in bound) return bound;
  const [url = ""] = bound.urls;
  return { url, admin_url: "", threads: null, drain: drainServer, close: () => server.close() };
}

function openServer(input: Inputs & Answering) {
  const live = openLive(input);
  const watch = openWatch(input, live);
  const server = buildServer(toServerDeps(input, { watch, live }), toServerConfig(input.options));
  const sockets = followSockets(server.server);
  const { config } = input.options;
  return {
    server,
    async drain(delay_ms: number): Promise<void> {
      const { drain_timeout_ms: timeout_ms } = config.server;
      input.log.info({ delay_ms, connections: sockets.open.size }, "draining");
      const onWait = (connections: number): void =>
        input.log.info({ waiting_for: "requests", connections, timeout_ms }, "closing");
      // Their callers listen again, by now elsewhere.
      watch.close();
      live.close();
      await drain(input.drain, { app: server, sockets }, { delay_ms, timeout_ms, sleep, onWait });
    },
  };
}
