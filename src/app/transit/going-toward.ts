/** Departures that go to a place further along, by the names of their later stops and by what vehicles show (departures.md, Toward). */
import type { MergedEntry } from "#transit/schedule/boards.ts";
import { type LaterCall, TowardSearch } from "#transit/schedule/toward.ts";

/** `at_ms`: arrival there as planned; null: not known, as where the headsign alone says so. */
export type Toward = LaterCall;

export type GoingToward = {
  entries: MergedEntry[];
  /** Of each of them; null: whether it goes there is not known. */
  towards: ReadonlyMap<MergedEntry, Toward | null>;
};

/** Entries that are looked at before others may have the thread. */
const STEP = 500;

/** Leaves out what is known not to go there. In steps. */
export function* filterToward(
  entries: readonly MergedEntry[],
  text: string,
): Generator<void, GoingToward> {
  const search = new TowardSearch(text);
  const towards = new Map<MergedEntry, Toward | null>();
  for (const [i, entry] of entries.entries()) {
    const call = entry.toward(search);
    const { headsign } = entry;
    if (call) towards.set(entry, call);
    else if (headsign !== null && search.fits(headsign))
      towards.set(entry, { name: headsign, at_ms: null });
    else if (call === undefined) towards.set(entry, null);
    if (i % STEP === STEP - 1) yield;
  }
  return { entries: [...towards.keys()], towards };
}
