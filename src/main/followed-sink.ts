/** What is put into the world, followed by those who are notified of it. */
import { attempt } from "#kit/guard.ts";
import type { ShardSink } from "#ports.ts";

/** Called with the id of a source when what is shown of it has changed, or where it is. */
export type OnShown = (source_id: string) => void;

/** What the feeds put into the world, followed by its listeners. */
export class FollowedSink implements ShardSink {
  readonly #sink: ShardSink;
  readonly #onFault: (error: unknown) => void;
  readonly #listeners = new Set<OnShown>();

  constructor(sink: ShardSink, onFault: (error: unknown) => void) {
    this.#sink = sink;
    this.#onFault = onFault;
  }

  follow(listener: OnShown): void {
    this.#listeners.add(listener);
  }

  put(shard: Parameters<ShardSink["put"]>[0]): ReturnType<ShardSink["put"]> {
    const put = this.#sink.put(shard);
    const report = (): void => this.#report(shard.source_id);
    if (put instanceof Promise) return put.finally(report);
    report();
    return put;
  }

  shown(source_id: string): Promise<unknown> | null {
    return this.#sink.shown?.(source_id) ?? null;
  }

  setBox(...change: Parameters<ShardSink["setBox"]>): void {
    this.#sink.setBox(...change);
    this.#report(change[0]);
  }

  suspect(...hint: Parameters<ShardSink["suspect"]>): void {
    this.#sink.suspect(...hint);
    this.#report(hint[0]);
  }

  /** A fault of a listener is not the feed's. */
  #report(source_id: string): void {
    for (const listener of this.#listeners) attempt(() => listener(source_id), this.#onFault);
  }
}
