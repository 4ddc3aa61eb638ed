/** What is at a point: the address, the street, the settlement, and the areas that hold it. */
import { FARTHEST_M, type Locality, localityOf, nearestPlaces } from "./locality.ts";
import type { Point7 } from "./metres.ts";
import { areaLocality, type GeocodeItem, type Presenter } from "./present-answers.ts";
import type { View } from "./geocoder-view.ts";

const ADDRESS_M = 100;
/** As far as across a street. */
const FOREIGN_ADDRESS_M = 35;
/** Streets are looked for nearby first: a small window holds few. */
const STREET_M = [120, 500];
/** Settlements that a point may be in the middle of. */
const PART_M = 3_000;

export function reverseAt(
  view: View,
  present: Presenter,
  { lat7, lon7, limit }: Point7 & { limit: number },
): GeocodeItem[] {
  const here = { lat7, lon7 };
  const line = nearestLine(view, here);
  const nearest = view.points.nearest(lat7, lon7, ADDRESS_M);
  const by = line?.doc ?? (nearest && view.numbers.owners[nearest.row]!);
  const locality = localityAt(view, here, countryOf(view, by));
  const items: GeocodeItem[] = [];
  const add = (item: GeocodeItem | null): void => {
    if (item && items.length < limit) items.push(item);
  };
  const address = nearest && addressAt(view, present, nearest);
  const rank = nearest ? rankOf(view, nearest, here) : "left out";
  if (rank === "leads") add(address);
  if (line)
    add(present.doc(line.doc, { score: 0.9, distance_m: line.metres }, { point: line, locality }));
  if (rank === "follows") add(address && { ...address, score: 0.85 });
  if (items.length < limit) for (const item of placesAt(view, present, here, locality)) add(item);
  return items;
}

/** Country code of a document; null: unknown. */
function countryOf({ contexts, docs, text }: View, doc: number | null): string | null {
  return doc === null ? null : text(contexts.country[docs.context[doc]!]!) || null;
}

/** Where a point is; settlements are looked for only where no area is a municipality. */
function localityAt(view: View, point: Point7, country: string | null): Locality {
  const areas = view.areas.at(point.lat7, point.lon7).map((area) => view.meta.areas[area]!);
  const isOutside = country !== null && view.excludes(country, point.lat7, point.lon7);
  const locality = localityOf(areas, {
    nearby: () => nearestPlaces(view.settlements, point, FARTHEST_M),
    country: () => (isOutside ? null : country),
  });
  const { city, holding } = locality;
  // A town that reaches over a border is none of what lies there.
  const own = city < 0 || holding.includes(city) ? null : countryOf(view, city);
  const isAbroad = own !== null && locality.country !== null && own !== locality.country;
  return city >= 0 && (isAbroad || isOver(view, city, point))
    ? { ...locality, city: -1 }
    : locality;
}

/** Whether a point is outside of the country of a document. */
function isOver(view: View, doc: number, { lat7, lon7 }: Point7): boolean {
  const code = countryOf(view, doc);
  return code !== null && view.excludes(code, lat7, lon7);
}

type NearAddress = { row: number; metres: number };

function addressAt(
  { numbers }: View,
  present: Presenter,
  { row, metres }: NearAddress,
): GeocodeItem | null {
  const at = { lat7: numbers.lat7[row]!, lon7: numbers.lon7[row]! };
  const extra = { score: 1, distance_m: metres };
  return present.address(numbers.owners[row]!, { row, ...at, fit: 1, is: "itself" }, "", extra);
}

/**
 * An address of the next municipality counts near its border only, and one of which no municipality
 * is drawn follows the street, of which it is known.
 */
function rankOf(
  view: View,
  { row, metres }: NearAddress,
  here: Point7,
): "leads" | "follows" | "left out" {
  const { numbers } = view;
  const country = countryOf(view, numbers.owners[row]!);
  const at = { lat7: numbers.lat7[row]!, lon7: numbers.lon7[row]! };
  const [own, its] = [here, at].map((point) => areaLocality(view, point, country).city);
  if (own === its) return "leads";
  if (metres > FOREIGN_ADDRESS_M) return "left out";
  return its! < 0 ? "follows" : "leads";
}

function nearestLine(view: View, { lat7, lon7 }: Point7): ReturnType<View["lines"]["nearest"]> {
  for (const within_m of STREET_M) {
    const line = view.lines.nearest(lat7, lon7, within_m);
    if (line) return line;
  }
  return null;
}

/** The settlement, municipality, region and country of a point, the smallest first. */
function* placesAt(
  view: View,
  present: Presenter,
  point: Point7,
  { city, region, country_doc }: Locality,
): Generator<GeocodeItem | null> {
  const { contexts, docs } = view;
  const part = nearestPlaces(view.settlements, point, PART_M).find(
    ({ doc, bounded }) =>
      doc !== city &&
      !bounded &&
      (city < 0 || contexts.city[docs.context[doc]!] === city) &&
      !isOver(view, doc, point),
  );
  if (part) yield present.doc(part.doc, { score: 0.8, distance_m: part.metres });
  for (const doc of [city, region, country_doc])
    if (doc >= 0) yield present.doc(doc, { score: 0.7, distance_m: null });
}

/** Places by number that a point is in or near to: areas, the smallest first, then settlements. */
export function placesAround(view: View, lat7: number, lon7: number): number[] {
  const areas = view.areas.at(lat7, lon7).map((area) => view.meta.areas[area]!);
  areas.sort((a, b) => b.level - a.level);
  const near = nearestPlaces(view.settlements, { lat7, lon7 }, FARTHEST_M);
  const docs = [...areas, ...near].map(({ doc }) => doc);
  return [...new Set(docs)].filter((doc) => doc >= 0 && doc < view.meta.places);
}
