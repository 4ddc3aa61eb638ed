/** The second listener: probes, metrics and the admin API, for operators (operation.md, Environment). */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import createRouter from "find-my-way";
import { attempt, detach } from "#kit/guard.ts";
import { INTERNAL, type AdminApi, BODY_BYTES } from "./admin/api.ts";
import { refuse, sendAnswer, sendJson } from "./admin/admin-answer.ts";
import { createScrapeCheck } from "./admin/host.ts";
import type { DrainState } from "./drain.ts";
import { type Listener, toListener } from "./listener.ts";
import { type Metrics, METRICS_TYPE } from "./metrics.ts";

export type AdminDeps = {
  metrics: Pick<Metrics, "watch"> & { text(): string | Promise<string> };
  drain: DrainState;
  /** Whether the store is open and the first catalogue is loaded. */
  ready: () => boolean;
  /** Why no requests should come though it has started; null: they may. Absent: they always may. */
  problem?: () => string | null;
  /** null: no token is configured, and what is under /admin is as unknown as any other path. */
  api: AdminApi | null;
  /** What the listener was given to listen on. */
  host: string;
};

export function buildAdmin({
  metrics,
  drain,
  ready,
  problem = NO_PROBLEM,
  api,
  host,
}: AdminDeps): Listener {
  metrics.watch("svc_draining", () => Number(drain.phase !== "serving"));
  const router = createRouter({
    // An id that is too long is no id: it must not be answered before the guard is asked.
    maxParamLength: BODY_BYTES,
    onBadUrl: (_path, _request, response) => sendAnswer(response, BAD_PATH),
    defaultRoute: (_request, response) => sendAnswer(response, NOT_FOUND),
  });
  const get = (
    path: string,
    answer: (response: ServerResponse, request: IncomingMessage) => void,
  ) => router.on(["GET", "HEAD"], path, (request, response) => answer(response, request));
  const findHostFault = createScrapeCheck(host);
  get("/livez", (response) => sendJson(response, 200, { status: "ok" }));
  get("/readyz", (response) => {
    const state = toReadiness(drain, ready(), problem());
    sendJson(response, state.status === "ready" ? 200 : 503, state);
  });
  get("/metrics", (response, { headers }) => {
    const stranger = findHostFault(headers);
    if (stranger !== null) return sendAnswer(response, stranger);
    const send = (text: string): void =>
      sendJson(response, 200, text, { "content-type": METRICS_TYPE });
    const fail = (): void => sendAnswer(response, INTERNAL);
    attempt(() => {
      const text = metrics.text();
      if (typeof text === "string") send(text);
      else detach(text.then(send), fail);
    }, fail);
  });
  api?.(router);
  const server = createServer(TIMEOUTS, (request, response) => router.lookup(request, response));
  const listener = toListener(server);
  return {
    ...listener,
    close() {
      const closed = listener.close();
      server.closeAllConnections();
      return closed;
    },
  };
}

const TIMEOUTS = { requestTimeout: 10_000, keepAliveTimeout: 72_000 } as const;

const NO_PROBLEM = (): null => null;
const NOT_FOUND = refuse("not_found", "no route has this path");
/** Without the path, in which there may be a key. */
const BAD_PATH = refuse("invalid_request", "the path cannot be read");

type Readiness =
  | { status: "ready" | "draining" | "starting" }
  | { status: "failing"; reason: string };

function toReadiness(drain: DrainState, ready: boolean, problem: string | null): Readiness {
  if (drain.phase !== "serving") return { status: "draining" };
  if (problem !== null) return { status: "failing", reason: problem };
  return { status: ready ? "ready" : "starting" };
}
