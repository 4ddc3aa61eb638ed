/**
 * The admin API (operation.md, Environment): accounts, keys and usage under /admin of the admin
 * listener. What it does to the store stands in the tables of its routes; here is what holds for all:
 * the guard comes first, whatever is under /admin, and every change leaves a line in the log, be it
 * made or refused.
 */
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
} from "fastify";
import { accountRoutes } from "./accounts.ts";
import { type Answer, refuse, type Refusal, type Subject, toKnownId, toReply } from "./answer.ts";
import { findFault, parseBody } from "./check.ts";
import { createGuard, findTypeFault, NOT_JSON } from "./guard.ts";
import { keyRoutes } from "./keys.ts";
import type { AdminApiDeps, AdminRoute } from "./route.ts";
import { usageRoute } from "./usage.ts";

export type AdminApi = FastifyPluginCallback;

/** The largest body that a request may have, and far more than one needs. */
export const BODY_BYTES = 16_384;

declare module "fastify" {
  interface FastifyContextConfig {
    admin?: AdminRoute;
  }
}

type Respond = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => FastifyReply;

export function createAdminApi(deps: AdminApiDeps): AdminApi {
  const guard = createGuard(deps);
  const routes = [...accountRoutes(deps), ...keyRoutes(deps), usageRoute(deps)];
  const respond: Respond = (request, reply, answer) => {
    audit(deps, request, answer);
    const { status, body, headers } = toReply(answer);
    return reply.code(status).headers(headers).send(body);
  };
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, bytes, parsed) =>
      parsed(null, parseBody(bytes as Buffer)),
    );
    app.addHook("onRequest", (request, reply, next) => {
      const refusal = guard(request.headers) ?? findFaultOfType(request);
      if (refusal === null) next();
      else respond(request, reply, refusal);
    });
    app.setErrorHandler((error, request, reply) =>
      respond(request, reply, toRefusal(error, deps.log)),
    );
    app.setNotFoundHandler((request, reply) => respond(request, reply, NOT_FOUND));
    for (const route of routes) addRoute(app, route, respond);
    refuseOtherMethods(app, routes, respond);
    done();
  };
}

function addRoute(app: FastifyInstance, route: AdminRoute, respond: Respond): void {
  const { method, path, action, takes } = route;
  app.route<{ Params: { id?: string } }>({
    method: method === "GET" ? ["GET", "HEAD"] : method,
    url: path,
    exposeHeadRoute: false,
    config: { admin: route },
    handler: async (request, reply) => {
      const given = action === null ? request.query : request.body;
      const answer = findFault(takes, given) ?? (await route.run(given, request.params.id ?? ""));
      return respond(request, reply, answer);
    },
  });
}

const METHODS: readonly HTTPMethods[] = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
];

function refuseOtherMethods(
  app: FastifyInstance,
  routes: readonly AdminRoute[],
  respond: Respond,
): void {
  for (const url of new Set(routes.map(({ path }) => path))) {
    const own = routes
      .filter(({ path }) => path === url)
      .map(({ method }) => method as HTTPMethods);
    const known: HTTPMethods[] = own.includes("GET") ? ["HEAD", ...own] : own;
    const allow = known.toSorted().join(", ");
    const refusal = refuse("method_not_allowed", `this path answers ${allow}`, { allow });
    const method = METHODS.filter((each) => !known.includes(each));
    const handler = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
      respond(request, reply, refusal);
    app.route({ method, url, exposeHeadRoute: false, handler });
  }
}

const NOT_FOUND = refuse("not_found", "no route has this path");
const UNREACHED = refuse("store_unavailable", "the store does not answer; look before you repeat");
const INTERNAL = refuse("internal", "an internal error occurred");

/** Only what changes something must say its type. */
function findFaultOfType(request: FastifyRequest): Refusal | null {
  const action = request.routeOptions.config.admin?.action ?? null;
  return action === null ? null : findTypeFault(request.headers);
}

/** What Fastify refuses while it reads a body; all else is a defect, of which the log tells. */
function toRefusal(error: unknown, log: AdminApiDeps["log"]): Refusal {
  const { statusCode: status = 500, code } = error as { statusCode?: number; code?: unknown };
  if (status === 413)
    return refuse("body_too_large", `the body must be at most ${BODY_BYTES} bytes`);
  if (status === 415) return NOT_JSON;
  if (status < 500) return refuse("invalid_request", "the request cannot be read");
  log.error({ err: error }, "admin");
  // A store elsewhere that does not answer says so (ports.ts, Accounts); nobody knows what it did.
  return code === UNREACHED.code ? UNREACHED : INTERNAL;
}

/** Written before the reply is: who was told of a change finds it in the log. */
function audit({ log }: AdminApiDeps, request: FastifyRequest, answer: Answer): void {
  const route = request.routeOptions.config.admin;
  if (!route || route.action === null) return;
  const subject = (answer.ok && answer.subject) || subjectOf(route, request);
  const outcome = answer.ok ? "done" : answer.code;
  log.info({ action: route.action, ...subject, outcome }, "audit");
}

/** What a refused change would have concerned: as far as it is an id, and not a key in its place. */
function subjectOf({ of }: AdminRoute, { params, body }: FastifyRequest): Subject {
  const { id } = params as { id?: string };
  const { account_id } = (body ?? {}) as { account_id?: unknown };
  const account = of === "account" ? id : account_id;
  return {
    account_id: typeof account === "string" ? toKnownId("acc", account) : null,
    key_id: of === "key" && id !== undefined ? toKnownId("key", id) : null,
  };
}
