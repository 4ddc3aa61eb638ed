/**
 * The stream of a box. It is opened first, which
 * decides whether there is a place for it; its first minute is booked next, and only then its head
 * leaves, with what has happened meanwhile.
 */
import { type Caller, streamOwnerOf } from "#app/access/request-caller.ts";
import { LIVE_BOUNDS } from "#app/live/live-places.ts";
import {
  type LiveScope,
  type LiveStream,
  type LiveStreams,
  type NoStream,
  SCOPE_ITEMS_MAX,
} from "#app/live/live-types.ts";
import type { ByeReason } from "#api/live.ts";
import { type Deadlines, findOperation } from "#api/operations.ts";
import { readLiveBox } from "#core/live/live-box.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import type { Clock } from "#ports.ts";
import { modeMask } from "#stations/shard/bits.ts";
import { DATA_VARY, dataLines, sendData } from "./data.ts";
import { exampleOf, type Problem, refusal, sendProblem } from "./error-replies.ts";
import { EVENTS_TYPE, EventStream, type StreamListener, UNBUFFERED } from "./event-stream.ts";
import { type Exchange, type Fields, resume, sendRaw } from "./http-exchange.ts";
import type { Gate } from "./gate.ts";
import type { Handlers, QuestionOf } from "./handler.ts";
import { acceptsGzip, wantsStream } from "./negotiate.ts";
import { JSON_TYPE } from "./reply-headers.ts";
import type { Metered, StreamMinutes } from "./stream-minutes.ts";

export type LiveHandlerDeps = {
  clock: Clock;
  gate: Gate;
  /** Absent: this deployment has no live layer. */
  live?: LiveStreams;
};

const STREAM = findOperation("streamNearby");
const NONE = refusal("overloaded", "this deployment has no live layer");

/** What the caller may wait for before coming again, where a bound is reached. */
const PLACES_S = 15;

const { address_max, block_max, account_max } = LIVE_BOUNDS;
const REFUSALS: Readonly<Record<NoStream, Problem>> = {
  full: {
    code: "rate_limited",
    message: `as many streams are open as may be: ${address_max} of an address, ${block_max} of its block, ${account_max} of an account`,
    retry_after_s: PLACES_S,
  },
  busy: {
    code: "overloaded",
    message: "as many streams are open as this instance serves; try again",
    retry_after_s: PLACES_S,
  },
  closed: exampleOf("shutting_down"),
  large: refusal(
    "invalid_request",
    `bbox must hold at most ${SCOPE_ITEMS_MAX} stations and vehicles; make it smaller`,
  ),
};

/** Longer than any that was made here. */
const EVENT_ID_MAX = 128;

export function createLiveHandlers(
  { live, clock, gate }: LiveHandlerDeps,
  deadlines_ms: Deadlines,
  minutes: StreamMinutes,
): Pick<Handlers, "streamNearby"> {
  const streamNearby: Handlers["streamNearby"] = (exchange, caller, question) => {
    if (live === undefined) return sendProblem(exchange, STREAM, NONE);
    const read = readLiveBox(question.bbox);
    if (!read.ok) return sendProblem(exchange, STREAM, refusal("invalid_request", read.message));
    const scope = toScope(read.box, question);
    const { method, raw } = exchange.request;
    const isWhole = question.once || !wantsStream(raw.headers.accept);
    if (isWhole) {
      const deadline_ms = clock.now() + deadlines_ms.live;
      return sendOnce({ exchange, caller, gate }, live.read(scope, deadline_ms));
    }
    const query = { exchange, caller, gate };
    return method === "HEAD" ? sendNoBody(query) : follow(query, { live, scope, minutes });
  };
  return { streamNearby };
}

type Query = { exchange: Exchange; caller: Caller; gate: Gate };

function toScope(box: LiveScope["box"], question: QuestionOf<"streamNearby">): LiveScope {
  const { modes, include } = question;
  return {
    box,
    modes: modeMask(modes),
    stations: include.includes("stations"),
    vehicles: include.includes("vehicles"),
  };
}

