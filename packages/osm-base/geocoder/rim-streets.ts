/**
 * Streets that reach beyond the cell of a page: their ways and their addresses, for the other pages that
 * have some of them, so that each street is whole wherever it is (docs/lab/pages.md, Facts that pages
 * share).
 */
import { type Boxes, clusterBox, clusterBoxes, gapOf } from "./clusters.ts";
import { rowsOf } from "./buckets.ts";
import { wordsOf } from "./fold-words.ts";
import { type AddressTexts, type Intake, pushAddress } from "./intake.ts";
import type { GeocodedName } from "./name-texts.ts";
import { canonicalName } from "./spellings.ts";
import type { Places } from "./place-table.ts";
import { FAR_M, GAP_M, middleOf, pointsOf } from "./streets.ts";

/** A way with a name. */
type SharedWay = { osm: number; names: GeocodedName[]; kind: string; points: number[] };
type SharedAddress = { osm: number; lat7: number; lon7: number; texts: AddressTexts };

/** Ways of a name in a municipality that are near one another, and the addresses of that street in the page's cell. */
export type StreetPart = {
  /** Object of the municipality that they are in; 0: none is drawn. */
  home: number;
  ways: SharedWay[];
  addresses: SharedAddress[];
};
/** `name`: the same for parts of one street in all pages. */
type NamedPart = StreetPart & { name: string };

/** Of one part, and of all parts of a street: one with more is as each page has it. */
const MOST_OF_PART = { ways: 500, addresses: 4_000 } as const;
const MOST_OF_STREET = { pages: 16, ways: 2_000, addresses: 20_000 } as const;

type IsOwn = (lat7: number, lon7: number) => boolean;

/**
 * Parts of which not all ways lie within the cell. `streetOf`: text of the street of an address, by its
 * row.
 */
export function* listRimStreets(
  intake: Intake,
  { isOwn, places, streetOf }: RimSources,
): Generator<NamedPart, void> {
  const { streets, addresses, sets } = intake;
  const spell = createSpelling(intake);
  const homeAt = (lat7: number, lon7: number): number => {
    const doc = places.municipalityAt(lat7, lon7);
    return doc < 0 ? 0 : places.docs[doc]!.osm;
  };
  const keyOfWay = (row: number): string => {
    const { lat7, lon7 } = middleOf(pointsOf(intake, row));
    return `${homeAt(lat7, lon7)} ${spell(sets.firstText(streets.names.at(row)))}`;
  };
  const groups = new Map<string, { rows: number[]; houses: number[] }>();
  for (let row = 0; row < streets.osm.length; row++)
    if (!isInside(pointsOf(intake, row), isOwn))
      groups.set(keyOfWay(row), { rows: [], houses: [] });
  if (groups.size === 0) return;
  for (let row = 0; row < streets.osm.length; row++) groups.get(keyOfWay(row))?.rows.push(row);
  for (let row = 0; row < addresses.osm.length; row++) {
    const text = streetOf(intake, row);
    const [lat7, lon7] = [addresses.lat7.at(row), addresses.lon7.at(row)];
    if (text !== 0 && isOwn(lat7, lon7))
      groups.get(`${homeAt(lat7, lon7)} ${spell(text)}`)?.houses.push(row);
  }
  for (const [name, { rows, houses: all }] of groups)
    for (const part of partsOf(intake, rows, all)) {
      const isRim = part.rows.some((row) => !isInside(pointsOf(intake, row), isOwn));
      const isSmall =
        part.rows.length <= MOST_OF_PART.ways && part.houses.length <= MOST_OF_PART.addresses;
      if (!isRim || !isSmall) continue;
      yield {
        name,
        home: Number(name.slice(0, name.indexOf(" "))),
        ways: part.rows.map((row) => toWay(intake, row)),
        addresses: part.houses.map((row) => toAddress(intake, row, streetOf)),
      };
    }
}

type RimSources = {
  isOwn: IsOwn;
  places: Pick<Places, "docs" | "municipalityAt">;
  streetOf(intake: Intake, row: number): number;
};

/** Municipalities of what other pages have, where this one does not know them. */
export function withHomes<P extends Pick<Places, "docs" | "municipalityAt">>(
  places: P,
  parts: readonly StreetPart[],
): P {
  if (parts.length === 0) return places;
  const docs = new Map(places.docs.map(({ osm }, doc) => [osm, doc]));
  const homes = new Map<string, number>();
  for (const { home, ways, addresses } of parts) {
    const doc = docs.get(home);
    if (doc === undefined) continue;
    const middles = ways.map(({ points }) => middleOf(Int32Array.from(points)));
    for (const { lat7, lon7 } of [...middles, ...addresses]) homes.set(`${lat7} ${lon7}`, doc);
  }
  return {
    ...places,
    municipalityAt(lat7, lon7) {
      const doc = places.municipalityAt(lat7, lon7);
      return doc >= 0 ? doc : (homes.get(`${lat7} ${lon7}`) ?? -1);
    },
  };
}

