/** The live layer over the world: the hub of its streams, told of what is shown (docs/live-map.md). */
import { LiveHub } from "#app/live/live-hub.ts";
import { liveBoundsOf } from "#app/live/live-places.ts";
import { createLiveWorld } from "#app/live/live-world.ts";
import { byLabel } from "#http/metric-family.ts";
import { attempt } from "#kit/guard.ts";
import { createTurn } from "#kit/run/turn.ts";
import type { ShardSink } from "#ports.ts";
import type { OpenFeeds } from "./open-feeds.ts";
import type { Inputs, Made } from "./parts/given.ts";

/** Called with the id of a source when what is shown of it has changed, or where it is. */
export type OnShown = (source_id: string) => void;

/** What the feeds put into the world, followed by whoever listens. */
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
    const tell = (): void => this.#tell(shard.source_id);
    if (put instanceof Promise) return put.finally(tell);
    tell();
    return put;
  }

  shown(source_id: string): Promise<unknown> | null {
    return this.#sink.shown?.(source_id) ?? null;
  }

  setBox(...change: Parameters<ShardSink["setBox"]>): void {
    this.#sink.setBox(...change);
    this.#tell(change[0]);
  }

  suspect(...hint: Parameters<ShardSink["suspect"]>): void {
    this.#sink.suspect(...hint);
    this.#tell(hint[0]);
  }

  /** A fault of a listener is not the feed's. */
  #tell(source_id: string): void {
    for (const listener of this.#listeners) attempt(() => listener(source_id), this.#onFault);
  }
}

type Parts = Pick<Made, "metrics"> & { feeds: OpenFeeds };

export function openLive({
  clock,
  random,
  options,
  onFault,
  feeds,
  metrics,
}: Inputs & Parts): LiveHub {
  const { world } = feeds;
  const hub = new LiveHub({
    ...{ clock, random },
    world: createLiveWorld({ world, clock, feeds: feeds.feeds }),
    turn: createTurn({}),
    bounds: liveBoundsOf(options.config.enforce_limits),
    onFault: (error) => onFault("live streams", error),
  });
  feeds.follow((source_id) => hub.noteShown(source_id));
  metrics.watch("svc_live", () => byLabel("what", hub.count));
  metrics.watch("svc_live_total", () => byLabel("what", hub.totals));
  return hub;
}
