/**
 * The changes of the last minute, by tile of the grid, for callers that resume and for those that were
 * slow: what they missed is one delta against what they had.
 */
import type { LiveChange, ScopeDelta } from "./live-change.ts";
import { emptyDelta } from "./live-change.ts";
import type { Scope } from "./live-scope.ts";

export const JOURNAL_MS = 60_000;
const BYTES_MAX = 64 * 1024 * 1024;
/** Of a change, without its texts. */
const CHANGE_BYTES = 250;

export class Journal {
  readonly #bytes_max: number;
  readonly #all = new Queue<LiveChange>();
  readonly #tiles = new Map<number, Queue<LiveChange>>();
  #bytes = 0;
  #floor = 0;
  #cuts = 0;

  constructor(bytes_max: number = BYTES_MAX) {
    this.#bytes_max = bytes_max;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** How many changes went before their time, since there was no room for them. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Every change after this generation is known. */
  get floor(): number {
    return this.#floor;
  }

  push(change: LiveChange): void {
    this.#all.push(change);
    this.#bytes += bytesOf(change);
    for (const tile of change.tiles) {
      const changes = this.#tiles.get(tile) ?? new Queue();
      this.#tiles.set(tile, changes);
      changes.push(change);
    }
    while (this.#bytes > this.#bytes_max) {
      this.#cuts++;
      this.#drop();
    }
  }

  /** Forgets what is older than a minute. */
  prune(now_ms: number): void {
    for (let first = this.#all.first; first; first = this.#all.first) {
      if (now_ms - first.at_ms <= JOURNAL_MS) return;
      this.#drop();
    }
  }

  /**
   * Returns what has happened in a scope after a generation, which must not be before `floor`: what
   * entered and left again is nothing, nor what is again as it was.
   */
  since(generation: number, scope: Scope): ScopeDelta {
    const spans = new Map<string, Span>();
    for (const changes of this.#listIn(scope))
      for (const change of changes.newest()) {
        if (change.generation <= generation) break;
        widen(spans, change, scope);
      }
    const delta = emptyDelta();
    for (const span of spans.values()) addSpan(delta, span, scope);
    return delta;
  }

  #listIn({ tiles }: Scope): Queue<LiveChange>[] {
    if (tiles === null) return [this.#all];
    return tiles.flatMap((tile) => this.#tiles.get(tile) ?? []);
  }

  #drop(): void {
    const change = this.#all.shift()!;
    this.#bytes -= bytesOf(change);
    this.#floor = change.generation;
    for (const tile of change.tiles) {
      const changes = this.#tiles.get(tile)!;
      changes.shift();
      if (changes.length === 0) this.#tiles.delete(tile);
    }
  }
}

function bytesOf({ before, after }: LiveChange): number {
  return CHANGE_BYTES + (before?.text.length ?? 0) + (after?.text.length ?? 0);
}

/** Changes of one thing: the first and the last, and the last by which it left the scope. */
type Span = { first: LiveChange; last: LiveChange; exit: LiveChange | null };

/** In any order: a change may be met in two tiles. */
function widen(spans: Map<string, Span>, change: LiveChange, scope: Scope): void {
  const { before, after, generation } = change;
  const hasLeft = before !== null && scope.sees(before) && (after === null || !scope.sees(after));
  const exit = hasLeft ? change : null;
  const span = spans.get(change.id);
  if (!span) {
    spans.set(change.id, { first: change, last: change, exit });
    return;
  }
  if (generation < span.first.generation) span.first = change;
  if (generation > span.last.generation) span.last = change;
  if (exit && generation > (span.exit?.generation ?? 0)) span.exit = exit;
}

function addSpan(delta: ScopeDelta, { first, last, exit }: Span, scope: Scope): void {
  const before = first.before !== null && scope.sees(first.before) ? first.before : null;
  const after = last.after !== null && scope.sees(last.after) ? last.after : null;
  if (before && !after) delta.left.push({ id: first.id, reason: scope.reasonOf(exit!) });
  else if (after && !before) delta.entered.push(after);
  else if (after && before && after.text !== before.text) delta.changed.push(after);
}

/** First in, first out, without moving what is in it for each that goes. */
class Queue<T> {
  #items: T[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  get first(): T | undefined {
    return this.#items[this.#head];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (this.length > 0) this.#head++;
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  *newest(): Generator<T> {
    for (let i = this.#items.length - 1; i >= this.#head; i--) yield this.#items[i]!;
  }
}
