/**
 * Which sources have ids that were made of another's keys: a dock that two sources saw keeps its id
 * when the one that gave it is gone. Wherever that key comes back, both sources are resolved together
 * from then on, so that no two docks have one id.
 */
import { type IdTexts, readIds } from "#stations/identity/id-texts.ts";

const NONE: ReadonlySet<string> = new Set();

export class BorrowedIds {
  /** Id → source. One that has given its id up stays: it is resolved with others in vain. */
  readonly #borrowers = new Map<string, string>();
  /** Sources of which one has an id made of a key of the other. */
  readonly #partners = new Map<string, Set<string>>();

  /** Notes the ids of a source that are not made of its own keys. */
  note(source_id: string, texts: IdTexts): void {
    for (const text of texts)
      for (const [, id] of readIds(text)) if (id !== null) this.#borrowers.set(id, source_id);
  }

  /** Returns the sources that have ids made of these keys of a source, and those of whose keys its ids were made. */
  partnersOf(source_id: string, ids: () => Iterable<string>): ReadonlySet<string> {
    for (const id of this.#borrowers.size === 0 ? [] : ids()) {
      const borrower = this.#borrowers.get(id);
      if (borrower === undefined || borrower === source_id) continue;
      this.#pair(source_id, borrower);
      this.#pair(borrower, source_id);
    }
    return this.#partners.get(source_id) ?? NONE;
  }

  #pair(one: string, other: string): void {
    const partners = this.#partners.get(one);
    if (partners) partners.add(other);
    else this.#partners.set(one, new Set([other]));
  }
}
