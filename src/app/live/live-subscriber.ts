/**
 * One caller of a stream. Nothing waits in it: it knows up to which generation its caller has taken
 * events, and what followed is read from the journal.
 */
import type { ByeReason } from "#api/live.ts";
import { attempt } from "#kit/guard.ts";
import type { StreamOwner } from "#app/stations/watch.ts";
import { byeFrame, HEARTBEAT } from "./live-frames.ts";
import type { EventSink, LiveStream } from "./live-types.ts";

/** Who opened it. `S`: what it sees. */
export type SubscriberHost<S> = {
  now(): number;
  /** It is over. */
  release(subscriber: Subscriber<S>): void;
  /** It has taken what was sent: what followed is to be sent. */
  catchUp(subscriber: Subscriber<S>): void;
  onFault(error: unknown): void;
  /** An event has been sent. */
  onEvent(): void;
};

export class Subscriber<S> implements LiveStream {
  readonly scope: S;
  readonly owner: StreamOwner;
  readonly ends_at_ms: number;
  readonly #host: SubscriberHost<S>;
  readonly #sink: EventSink;
  #had: number | null = null;
  #event_ms: number;
  #slow_since_ms: number | null = null;
  #is_over = false;

  constructor(
    host: SubscriberHost<S>,
    of: { scope: S; owner: StreamOwner; sink: EventSink; ends_at_ms: number },
  ) {
    this.#host = host;
    this.scope = of.scope;
    this.owner = of.owner;
    this.#sink = of.sink;
    this.ends_at_ms = of.ends_at_ms;
    this.#event_ms = host.now();
  }

  /** Generation that its caller has; null: nothing yet. */
  get had(): number | null {
    return this.#had;
  }

  get is_over(): boolean {
    return this.#is_over;
  }

  /** When its caller stopped taking events, epoch ms; null: it takes them. */
  get slow_since_ms(): number | null {
    return this.#slow_since_ms;
  }

  /** When something was sent last, epoch ms. */
  get event_ms(): number {
    return this.#event_ms;
  }

  /** Whether the event of this generation is for it: it takes events, and lacks this one. */
  lacks(generation: number): boolean {
    const { is_over } = this;
    return !is_over && this.#slow_since_ms === null && this.#had !== null && this.#had < generation;
  }

  /** Sends an event, after which its caller has all up to this generation. */
  send(frame: string, generation: number): void {
    if (this.#is_over) return;
    this.#had = generation;
    this.#write(frame);
    this.#host.onEvent();
  }

  /** Shows its caller that the stream lives; it has all up to this generation. */
  beat(generation: number): void {
    if (this.#is_over || this.#slow_since_ms !== null) return;
    this.#had = generation;
    this.#write(HEARTBEAT);
  }

  resume(): void {
    if (this.#is_over || this.#slow_since_ms === null) return;
    this.#slow_since_ms = null;
    this.#host.catchUp(this);
  }

  leave(): void {
    if (this.#is_over) return;
    this.#is_over = true;
    this.#host.release(this);
  }

  end(reason: ByeReason, retry_after_s?: number): void {
    if (this.#is_over) return;
    this.leave();
    attempt(() => this.#sink.write(byeFrame(reason, retry_after_s)), this.#host.onFault);
    attempt(() => this.#sink.end(reason), this.#host.onFault);
  }

  #write(frame: string): void {
    this.#event_ms = this.#host.now();
    const isTaken = attempt(
      () => this.#sink.write(frame),
      (error) => {
        this.#host.onFault(error);
        this.end("failed");
        return false;
      },
    );
    if (!isTaken) this.#slow_since_ms = this.#event_ms;
  }
}