async function sendOnce(
  { exchange, caller, gate }: Query,
  reading: ReturnType<LiveStreams["read"]>,
): Promise<void> {
  const snapshot = await reading;
  resume(exchange);
  if (snapshot === "large") return sendProblem(exchange, STREAM, REFUSALS.large);
  const send = (): void => {
    const ready = linesOf(exchange, JSON_TYPE);
    sendData(exchange, { status: 200, ready, headers: [], body: snapshot.json });
  };
  return gate.release(exchange, { operation: STREAM, caller, metered: ONE_ANSWER }, { send });
}

/** HEAD of a stream: what its head would be, at the price of its first minute. */
function sendNoBody({ exchange, caller, gate }: Query): Promise<void> {
  const send = (): void => {
    const ready = linesOf(exchange, EVENTS_TYPE);
    const coding = isCoded(exchange) ? ["content-encoding", "gzip"] : [];
    sendRaw(exchange, { status: 200, ready, headers: [...UNBUFFERED, ...coding], body: null });
  };
  return gate.release(exchange, { operation: STREAM, caller, metered: ONE_ANSWER }, { send });
}

type Following = { live: LiveStreams; scope: LiveScope; minutes: StreamMinutes };

async function follow(
  { exchange, caller, gate }: Query,
  { live, scope, minutes }: Following,
): Promise<void> {
  const subscriber = new Subscriber(exchange, minutes);
  const stream = live.open({
    scope,
    owner: streamOwnerOf(caller),
    last_event_id: readEventId(exchange),
    sink: subscriber.sink,
  });
  if (typeof stream === "string") return sendProblem(exchange, STREAM, REFUSALS[stream]);
  subscriber.stream = stream;
  const send = (): void => subscriber.begin();
  const priced = { operation: STREAM, caller, metered: ONE_ANSWER };
  try {
    await gate.release(exchange, priced, { send });
  } finally {
    // Its minute could not be booked, or something of ours has failed: its place comes back.
    if (!subscriber.hasBegun) stream.leave();
  }
}

/** One caller between the live layer, the response and what the minutes cost. */
class Subscriber implements Metered, StreamListener {
  readonly exchange: Exchange;
  readonly operation = STREAM;
  readonly sink: EventStream;
  stream: LiveStream | null = null;
  readonly #minutes: StreamMinutes;

  constructor(exchange: Exchange, minutes: StreamMinutes) {
    this.exchange = exchange;
    this.#minutes = minutes;
    this.sink = new EventStream(exchange, this);
  }

  get isOver(): boolean {
    return this.sink.isOver;
  }

  get hasBegun(): boolean {
    return this.sink.hasBegun;
  }

  begin(): void {
    this.#minutes.add(this);
    const ready = linesOf(this.exchange, EVENTS_TYPE);
    const head = { status: 200, ready, headers: [...UNBUFFERED] };
    this.sink.begin(head, { isCoded: isCoded(this.exchange) });
  }

  onTaken(): void {
    this.stream?.resume();
  }

  onLeft(): void {
    this.stream?.leave();
  }

  onOver(): void {
    this.#minutes.remove(this);
  }

  stop(reason: ByeReason, retry_after_s?: number): void {
    this.stream?.end(reason, retry_after_s);
  }
}

/** Whether the frames of a stream are sent as `gzip`. */
function isCoded({ request }: Exchange): boolean {
  return acceptsGzip(request.raw.headers["accept-encoding"]);
}

/** null: there is none, or none that was made here. */
function readEventId({ request }: Exchange): string | null {
  const id = request.raw.headers["last-event-id"];
  return typeof id === "string" && id.length > 0 && id.length <= EVENT_ID_MAX ? id : null;
}

/** What is sent depends on `Accept` as well. */
function linesOf({ token_used }: Exchange, type: string): Fields {
  return dataLines(STREAM, type, "no-store", { token_used }, `${DATA_VARY}, Accept`);
}
