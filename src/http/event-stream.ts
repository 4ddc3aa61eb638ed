/**
 * A response of server-sent events: its head, its frames, its end. With its head the request is over
 * for all others (it is not under way, and works no more); its line in the log comes with its end.
 * Frames are sent as they are, or in a coding that leaves each whole (frame-coder.ts).
 */
import { attempt } from "#kit/guard.ts";
import type { EventSink } from "#app/live/live-types.ts";
import { cutOff } from "./error-replies.ts";
import { FrameCoder } from "./frame-coder.ts";
import {
  type Answered,
  endWork,
  type Exchange,
  logLine,
  type Response,
  writeHead,
} from "./http-exchange.ts";
import type { StreamEnd } from "./open-streams.ts";

export const EVENTS_TYPE = "text/event-stream";
/** Else a proxy would collect frames until it has many. */
export const UNBUFFERED = ["x-accel-buffering", "no"] as const;

export type StreamListener = {
  /** The kernel has taken all that was written, after a `write` that was false. */
  onTaken(): void;
  /** The caller has left, or its connection was cut; not called once the stream has ended. */
  onLeft(): void;
  /** Nothing more is sent: the stream has ended, or its caller has left. Called once. */
  onOver?(): void;
};

type Head = Omit<Response, "body">;

/** Another caller has the place: what was not taken by then must not stay in memory as well. */
const GIVEN_BACK: ReadonlySet<StreamEnd> = new Set<StreamEnd>(["slow", "replaced", "large"]);

export class EventStream implements EventSink {
  readonly route: string;
  readonly #exchange: Exchange;
  readonly #listener: StreamListener;
  /** Frames before the head; null: it was written. */
  #waiting: string[] | null = [];
  #bytes = 0;
  #isBehind = false;
  /** null: it goes on. */
  #end: StreamEnd | null = null;
  #isOver = false;
  #isNoted = false;
  #began_ms = 0;
  #answered: Answered | null = null;
  /** null: frames are sent as they are. */
  #coder: FrameCoder | null = null;

  constructor(exchange: Exchange, listener: StreamListener) {
    this.route = exchange.route.template;
    this.#exchange = exchange;
    this.#listener = listener;
  }

  /** Bytes of the frames that were written. */
  get bytes(): number {
    return this.#bytes;
  }

  get hasBegun(): boolean {
    return this.#waiting === null;
  }

  /** The service has ended it, or the caller has left. */
  get isOver(): boolean {
    return this.#isOver || this.#end !== null;
  }

