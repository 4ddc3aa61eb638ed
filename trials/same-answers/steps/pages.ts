/** Pages, discovery, tiles and Photon's interface: what is served in addition to the operations. */
import type { Step } from "../recording.ts";
import { request, withLabels } from "./step.ts";

/** Paths of the listener for callers that no operation has. */
const PATHS: readonly string[] = [
  ...["/", "/status", "/docs", "/llms.txt", "/robots.txt", "/favicon.ico", "/assets/none/main.js"],
  ...["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"],
  ...["/.well-known/mcp/catalog.json", "/.well-known/mcp/server-card", "/mcp/server-card"],
  ...["/tiles/index.json", "/tiles/labels.json"],
  ...["/", "/status"].map((page) => `${page}?x=1`),
  ...["/none", "/v1", "/v1/", "/v1/none", "/v2/nearby", "/health/", "//health", "/%2e%2e/etc"],
  ...["/admin/keys", "/metrics", "/livez", "/readyz", "/.env", "/v1/nearby/x", "/%ff", "/*"],
];

const TILES = ["0/0/0", "14/8299/5636", "10/518/352", "15/0/0", "3/9/1", "x/y/z", "2/1", "-1/0/0"];

const PHOTON_SEARCHES: readonly string[] = [
  ...["q=Hauptstrasse", "q=Paris", "q=Oberlinden&lang=fr", "q=B%C3%A4ckerei", "q=Apotheke&limit=1"],
  ...[
    "q=Paris&lat=48.8&lon=2.3",
    "q=Paris&bbox=2,48,3,49",
    "q=Paris&layer=city",
    "q=",
    "",
    "q=%ff",
  ],
  ...["q=Paris&limit=0", "q=Paris&limit=x", "q=Paris&lang=xx", "q=Paris&lat=91&lon=0", "q=a&q=b"],
  ...["q=Paris&osm_tag=place:city", "q=Paris&osm_tag=!place", "q=Paris&bbox=1,2", "q=Paris&x=1"],
  ...["q=Paris&lat=48.8", "q=Paris&zoom=99", "q=Paris&location_bias_scale=2", "q=Rue&debug=1"],
];
const PHOTON_POINTS: readonly string[] = [
  ...["lat=48.8566&lon=2.3522", "lat=47.0001&lon=9.0013", "lat=0&lon=0", "lat=91&lon=0", "lat=1"],
  ...["", "lat=x&lon=y", "lat=48.85&lon=2.35&radius=5", "lat=48.85&lon=2.35&radius=-1"],
  ...["lat=48.85&lon=2.35&limit=50", "lat=48.85&lon=2.35&layer=house&lang=de", "lat=1&lon=2&lat=3"],
];

/** The generated requests are of operations whose answers are JSON alone. */
const BOXES: readonly string[] = [
  ...["2.345,48.852,2.36,48.862", "8.99,46.99,9.01,47.01", "179.99,-0.01,-179.99,0.01"],
  ...["0,0,1,1", "2,48,1", "2.36,48.86,2.35,48.85", "x,y,z,w", "", "-200,0,-199,1", "0,89.99,9,90"],
];
const BOX_QUERIES = ["", "&modes=scooter", "&include=stations", "&include=places", "&modes=boat"];
const LIVE_TILES: readonly string[] = [
  ...["14/8299/5636", "10/518/352", "0/0/0", "18/0/0", "14/16384/0", "19/0/0", "x/0/0"],
];
const LAYERS = ["", "?layers=stations", "?layers=stops,zones,places", "?layers=roads", "?layers="];

const METHODS = ["HEAD", "POST", "OPTIONS", "DELETE"] as const;

export function pageSteps(): Step[] {
  return withLabels([
    ...PATHS.flatMap((path) => [
      request("pages", path),
      request("pages", path, { headers: { accept: "text/html", "accept-encoding": "gzip, br" } }),
      ...METHODS.map((method) => request("pages", path, { method })),
    ]),
    ...TILES.map((tile) => request("tiles", `/tiles/${tile}.mvt`)),
    ...BOXES.flatMap((box) =>
      BOX_QUERIES.map((query) =>
        request("streamNearby", `/v1/nearby/stream?bbox=${box}&once=true${query}`),
      ),
    ),
    ...LIVE_TILES.flatMap((tile) =>
      LAYERS.map((layers) => request("getLiveTile", `/v1/tiles/${tile}.mvt${layers}`)),
    ),
    ...PHOTON_SEARCHES.flatMap((query) => [
      request("photon search", `/photon/api?${query}`),
      request("photon search", `/photon/api/?${query}`, { headers: { "accept-language": "de" } }),
    ]),
    ...PHOTON_POINTS.map((query) => request("photon reverse", `/photon/reverse?${query}`)),
    ...METHODS.map((method) => request("photon search", "/photon/api?q=Paris", { method })),
    request("photon search", "/photon/api?q=Paris&token=svc_test_x"),
  ]);
}
