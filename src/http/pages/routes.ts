/** The routes of the pages. They are no operations of the API and stand in no description of it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "../errors.ts";
import { openExchange, sendRaw, type Exchange } from "../exchange.ts";
import { findTransportProblem, type Unmatched } from "../unmatched.ts";
import type { Asset } from "./asset.ts";
import type { PageGate } from "./gate.ts";
import type { Pages } from "./site.ts";

const ASSETS = "/assets/*";

export function addPages(
  app: FastifyInstance,
  unmatched: Unmatched,
  { site, gate }: { site: Pages; gate: PageGate },
): void {
  const method = ["GET", "HEAD"];
  for (const [url, page] of site.pages) {
    const route = unmatched.toRoute(url);
    const handler = (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const exchange = openExchange(unmatched.wire, route, request, reply);
      request.exchange = exchange;
      return serve(exchange, page, gate);
    };
    app.route({ method, url, handler });
  }
  const route = unmatched.toRoute(ASSETS);
  app.route({
    ...{ method, url: ASSETS },
    handler: (request, reply) => {
      const asset = site.assets.get(request.url.replace(/[?#].*$/s, ""));
      if (asset === undefined) return unmatched.answer(request, reply);
      const exchange = openExchange(unmatched.wire, route, request, reply);
      request.exchange = exchange;
      return serve(exchange, asset, gate);
    },
  });
}

/** Paths that are answered here, for those who ask with another method. */
export function listPaths(pages: Pages): [path: string, template: string][] {
  const assets = [...pages.assets.keys()].map((path): [string, string] => [path, ASSETS]);
  return [...[...pages.pages.keys()].map((path): [string, string] => [path, path]), ...assets];
}

async function serve(exchange: Exchange, asset: Asset, gate: PageGate): Promise<void> {
  const problem = findTransportProblem(exchange.request) ?? gate.judge(exchange);
  if (problem !== null) return sendProblem(exchange, null, problem);
  exchange.reply.hijack();
  const response = await asset.answer(exchange.request.raw.headers);
  sendRaw(exchange, response);
}
