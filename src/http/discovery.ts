/** Documents by which programs find out what this server is. They are no operations of the API. */
import { LLMS_TEXT } from "#contract/llms.ts";
import { createDocument } from "./document.ts";
import { runGuarded, sendProblem } from "./errors.ts";
import { type AddRoute, type Exchange, openExchange } from "./exchange.ts";
import { LLMS_PATH, RESOURCES, sendProtectedResource } from "./protected-resource.ts";
import { findTransportProblem, type Unmatched } from "./unmatched.ts";

/** Paths that are answered here, with their templates. */
export const DISCOVERY_PATHS: readonly (readonly [path: string, template: string])[] = [
  ...Object.keys(RESOURCES),
  LLMS_PATH,
].map((path) => [path, path]);

export function addDiscovery(add: AddRoute, { wire, toRoute }: Unmatched): void {
  const serve = (path: string, send: (exchange: Exchange) => void): void => {
    const route = toRoute(path);
    add("GET", path, (request, response) => {
      const exchange = openExchange(wire, route, request, response);
      const problem = findTransportProblem(request);
      if (problem === null) runGuarded(send, exchange);
      else sendProblem(exchange, null, problem);
    });
  };
  for (const path of Object.keys(RESOURCES))
    serve(path, (exchange) => sendProtectedResource(exchange, path));
  serve(LLMS_PATH, createDocument(LLMS_TEXT, { content_type: TEXT_TYPE }));
}

const TEXT_TYPE = "text/plain; charset=utf-8";
