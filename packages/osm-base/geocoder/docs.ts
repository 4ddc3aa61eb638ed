/**
 * Documents of a base: places, streets, things of interest and postcodes, in this order and by
 * object within each, whatever the order they came in.
 */
import { NO_OWNER, placeOf } from "./address-table.ts";
import { type Buckets, bucketsOf, rowsOf } from "./buckets.ts";
import { type Contexts, createContexts, MENTION } from "./contexts.ts";
import { createDocTable, type Doc, type DocTable, pushDoc } from "./doc-table.ts";
import { cityOf, localityOfAddress, MAX_CITIES } from "./address-locality.ts";
import { type Facts, factsOf, mentionsOf, onlyOf, type Times, topOf } from "./facts.ts";
import { filled } from "#kit/growing.ts";
import type { Intake } from "./intake.ts";
import { importanceOf } from "./osm-kinds.ts";
import { metresBetween, type Point7 } from "./metres.ts";
import { createPartFinder, type NamedParts } from "./parts.ts";
import { type OfPage, postcodeDocs, postcodesOfMunicipalities } from "./postcode-docs.ts";
import { isTown, isWide } from "./settlements.ts";
import type { Places } from "./place-table.ts";
import { footOnWays, pointsOf, type Streets, waysOf } from "./streets.ts";

export type Docs = {
  table: DocTable;
  contexts: Contexts;
  places: number;
  streets: number;
  /** Streets in the order of their documents, which follow those of places. */
  street_order: Uint32Array;
  /** Document that each address hangs off, by row; -1: none. */
  of_address: Int32Array;
  /** What the texts of addresses name. */
  named: NamedParts;
};

/** Postcodes of a place beyond this number are not looked for under its name. */
const MAX_POSTCODES = 400;
const MAX_STREET_POSTCODES = 32;

export function* makeDocs(
  intake: Intake,
  {
    places,
    streets,
    owners,
    page,
  }: { places: Places; streets: Streets; owners: Int32Array; page: OfPage },
): Generator<void, Docs> {
  const street_order = orderStreets(intake, streets);
  const of_street = new Int32Array(street_order.length);
  street_order.forEach((street, n) => (of_street[street] = places.docs.length + n));
  const of_address = owners.map((owner) =>
    owner >= 0 ? of_street[owner]! : owner === NO_OWNER ? -1 : placeOf(owner),
  );
  const addresses = bucketsOf(of_address, places.docs.length + street_order.length);
  yield;
  const postcodes = postcodesOfMunicipalities({ intake, places, page });
  const table = createDocTable();
  const municipality_of = places.docs.map(({ lat7, lon7 }) => places.municipalityAt(lat7, lon7));
  const contexts = createContexts(intake.texts, (doc) => municipality_of[doc]!);
  const named = createPartFinder(intake, places);
  const sources = {
    ...{ intake, places, streets, addresses, postcodes, contexts, table, of_address, named },
    ...{ municipality_of, page },
  };
  for (const doc of places.docs.keys()) pushDoc(table, placeDoc(sources, doc));
  yield;
  for (const street of street_order) {
    pushDoc(table, streetDoc(sources, street));
    if (table.osm.length % 2048 === 0) yield;
  }
  for (const row of orderOf(intake.interests.osm.view())) {
    pushDoc(table, interestDoc(sources, row));
    if (table.osm.length % 2048 === 0) yield;
  }
  for (const doc of postcodeDocs(sources)) pushDoc(table, doc);
  return {
    table,
    contexts,
    places: places.docs.length,
    streets: street_order.length,
    street_order,
    of_address,
    named,
  };
}

function orderStreets({ sets, texts }: Intake, streets: Streets): Uint32Array {
  const [osm, lat7] = [streets.osm.view(), streets.lat7.view()];
  const name = streets.names.view().map(sets.firstText);
  return Uint32Array.from(osm, (_, street) => street).sort(
    (a, b) =>
      osm[a]! - osm[b]! || texts.compare(name[a]!, name[b]!) || lat7[a]! - lat7[b]! || a - b,
  );
}

function orderOf(osm: Float64Array): Uint32Array {
  return Uint32Array.from(osm, (_, row) => row).sort((a, b) => osm[a]! - osm[b]! || a - b);
}

type Sources = {
  intake: Intake;
  places: Places;
  streets: Streets;
  /** Rows of the addresses by document. */
  addresses: Buckets;
  /** Of municipalities: those of all the addresses that are in them. */
  postcodes: ReadonlyMap<number, Times>;
  contexts: Contexts;
  /** What there is so far. */
  table: DocTable;
  of_address: Int32Array;
  named: NamedParts;
  /** Municipality of each place; -1: none is drawn. */
  municipality_of: readonly number[];
  page: OfPage;
};

