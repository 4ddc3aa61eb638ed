/** The routes of Photon's interface: the gate's checks, and bodies that are Photon's. */
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import type { Caller } from "#app/access/request-caller.ts";
import type { Photon, PhotonReply } from "#app/photon/photon-search.ts";
import type { Operation } from "#api/operation.ts";
import type { Deadlines } from "#api/operations.ts";
import type { Clock } from "#ports.ts";
import { photonRows } from "#api/photon.ts";
import { dataLines, DATA_VARY, sendData, toCacheControl } from "./data.ts";
import { sendProblem } from "./error-replies.ts";
import type { Exchange } from "./http-exchange.ts";
import type { Gate } from "./gate.ts";
import type { Handler } from "./handler.ts";
import { JSON_TYPE } from "./reply-headers.ts";

export type PhotonRoutes = {
  /** Path before `/api` and `/reverse`, such as `/photon`; "": none. */
  prefix: string;
  photon: Photon;
};

/** A row with its paths: Photon takes a slash at the end, and some clients write one. */
type PhotonRoute = { operation: Operation; paths: readonly string[]; handler: Handler };

type Deps = { gate: Gate; clock: Pick<Clock, "now">; deadlines_ms: Deadlines };

export function listPhotonRoutes({ prefix, photon }: PhotonRoutes, deps: Deps): PhotonRoute[] {
  const rows = photonRows(prefix);
  return (["search", "reverse"] as const).map((way) => {
    const operation = rows[way];
    const handler = createHandler(deps, operation, photon[way]) as Handler;
    return { operation, paths: [operation.path, `${operation.path}/`], handler };
  });
}

function createHandler(
  { gate, clock, deadlines_ms }: Deps,
  operation: ReturnType<typeof photonRows>["search"],
  ask: Photon["search"],
): Handler<unknown, Caller> {
  const budget_ms = deadlines_ms[operation.deadline.name];
  return async (exchange, caller) => {
    const { query, raw } = exchange.request;
    const accepted_languages = raw.headers["accept-language"];
    const deadline_ms = clock.now() + budget_ms;
    const reply = await ask({
      ...{ query: new URLSearchParams(query), accepted_languages, deadline_ms },
    });
    if (reply.kind === "refused") return sendProblem(exchange, operation, reply);
    const send = (): void => sendFeatures(exchange, { operation, caller }, reply);
    return gate.release(exchange, { operation, caller, metered: ONE_ANSWER }, { send });
  };
}

const VARY = `${DATA_VARY}, Accept-Language`;

function sendFeatures(
  exchange: Exchange,
  { operation, caller: { kind } }: { operation: Operation; caller: Caller },
  { body, max_age_s }: Extract<PhotonReply, { kind: "ok" }>,
): void {
  const { token_used } = exchange;
  const cache_control = toCacheControl(kind, max_age_s);
  const ready = dataLines(operation, JSON_TYPE, cache_control, { token_used }, VARY);
  sendData(exchange, { status: 200, ready, headers: [], body: JSON.stringify(body) });
}
