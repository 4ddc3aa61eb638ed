/**
 * Documents of a base: places, streets, things of interest and postcodes, in this order and by
 * object within each, whatever the order they came in.
 */
import { type Owner } from "./addresses.ts";
import type { Box7 } from "./clusters.ts";
import { type Context, contextOf, type Contexts, createContexts, MENTION } from "./contexts.ts";
import type { Intake, Interest } from "./intake.ts";
import { importanceOf } from "./kinds.ts";
import { isWide } from "./settlements.ts";
import type { Name } from "./names.ts";
import type { Places } from "./places.ts";
import { pointsOf, type Street } from "./streets.ts";

export type Doc = {
  osm: number;
  lat7: number;
  lon7: number;
  box: Box7;
  names: readonly Name[];
  /** Main tag, as `place=city`. */
  kind: string;
  /** 0 to 1. */
  importance: number;
  context: number;
  /** Of things of interest: the street they are on, by document, and their number there. */
  street: number;
  number: string;
  postcode: string;
};

export type Docs = {
  list: Doc[];
  contexts: readonly Context[];
  places: number;
  streets: number;
  /** Document of what an address hangs off. */
  docOf(owner: NonNullable<Owner>): number;
};

/** Postcodes of a place beyond this number are not looked for under its name. */
const MAX_POSTCODES = 400;
/** An address whose city is not this municipality is found by either. */
const MAX_CITIES = 8;

type Facts = {
  postcodes: Map<string, number>;
  cities: Map<string, number>;
  regions: Map<string, number>;
  places: Map<string, number>;
};

export function* makeDocs(
  intake: Intake,
  {
    places,
    streets,
    owners,
  }: { places: Places; streets: readonly Street[]; owners: readonly Owner[] },
): Generator<void, Docs> {
  const order = streets.map((_, i) => i);
  const names = streets.map((street) => street.names[0]?.text ?? "");
  order.sort(
    (a, b) =>
      streets[a]!.osm - streets[b]!.osm ||
      compare(names[a]!, names[b]!) ||
      streets[a]!.lat7 - streets[b]!.lat7,
  );
  const docOfStreet = new Int32Array(streets.length);
  order.forEach((street, n) => (docOfStreet[street] = places.docs.length + n));
  const docOf = (owner: NonNullable<Owner>): number =>
    "street" in owner ? docOfStreet[owner.street]! : owner.place;

  const facts = gatherFacts(intake, owners, docOf);
  yield;
  const municipalities = factsOfMunicipalities(places, streets, { facts, docOfStreet });
  const contexts = createContexts();
  const list: Doc[] = [];
  const sources = { intake, places, facts, municipalities, contexts };
  for (const doc of places.docs.keys()) list.push(placeDoc(sources, doc));
  yield;
  for (const i of order) {
    list.push(streetDoc(sources, streets[i]!, facts.get(docOfStreet[i]!)));
    if (list.length % 2048 === 0) yield;
  }
  for (const interest of intake.interests.toSorted((a, b) => a.osm - b.osm)) {
    list.push(interestDoc(intake, interest, { places, owners, docOf, contexts, list }));
    if (list.length % 2048 === 0) yield;
  }
  for (const doc of postcodeDocs(intake, owners, docOf, list)) list.push(doc);
  return {
    list,
    contexts: contexts.list,
    places: places.docs.length,
    streets: streets.length,
    docOf,
  };
}

type Sources = {
  intake: Intake;
  places: Places;
  facts: ReadonlyMap<number, Facts>;
  municipalities: ReadonlyMap<number, { postcodes: Map<string, number> }>;
  contexts: Contexts;
};

function placeDoc({ places, facts, municipalities, contexts }: Sources, doc: number): Doc {
  const place = places.docs[doc]!;
  const { lat7, lon7, osm, importance } = place;
  // A country is in none of the towns that its label is in.
  const at = places.localityAt(lat7, lon7);
  const locality = isWide(place.place) ? { ...at, city: -1, holding: [], postcode: "" } : at;
  const reached = isWide(place.place) ? [] : places.nearbyOf(lat7, lon7);
  const own = facts.get(doc);
  const postcodes = topOf([municipalities.get(doc)?.postcodes, own?.postcodes], MAX_POSTCODES);
  const context = contextOf(
    {
      ...locality,
      city: locality.city === doc ? -1 : locality.city,
      region: other(doc, locality.region, place.region_doc),
      country_doc: other(doc, locality.country_doc, place.country_doc),
      country: place.country ?? locality.country,
      holding: locality.holding.filter((each) => each !== doc),
    },
    {
      region: place.region ?? topOf([own?.regions], 1)[0] ?? "",
      texts: postcodes.map((text) => [text, MENTION.full] as const),
      near: reached.filter((each) => each !== doc),
    },
  );
  const postcode = postcodes.length === 1 ? postcodes[0]! : locality.postcode;
  return {
    ...{ osm, lat7, lon7, importance, names: place.names, kind: `place=${place.place}` },
    ...{ box: [lat7, lon7, lat7, lon7], context: contexts.add(context) },
    ...{ street: -1, number: "", postcode },
  };
}

