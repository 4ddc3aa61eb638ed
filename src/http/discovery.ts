/** Documents by which programs find out what this server is. They are no operations of the API. */
import { LLMS_TEXT } from "#api/llms.ts";
import { createDocument } from "./document.ts";
import { type Problem, runGuarded, sendProblem } from "./errors.ts";
import { type AddRoute, type Exchange, openExchange } from "./exchange.ts";
import { ownOrigin } from "./own-origin.ts";
import { LLMS_PATH, RESOURCES, sendProtectedResource } from "./protected-resource.ts";
import { CARDS, sendCard } from "./server-card.ts";
import { findTransportProblem, type Unmatched } from "./unmatched.ts";

/** Paths that are answered here, with their templates. */
export const DISCOVERY_PATHS: readonly (readonly [path: string, template: string])[] = [
  ...Object.keys(RESOURCES),
  ...Object.keys(CARDS),
  LLMS_PATH,
].map((path) => [path, path]);

/** `version`: that of this server, as its card states it. */
export function addDiscovery(
  add: AddRoute,
  { wire, toRoute }: Unmatched,
  { version }: { version: string },
): void {
  const serve = (path: string, send: (exchange: Exchange) => void): void => {
    const route = toRoute(path);
    add("GET", path, (request, response) => {
      const exchange = openExchange(wire, route, request, response);
      const problem = findTransportProblem(request);
      if (problem === null) runGuarded(send, exchange);
      else sendProblem(exchange, null, problem);
    });
  };
  const serveHere = (path: string, send: (exchange: Exchange, origin: string) => void): void =>
    serve(path, (exchange) => {
      const origin = ownOrigin(exchange.request.raw);
      if (origin === null) sendProblem(exchange, null, NO_HOST);
      else send(exchange, origin);
    });
  for (const path of Object.keys(RESOURCES))
    serveHere(path, (exchange, origin) => sendProtectedResource(exchange, path, origin));
  for (const [path, make] of Object.entries(CARDS))
    serveHere(path, (exchange, origin) => sendCard(exchange, make(origin, version)));
  serve(LLMS_PATH, createDocument(LLMS_TEXT, { content_type: TEXT_TYPE }));
}

const NO_HOST: Problem = {
  code: "invalid_request",
  message: "the request header Host must name this server",
};

const TEXT_TYPE = "text/plain; charset=utf-8";
