/**
 * What is shown of all systems that a caller watches: one row an id. What several systems have under one
 * id is shown of the one whose own id comes first; so an id that leaves one system and enters another
 * has changed, and has not left.
 */
import type { LeftReason } from "#api/live.ts";
import type { LiveRow } from "#world/live/live-rows.ts";
import type { LiveChange } from "./live-change.ts";
import { tileAt } from "./live-grid.ts";

/** A system, by what its rows are found by. */
export type RowOwner = { readonly source_id: string; readonly rows: Map<string, LiveRow> };

type Shown<S> = {
  row: LiveRow;
  owner: S;
  tile: number;
  /** Others that have it as well; null: none (the usual case). */
  rivals: Set<S> | null;
};

type Before<S> = { row: LiveRow | null; owner: S };

/** A change without the moment at which it happened. */
export type RowChange = Omit<LiveChange, "generation" | "at_ms">;

export class ShownRows<S extends RowOwner> {
  readonly #shown = new Map<string, Shown<S>>();
  readonly #tiles = new Map<number, Set<Shown<S>>>();

  get count(): number {
    return this.#shown.size;
  }

  /** Lists what lies in these tiles; null: everywhere. */
  *listIn(tiles: readonly number[] | null): Generator<LiveRow> {
    if (tiles === null) for (const { row } of this.#shown.values()) yield row;
    for (const tile of tiles ?? []) for (const { row } of this.#tiles.get(tile) ?? []) yield row;
  }

  /** Puts other rows in the place of those of some systems, at one moment; returns what has changed. */
  replace(
    batch: ReadonlyMap<S, ReadonlyMap<string, LiveRow>>,
    reasonOf: (owner: S, row: LiveRow) => LeftReason,
  ): RowChange[] {
    const touched = new Map<string, Before<S>>();
    for (const [owner, next] of batch) this.#replaceOf(owner, next, touched);
    const changes: RowChange[] = [];
    for (const [id, { row: before, owner }] of touched) {
      const after = this.#shown.get(id)?.row ?? null;
      if (before === after || (before && after && isSame(before, after))) continue;
      const reason = after === null ? reasonOf(owner, before!) : null;
      changes.push({ id, before, after, reason, tiles: tilesOf(before, after) });
    }
    return changes;
  }

  /** Rows that are as they were stay the same objects, so that nothing old goes from memory. */
  #replaceOf(owner: S, next: ReadonlyMap<string, LiveRow>, touched: Map<string, Before<S>>): void {
    const { rows } = owner;
    for (const id of rows.keys())
      if (!next.has(id)) {
        rows.delete(id);
        this.#remove(id, owner, touched);
      }
    for (const [id, row] of next) {
      const before = rows.get(id);
      if (before && isSame(before, row)) continue;
      rows.set(id, row);
      this.#set(row, owner, touched);
    }
  }

  #remove(id: string, owner: S, touched: Map<string, Before<S>>): void {
    const shown = this.#shown.get(id);
    // What it does not show any more leaves no caller.
    if (shown?.owner !== owner) {
      if (shown) dropRival(shown, owner);
      return;
    }
    remember(touched, id, shown);
    this.#leaveTile(shown);
    this.#shown.delete(id);
    const [heir] = [...(shown.rivals ?? [])].toSorted(bySourceId);
    if (!heir) return;
    dropRival(shown, heir);
    this.#show(heir.rows.get(id)!, heir, shown.rivals);
  }

  #set(row: LiveRow, owner: S, touched: Map<string, Before<S>>): void {
    const { id } = row;
    const shown = this.#shown.get(id);
    if (!shown) {
      if (!touched.has(id)) touched.set(id, { row: null, owner });
      this.#show(row, owner, null);
      return;
    }
    if (shown.owner !== owner) {
      const rivals = (shown.rivals ??= new Set());
      rivals.add(owner);
      if (bySourceId(shown.owner, owner) < 0) return;
      rivals.delete(owner);
      rivals.add(shown.owner);
    }
    remember(touched, id, shown);
    this.#leaveTile(shown);
    this.#show(row, owner, shown.rivals);
  }

  #show(row: LiveRow, owner: S, rivals: Set<S> | null): void {
    const shown = { row, owner, tile: tileAt(row), rivals };
    this.#shown.set(row.id, shown);
    const others = this.#tiles.get(shown.tile);
    if (others) others.add(shown);
    else this.#tiles.set(shown.tile, new Set([shown]));
  }

  #leaveTile(shown: Shown<S>): void {
    const others = this.#tiles.get(shown.tile)!;
    others.delete(shown);
    if (others.size === 0) this.#tiles.delete(shown.tile);
  }
}

/** Its text has rounded coordinates. */
function isSame(a: LiveRow, b: LiveRow): boolean {
  return a.text === b.text && a.lat === b.lat && a.lon === b.lon;
}

function remember<S>(touched: Map<string, Before<S>>, id: string, { row, owner }: Shown<S>): void {
  if (!touched.has(id)) touched.set(id, { row, owner });
}

function dropRival<S>(shown: Shown<S>, rival: S): void {
  shown.rivals?.delete(rival);
  if (shown.rivals?.size === 0) shown.rivals = null;
}

function bySourceId(a: RowOwner, b: RowOwner): number {
  return a.source_id < b.source_id ? -1 : Number(a.source_id > b.source_id);
}

function tilesOf(before: LiveRow | null, after: LiveRow | null): readonly number[] {
  const tiles = [before, after].flatMap((row) => (row ? [tileAt(row)] : []));
  return tiles[0] === tiles[1] ? tiles.slice(0, 1) : tiles;
}
