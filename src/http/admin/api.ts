/**
 * The admin API (operation.md, Environment): accounts, keys and usage under /admin of the admin
 * listener. Its routes say what each does to the store. For all of them the guard comes first, and every
 * change leaves a line in the log, whether it is made or refused.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HTTPMethod, HTTPVersion, Instance } from "find-my-way";
import { collect } from "../body.ts";
import { accountRoutes } from "./admin-accounts.ts";
import {
  type AdminAnswer,
  refuse,
  type AdminRefusal,
  sendAnswer,
  type Subject,
  toKnownId,
} from "./admin-answer.ts";
import { findFault, parseBody } from "./admin-check.ts";
import { createGuard, findTypeFault, type Guard } from "./admin-guard.ts";
import { keyRoutes } from "./admin-keys.ts";
import type { AdminApiDeps, AdminRoute } from "./route.ts";
import { usageRoute } from "./admin-usage.ts";

/** Adds the routes of the API. */
export type AdminApi = (router: Instance<HTTPVersion.V1>) => void;

/** The largest body that a request may have, and far more than one needs. */
export const BODY_BYTES = 16_384;

const PREFIX = "/admin";

/** A request for a route; `body` once it has been read. */
type Call = { raw: IncomingMessage; id: string; query: unknown; body?: unknown };

export function createAdminApi(deps: AdminApiDeps): AdminApi {
  const guard = createGuard(deps);
  const routes = listAdminRoutes(deps);
  const refuseAll = (refusal: AdminRefusal) => (raw: IncomingMessage, response: ServerResponse) =>
    sendAnswer(response, guard(raw.headers) ?? refusal);
  return (router) => {
    for (const route of routes) {
      router.on(
        methodsOf(route),
        PREFIX + route.path,
        (raw, response, { id = "" }, _store, query) => {
          const call: Call = { raw, id, query };
          const respond = (answer: AdminAnswer): void => {
            audit(deps, route, call, answer);
            sendAnswer(response, answer);
          };
          answerTo({ guard, deps }, route, call).then(respond, (error) =>
            respond(toRefusal(error, deps.log)),
          );
        },
      );
    }
    for (const [path, entry] of toMethods(routes)) {
      const allow = entry.toSorted().join(", ");
      const refusal = refuse("method_not_allowed", `this path answers ${allow}`, { allow });
      const others = METHODS.filter((each) => !entry.includes(each));
      router.on(others, PREFIX + path, refuseAll(refusal));
    }
    for (const path of [PREFIX, `${PREFIX}/*`]) router.all(path, refuseAll(NOT_FOUND));
  };
}

/** The routes with the members that each takes (docs/accounts.md lists them). */
export function listAdminRoutes(deps: AdminApiDeps): AdminRoute[] {
  return [...accountRoutes(deps), ...keyRoutes(deps), usageRoute(deps)];
}

const METHODS: readonly HTTPMethod[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

function methodsOf({ method }: AdminRoute): HTTPMethod[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** Methods of each path. */
function toMethods(routes: readonly AdminRoute[]): Map<string, HTTPMethod[]> {
  const methods = new Map<string, HTTPMethod[]>();
  for (const route of routes)
    methods.set(route.path, [...(methods.get(route.path) ?? []), ...methodsOf(route)]);
  return methods;
}

/** Rejects with what a store or a defect throws. */
async function answerTo(
  { guard, deps }: { guard: Guard; deps: AdminApiDeps },
  route: AdminRoute,
  call: Call,
): Promise<AdminAnswer> {
  const { raw, id, query } = call;
  const changes = route.action !== null;
  // Only a change must say its type.
  const refusal = guard(raw.headers) ?? (changes ? findTypeFault(raw.headers) : null);
  if (refusal !== null) return refusal;
  if (changes) {
    const bytes = await collect(raw, BODY_BYTES);
    if (bytes === null) return TOO_LARGE;
    if (!raw.complete) return CUT_SHORT;
    call.body = parseBody(bytes);
  }
  const input = changes ? call.body : query;
  return findFault(takesNow(deps, route), input) ?? (await route.run(input, id));
}

/** The plans that an account may have change while the service runs. */
function takesNow(deps: AdminApiDeps, { method, path }: AdminRoute): AdminRoute["takes"] {
  const routes = listAdminRoutes(deps);
  return routes.find((each) => each.method === method && each.path === path)!.takes;
}

const TOO_LARGE = refuse("body_too_large", `the body must be at most ${BODY_BYTES} bytes`);
const CUT_SHORT = refuse("invalid_request", "the request cannot be read");
const NOT_FOUND = refuse("not_found", "no route has this path");
const UNREACHED = refuse("store_unavailable", "the store does not answer; look before you repeat");
export const INTERNAL: AdminRefusal = refuse("internal", "an internal error occurred");

/** A store elsewhere that does not answer says so (ports.ts, Accounts); its state is unknown then. */
function toRefusal(error: unknown, log: AdminApiDeps["log"]): AdminRefusal {
  const { code, reason = null } = (error ?? {}) as { code?: unknown; reason?: string | null };
  if (code !== UNREACHED.code) {
    log.error({ err: error }, "admin");
    return INTERNAL;
  }
  log.warn({ reason: reason ?? "unreachable" }, "admin: the store takes no changes");
  const why = reason === null ? undefined : REFUSED[reason];
  return why === undefined ? UNREACHED : refuse("store_unavailable", why);
}

/** Where the store says itself that nothing was changed. */
const REFUSED: Readonly<Record<string, string>> = {
  read_only: "the store is read-only: nothing was changed",
  full: "the disk of the store is full: nothing was changed",
};

/** Written before the reply is: a change that its caller knows of is in the log. */
function audit({ log }: AdminApiDeps, route: AdminRoute, call: Call, answer: AdminAnswer): void {
  if (route.action === null) return;
  const subject = (answer.ok && answer.subject) || subjectOf(route, call);
  const outcome = answer.ok ? "done" : answer.code;
  log.info({ action: route.action, ...subject, outcome }, "audit");
}

/** Subject of a refused change: as far as it is an id, and not a key in its place. */
function subjectOf({ of }: AdminRoute, { id, body }: Call): Subject {
  const { account_id } = (body ?? {}) as { account_id?: unknown };
  const account = of === "account" ? id : account_id;
  return {
    account_id: typeof account === "string" ? toKnownId("acc", account) : null,
    key_id: of === "key" ? toKnownId("key", id) : null,
  };
}
