/**
 * Areas that several pages have, by what a settlement shares with one that is drawn around it: its name,
 * or that the area has it as its label or centre. Such a settlement goes where the area does.
 */
import { wordsOf } from "../../geocoder/fold-words.ts";
import { readNameTags } from "../../geocoder/name-texts.ts";
import type { NodeFeature, OsmTags } from "../../base/base-features.ts";
import type { GridBox } from "../../pages/page-cell.ts";

type Entry = { box: GridBox; pages: readonly number[] };

export class PlaceAreas {
  readonly #byName = new Map<string, Entry[]>();
  readonly #byCentre = new Map<number, readonly number[]>();
  readonly #spend: (work: number) => void;

  /** `spend`: takes how many areas and pages are looked at. */
  constructor(spend: (work: number) => void) {
    this.#spend = spend;
  }

  add(tags: OsmTags, centres: Iterable<number>, entry: Entry): void {
    for (const name of namesOf(tags)) {
      const entries = this.#byName.get(name);
      if (entries === undefined) this.#byName.set(name, [entry]);
      else entries.push(entry);
    }
    for (const node of centres) {
      const before = this.#byCentre.get(node) ?? [];
      this.#spend(before.length + entry.pages.length);
      this.#byCentre.set(node, [...new Set([...before, ...entry.pages])]);
    }
  }

  /** Pages that need a settlement, wherever it lies. */
  *pagesOf({ id, tags }: NodeFeature, x: number, y: number): Iterable<number> {
    yield* this.#byCentre.get(id) ?? [];
    if (this.#byName.size === 0) return;
    for (const name of namesOf(tags)) {
      const entries = this.#byName.get(name) ?? [];
      this.#spend(entries.length);
      for (const { box, pages } of entries) {
        if (x < box.west || x > box.east || y < box.north || y > box.south) continue;
        this.#spend(pages.length);
        yield* pages;
      }
    }
  }
}

function namesOf(tags: OsmTags): Set<string> {
  return new Set(readNameTags(tags).map(({ text }) => wordsOf(text).join(" ")));
}