/** What the addresses of a document say; null: it has none. */
function factsOfDoc({ intake, addresses }: Sources, doc: number): Facts | null {
  const rows = rowsOf(addresses, doc);
  return rows.length === 0 ? null : factsOf(intake, rows);
}

function placeDoc(sources: Sources, doc: number): Doc {
  const { intake, places, contexts } = sources;
  const { texts } = intake;
  const place = places.docs[doc]!;
  const { lat7, lon7, osm, importance, names } = place;
  // A country is in none of the towns that its label is in, a town in none that merely reaches it.
  const at = places.localityAt(lat7, lon7);
  const locality = isWide(place.place) ? { ...at, city: -1, holding: [], postcode: "" } : at;
  const reached = isWide(place.place) ? [] : places.nearbyOf(lat7, lon7);
  const own = factsOfDoc(sources, doc);
  const postcodes = topOf(texts, [sources.postcodes.get(doc), own?.postcodes], MAX_POSTCODES);
  const region = texts.add(place.region ?? "") || (topOf(texts, [own?.regions], 1)[0] ?? 0);
  const context = contexts.add(
    {
      ...locality,
      city: other(doc, isTown(place.place) ? places.municipalityAt(lat7, lon7) : locality.city),
      region: other(doc, locality.region, place.region_doc),
      country_doc: other(doc, locality.country_doc, place.country_doc),
      country: place.country ?? locality.country,
      holding: locality.holding.filter((each) => each !== doc),
    },
    {
      region,
      texts: new Map(postcodes.map((text) => [text, MENTION.full])),
      near: [],
      further: reached.filter((each) => each !== doc),
    },
  );
  return {
    ...{ osm, lat7, lon7, importance, names },
    kind: texts.add(`place=${place.place}`),
    context,
    postcode: postcodes.length === 1 ? postcodes[0]! : texts.add(locality.postcode),
  };
}

/** The first of the numbers that is of a document, and not its own; -1: none is. */
function other(own: number, ...docs: readonly number[]): number {
  return docs.find((doc) => doc >= 0 && doc !== own) ?? -1;
}

function streetDoc(sources: Sources, street: number): Doc {
  const { intake, places, streets, contexts, table } = sources;
  const { texts } = intake;
  const { shown, at } = pointsOfStreet(sources, street, table.osm.length);
  // Where it is shown is on it; what it is in, and near to, is so at its addresses.
  const { lat7, lon7 } = at;
  const own = factsOfDoc(sources, table.osm.length);
  const city = cityOf(sources, own?.cities, { lat7, lon7 });
  const around = places.localityAt(lat7, lon7);
  const locality = localityOfAddress(sources, around, { city, lat7, lon7 });
  const mentions = new Map(
    own && [
      ...mentionsOf(texts, own.postcodes, MAX_STREET_POSTCODES),
      ...mentionsOf(texts, own.cities, MAX_CITIES),
      ...mentionsOf(texts, own.places, MAX_CITIES),
      ...mentionsOf(texts, own.suburbs, MAX_CITIES),
    ],
  );
  const [first = 0] = topOf(texts, [own?.postcodes], 1);
  const fallback = texts.add(around.postcode) || onlyOf(texts, sources.postcodes.get(around.city));
  if (first === 0) mentions.set(fallback, MENTION.full);
  const context = contexts.add(locality, {
    city,
    region: topOf(texts, [own?.regions], 1)[0] ?? 0,
    texts: mentions,
    ...surroundingsOf(sources, street, { lat7, lon7 }),
  });
  return {
    ...{ osm: streets.osm.at(street), ...shown },
    box: streets.boxes.view().subarray(street * 4, street * 4 + 4),
    names: streets.names.at(street),
    kind: streets.kind.at(street),
    importance: 0.08,
    context,
    postcode: first || fallback,
  };
}

/** The middle of a street is its point where one of its addresses is as near. */
const AT_ADDRESS_M = 150;

/**
 * `at`: the point of a street's lines at the most central of its addresses; `shown`: the middle of its
 * lines, but where none of its addresses is near it. Without any both are the middle.
 */
