/** How well merged places agree with the truth of a made world: pairs of places of different sources. */
import type { MergedPlace } from "#core/places/merge-places.ts";
import type { Place } from "#core/places/place.ts";
import { type TrueWorld, truthKey } from "./charging-world.ts";

export type Agreement = {
  /** Pairs that were made one. */
  made: number;
  /** Those of them that are of one site. */
  right: number;
  /** Pairs that are of one station. */
  wanted: number;
  /** Those of them that were made one. */
  kept: number;
  wrong: [Place, Place][];
  missed: [Place, Place][];
};

export function precisionOf({ right, made }: Agreement): number {
  return right / made;
}

export function recallOf({ kept, wanted }: Agreement): number {
  return kept / wanted;
}

export function compareWithTruth(
  { sources, truth }: TrueWorld,
  merged: readonly MergedPlace[],
): Agreement {
  const agreement: Agreement = { made: 0, right: 0, wanted: 0, kept: 0, wrong: [], missed: [] };
  const groups = new Map<Place, number>();
  merged.forEach(({ lead, others }, i) => {
    for (const place of [lead, ...others]) groups.set(place, i);
    for (const [a, b] of pairsOf([lead, ...others])) {
      agreement.made++;
      if (truth.get(truthKey(a))!.site === truth.get(truthKey(b))!.site) agreement.right++;
      else agreement.wrong.push([a, b]);
    }
  });
  const stations = Map.groupBy(sources.flat(), (place) => truth.get(truthKey(place))!.station);
  for (const places of stations.values())
    for (const [a, b] of pairsOf(places)) {
      agreement.wanted++;
      if (groups.get(a) === groups.get(b)) agreement.kept++;
      else agreement.missed.push([a, b]);
    }
  return agreement;
}

/** Of different sources. */
function pairsOf(places: readonly Place[]): [Place, Place][] {
  return places.flatMap((a, i) =>
    places
      .slice(i + 1)
      .flatMap((b): [Place, Place][] => (a.source_id === b.source_id ? [] : [[a, b]])),
  );
}
