/** Files of published GBFS, with their validators and in the coding wanted (docs/gbfs.md). */
import type { Caller } from "#app/access/request-caller.ts";
import type { GbfsFiles, NoFile, OutRequest, PublishedFile } from "#app/gbfs/out-types.ts";
import { LIMITS } from "#api/limits.ts";
import { type Deadlines, findOperation, type OperationOf } from "#api/operations.ts";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import type { Clock } from "#ports.ts";
import { isNotModified } from "./conditional.ts";
import { DATA_VARY, readyLines, toCacheControl } from "./data.ts";
import { type Problem, refusal, sendProblem } from "./error-replies.ts";
import type { Gate } from "./gate.ts";
import type { Handlers } from "./handler.ts";
import { type Exchange, resume, sendRaw } from "./http-exchange.ts";
import { pickEncoding } from "./negotiate.ts";
import { ownOrigin } from "./own-origin.ts";
import { PackedBodies } from "./packed-bodies.ts";
import { JSON_TYPE } from "./reply-headers.ts";

export type GbfsHandlerDeps = {
  clock: Clock;
  gate: Gate;
  /** Absent: this deployment publishes none. */
  gbfs?: GbfsFiles;
};

type GbfsId = "getGbfsManifest" | "getGbfsFile" | "getGbfs2File";

const MANIFEST = findOperation("getGbfsManifest");
const FILE = findOperation("getGbfsFile");
const FILE_OF_2 = findOperation("getGbfs2File");

/** Of compressed files. */
const PACKED_BYTES = 32 * 1024 * 1024;

const SEE = "see /gbfs/v3/manifest.json";
const REFUSALS: Readonly<Record<NoFile["kind"], Problem>> = {
  full: refusal("overloaded", `more than ${BOUNDS_OF_ALL.gbfs.most} files wait`),
  unread: refusal("provider_unavailable", "nothing of this system could be read in time"),
  unknown_system: refusal("unknown_system", `no system that is published has this id; ${SEE}`),
  unknown_file: refusal("unknown_system", "the system has no such file; its gbfs.json lists them"),
  closed: refusal("unknown_system", `the terms of this system do not let it be handed on; ${SEE}`),
};
const NO_HOST = refusal("invalid_request", "the Host header must name the address of this service");

export function createGbfsHandlers(
  { clock, gate, gbfs }: GbfsHandlerDeps,
  deadlines_ms: Deadlines,
): Pick<Handlers, GbfsId> {
  const packed = new PackedBodies(PACKED_BYTES);
  const answer = async (
    exchange: Exchange,
    caller: Caller,
    operation: OperationOf<GbfsId>,
    wanted: Pick<OutRequest, "version" | "system_id" | "file">,
  ): Promise<void> => {
    const origin = ownOrigin(exchange.request.raw);
    if (!gbfs) return sendProblem(exchange, operation, REFUSALS.unknown_system);
    if (origin === null) return sendProblem(exchange, operation, NO_HOST);
    const file = await gbfs.read({
      ...{ ...wanted, origin, block: caller.kind === "anonymous" ? caller.address.wide : null },
      deadline_ms: clock.now() + deadlines_ms[operation.deadline.name],
    });
    resume(exchange);
    if (file.kind !== "file") return sendProblem(exchange, operation, REFUSALS[file.kind]);
    return await send(exchange, caller, operation, file);
  };
  const send = async (
    exchange: Exchange,
    caller: Caller,
    operation: OperationOf<GbfsId>,
    file: PublishedFile,
  ): Promise<void> => {
    const { headers: sent } = exchange.request.raw;
    const isLong = file.bytes.length >= LIMITS.compress_from_bytes;
    const encoding = isLong ? pickEncoding(sent["accept-encoding"]) : null;
    const etag = encoding === null ? `"${file.version}"` : `"${file.version}-${encoding}"`;
    const cache_control = toCacheControl(caller.kind, file.max_age_s);
    // Who names no tag has no file: `*` would get any for nothing.
    const has_tag = sent["if-none-match"]?.trim() !== "*";
    if (has_tag && isNotModified(sent, { etag, last_modified_ms: null })) {
      const headers = ["etag", etag, "cache-control", cache_control, "vary", DATA_VARY];
      return sendRaw(exchange, { status: 304, headers, body: null });
    }
    const body = encoding === null ? file.bytes : await packed.of(file, encoding);
    resume(exchange);
    const ready = readyLines(operation, JSON_TYPE, cache_control, exchange.token_used);
    const headers = ["etag", etag];
    if (encoding !== null) headers.push("content-encoding", encoding);
    const priced = { operation, caller, metered: ONE_ANSWER };
    return gate.release(exchange, priced, {
      send: () => sendRaw(exchange, { status: 200, ready, headers, body }),
    });
  };
  return {
    getGbfsManifest: (exchange, caller) =>
      answer(exchange, caller, MANIFEST, { version: "3.0", system_id: null, file: "manifest" }),
    getGbfsFile: (exchange, caller, { system, file }) =>
      answer(exchange, caller, FILE, { version: "3.0", system_id: system, file }),
    getGbfs2File: (exchange, caller, { system, file }) =>
      answer(exchange, caller, FILE_OF_2, { version: "2.3", system_id: system, file }),
  };
}
