/**
 * The watch over docking stations for callers that wait for a change (docs/agents.md, Watching a station). A
 * station is looked at once for all streams: when a part that it was read from has been replaced,
 * and once a minute, since its state depends on the age of its report as well.
 */
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { attempt } from "#kit/guard.ts";
import type { StreamOwner } from "#core/limits/stream-owner.ts";
import { SharedBound } from "#core/limits/shared-bound.ts";
import type { Clock } from "#ports.ts";
import type { LookAtStation, Sight } from "./look.ts";
import type { LiveStreams } from "#app/live/live-types.ts";
import { BoxNotes, type WatchedBox } from "./box-notes.ts";
import { Stream } from "./station-stream.ts";

export type WatchBounds = {
  /** Streams of one owner; null: no bound. */
  owner_max: number | null;
  /** Streams of the block around an anonymous address; null: no bound. */
  block_max: number | null;
  /** Streams in all, of which callers without a key hold a part at most. */
  streams_max: number;
  /** Stations of one stream. */
  stations_max: number;
};

export const WATCH_BOUNDS: WatchBounds = {
  owner_max: 4,
  block_max: 32,
  streams_max: BOUNDS_OF_ALL.streams.most,
  stations_max: 20,
};

/** Bounds of one caller hold where limits are enforced, that of all callers always. */
export function boundsOf(enforced: boolean): WatchBounds {
  return enforced ? WATCH_BOUNDS : { ...WATCH_BOUNDS, owner_max: null, block_max: null };
}

/** Boxes of one stream; each takes a place of the live layer as well. */
const BOXES_MAX = 4;
/** Of one stream; a caller then listens again. */
const STREAM_MS = 600_000;
const TICK_MS = 1_000;
/** The state of a station may change with the time alone. */
const LOOK_AGAIN_MS = 60_000;
/** Things looked at in one tick; the others are had in the next ones. */
const LOOKS_MAX = 500;

/** Answers of one stream. */
const ANSWERS_MAX = 4;

/**
 * What is watched in addition to stations and boxes, by a look of its own, which reads memory alone. `said`: what its
 * answer reported; where a look says something else by now, its stream is notified at once.
 */
export type Watchable = { id: string; said: string; look: Look };
type Look = (now_ms: number, before?: Sight) => Sight;

type Watched = { sight: Sight; looked_ms: number; look: Look; streams: Set<Stream> };
type Sighted = Pick<Watched, "sight" | "look">;

export type StationWatchDeps = {
  clock: Pick<Clock, "now" | "schedule">;
  look: LookAtStation;
  /** Absent: there are no boxes to watch. */
  live?: Pick<LiveStreams, "open">;
  bounds?: WatchBounds;
  /** Receives what a look or a stream throws; the others of that turn go on. */
  onFault: (error: unknown) => void;
};

export class StationWatch {
  readonly #clock: StationWatchDeps["clock"];
  readonly #look: LookAtStation;
  readonly #bounds: WatchBounds;
  readonly #onFault: StationWatchDeps["onFault"];
  readonly #streams = new Set<Stream>();
  readonly #places: SharedBound<Stream>;
  readonly #live: StationWatchDeps["live"];
  readonly #boxes = new Map<Stream, BoxNotes>();
  /** By id, those that were looked at longest ago first. */
  readonly #watched = new Map<string, Watched>();
  readonly #owned = new Map<string, number>();
  #cancelTick: (() => void) | null = null;
  #is_closed = false;

  constructor({ clock, look, live, bounds = WATCH_BOUNDS, onFault }: StationWatchDeps) {
    this.#clock = clock;
    this.#look = look;
    this.#live = live;
    this.#bounds = bounds;
    this.#onFault = onFault;
    const of_all = { ...BOUNDS_OF_ALL.streams, most: bounds.streams_max };
    this.#places = new SharedBound<Stream>(of_all, (stream) => stream.end());
  }

