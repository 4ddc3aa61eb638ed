/**
 * A scope: a box, modes and families, with the subscribers that see it. Subscribers of equal scopes
 * share one, and each of their events is rendered once.
 */
import type { LeftReason } from "#api/live.ts";
import { hash32 } from "#kit/ids.ts";
import type { LiveRow } from "#world/live/live-rows.ts";
import { emptyDelta, type LiveChange, type ScopeDelta } from "./live-change.ts";
import { tilesOfBox } from "./live-grid.ts";
import type { Subscriber } from "./live-subscriber.ts";
import type { LiveSystem } from "./live-systems.ts";
import type { LiveScope } from "./live-types.ts";

/** Characters of a digest: 60 bits. */
const DIGEST_LENGTH = 12;

/** Returns everything that a scope is made of as a text. */
export function scopeKey({ box, modes, stations, vehicles }: LiveScope): string {
  return [box.west, box.south, box.east, box.north, modes, stations, vehicles].join(" ");
}

export class Scope {
  readonly wish: LiveScope;
  readonly key: string;
  /** Of the key, as ids of events have it. */
  readonly digest: string;
  /** null: it is in too many. */
  readonly tiles: readonly number[] | null;
  /** Systems whose box touches it, or did. */
  readonly systems = new Set<LiveSystem>();
  readonly subscribers = new Set<Subscriber<Scope>>();
  /** Generation of its first snapshot; null: it had none. What happened before is unknown. */
  since: number | null = null;
  /** The last generation in which something of it changed. */
  changed_at = 0;
  /** Generation up to which its subscribers know the sources. */
  known_at = 0;
  /** When they were reported last, epoch ms. */
  known_ms = 0;
  /** When systems that may be in it were prioritised last, epoch ms. */
  prioritised_ms = -Infinity;
  /** Since when no caller sees it, epoch ms; null: a caller does. */
  idle_since_ms: number | null = null;
  /** A snapshot that serves every subscriber of one moment. */
  kept: { generation: number; frame: string } | null = null;
  #count = 0;
  #delta: ScopeDelta | null = null;
  #last: LiveChange | null = null;

  constructor(wish: LiveScope, key: string = scopeKey(wish)) {
    this.wish = wish;
    this.key = key;
    this.digest = hash32(key).slice(0, DIGEST_LENGTH);
    this.tiles = tilesOfBox(wish.box);
  }

  /** How many things it has, since its first snapshot. */
  get count(): number {
    return this.#count;
  }

  /** Reports whether all of its systems have been read, so that a snapshot is whole. */
  get is_read(): boolean {
    for (const { has_been_read } of this.systems) if (!has_been_read) return false;
    return true;
  }

  sees({ lat, lon, modes, vehicle }: LiveRow): boolean {
    const { wish } = this;
    if (!(vehicle ? wish.vehicles : wish.stations) || (modes & wish.modes) === 0) return false;
    const { box } = wish;
    if (lat < box.south || lat > box.north) return false;
    // The antimeridian has two longitudes.
    return isBetween(box, lon) || (Math.abs(lon) === 180 && isBetween(box, -lon));
  }

  /** To be called with its first snapshot. */
  begin(generation: number, count: number): void {
    this.since = generation;
    this.changed_at = generation;
    this.known_at = generation;
    this.#count = count;
  }

  /** Notes what a change is to it; false: nothing. */
  note(change: LiveChange): boolean {
    // It may be in both tiles of a change.
    if (this.since === null || this.#last === change) return false;
    this.#last = change;
    const { before, after } = change;
    const was = before !== null && this.sees(before);
    const is = after !== null && this.sees(after);
    if (!was && !is) return false;
    if (was && is && before.text === after.text) return false;
    this.#count += Number(is) - Number(was);
    this.changed_at = change.generation;
    addTo((this.#delta ??= emptyDelta()), change, { was, is: is ? after : null, scope: this });
    return true;
  }

  /** Takes what has been noted; null: nothing. */
  takeDelta(): ScopeDelta | null {
    const delta = this.#delta;
    this.#delta = null;
    this.#last = null;
    return delta;
  }

  /** Says why a subscriber does not see something any more. */
  reasonOf({ after, reason }: Pick<LiveChange, "after" | "reason">): LeftReason {
    if (after === null) return reason ?? "gone";
    // It is where it was and is no longer of these modes: what was seen is gone.
    const inBox = this.sees({ ...after, modes: this.wish.modes });
    return inBox ? "gone" : "moved";
  }
}

function isBetween({ west, east }: LiveScope["box"], lon: number): boolean {
  return west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
}

/** `was`: it was seen; `is`: as it is seen now, null: not. */
function addTo(
  delta: ScopeDelta,
  change: LiveChange,
  { was, is, scope }: { was: boolean; is: LiveRow | null; scope: Scope },
): void {
  if (is === null) delta.left.push({ id: change.id, reason: scope.reasonOf(change) });
  else if (was) delta.changed.push(is);
  else delta.entered.push(is);
}