function streetDoc(
  { intake, places, municipalities, contexts }: Sources,
  street: Street,
  own: Facts | undefined,
): Doc {
  const { osm, lat7, lon7, box, kind } = street;
  const locality = places.localityAt(lat7, lon7);
  const postcodes = topOf([own?.postcodes], 32);
  const mentions = [
    ...mentionsOf(own?.postcodes, 32),
    ...mentionsOf(own?.cities, MAX_CITIES),
    ...mentionsOf(own?.places, MAX_CITIES),
  ];
  const fallback = locality.postcode || only(municipalities.get(locality.city)?.postcodes);
  if (postcodes.length === 0 && fallback !== "") mentions.push([fallback, MENTION.full]);
  const cities = topOf([own?.cities], 1);
  const context = contextOf(locality, {
    city: cities[0] ?? "",
    region: topOf([own?.regions], 1)[0] ?? "",
    texts: mentions,
    near: [...places.nearbyOf(lat7, lon7), ...further(intake, places, street)],
  });
  const postcode = postcodes[0] ?? fallback;
  return {
    ...{ osm, lat7, lon7, box, names: street.names, kind },
    ...{ importance: 0.08, context: contexts.add(context), street: -1, number: "", postcode },
  };
}

/** The first of the numbers that is of a document, and not its own; -1: none is. */
function other(own: number, ...docs: readonly number[]): number {
  return docs.find((doc) => doc >= 0 && doc !== own) ?? -1;
}

function interestDoc(
  intake: Intake,
  { osm, lat7, lon7, names, kind, address, known }: Interest,
  {
    places,
    owners,
    docOf,
    contexts,
    list,
  }: {
    places: Places;
    owners: readonly Owner[];
    docOf: Docs["docOf"];
    contexts: ReturnType<typeof createContexts>;
    list: readonly Doc[];
  },
): Doc {
  const { addresses, texts } = intake;
  const owner = address < 0 ? null : owners[address]!;
  const street = owner === null ? -1 : docOf(owner);
  const text = (column: { at(row: number): number }): string =>
    address < 0 ? "" : texts.get(column.at(address));
  const locality = places.localityAt(lat7, lon7);
  const postcode = text(addresses.postcode) || (list[street]?.postcode ?? locality.postcode);
  const city = text(addresses.city);
  const context = contextOf(locality, {
    city,
    region: text(addresses.region),
    texts: [
      [postcode, MENTION.full],
      [city, MENTION.full],
    ],
    near: places.nearbyOf(lat7, lon7),
  });
  return {
    ...{ osm, lat7, lon7, kind, street, postcode },
    box: [lat7, lon7, lat7, lon7],
    names: intake.sets.get(names),
    importance: importanceOf(kind) + (known ? 0.08 : 0),
    context: contexts.add(context),
    number: text(addresses.number),
  };
}

/** A postcode is where the most central of its addresses is. */
function postcodeDocs(
  { addresses, texts }: Intake,
  owners: readonly Owner[],
  docOf: Docs["docOf"],
  list: readonly Doc[],
): Doc[] {
  type Sum = { lat: number; lon: number; count: number; doc: number };
  const sums = new Map<string, Sum>();
  for (let row = 0; row < owners.length; row++) {
    const postcode = texts.get(addresses.postcode.at(row));
    const owner = owners[row]!;
    if (postcode === "" || owner === null || /[;,]/.test(postcode)) continue;
    const sum = sums.get(postcode) ?? { lat: 0, lon: 0, count: 0, doc: docOf(owner) };
    sum.lat += addresses.lat7.at(row);
    sum.lon += addresses.lon7.at(row);
    sum.count++;
    sum.doc = Math.min(sum.doc, docOf(owner));
    sums.set(postcode, sum);
  }
  return [...sums]
    .sort(([a], [b]) => compare(a, b))
    .map(([postcode, { lat, lon, count, doc }]) => {
      const lat7 = Math.round(lat / count);
      const lon7 = Math.round(lon / count);
      return {
        ...{
          osm: 0,
          lat7,
          lon7,
          box: [lat7, lon7, lat7, lon7],
          names: [{ kind: "", text: postcode }],
        },
        ...{
          kind: "place=postcode",
          importance: 0.2,
          context: list[doc]!.context,
          street: -1,
          number: "",
          postcode,
        },
      };
    });
}