function pointsOfStreet(
  { intake, streets, addresses }: Sources,
  street: number,
  doc: number,
): { shown: Point7; at: Point7 } {
  const middle = { lat7: streets.lat7.at(street), lon7: streets.lon7.at(street) };
  const rows = rowsOf(addresses, doc);
  const isNear = (row: number): boolean =>
    metresBetween(middle, {
      lat7: intake.addresses.lat7.at(row),
      lon7: intake.addresses.lon7.at(row),
    }) <= AT_ADDRESS_M;
  if (rows.length === 0) return { shown: middle, at: middle };
  const median = (column: { at(row: number): number }): number =>
    filled(new Int32Array(rows.length), (i) => column.at(rows[i]!)).sort()[rows.length >> 1]!;
  const { lat7, lon7, osm } = intake.addresses;
  const centre = { lat7: median(lat7), lon7: median(lon7) };
  let best = { row: rows[0]!, metres: Infinity };
  for (const row of rows) {
    const metres = metresBetween(centre, { lat7: lat7.at(row), lon7: lon7.at(row) });
    const tied = metres === best.metres && osm.at(row) < osm.at(best.row);
    if (metres < best.metres || tied) best = { row, metres };
  }
  const house = { lat7: lat7.at(best.row), lon7: lon7.at(best.row) };
  const ways = waysOf(streets, street);
  const foot = ways.length === 0 ? house : footOnWays(intake, ways, house);
  const at = { lat7: foot.lat7, lon7: foot.lon7 };
  return { shown: rows.some(isNear) ? middle : at, at };
}

/** Ways of a street around which further places are looked for. */
const MAX_SAMPLES = 24;

/**
 * Settlements around a street, and places around the ends of its ways, where these are elsewhere than
 * the street: those that hold them (`further`), and those that merely reach them from the next
 * municipality.
 */
function surroundingsOf(
  { intake, places, streets, municipality_of }: Sources,
  street: number,
  { lat7, lon7 }: Point7,
): { near: readonly number[]; further?: ReadonlySet<number> } {
  const locality = places.localityAt(lat7, lon7);
  const near = places.nearbyOf(lat7, lon7);
  const [further, reaching] = [new Set<number>(), new Set<number>()];
  const ways = waysOf(streets, street);
  const step = Math.ceil(ways.length / MAX_SAMPLES);
  for (let i = 0; i < ways.length; i += step) {
    const points = pointsOf(intake, ways[i]!);
    for (const at of [0, points.length - 2]) {
      const beyond = places.localityAt(points[at]!, points[at + 1]!);
      const near_there = places.nearbyOf(points[at]!, points[at + 1]!);
      if (beyond !== locality)
        for (const doc of [beyond.city, ...beyond.holding]) if (doc >= 0) further.add(doc);
      if (near_there === near) continue;
      const own = places.municipalityAt(points[at]!, points[at + 1]!);
      for (const doc of near_there) {
        const isThere = own < 0 || municipality_of[doc]! < 0 || municipality_of[doc] === own;
        (isThere ? further : reaching).add(doc);
      }
    }
  }
  if (further.size + reaching.size === 0) return { near };
  return { near: [...new Set([...near, ...reaching])].sort((a, b) => a - b), further };
}

function interestDoc(sources: Sources, row: number): Doc {
  const { intake, places, contexts, table, of_address, named } = sources;
  const { addresses, interests, texts } = intake;
  const [lat7, lon7] = [interests.lat7.at(row), interests.lon7.at(row)];
  const address = interests.address.at(row);
  const street = address < 0 ? -1 : of_address[address]!;
  const text = (column: { at(row: number): number }): number =>
    address < 0 ? 0 : column.at(address);
  const city = text(addresses.city);
  const around = places.localityAt(lat7, lon7);
  const locality = localityOfAddress(sources, around, { city, lat7, lon7 });
  const postcode =
    text(addresses.postcode) ||
    (street >= 0 ? table.postcode.at(street) : texts.add(around.postcode));
  const context = contexts.add(locality, {
    city: around.city < 0 && named.isPart(city, { lat7, lon7 }) ? 0 : city,
    region: text(addresses.region),
    texts: new Map([
      [postcode, MENTION.full],
      [city, MENTION.full],
      [text(addresses.suburb), MENTION.full],
    ]),
    near: places.nearbyOf(lat7, lon7),
  });
  const kind = interests.kind.at(row);
  return {
    ...{ osm: interests.osm.at(row), lat7, lon7, kind, street, postcode },
    names: interests.names.at(row),
    importance: importanceOf(texts.get(kind)) + (interests.known.at(row) === 1 ? 0.08 : 0),
    context,
    number: text(addresses.number),
  };
}
