/** What is at a point: the address, the street, the settlement, and the areas that hold it. */
import { localityOf, type Nearby, nearestPlaces } from "./locality.ts";
import type { GeocodeItem, Presenter } from "./present.ts";
import { rankOf } from "./settlements.ts";
import type { View } from "./view.ts";

const ADDRESS_M = 100;
/** Streets are looked for nearby first: a small window holds few. */
const STREET_M = [120, 500, 2_000];

export function reverseAt(
  view: View,
  present: Presenter,
  { lat7, lon7, limit }: { lat7: number; lon7: number; limit: number },
): GeocodeItem[] {
  const items: GeocodeItem[] = [];
  const add = (item: GeocodeItem | null): void => {
    if (item) items.push(item);
  };
  const point = view.points.nearest(lat7, lon7, ADDRESS_M);
  if (point) {
    const { numbers } = view;
    const found = {
      row: point.row,
      lat7: numbers.lat7[point.row]!,
      lon7: numbers.lon7[point.row]!,
      fit: 1,
    };
    const extra = { score: 1, distance_m: point.metres };
    add(present.address(numbers.owners[point.row]!, found, "", extra));
  }
  const line = nearestLine(view, lat7, lon7);
  if (line && items.length < limit)
    add(present.doc(line.doc, { score: 0.9, distance_m: line.metres }, line));
  if (items.length < limit)
    for (const { doc, metres } of placesAt(view, lat7, lon7).slice(0, limit - items.length))
      add(present.doc(doc, { score: 0.8, distance_m: metres }));
  return items;
}

function nearestLine(view: View, lat7: number, lon7: number): ReturnType<View["lines"]["nearest"]> {
  for (const within_m of STREET_M) {
    const line = view.lines.nearest(lat7, lon7, within_m);
    if (line) return line;
  }
  return null;
}

type Placed = { doc: number; metres: number | null };

/** The settlement, municipality, region and country of a point, the smallest first. */
function placesAt(view: View, lat7: number, lon7: number): Placed[] {
  const areas = view.areas.at(lat7, lon7).map((area) => view.meta.areas[area]!);
  let known: Nearby[] | null = null;
  const nearby = (): Nearby[] => (known ??= nearestPlaces(view.settlements, lat7, lon7));
  const { city, region, country_doc } = localityOf(areas, nearby, () => null);
  const part = nearby().find(({ doc, kind }) => doc !== city && rankOf(kind)!.radius_m <= 3_000);
  const chain: Placed[] = part ? [{ doc: part.doc, metres: part.metres }] : [];
  for (const doc of [city, region, country_doc])
    if (doc >= 0 && doc < view.meta.places) chain.push({ doc, metres: null });
  return chain;
}

/** Places by number that a point is in or near to: areas, the smallest first, then settlements. */
export function placesAround(view: View, lat7: number, lon7: number): number[] {
  const areas = view.areas.at(lat7, lon7).map((area) => view.meta.areas[area]!);
  areas.sort((a, b) => b.level - a.level);
  const near = nearestPlaces(view.settlements, lat7, lon7);
  const docs = [...areas, ...near].map(({ doc }) => doc);
  return [...new Set(docs)].filter((doc) => doc >= 0 && doc < view.meta.places);
}