/** Adds what other pages have of streets of this one, but for what it has. */
export function takeParts(intake: Intake, parts: readonly StreetPart[]): void {
  const { streets, addresses, sets, texts } = intake;
  if (parts.length === 0) return;
  const known = new Set(
    [...streets.osm.view()].map((osm, row) => `${osm} ${pointsOf(intake, row)[0]}`),
  );
  const houses = new Set(addresses.osm.view());
  for (const part of parts) {
    for (const { osm, names, kind, points } of part.ways) {
      const key = `${osm} ${points[0]}`;
      if (known.has(key)) continue;
      known.add(key);
      streets.osm.push(osm);
      streets.names.push(sets.add(names));
      streets.kind.push(texts.add(kind));
      streets.points.pushAll(points);
      streets.starts.push(streets.points.length);
    }
    for (const { texts: own, ...row } of part.addresses) {
      if (houses.has(row.osm)) continue;
      houses.add(row.osm);
      pushAddress(intake, row, own);
    }
  }
}

type PagePart = { page: number; part: StreetPart };

/** Of all parts of one name: what each page lacks of the streets that it has a part of. */
export function completeStreets(parts: readonly PagePart[]): PagePart[] {
  const ways = new Map<string, SharedWay>();
  for (const { part } of parts) for (const way of part.ways) ways.set(keyOf(way), way);
  const list = [...ways.values()];
  const boxes = new Int32Array(list.length * 4);
  list.forEach(({ points }, i) => boxes.set(clusterBox(Int32Array.from(points)), i * 4));
  const clusters = clusterBoxes(boxes, GAP_M);
  const street_of = new Map<string, number>();
  for (let street = 0; street + 1 < clusters.starts.length; street++)
    for (const i of rowsOf(clusters, street)) street_of.set(keyOf(list[i]!), street);
  const streets = new Map<number, PagePart[]>();
  for (const each of parts) {
    const street = street_of.get(keyOf(each.part.ways[0]!))!;
    const list_of = streets.get(street);
    if (list_of) list_of.push(each);
    else streets.set(street, [each]);
  }
  return [...streets.values()].flatMap(completeStreet);
}

function completeStreet(parts: readonly PagePart[]): PagePart[] {
  const pages = new Set(parts.map(({ page }) => page));
  if (pages.size === 1 || pages.size > MOST_OF_STREET.pages) return [];
  const ways = new Map(parts.flatMap(({ part }) => part.ways.map((way) => [keyOf(way), way])));
  const addresses = new Map(
    parts.flatMap(({ page, part }) =>
      part.addresses.map((address) => [address.osm, { page, address }] as const),
    ),
  );
  if (ways.size > MOST_OF_STREET.ways || addresses.size > MOST_OF_STREET.addresses) return [];
  return [...pages].map((page): PagePart => {
    const own = parts.filter((each) => each.page === page);
    const known = new Set(own.flatMap(({ part }) => part.ways.map(keyOf)));
    const part = {
      home: own[0]!.part.home,
      ways: [...ways].flatMap(([key, way]) => (known.has(key) ? [] : [way])),
      addresses: [...addresses.values()].flatMap((each) =>
        each.page === page ? [] : [each.address],
      ),
    };
    return { page, part };
  });
}

/** A relation has several lines of one number. */
function keyOf({ osm, points }: SharedWay): string {
  return `${osm} ${points[0]}`;
}

function createSpelling({ texts }: Intake): (text: number) => string {
  const cache = new Map<number, string>();
  return (text) => {
    let name = cache.get(text);
    if (name === undefined) cache.set(text, (name = canonicalName(wordsOf(texts.get(text)))));
    return name;
  };
}

function isInside(points: Int32Array, isOwn: IsOwn): boolean {
  const [south, west, north, east] = clusterBox(points);
  return isOwn(south, west) && isOwn(north, east);
}

/** Ways of one name that are near one another, with the addresses that may be of their street. */
function* partsOf(
  intake: Intake,
  rows: readonly number[],
  houses: readonly number[],
): Generator<{ rows: number[]; houses: number[] }, void> {
  const { lat7, lon7 } = intake.addresses;
  const boxes: Boxes = new Int32Array(rows.length * 4);
  rows.forEach((row, i) => boxes.set(clusterBox(pointsOf(intake, row)), i * 4));
  const clusters = clusterBoxes(boxes, GAP_M);
  for (let part = 0; part + 1 < clusters.starts.length; part++) {
    const own = [...rowsOf(clusters, part)];
    const near = houses.filter((house) => {
      const [lat, lon] = [lat7.at(house), lon7.at(house)];
      const point = [lat, lon, lat, lon];
      return own.some((i) => gapOf(boxes, point, { i, j: 0 }) <= FAR_M);
    });
    yield { rows: own.map((i) => rows[i]!), houses: near };
  }
}

function toWay(intake: Intake, row: number): SharedWay {
  const { streets, sets, texts } = intake;
  return {
    osm: streets.osm.at(row),
    names: sets.get(streets.names.at(row)),
    kind: texts.get(streets.kind.at(row)),
    points: [...pointsOf(intake, row)],
  };
}

function toAddress(
  intake: Intake,
  row: number,
  streetOf: (intake: Intake, row: number) => number,
): SharedAddress {
  const { addresses, texts } = intake;
  const { osm, lat7, lon7, number, place, suburb, city, postcode, region, house } = addresses;
  const parts = { number, place, suburb, city, postcode, region, house };
  const own: AddressTexts = { street: texts.get(streetOf(intake, row)) };
  for (const [name, column] of Object.entries(parts)) {
    const text = column.at(row);
    if (text !== 0) own[name as keyof AddressTexts] = texts.get(text);
  }
  return { osm: osm.at(row), lat7: lat7.at(row), lon7: lon7.at(row), texts: own };
}
