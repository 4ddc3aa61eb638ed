/** GET /v1/tiles: the live layer as vector tiles. */
import { findOperation } from "#api/operations.ts";
import { refusal, sendProblem } from "./error-replies.ts";
import type { Handlers } from "./handler.ts";

const TILE = findOperation("getLiveTile");
const NONE = refusal("overloaded", "this deployment has no live layer");

export function createLiveTileHandler(): Handlers["getLiveTile"] {
  return (exchange) => sendProblem(exchange, TILE, NONE);
}