/** What the addresses of each document say of where it is, with how many say so. */
function gatherFacts(
  { addresses, texts }: Intake,
  owners: readonly Owner[],
  docOf: Docs["docOf"],
): Map<number, Facts> {
  const facts = new Map<number, Facts>();
  for (let row = 0; row < owners.length; row++) {
    const owner = owners[row]!;
    if (owner === null) continue;
    const doc = docOf(owner);
    const own = facts.get(doc) ?? {
      postcodes: new Map(),
      cities: new Map(),
      regions: new Map(),
      places: new Map(),
    };
    facts.set(doc, own);
    addTimes(own.postcodes, texts.get(addresses.postcode.at(row)));
    addTimes(own.cities, texts.get(addresses.city.at(row)));
    addTimes(own.regions, texts.get(addresses.region.at(row)));
    addTimes(own.places, texts.get(addresses.place.at(row)));
  }
  return facts;
}

/** The same of municipalities: of all the streets that are in them. */
function factsOfMunicipalities(
  places: Places,
  streets: readonly Street[],
  { facts, docOfStreet }: { facts: ReadonlyMap<number, Facts>; docOfStreet: Int32Array },
): Map<number, { postcodes: Map<string, number> }> {
  const found = new Map<number, { postcodes: Map<string, number> }>();
  for (const [i, { lat7, lon7 }] of streets.entries()) {
    const own = facts.get(docOfStreet[i]!);
    if (!own) continue;
    const { city } = places.localityAt(lat7, lon7);
    const known = found.get(city) ?? { postcodes: new Map() };
    found.set(city, known);
    for (const [postcode, times] of own.postcodes) addTimes(known.postcodes, postcode, times);
  }
  return found;
}

function addTimes(counts: Map<string, number>, text: string, times = 1): void {
  if (text !== "") counts.set(text, (counts.get(text) ?? 0) + times);
}

/** Texts of all the counts, the most frequent first. */
function topOf(all: readonly (ReadonlyMap<string, number> | undefined)[], most: number): string[] {
  const sums = new Map<string, number>();
  for (const counts of all)
    for (const [text, times] of counts ?? []) sums.set(text, (sums.get(text) ?? 0) + times);
  return [...sums]
    .sort(([a, n], [b, m]) => m - n || compare(a, b))
    .slice(0, most)
    .map(([text]) => text);
}

/** What a street's addresses say: all of it, or what only some of them do. */
function mentionsOf(
  counts: ReadonlyMap<string, number> | undefined,
  most: number,
): [string, number][] {
  const all = [...(counts?.values() ?? [])].reduce((sum, times) => sum + times, 0);
  return topOf([counts], most).map((text) => [
    text,
    counts!.get(text)! >= all * MINOR ? MENTION.full : MENTION.part,
  ]);
}
const MINOR = 0.3;
/** Ways of a street around which further places are looked for. */
const MAX_SAMPLES = 24;

function further(intake: Intake, places: Places, { ways }: Street): Set<number> {
  const found = new Set<number>();
  const step = Math.ceil(ways.length / MAX_SAMPLES);
  for (let i = 0; i < ways.length; i += step) {
    const points = pointsOf(intake, ways[i]!);
    for (const at of [0, points.length - 2]) {
      const [lat7, lon7] = [points[at]!, points[at + 1]!];
      const { city, holding } = places.localityAt(lat7, lon7);
      for (const doc of [city, ...holding, ...places.nearbyOf(lat7, lon7)])
        if (doc >= 0) found.add(doc);
    }
  }
  return found;
}

/** The postcode that nearly all have; none, where there are several. */
function only(counts: ReadonlyMap<string, number> | undefined): string {
  const [first] = topOf([counts], 1);
  if (counts === undefined || first === undefined) return "";
  const all = [...counts.values()].reduce((sum, times) => sum + times, 0);
  return counts.get(first)! >= all * 0.9 ? first : "";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
