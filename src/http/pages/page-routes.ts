/** The routes of the pages. They are no operations of the API and in no description of it. */
import { runGuarded, sendProblem } from "../error-replies.ts";
import {
  openExchange,
  resume,
  sendRaw,
  type Exchange,
  type Incoming,
  type Route,
} from "../http-exchange.ts";
import type { AddRoute } from "../http-exchange.ts";
import { findTransportProblem, type Unmatched } from "../unmatched.ts";
import type { ServerResponse } from "node:http";
import type { Asset } from "./asset.ts";
import type { PageGate } from "./page-gate.ts";
import type { Pages } from "./page-site.ts";
import type { SharePage } from "../share/share-head.ts";
import { PICTURE_PATH, type SharePages } from "../share/share-pages.ts";
import { INDEX_PATH, LABELS_PATH, TILE_PATH, type TilePages } from "./tile-pages.ts";

const ASSETS = "/assets/*";
const TILES = "/tiles/*";

export type PageDeps = { site: Pages; gate: PageGate; tiles: TilePages; share: SharePages };

export function addPages(
  add: AddRoute,
  unmatched: Unmatched,
  { site, gate, tiles, share }: PageDeps,
): void {
  const serveAt = (route: Route, asset: Asset, request: Incoming, response: ServerResponse): void =>
    runGuarded(
      (exchange) => serve(exchange, asset, gate),
      openExchange(unmatched.wire, route, request, response),
    );
  for (const [path, page] of site.pages) {
    const route = unmatched.toRoute(path);
    add("GET", path, (request, response) => {
      if (site.shared?.path !== path || request.query === "")
        return serveAt(route, page, request, response);
      const of = { asset: page, share, page: site.shared.page };
      runGuarded(
        (exchange) => serveShared(exchange, of, gate),
        openExchange(unmatched.wire, route, request, response),
      );
    });
  }
  const pictures = unmatched.toRoute(PICTURE_PATH);
  add("GET", PICTURE_PATH, (request, response) => {
    runGuarded(
      (exchange) => servePicture(exchange, share, gate),
      openExchange(unmatched.wire, pictures, request, response),
    );
  });
  const route = unmatched.toRoute(ASSETS);
  add("GET", ASSETS, (request, response) => {
    const asset = site.assets.get(pathOf(request));
    if (asset === undefined) return unmatched.answer(request, response);
    serveAt(route, asset, request, response);
  });
  const tileRoutes = new Map(
    [INDEX_PATH, LABELS_PATH, TILE_PATH].map((each) => [each, unmatched.toRoute(each)]),
  );
  add("GET", TILES, (request, response) => {
    const path = pathOf(request);
    const own = tileRoutes.get(path) ?? tileRoutes.get(TILE_PATH)!;
    const exchange = openExchange(unmatched.wire, own, request, response);
    runGuarded((each) => serveTile(each, path, tiles, gate), exchange);
  });
}

/** Lists the paths that are answered here, to refuse other methods. */
export function listPaths(pages: Pages): [path: string, template: string][] {
  const assets = [...pages.assets.keys()].map((path): [string, string] => [path, ASSETS]);
  const own = [...pages.pages.keys(), PICTURE_PATH, INDEX_PATH, LABELS_PATH, TILE_PATH];
  return [...own.map((path): [string, string] => [path, path]), ...assets];
}

function pathOf({ raw }: Incoming): string {
  return (raw.url as string).replace(/[?#].*$/s, "");
}

async function serveTile(
  exchange: Exchange,
  path: string,
  tiles: TilePages,
  gate: PageGate,
): Promise<void> {
  const problem = findTransportProblem(exchange.request) ?? gate.judge(exchange);
  if (problem !== null) return sendProblem(exchange, null, problem);
  const { query, raw } = exchange.request;
  const answer = await tiles.answer(path, query, raw.headers, gate.blockOf(exchange));
  resume(exchange);
  if ("code" in answer) sendProblem(exchange, null, answer);
  else sendRaw(exchange, answer);
}

/** The map page; where its address names a point, with the head of that link. */
async function serveShared(
  exchange: Exchange,
  { asset, share, page }: { asset: Asset; share: SharePages; page: SharePage },
  gate: PageGate,
): Promise<void> {
  const problem = findTransportProblem(exchange.request) ?? gate.judge(exchange);
  if (problem !== null) return sendProblem(exchange, null, problem);
  const answer = await share.answerPage(exchange.request, page);
  resume(exchange);
  sendRaw(exchange, answer ?? (await asset.answer(exchange.request.raw.headers)));
}

async function servePicture(exchange: Exchange, share: SharePages, gate: PageGate): Promise<void> {
  const problem = findTransportProblem(exchange.request) ?? gate.judge(exchange);
  if (problem !== null) return sendProblem(exchange, null, problem);
  const answer = await share.answerPicture(exchange.request, gate.blockOf(exchange));
  resume(exchange);
  if ("code" in answer) sendProblem(exchange, null, answer);
  else sendRaw(exchange, answer);
}

async function serve(exchange: Exchange, asset: Asset, gate: PageGate): Promise<void> {
  const problem = findTransportProblem(exchange.request) ?? gate.judge(exchange);
  if (problem !== null) return sendProblem(exchange, null, problem);
  const response = await asset.answer(exchange.request.raw.headers);
  sendRaw(exchange, response);
}