  /**
   * Sends the head and what was written before it, and `onTaken` where that has been taken. `isCoded`:
   * frames are sent as `gzip`, which the caller accepts.
   */
  begin(head: Head, { isCoded = false } = {}): void {
    const { response, wire } = this.#exchange;
    if (isCoded) {
      this.#coder = new FrameCoder((bytes) => this.#onCoded(bytes));
      head.headers.push("content-encoding", "gzip");
    }
    const frames = this.#waiting ?? [];
    this.#waiting = null;
    response.on("close", this.#onClose);
    writeHead(this.#exchange, head);
    wire.streams.add(this);
    this.#began_ms = wire.serving.now();
    if (frames.length === 0) response.flushHeaders();
    else this.#push(frames.join(""));
    this.#answered = endWork(this.#exchange, head.status);
    // Of the head alone; there may be thousands of streams for hours.
    this.#exchange.allowances.length = 0;
    this.#exchange.reservation = null;
    if (response.destroyed) this.#onClose();
    else if (this.#end !== null) this.#finish();
    else if (frames.length > 0 && !this.#isBehind) this.#call("onTaken");
  }

  /** false: the caller has not taken all that was sent, or the stream is over, or has no head yet. */
  write(frame: string): boolean {
    if (this.isOver) return false;
    if (this.#waiting === null) return this.#push(frame);
    this.#waiting.push(frame);
    return false;
  }

  /** Ends it behind what was written; while the service shuts down nothing waits for the caller. */
  end(reason: StreamEnd = "done"): void {
    if (this.isOver) return;
    this.#end = reason;
    if (this.hasBegun) this.#finish();
  }

  /** Notes that a defect ends it. */
  fail(): void {
    this.#end ??= "failed";
  }

  /** Cuts the connection where the caller has not taken what was sent, in a turn of its own. */
  cutSoon(): void {
    setImmediate(() => this.#cut());
  }

  #push(text: string): boolean {
    this.#bytes += Buffer.byteLength(text);
    const bytes = this.#coder === null ? text : this.#coder.code(text);
    if (bytes !== null) return this.#send(bytes);
    this.#isBehind = true;
    return false;
  }

  /** A thread has made the frames small. */
  #onCoded(bytes: Buffer): void {
    if (this.#isOver) return;
    const isTaken = this.#send(bytes);
    if (this.#end !== null) this.#finish();
    else if (isTaken) this.#call("onTaken");
  }

  /** In one write of the kernel: what is written to a corked socket leaves as one list of buffers. */
  #send(bytes: string | Buffer): boolean {
    const { response } = this.#exchange;
    const { socket } = response;
    socket?.cork();
    response.write(bytes, this.#onWritten);
    socket?.uncork();
    // Without a socket an earlier answer of the connection is not sent yet.
    this.#isBehind = socket === null || socket.writableLength > 0;
    return !this.#isBehind;
  }

  readonly #onWritten = (error?: Error | null): void => {
    if (!this.#isBehind || this.isOver || error || this.#coder?.isBusy) return;
    if (this.#exchange.response.socket?.writableLength !== 0) return;
    this.#isBehind = false;
    this.#call("onTaken");
  };

  #finish(): void {
    this.#noteOver();
    // It comes again when all has been sent.
    if (this.#coder?.isBusy) return;
    this.#exchange.response.end(this.#coder?.end());
    // By then the phase is known, whichever part of the service was closed first.
    setImmediate(() => {
      const is_given_back = this.#end !== null && GIVEN_BACK.has(this.#end);
      if (is_given_back || this.#exchange.wire.drain.phase !== "serving") this.#cut();
    });
  }

  #cut(): void {
    const { response } = this.#exchange;
    if (!response.writableFinished && response.writableLength > 0) response.destroy();
  }

  readonly #onClose = (): void => {
    if (this.#isOver || this.#answered === null) return;
    this.#isOver = true;
    const { wire } = this.#exchange;
    const end = this.#end ?? "left";
    const open_s = Math.round(wire.serving.now() - this.#began_ms) / 1000;
    wire.streams.remove(this, end);
    logLine(this.#exchange, this.#answered, { open_s, bytes: this.#bytes, end });
    this.#noteOver();
    if (this.#end === null) this.#call("onLeft");
  };

  #noteOver(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.#call("onOver");
  }

  /** What a listener throws costs this stream alone. */
  #call(what: keyof StreamListener): void {
    attempt(
      () => this.#listener[what]?.(),
      (error) => {
        this.fail();
        cutOff(this.#exchange, error);
      },
    );
  }
}

/**
 * Sends a stream whose frames are made one at a time, each when the caller has taken the one before.
 * `over`: from then on nothing waits for the caller.
 */
export async function sendStream(
  exchange: Exchange,
  head: Head,
  { frames, over }: { frames: AsyncIterable<string>; over: AbortSignal },
): Promise<void> {
  let wake: (() => void) | null = null;
  const go = (): void => wake?.();
  const stream = new EventStream(exchange, { onTaken: go, onLeft: go });
  const onOver = (): void => stream.cutSoon();
  stream.begin(head);
  if (over.aborted) onOver();
  else over.addEventListener("abort", onOver, { once: true });
  let hasFailed = true;
  try {
    for await (const frame of frames) {
      if (stream.isOver) break;
      if (stream.write(frame) || stream.isOver) continue;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    hasFailed = false;
  } finally {
    // Its caller cuts it off (http/error-replies): an end would make it look whole.
    if (hasFailed) stream.fail();
  }
  stream.end();
}
