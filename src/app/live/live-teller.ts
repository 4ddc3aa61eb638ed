/** What subscribers of a scope are reported at the present generation, as text. */
import type { LiveRow } from "#world/live/live-rows.ts";
import type { ScopeDelta } from "./live-change.ts";
import {
  deltaFrame,
  parseEventId,
  snapshotFrame,
  snapshotText,
  statusFrame,
  toEventId,
} from "./live-frames.ts";
import type { Journal } from "./live-journal.ts";
import type { Scope } from "./live-scope.ts";
import type { LiveSystem } from "./live-systems.ts";
import type { ShownRows } from "./shown-rows.ts";

export class Teller {
  readonly #instance: string;
  readonly #journal: Journal;
  readonly #rows: ShownRows<LiveSystem>;
  #generation = 0;
  #at_ms: number;

  constructor(
    instance: string,
    of: { journal: Journal; rows: ShownRows<LiveSystem>; now_ms: number },
  ) {
    this.#instance = instance;
    this.#journal = of.journal;
    this.#rows = of.rows;
    this.#at_ms = of.now_ms;
  }

  get generation(): number {
    return this.#generation;
  }

  moveTo(generation: number, at_ms: number): void {
    this.#generation = generation;
    this.#at_ms = at_ms;
  }

  /** Lists what a scope sees, in no order. */
  listRows(scope: Scope): LiveRow[] {
    const rows: LiveRow[] = [];
    for (const row of this.#rows.listIn(scope.tiles)) if (scope.sees(row)) rows.push(row);
    return rows;
  }

  /** JSON of a snapshot. */
  snapshotOf(scope: Scope, rows: LiveRow[]): string {
    const sources = sourcesAfter(scope, -1);
    return snapshotText(this.#at_ms, { box: scope.wish.box, rows, sources });
  }

  /** The first event of a subscriber; one text serves all who come within a generation. */
  firstOf(scope: Scope): string {
    const { kept } = scope;
    if (scope.since !== null && kept?.generation === this.#generation) return kept.frame;
    const rows = this.listRows(scope);
    const { length } = rows;
    if (scope.since === null) scope.begin(this.#generation, length);
    const frame = snapshotFrame(this.#idFor(scope), this.snapshotOf(scope, rows));
    scope.kept = { generation: this.#generation, frame };
    return frame;
  }

  /**
   * The event that brings those who had everything to the present; null: there is none. From then on
   * they know the sources.
   */
  newsOf(scope: Scope, delta: ScopeDelta | null): string | null {
    const frame = this.#frameOf(scope, delta, sourcesAfter(scope, scope.known_at));
    scope.known_at = this.#generation;
    scope.known_ms = this.#at_ms;
    return frame;
  }

  /** Reports whether what happened in a scope after a generation is known. */
  reaches(scope: Scope, generation: number): boolean {
    return scope.changed_at <= generation || this.#journal.floor <= generation;
  }

  /** The event that brings those to the present who had everything up to a generation; null: none. */
  missedSince(scope: Scope, generation: number): string | null {
    const isBehind = scope.changed_at > generation;
    const delta = isBehind ? this.#journal.since(generation, scope) : null;
    return this.#frameOf(scope, delta, sourcesAfter(scope, generation));
  }

  /** Returns the generation that a caller has by its id; null: it is to begin again. */
  resumeAt(scope: Scope, last_event_id: string): number | null {
    const id = parseEventId(last_event_id);
    if (!id || id.instance !== this.#instance || id.digest !== scope.digest) return null;
    const { generation } = id;
    if (scope.since === null || generation < scope.since || generation > this.#generation)
      return null;
    return this.reaches(scope, generation) ? generation : null;
  }

  #frameOf(scope: Scope, delta: ScopeDelta | null, sources: readonly string[]): string | null {
    const id = this.#idFor(scope);
    if (delta && delta.entered.length + delta.changed.length + delta.left.length > 0)
      return deltaFrame(id, this.#at_ms, { delta, sources });
    return sources.length > 0 ? statusFrame(id, this.#at_ms, sources) : null;
  }

  #idFor({ digest }: Scope): string {
    return toEventId({ instance: this.#instance, digest, generation: this.#generation });
  }
}

/** Texts of its sources that changed after a generation, by their ids. */
function sourcesAfter({ systems }: Scope, generation: number): string[] {
  return [...systems]
    .filter(({ source }) => source.generation > generation && source.text !== "")
    .toSorted((a, b) => (a.source_id < b.source_id ? -1 : 1))
    .map(({ source }) => source.text);
}
