/** Things of a kind: "toilets near Rue X", "pharmacy", and where to look for them. */
import { gapOf, type Box7 } from "./clusters.ts";
import type { Word } from "./fold.ts";
import { findKinds, isNear, MAX_PHRASE_WORDS } from "./kinds.ts";
import { metresBetween, type Point7 } from "./metres.ts";
import type { View } from "./view.ts";

/** Documents of a kind that are looked at for one question. */
const MAX_LOOKED_AT = 100_000;

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

/** Documents of the kinds, the nearest to a place first; without one the weightiest first. */
export function listOfKinds(
  view: View,
  kinds: readonly string[],
  { around, limit, keep }: { around: Box7 | null; limit: number; keep(doc: number): boolean },
): { doc: number; metres: number | null }[] {
  const { docs } = view;
  const middle = around && middleOf(around);
  const found: { doc: number; metres: number | null; order: number }[] = [];
  let left = MAX_LOOKED_AT;
  for (const kind of kinds) {
    const number = view.meta.kinds.indexOf(kind);
    if (number < 0) continue;
    const to = view.kinds.starts[number + 1]!;
    for (let at = view.kinds.starts[number]!; at < to && left > 0; at++, left--) {
      const doc = view.kinds.docs[at]!;
      if (!keep(doc)) continue;
      const point = { lat7: docs.lat7[doc]!, lon7: docs.lon7[doc]! };
      if (!around || !middle) {
        found.push({ doc, metres: null, order: -docs.importance[doc]! });
        continue;
      }
      const gap = gapOf(around, [point.lat7, point.lon7, point.lat7, point.lon7]);
      const metres = metresBetween(middle, point);
      // A long street is near along all of it.
      found.push({ doc, metres, order: gap + metres * 0.01 });
    }
  }
  return found
    .sort((a, b) => a.order - b.order || docs.osm[a.doc]! - docs.osm[b.doc]! || a.doc - b.doc)
    .slice(0, limit);
}

function middleOf([south, west, north, east]: Box7): Point7 {
  return { lat7: Math.round((south + north) / 2), lon7: Math.round((west + east) / 2) };
}
