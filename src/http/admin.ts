/** The second listener: probes and metrics, for operators only (operation.md, ADMIN_PORT). */
import fastify, { type FastifyInstance } from "fastify";
import type { DrainState } from "./drain.ts";
import type { Metrics } from "./metrics.ts";

export type AdminDeps = {
  metrics: Metrics;
  drain: DrainState;
  /** Whether the store is open and the first catalogue is loaded. */
  ready: () => boolean;
};

export function buildAdmin({ metrics, drain, ready }: AdminDeps): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true, requestTimeout: 10_000 });
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
  return app;
}

function toReadiness(drain: DrainState, ready: boolean): "ready" | "draining" | "starting" {
  if (drain.phase !== "serving") return "draining";
  return ready ? "ready" : "starting";
}
