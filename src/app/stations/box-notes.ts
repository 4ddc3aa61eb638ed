/** Boxes that one caller watches: only that something in one has changed is noted, and no event is kept. */
import type { EventSink, LiveScope, LiveStream, LiveStreams } from "#app/live/live-types.ts";
import type { Stream } from "./station-stream.ts";
import type { StreamOwner } from "#core/limits/stream-owner.ts";

/** `id`: what a change of it is passed on as. */
export type WatchedBox = { id: string; scope: LiveScope };

type OpenLive = Pick<LiveStreams, "open">;

export class BoxNotes {
  readonly #live = new Map<string, LiveStream>();
  /** A bound of the live layer was reached. */
  readonly is_full: boolean;
  #stream: Stream | null = null;

  constructor(live: OpenLive, boxes: readonly WatchedBox[], owner: StreamOwner) {
    let is_full = false;
    for (const { id, scope } of new Map(boxes.map((box) => [box.id, box])).values()) {
      const sink = this.#sinkOf(id);
      const opened = live.open({ scope, owner, last_event_id: null, sink });
      if (typeof opened !== "string") this.#live.set(id, opened);
      else is_full ||= opened === "full" || opened === "busy";
    }
    this.is_full = is_full;
  }

  get ids(): string[] {
    return [...this.#live.keys()];
  }

  /** Passes what is noted from now on to the stream, and ends it where a box ends. */
  follow(stream: Stream): void {
    this.#stream = stream;
  }

  leave(): void {
    for (const live of this.#live.values()) live.leave();
    this.#live.clear();
  }

  #sinkOf(id: string): EventSink {
    let has_begun = false;
    return {
      write: (frame) => {
        // The first event says what there is, not that it has changed.
        if (has_begun ? saysChange(frame) : false) this.#stream?.noteChange(id);
        has_begun ||= kindOf(frame) === "snapshot" || kindOf(frame) === "delta";
        return true;
      },
      end: () => this.#stream?.end(),
    };
  }
}

function kindOf(frame: string): string | undefined {
  return /^event: (\w+)$/m.exec(frame.slice(0, HEAD))?.[1];
}

/** Characters within which a frame names its event (live-frames.ts). */
const HEAD = 256;
/** A delta of ages alone (live-frames.ts). */
const NOTHING = '"entered":[],"changed":[],"left":[]';

function saysChange(frame: string): boolean {
  const kind = kindOf(frame);
  return kind === "snapshot" || (kind === "delta" && !frame.includes(NOTHING));
}
