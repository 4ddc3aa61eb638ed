/** Documents of postcodes, and which postcodes municipalities have: of one base, or of what its pages share. */
import {
  type AddressFacts,
  addCounts,
  placesOf,
  type PostcodePlace,
  readPostcode,
  type TextCounts,
} from "./address-facts.ts";
import { cityOf, localityOfAddress, MAX_CITIES } from "./address-locality.ts";
import { streetTextOf } from "./address-table.ts";
import { bucketsOf, rowsOf } from "./buckets.ts";
import type { Contexts } from "./contexts.ts";
import type { Doc } from "./doc-table.ts";
import { addTimes, mentionsOf, type Times, topOf } from "./facts.ts";
import type { Intake } from "./intake.ts";
import type { NamedParts } from "./parts.ts";
import type { Places } from "./place-table.ts";
import { listRimStreets, type StreetPart } from "./rim-streets.ts";

/** Which points are of the page, and what pages share of those that several have. */
export type OfPage = {
  isOwn(lat7: number, lon7: number): boolean;
  shared: AddressFacts;
};

/** Of a base that is one page. */
export const ONE_PAGE: OfPage = {
  isOwn: () => true,
  shared: { municipalities: new Map(), postcodes: new Map(), streets: [] },
};

type Sources = { intake: Intake; places: Places; page: OfPage };

/** Postcodes of the addresses in each municipality, by the number of its place. */
export function postcodesOfMunicipalities({ intake, places, page }: Sources): Map<number, Times> {
  const { addresses } = intake;
  const postcodes = new Map<number, Times>();
  const { lat7, lon7, postcode } = addresses;
  for (let row = 0; row < lat7.length; row++) {
    const text = postcode.at(row);
    if (text === 0 || !page.isOwn(lat7.at(row), lon7.at(row))) continue;
    const { city } = places.localityAt(lat7.at(row), lon7.at(row));
    // What is in none shares nothing.
    if (city < 0) continue;
    const times = postcodes.get(city) ?? new Map<number, number>();
    postcodes.set(city, times);
    addTimes(times, text);
  }
  if (page.shared.municipalities.size > 0)
    for (const [doc, { osm }] of places.docs.entries()) {
      const counts = page.shared.municipalities.get(osm);
      if (counts) postcodes.set(doc, timesOf(intake, counts));
    }
  return postcodes;
}

/**
 * What the addresses of a page say. Of places it has, and of which it has no address, it says that it
 * would know.
 */
export function* listAddressFacts({ intake, places, page }: Sources): Generator<AddressFact, void> {
  const { texts } = intake;
  const postcodes = postcodesOfMunicipalities({ intake, places, page });
  for (const [doc, { osm }] of places.docs.entries()) {
    const counts: TextCounts = new Map();
    const times = postcodes.get(doc) ?? new Map<number, number>();
    const all = topOf(texts, [times], Infinity);
    addCounts(
      counts,
      all.map((text) => [texts.get(text), times.get(text)!] as const),
    );
    yield { municipality: osm, postcodes: counts };
  }
  for (const { postcode, rows } of listPostcodes({ intake, page }))
    yield { postcode: texts.get(postcode), facts: readPostcode(intake, places, rows) };
  for (const { name, ...part } of listRimStreets(intake, {
    isOwn: page.isOwn,
    places,
    streetOf: streetTextOf,
  }))
    yield { street: name, part };
}

export type AddressFact =
  | { municipality: number; postcodes: TextCounts }
  | { postcode: string; facts: ReturnType<typeof readPostcode> }
  | { street: string; part: StreetPart };

/** Postcodes in the order of their texts, with the addresses of the page that have each. */
function* listPostcodes({
  intake: { addresses, texts },
  page,
}: Omit<Sources, "places">): Generator<{ postcode: number; rows: Uint32Array }, void> {
  const { lat7, lon7, postcode } = addresses;
  const numbers = Int32Array.from({ length: lat7.length }, (_, row) =>
    postcode.at(row) !== 0 && page.isOwn(lat7.at(row), lon7.at(row)) ? postcode.at(row) : -1,
  );
  const rows_of = bucketsOf(numbers, texts.count);
  const used: number[] = [];
  for (let text = 1; text + 1 < rows_of.starts.length; text++)
    if (rows_of.starts[text + 1]! > rows_of.starts[text]! && !/[;,]/.test(texts.get(text)))
      used.push(text);
  for (const text of used.sort(texts.compare))
    yield { postcode: text, rows: rowsOf(rows_of, text) };
}

type DocSources = Sources & { contexts: Contexts; named: NamedParts };

/** The place of a postcode that has several weighs more where most of its addresses are. */
const IMPORTANCE = { first: 0.2, others: 0.19 } as const;

/**
 * A postcode is in the middle of its addresses, and in the town of the most central of them; it is of
 * the page that has that address.
 */
export function* postcodeDocs(sources: DocSources): Generator<Doc, void> {
  const { intake, places, page } = sources;
  const { texts, sets } = intake;
  const kind = texts.add("place=postcode");
  for (const { postcode, rows } of listPostcodes(sources)) {
    const shared = page.shared.postcodes.get(texts.get(postcode));
    const all = placesOf(shared ?? readPostcode(intake, places, rows));
    for (const [n, place] of all.entries()) {
      if (!page.isOwn(place.central.lat7, place.central.lon7)) continue;
      yield {
        ...{ osm: 0, ...place.middle, names: sets.addText(postcode), kind, postcode },
        importance: n === 0 ? IMPORTANCE.first : IMPORTANCE.others,
        context: contextOfPostcode(sources, place),
      };
    }
  }
}

function contextOfPostcode(sources: DocSources, place: PostcodePlace): number {
  const { intake, places, contexts } = sources;
  const { texts } = intake;
  const { lat7, lon7 } = place.central;
  const cities = timesOf(intake, place.cities);
  const city = cityOf(sources, cities, { lat7, lon7 });
  const around = places.localityAt(lat7, lon7);
  return contexts.add(localityOfAddress(sources, around, { city, lat7, lon7 }), {
    city,
    region: topOf(texts, [timesOf(intake, place.regions)], 1)[0] ?? 0,
    texts: new Map(mentionsOf(texts, cities, MAX_CITIES)),
    near: places.nearbyOf(lat7, lon7),
  });
}

function timesOf({ texts }: Intake, counts: TextCounts): Times {
  const times: Times = new Map();
  for (const [text, count] of counts) addTimes(times, texts.add(text), count);
  return times;
}
