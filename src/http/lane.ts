/**
 * The fast lane: a GET of the busiest operation under its plain path is answered before routing.
 * Fastify's request and reply would cost a small answer a twentieth of its time and add nothing to
 * it; everything else, and every other spelling of this path, goes through Fastify as usual.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Operation } from "#contract/operation.ts";
import { runGuarded, sendProblem } from "./errors.ts";
import { openExchange, type Route, type Wire } from "./exchange.ts";
import type { RequestIds } from "./headers.ts";
import type { Run } from "./runner.ts";
import { findTransportProblem } from "./unmatched.ts";

export type Lane = {
  wire: Wire;
  route: Route;
  operation: Operation;
  run: Run;
  ids: RequestIds;
};

/** Puts the lane in front of whoever listens for requests so far. */
export function openFastLane(server: Server, lane: Lane): void {
  const listeners = server.listeners("request") as RequestListener[];
  const prefix = `${lane.operation.path}?`;
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    // The end of the connection has crossed the request (http/drain): nobody would get the answer.
    if (request.socket.writableEnded) return void request.socket.destroy();
    const url = request.url as string;
    // A fragment has no business in a request; what becomes of one is the router's matter.
    if (request.method === "GET" && url.startsWith(prefix) && !url.includes("#"))
      return take(lane, request, response, prefix.length);
    for (const listener of listeners) listener.call(server, request, response);
  });
}

function take(lane: Lane, raw: IncomingMessage, response: ServerResponse, from: number): void {
  const query = (raw.url as string).slice(from);
  const request = { raw, id: lane.ids.of(raw), method: "GET", query, params: null };
  const reply = { raw: response, hijack: ignore };
  const exchange = openExchange(lane.wire, lane.route, request, reply);
  const problem = findTransportProblem(request);
  if (problem === null) runGuarded(lane.run, exchange);
  else sendProblem(exchange, lane.operation, problem);
}

function ignore(): void {
  // There is no framework to take the reply from.
}
