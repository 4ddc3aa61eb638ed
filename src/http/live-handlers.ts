/** The operations of the live layer: the stream of a box, and its tiles. */
import type { LiveStreams, LiveTiles } from "#app/live/live-types.ts";
import { findOperation } from "#api/operations.ts";
import { refusal, sendProblem } from "./error-replies.ts";
import type { Gate } from "./gate.ts";
import type { Handlers } from "./handler.ts";

export type LiveHandlerDeps = {
  gate: Gate;
  /** Absent: this deployment has no live layer. */
  live?: LiveStreams;
  liveTiles?: LiveTiles;
};

const STREAM = findOperation("streamNearby");
const TILE = findOperation("getLiveTile");
const NONE = refusal("overloaded", "this deployment has no live layer");

export function createLiveHandlers(
  _deps: LiveHandlerDeps,
): Pick<Handlers, "streamNearby" | "getLiveTile"> {
  return {
    streamNearby: (exchange) => sendProblem(exchange, STREAM, NONE),
    getLiveTile: (exchange) => sendProblem(exchange, TILE, NONE),
  };
}
