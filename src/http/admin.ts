/** The second listener: probes, metrics and the admin API, for operators (operation.md, Environment). */
import fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { type AdminApi, BODY_BYTES } from "./admin/api.ts";
import type { DrainState } from "./drain.ts";
import type { Metrics } from "./metrics.ts";

export type AdminDeps = {
  metrics: Metrics;
  drain: DrainState;
  /** Whether the store is open and the first catalogue is loaded. */
  ready: () => boolean;
  /** null: no token is configured, and what is under /admin is as unknown as any other path. */
  api: AdminApi | null;
};

export function buildAdmin({ metrics, drain, ready, api }: AdminDeps): FastifyInstance {
  const app = createApp();
  metrics.watch("svc_draining", () => [{ labels: {}, value: Number(drain.phase !== "serving") }]);
  app.addHook("onSend", (_request, reply, _payload, done) => {
    reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
    done();
  });
  app.get("/livez", () => ({ status: "ok" }));
  app.get("/readyz", (_request, reply) => {
    const state = toReadiness(drain, ready());
    return reply.code(state === "ready" ? 200 : 503).send({ status: state });
  });
  app.get("/metrics", async (_request, reply) => {
    const text = await metrics.registry.metrics();
    return reply.type(metrics.registry.contentType).send(text);
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: { code: "not_found", message: "no route has this path" } }),
  );
  if (api) void app.register(api, { prefix: "/admin" });
  return app;
}

function createApp(): FastifyInstance {
  return fastify({
    ...{ logger: false, forceCloseConnections: true, requestTimeout: 10_000 },
    bodyLimit: BODY_BYTES,
    // An id that is too long is no id: it must not be answered before the guard is asked.
    routerOptions: { maxParamLength: BODY_BYTES },
    frameworkErrors: (_error, _request, reply: unknown) => refuseTarget(reply as FastifyReply),
  });
}

/** Fastify's own words repeat the path, in which there may be a key. */
function refuseTarget(reply: FastifyReply): void {
  const error = { code: "invalid_request", message: "the path cannot be read" };
  void reply.code(400).send({ error });
}

function toReadiness(drain: DrainState, ready: boolean): "ready" | "draining" | "starting" {
  if (drain.phase !== "serving") return "draining";
  return ready ? "ready" : "starting";
}