  get count(): { streams: number; stations: number } {
    return { streams: this.#streams.size, stations: this.#watched.size };
  }

  /**
   * Begins a stream over those of the first stations (`stations_max`) and answers that are there, and over
   * boxes that the live layer has a place for. null: there is nothing to watch;
   * `full`: a bound is reached; `closed`: the service is shutting down.
   */
  open(
    ids: readonly string[],
    owner: StreamOwner,
    boxes: readonly WatchedBox[] = [],
    answers: readonly Watchable[] = [],
  ): Stream | "full" | "closed" | null {
    if (this.#is_closed) return "closed";
    if (this.#isFull(owner)) return "full";
    const now_ms = this.#clock.now();
    const sights = this.#findAll(ids, answers, now_ms);
    const notes = this.#live ? new BoxNotes(this.#live, boxes.slice(0, BOXES_MAX), owner) : null;
    const of_boxes = notes?.ids ?? [];
    if (sights.size === 0 && of_boxes.length === 0) return notes?.is_full ? "full" : null;
    const owners = owner.block === null ? [owner.own] : [owner.own, toBlockKey(owner.block)];
    const about = {
      ids: [...sights.keys(), ...of_boxes],
      owners,
      now_ms,
      ends_at_ms: now_ms + STREAM_MS,
    };
    const stream = new Stream(about, (over) => this.#release(over));
    // What ends another is there by now: a search that found nothing has ended none.
    this.#places.take(stream, owner.block);
    this.#streams.add(stream);
    if (notes) this.#boxes.set(stream, notes);
    notes?.follow(stream);
    for (const key of owners) this.#owned.set(key, (this.#owned.get(key) ?? 0) + 1);
    for (const [id, sighted] of sights) this.#follow(id, stream, { ...sighted, now_ms });
    for (const { id, said } of answers)
      if ((sights.get(id)?.sight.says ?? said) !== said) stream.noteChange(id);
    this.#cancelTick ??= this.#scheduleTick();
    return stream;
  }

  /** Ends every stream; none begins any more. */
  close(): void {
    this.#is_closed = true;
    for (const stream of this.#streams) stream.end();
  }

  #isFull({ own, block }: StreamOwner): boolean {
    const { owner_max, block_max } = this.#bounds;
    const storedOf = (key: string): number => this.#owned.get(key) ?? 0;
    return (
      !this.#places.hasRoom(block) ||
      storedOf(own) >= (owner_max ?? Infinity) ||
      (block !== null && storedOf(toBlockKey(block)) >= (block_max ?? Infinity))
    );
  }

  #findAll(
    ids: readonly string[],
    answers: readonly Watchable[],
    now_ms: number,
  ): Map<string, Sighted> {
    const matches = new Map<string, Sighted>();
    const add = (id: string, look: Look): void => {
      const sight = this.#watched.get(id)?.sight ?? look(now_ms);
      if (sight.says !== null) matches.set(id, { sight, look });
    };
    // What is not there costs a search as well, so it counts.
    for (const id of [...new Set(ids)].slice(0, this.#bounds.stations_max))
      add(id, (at_ms, before) => this.#look(id, at_ms, before));
    for (const { id, look } of answers.slice(0, ANSWERS_MAX)) add(id, look);
    return matches;
  }

  #follow(id: string, stream: Stream, { now_ms, ...sighted }: Sighted & { now_ms: number }): void {
    const entry = this.#watched.get(id);
    if (entry) entry.streams.add(stream);
    else this.#watched.set(id, { ...sighted, looked_ms: now_ms, streams: new Set([stream]) });
  }

  #release(stream: Stream): void {
    this.#streams.delete(stream);
    this.#boxes.get(stream)?.leave();
    this.#boxes.delete(stream);
    this.#places.leave(stream);
    for (const key of stream.owners) {
      const left = this.#owned.get(key)! - 1;
      if (left === 0) this.#owned.delete(key);
      else this.#owned.set(key, left);
    }
    for (const id of stream.ids) {
      const streams = this.#watched.get(id)?.streams;
      if (!streams) continue;
      streams.delete(stream);
      if (streams.size === 0) this.#watched.delete(id);
    }
    if (this.#streams.size > 0) return;
    this.#cancelTick?.();
    this.#cancelTick = null;
  }

  /** One timer for all streams, and none while there is no stream. */
  #scheduleTick(): () => void {
    return this.#clock.schedule(this.#clock.now() + TICK_MS, () => this.#tick());
  }

  #tick(): void {
    this.#cancelTick = this.#scheduleTick();
    const now_ms = this.#clock.now();
    this.#lookAround(now_ms);
    for (const stream of this.#streams) {
      attempt(() => stream.advance(now_ms), this.#onFault);
      if (now_ms >= stream.ends_at_ms) attempt(() => stream.end(), this.#onFault);
    }
  }

  #lookAround(now_ms: number): void {
    let looks = 0;
    for (const [id, watched] of [...this.#watched]) {
      const { sight, looked_ms, look, streams } = watched;
      if (sight.isCurrent() && now_ms - looked_ms < LOOK_AGAIN_MS) continue;
      looks += sight.things ?? 1;
      if (looks > LOOKS_MAX) return;
      // What cannot be read has not changed as far as anybody knows.
      const seen = attempt(
        () => look(now_ms, sight),
        (error) => {
          this.#onFault(error);
          return sight;
        },
      );
      if (seen.says !== sight.says) for (const stream of streams) stream.noteChange(id);
      // Behind those that still wait for their turn.
      this.#watched.delete(id);
      this.#watched.set(id, { sight: seen, looked_ms: now_ms, look, streams });
    }
  }
}

function toBlockKey(block: string): string {
  return `block ${block}`;
}
