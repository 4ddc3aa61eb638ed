/** Parts of towns by name: what an address has as its city may be one, and is no city then. */
import { wordsOf } from "./fold-words.ts";
import type { Intake } from "./intake.ts";
import { metresBetween, type Point7 } from "./metres.ts";
import type { Places } from "./place-table.ts";
import { isTown, isWide, rankOf } from "./settlements.ts";

/** Reaches of a part within which its name is that of the part: its point may be at its other end. */
const REACHES = 2;

/** Whether a text, by number, names a part of a town that reaches the point, and no town that does. */
type IsPart = (text: number, point: Point7) => boolean;

export type NamedParts = {
  isPart: IsPart;
  /** Whether a text, by number, names a town or village that reaches the point. */
  isTown: IsPart;
  /** Whether a text, by number, is spelt like one of a set of names, but for accents and the like. */
  isNameOf(text: number, names: number): boolean;
};

export function createPartFinder(
  { texts, sets }: Intake,
  { docs }: Pick<Places, "docs">,
): NamedParts {
  const by_name = new Map<string, Set<number>>();
  const byName = new Map<number, readonly number[]>();
  /** Of texts by number: cities of addresses come repeatedly. */
  const spelt = new Map<number, string>();
  const nameOf = (text: number): string => {
    let name = spelt.get(text);
    if (name === undefined) spelt.set(text, (name = wordsOf(texts.get(text)).join(" ")));
    return name;
  };
  for (const [doc, { names, place }] of docs.entries()) {
    if (isWide(place) || rankOf(place) === null) continue;
    for (const name of sets.textsOf(names).map(nameOf))
      by_name.set(name, (by_name.get(name) ?? new Set()).add(doc));
  }
  const reachingOf = (text: number, point: Point7): number[] => {
    if (text === 0) return [];
    let entry = byName.get(text);
    if (!entry) byName.set(text, (entry = [...(by_name.get(nameOf(text)) ?? [])]));
    return entry.filter(
      (doc) => metresBetween(point, docs[doc]!) <= REACHES * rankOf(docs[doc]!.place)!.radius_m,
    );
  };
  const isOfTown = (doc: number): boolean => isTown(docs[doc]!.place);
  return {
    isPart(text, point) {
      const reaching = reachingOf(text, point);
      return reaching.length > 0 && !reaching.some(isOfTown);
    },
    isTown: (text, point) => reachingOf(text, point).some(isOfTown),
    isNameOf: (text, names) => sets.textsOf(names).some((each) => nameOf(each) === nameOf(text)),
  };
}
