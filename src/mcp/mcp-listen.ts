/**
 * `subscriptions/listen` of the stateless revision (docs/agents.md, Watching a station): the library reads the
 * request and writes its messages; which stations are watched, and when one has changed, is ours. A
 * message is made when the one before has been taken, so that a caller who does not read keeps
 * nothing but marks.
 */
import { createMcpHandler, type Server, type ServerEvent } from "@modelcontextprotocol/server";
import {
  type Caller,
  type Passage,
  type Refusal,
  streamOwnerOf,
} from "#app/access/request-caller.ts";
import type { McpReply } from "#app/mcp.ts";
import type { Stream } from "#app/stations/station-stream.ts";
import type { WatchedBox } from "#app/stations/box-notes.ts";
import { isStationId } from "#app/stations/look.ts";
import type { StationWatch, Watchable } from "#app/stations/watch.ts";
import type { Operation } from "#api/operation.ts";
import { errorRow } from "#api/errors.ts";
import { parseJson } from "#kit/json.ts";
import { isObject } from "#core/members/member-rules.ts";
import { toRefusalText } from "./refusal.ts";
import { isAnswerUri } from "./kept-answers.ts";
import { ANSWER_OPERATION, BOX_OPERATION, STATION_OPERATION } from "./resources.ts";
import { findBox } from "./watched-boxes.ts";
import { findStationId, toStationUri } from "./watched-stations.ts";

/** A request to listen for changes of resources. */
export type ListenRequest = {
  id: string | number;
  /** Stations it names, in its order. */
  stations: readonly string[];
  boxes: readonly WatchedBox[];
  /** Addresses of answers of ask_here, each once. */
  answers: readonly string[];
  /** The same request for these, and no other resource. */
  narrow(ids: readonly string[]): string;
};

const METHOD = "subscriptions/listen";

/** Returns null where it is no such request, or names no resources: then nothing is to be watched. */
export function readListen(text: string): ListenRequest | null {
  // The text is not searched for the method: JSON can write it in several ways.
  const message = parseJson(text);
  if (!isObject(message) || message["method"] !== METHOD) return null;
  const { id, params } = message;
  const filter = isObject(params) ? params["notifications"] : null;
  const uris = isObject(filter) ? filter["resourceSubscriptions"] : null;
  if (typeof id !== "string" && typeof id !== "number") return null;
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === "string")) return null;
  return {
    id,
    stations: uris.flatMap((uri) => findStationId(uri) ?? []),
    boxes: uris.flatMap((uri) => findBox(uri) ?? []),
    answers: [...new Set(uris.filter(isAnswerUri))],
    narrow(ids) {
      const resourceSubscriptions = ids.map(toUri);
      const notifications = { ...(filter as object), resourceSubscriptions };
      return JSON.stringify({ ...message, params: { ...(params as object), notifications } });
    },
  };
}

export type ListenDeps = {
  watch: Pick<StationWatch, "open">;
  /** How an answer of the caller's own is watched; null: there is none at this address. */
  findAnswer(uri: string, caller: Caller): Watchable | null;
  openServer: () => Server;
  toRequest(text: string): Request;
  toReply(response: Response): Promise<McpReply>;
};

export async function answerListen(
  request: ListenRequest,
  passage: Passage,
  deps: ListenDeps,
): Promise<McpReply> {
  // What a message says of a station or a box is data of it, and costs nothing: reading it does.
  const { stations, boxes } = request;
  const { caller } = passage;
  const answers = request.answers
    .slice(0, ANSWERS_TRIED)
    .flatMap((uri) => deps.findAnswer(uri, caller) ?? []);
  const wants = stations.length + boxes.length + answers.length > 0;
  const operations = [
    ...(stations.length > 0 ? [STATION_OPERATION] : []),
    ...(boxes.length > 0 ? [BOX_OPERATION] : []),
    ...(answers.length > 0 ? [ANSWER_OPERATION] : []),
  ];
  const refusal = await permitAll(operations, passage);
  if (refusal) return toJson(toRefusalText(request.id, refusal));
  const owner = streamOwnerOf(caller);
  const opened = wants ? deps.watch.open(stations, owner, boxes, answers) : null;
  if (opened === "closed") return toJson(toRefusalText(request.id, CLOSED));
  const stream = opened === "full" ? null : opened;
  let publish: Publish | null = null;
  const handler = createMcpHandler(deps.openServer, {
    legacy: "reject",
    keepAliveMs: 0,
    // Its refusal is that of a server that has as many streams as it takes.
    maxSubscriptions: opened === "full" ? 0 : 1,
    bus: {
      publish: () => {},
      subscribe(listener) {
        publish = listener;
        return () => {};
      },
    },
  });
  const response = await handler.fetch(deps.toRequest(request.narrow(stream?.ids ?? [])));
  if (stream && publish && response.body) {
    followCaller(stream, passage.signal);
    const reader = response.body.getReader();
    const frames = toFrames(stream, { reader, publish, end: () => handler.close() });
    const [operation = STATION_OPERATION] = operations;
    const endStream = (): void => stream.end();
    return { status: 200, type: "stream", frames, over: stream.over, end: endStream, operation };
  }
  stream?.leave();
  const reply = await deps.toReply(response);
  await handler.close();
  return reply;
}

/** Addresses of answers of one request that are looked up; of those, the first that are there are watched. */
const ANSWERS_TRIED = 20;

async function permitAll(
  [operation, ...others]: readonly Operation[],
  passage: Passage,
): Promise<Refusal | null> {
  if (operation === undefined) return null;
  return (await passage.permit(operation, true)) ?? permitAll(others, passage);
}

/** A station is watched by its id, what else there is by its address. */
function toUri(id: string): string {
  return isStationId(id) ? toStationUri(id) : id;
}

const CLOSED = {
  code: "shutting_down",
  message: errorRow("shutting_down").example,
  retry_after_s: 1,
};

function toJson(body: string): McpReply {
  return { status: 200, type: "json", body };
}

function followCaller(stream: Stream, signal: AbortSignal): void {
  if (signal.aborted) stream.leave();
  else signal.addEventListener("abort", () => stream.leave(), { once: true });
}

type Publish = (event: ServerEvent) => void;

/** The library's side of a stream. */
type Wire = {
  reader: ReadableStreamDefaultReader<Uint8Array>;
  publish: Publish;
  /** Makes it write the result that ends the stream. */
  end(): Promise<void>;
};

/** A comment, which keeps proxies from taking the connection for dead. */
const KEEP_ALIVE = ": keepalive\n\n";

async function* toFrames(stream: Stream, { reader, publish, end }: Wire): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const read = async (): Promise<string> => decoder.decode((await reader.read()).value);
  try {
    // That it is acknowledged.
    yield await read();
    for (;;) {
      const event = await stream.next();
      switch (event.kind) {
        case "left":
          return;
        case "ended":
          await end();
          return yield await read();
        case "quiet":
          yield KEEP_ALIVE;
          break;
        case "changed":
          for (const id of event.ids) {
            publish({ kind: "resource_updated", uri: toUri(id) });
            yield await read();
          }
      }
    }
  } finally {
    stream.leave();
    await end();
  }
}
