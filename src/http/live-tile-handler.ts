/** GET /v1/tiles/{z}/{x}/{y}.mvt: a tile of the live layer, with its validator and in the coding wanted. */
import type { Caller } from "#app/access/request-caller.ts";
import type { LiveTile, LiveTiles } from "#app/live/live-types.ts";
import { VECTOR_TILE_TYPE } from "#api/live-operations.ts";
import { LIMITS } from "#api/limits.ts";
import { type Deadlines, findOperation } from "#api/operations.ts";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import type { Clock } from "#ports.ts";
import { isNotModified } from "./conditional.ts";
import { DATA_VARY, readyLines, toCacheControl } from "./data.ts";
import { refusal, sendProblem } from "./error-replies.ts";
import { resume, sendRaw } from "./http-exchange.ts";
import type { Gate } from "./gate.ts";
import type { Handlers, QuestionOf } from "./handler.ts";
import { pickEncoding } from "./negotiate.ts";
import { PackedBodies } from "./packed-bodies.ts";

export type LiveTileDeps = {
  clock: Clock;
  gate: Gate;
  /** Absent: this deployment has no live layer. */
  liveTiles?: LiveTiles;
};

const TILE = findOperation("getLiveTile");
const NONE = refusal("overloaded", "this deployment has no live layer");
const FULL = refusal("overloaded", `more than ${BOUNDS_OF_ALL.live_tiles.most} tiles wait`);

/** Of compressed tiles. */
const PACKED_BYTES = 16 * 1024 * 1024;

export function createLiveTileHandler(
  { clock, gate, liveTiles }: LiveTileDeps,
  deadlines_ms: Deadlines,
): Handlers["getLiveTile"] {
  const budget_ms = deadlines_ms[TILE.deadline.name];
  const packed = new PackedBodies(PACKED_BYTES);
  return async (exchange, caller, question) => {
    if (!liveTiles) return sendProblem(exchange, TILE, NONE);
    const place = readPlace(question);
    if ("problem" in place)
      return sendProblem(exchange, TILE, refusal("invalid_request", place.problem));
    const now_ms = clock.now();
    const block = caller.kind === "anonymous" ? caller.address.wide : null;
    const time = { now_ms, deadline_ms: now_ms + budget_ms };
    const tile = await liveTiles.draw({ ...place, layers: question.layers, block, ...time });
    resume(exchange);
    if (tile === "full") return sendProblem(exchange, TILE, FULL);
    const encoding =
      tile.bytes.length < LIMITS.compress_from_bytes
        ? null
        : pickEncoding(exchange.request.raw.headers["accept-encoding"]);
    const cache_control = toCacheControl(caller.kind, tile.max_age_s);
    const etag = encoding === null ? `"${tile.version}"` : `"${tile.version}-${encoding}"`;
    const { headers: sent } = exchange.request.raw;
    // Who names no tag has no tile: `*` would draw any for nothing.
    const has_tag = sent["if-none-match"]?.trim() !== "*";
    if (has_tag && isNotModified(sent, { etag, last_modified_ms: null })) {
      const headers = ["etag", etag, "cache-control", cache_control, "vary", DATA_VARY];
      return sendRaw(exchange, { status: 304, headers, body: null });
    }
    const body = encoding === null ? tile.bytes : await packed.of(tile, encoding);
    resume(exchange);
    const ready = readyLines(TILE, VECTOR_TILE_TYPE, cache_control, exchange.token_used);
    const headers = ["etag", etag];
    if (encoding !== null) headers.push("content-encoding", encoding);
    const send = (): void => sendRaw(exchange, { status: 200, ready, headers, body });
    return gate.release(exchange, pricedOf(caller, tile), { send });
  };
}

function pricedOf(caller: Caller, { objects }: LiveTile) {
  return { operation: TILE, caller, metered: { void: objects === 0, objects, maps_categories: 0 } };
}

type Place = { z: number; x: number; y: number };

/** Reads the place of a tile; the problem names the parameter that is wrong. */
function readPlace(question: QuestionOf<"getLiveTile">): Place | { problem: string } {
  const [z, x, y] = [question.z, question.x, question.y].map(Number) as [number, number, number];
  const { tile_zoom_max } = LIMITS.live;
  if (z > tile_zoom_max) return { problem: `z must be a whole number from 0 to ${tile_zoom_max}` };
  const last = 2 ** z - 1;
  const [name] = [["x", x] as const, ["y", y] as const].find(([, at]) => at > last) ?? [];
  if (name === undefined) return { z, x, y };
  return { problem: `${name} must be a whole number from 0 to ${last} at zoom ${z}` };
}
