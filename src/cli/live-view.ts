/** What is known of a box while its events come: its things near a point, and when each has changed. */
import { applyEvent } from "#api/client/apply-event.ts";
import type { LiveEvent } from "#api/client/live-event.ts";
import type { LiveItemValue, LiveSourceValue } from "#api/live.ts";
import { distance_m, type Location } from "#kit/geo.ts";

/** `radius_m`: Infinity takes all of the box. */
export type Around = { centre: Location; radius_m: number };

export type LiveRow = {
  item: LiveItemValue;
  distance_m: number;
  /** Epoch ms; null: not while it was watched. */
  changed_ms: number | null;
};

/** `here`: it was there from the beginning. `before`: what was shown of it. */
export type LiveChange = {
  kind: "here" | "entered" | "changed" | "left";
  item: LiveItemValue;
  distance_m: number;
  before: LiveItemValue | null;
  /** Of what has left. */
  reason: string | null;
};

/** Why nothing comes, and when it is tried again, epoch ms. */
export type Interruption = { reason: string; until_ms: number };

export class LiveView {
  readonly around: Around;
  readonly #items = new Map<string, LiveItemValue>();
  readonly #sources = new Map<string, LiveSourceValue>();
  /** By id, what lies in the circle. */
  readonly #rows = new Map<string, LiveRow>();
  #interruption: Interruption | null = null;
  #has_begun = false;

  constructor(around: Around) {
    this.around = around;
  }

  get has_begun(): boolean {
    return this.#has_begun;
  }

  get interruption(): Interruption | null {
    return this.#interruption;
  }

  /** The nearest first. */
  get rows(): LiveRow[] {
    return [...this.#rows.values()].sort(
      (a, b) => a.distance_m - b.distance_m || (a.item.id < b.item.id ? -1 : 1),
    );
  }

  get sources(): LiveSourceValue[] {
    return [...this.#sources.values()];
  }

  /** Takes the next event, and returns what it changes of what is shown. */
  note(event: LiveEvent, now_ms: number): LiveChange[] {
    this.#interruption = toInterruption(event, now_ms);
    const ids = this.#touchedBy(event);
    const reasons = reasonsOf(event);
    applyEvent(this.#items, event, this.#sources);
    const is_first = !this.#has_begun;
    if (event.kind === "snapshot") this.#has_begun = true;
    return [...ids].flatMap((id) => {
      const change = this.#update(id, now_ms, is_first);
      if (change?.kind === "left") change.reason = reasons.get(id) ?? null;
      return change ?? [];
    });
  }

  #touchedBy(event: LiveEvent): Set<string> {
    switch (event.kind) {
      case "snapshot":
        return new Set([...this.#rows.keys(), ...event.body.items.map(({ id }) => id)]);
      case "delta": {
        const { entered, changed, left } = event.body;
        return new Set([...left, ...entered, ...changed].map(({ id }) => id));
      }
      default:
        return new Set();
    }
  }

  #update(id: string, now_ms: number, is_first: boolean): LiveChange | null {
    const before = this.#rows.get(id);
    const item = this.#items.get(id);
    const away_m = item && this.#distanceTo(item);
    if (item === undefined || away_m === undefined || away_m > this.around.radius_m) {
      if (!before) return null;
      this.#rows.delete(id);
      const { distance_m: last_m } = before;
      return {
        kind: "left",
        item: before.item,
        distance_m: last_m,
        before: before.item,
        reason: null,
      };
    }
    if (before && JSON.stringify(before.item) === JSON.stringify(item)) return null;
    this.#rows.set(id, { item, distance_m: away_m, changed_ms: is_first ? null : now_ms });
    const kind = before ? "changed" : is_first ? "here" : "entered";
    return { kind, item, distance_m: away_m, before: before?.item ?? null, reason: null };
  }

  #distanceTo({ location }: LiveItemValue): number {
    const { lat, lon } = this.around.centre;
    return distance_m(lat, lon, location.lat, location.lon);
  }
}

/** Why what is not shown any more is not; of what a new snapshot lacks nothing is known. */
function reasonsOf(event: LiveEvent): ReadonlyMap<string, string> {
  switch (event.kind) {
    case "snapshot":
      return new Map(event.body.items.map(({ id }) => [id, "moved"]));
    case "delta": {
      const { changed, entered, left } = event.body;
      const moved = [...changed, ...entered].map(({ id }): [string, string] => [id, "moved"]);
      return new Map([...moved, ...left.map(({ id, reason }): [string, string] => [id, reason])]);
    }
    default:
      return new Map();
  }
}

function toInterruption(event: LiveEvent, now_ms: number): Interruption | null {
  if (event.kind === "interrupted")
    return { reason: event.reason, until_ms: now_ms + event.retry_after_ms };
  if (event.kind !== "bye") return null;
  return { reason: event.body.reason, until_ms: now_ms + event.body.retry_after_s * 1_000 };
}
