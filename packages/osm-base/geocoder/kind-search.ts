/** Things of a kind: "toilets near Rue X", "pharmacy", and where to look for them. */
import type { Budget } from "#kit/budget.ts";
import { gapOf, type ClusterBox7 } from "./clusters.ts";
import type { Word } from "./fold-words.ts";
import { findKinds, isNear, MAX_PHRASE_WORDS } from "./osm-kinds.ts";
import { metresBetween, type Point7 } from "./metres.ts";
import type { View } from "./geocoder-view.ts";

/** Main tags that are looked for, and the words that say where; those may be none. */
export type KindQuestion = { kinds: readonly string[]; where: readonly Word[] };

/** The longest run of words at either end that is a kind's; null: none is. */
export function readKinds(words: readonly Word[]): KindQuestion | null {
  for (let span = Math.min(MAX_PHRASE_WORDS, words.length); span > 0; span--)
    for (const from of new Set([0, words.length - span])) {
      const phrase = words.slice(from, from + span).map(({ text }) => text);
      const kinds = findKinds(phrase.join(" "));
      if (!kinds) continue;
      const where = [...words.slice(0, from), ...words.slice(from + span)];
      const begun = where.findIndex(({ text }) => !isNear(text));
      const ended = where.findLastIndex(({ text }) => !isNear(text));
      return { kinds, where: begun < 0 ? [] : where.slice(begun, ended + 1) };
    }
  return null;
}

/** `order`: the less, the sooner. */
type Listed = { doc: number; metres: number | null; order: number };
type KindOptions = {
  around: ClusterBox7 | null;
  limit: number;
  budget: Budget;
  keep(doc: number): boolean;
};

/**
 * Documents of the kinds, the nearest to a place first; without one the weightiest first. Only those
 * that may be among the first are kept while the others are looked at.
 */
export function listOfKinds(
  view: View,
  kinds: readonly string[],
  { around, limit, budget, keep }: KindOptions,
): Listed[] {
  const { docs } = view;
  const middle = around && middleOf(around);
  const best: Listed[] = [];
  const compare = (a: { doc: number; order: number }, b: { doc: number; order: number }): number =>
    a.order - b.order || docs.osm[a.doc]! - docs.osm[b.doc]! || a.doc - b.doc;
  const offer = (doc: number, metres: number | null, order: number): void => {
    const last = best.at(-1);
    if (best.length >= limit && last && compare({ doc, order }, last) >= 0) return;
    let at = best.length;
    while (at > 0 && compare({ doc, order }, best[at - 1]!) < 0) at--;
    best.splice(at, 0, { doc, metres, order });
    if (best.length > limit) best.pop();
  };
  for (const kind of kinds) {
    const number = view.meta.kinds.indexOf(kind);
    if (number < 0) continue;
    const from = view.kinds.starts[number]!;
    const to = from + budget.take(view.kinds.starts[number + 1]! - from);
    for (let at = from; at < to; at++) {
      const doc = view.kinds.docs[at]!;
      if (!keep(doc)) continue;
      if (!around || !middle) {
        offer(doc, null, -docs.importance[doc]!);
        continue;
      }
      const [lat7, lon7] = [docs.lat7[doc]!, docs.lon7[doc]!];
      const gap = gapOf(around, [lat7, lon7, lat7, lon7]);
      const metres = metresBetween(middle, { lat7, lon7 });
      // A long street is near along all of it.
      offer(doc, metres, gap + metres * 0.01);
    }
  }
  return best;
}

function middleOf([south, west, north, east]: ClusterBox7): Point7 {
  return { lat7: Math.round((south + north) / 2), lon7: Math.round((west + east) / 2) };
}
