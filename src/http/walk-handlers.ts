/** The operations of ways on foot: a question, its reply as JSON or GeoJSON. */
import type { Caller } from "#app/access/request-caller.ts";
import type { SearchReply } from "#app/search-reply.ts";
import type { OnFoot } from "#app/walk/on-foot.ts";
import { toReachCollection, toWayFeature } from "#app/walk/walk-geojson.ts";
import type { Operation } from "#api/operation.ts";
import { type Deadlines, findOperation } from "#api/operations.ts";
import type { Clock } from "#ports.ts";
import { readyLines, sendData, toCacheControl } from "./data.ts";
import { type Exchange, resume } from "./http-exchange.ts";
import type { Gate } from "./gate.ts";
import type { Handlers, ReplyOf } from "./handler.ts";
import { watch } from "./presence.ts";
import { JSON_TYPE } from "./reply-headers.ts";

export type WalkHandlerDeps = {
  clock: Clock;
  gate: Gate;
  onFoot: OnFoot;
};

const WALK = findOperation("getWalk");
const REACH = findOperation("getReach");
const TYPES = { json: JSON_TYPE, geojson: "application/geo+json" } as const;

export function createWalkHandlers(
  { clock, gate, onFoot }: WalkHandlerDeps,
  deadlines_ms: Deadlines,
): Pick<Handlers, "getWalk" | "getReach"> {
  const release = <B>(
    exchange: Exchange,
    { operation, caller, format, toText }: Sent<B>,
    { body, max_age_s, metered }: SearchReply<B>,
  ): void | Promise<void> => {
    const send = (): void => {
      resume(exchange);
      const cache_control = toCacheControl(caller.kind, max_age_s);
      const ready = readyLines(operation, TYPES[format], cache_control, exchange.token_used);
      sendData(exchange, { status: 200, ready, headers: [], body: toText(body) });
    };
    return gate.release(exchange, { operation, caller, metered }, { send });
  };
  const input = <Q>(
    question: Q,
    caller: Caller,
    time: { most_ms: number; signal: AbortSignal },
  ) => {
    const now_ms = clock.now();
    const deadline_ms = now_ms + time.most_ms;
    return { question, deadline_ms, now_ms, signal: time.signal, keyed: caller.kind === "keyed" };
  };
  return {
    async getWalk(exchange, caller, question) {
      const { format } = question;
      const toText = (body: ReplyOf<"getWalk">): string =>
        JSON.stringify(format === "geojson" ? toWayFeature(body) : body);
      const presence = watch(exchange);
      const time = { most_ms: deadlines_ms.walk, signal: presence.signal };
      const reply = await onFoot.findWay(input(question, caller, time));
      presence.end();
      resume(exchange);
      return await release(exchange, { operation: WALK, caller, format, toText }, reply);
    },
    async getReach(exchange, caller, question) {
      const { format } = question;
      const toText = (body: ReplyOf<"getReach">): string =>
        JSON.stringify(format === "geojson" ? toReachCollection(body) : body);
      const presence = watch(exchange);
      const time = { most_ms: deadlines_ms.reach, signal: presence.signal };
      const reply = await onFoot.findReach(input(question, caller, time));
      presence.end();
      resume(exchange);
      return await release(exchange, { operation: REACH, caller, format, toText }, reply);
    },
  };
}

type Sent<B> = {
  operation: Operation;
  caller: Caller;
  format: keyof typeof TYPES;
  toText(body: B): string;
};
