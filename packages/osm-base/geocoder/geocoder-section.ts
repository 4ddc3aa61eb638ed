/**
 * The geocoder of a base while it is made: takes objects of the map, rows of addresses and rows of
 * places, and becomes the columns that `openGeocoder` searches.
 */
import type { BaseSection } from "../base/base-features.ts";
import { attachAddresses } from "./address-table.ts";
import { type Docs, makeDocs } from "./docs.ts";
import { createForms } from "./forms.ts";
import {
  createIntake,
  type Intake,
  pushAddress,
  takeNode,
  takeRelation,
  takeWay,
} from "./intake.ts";
import type { AddressFacts } from "./address-facts.ts";
import { UNNAMED_KEYS } from "./osm-kinds.ts";
import { NAME_KEYS } from "./name-texts.ts";
import { packLines } from "./street-lines.ts";
import type { AreaFact, CountryAt } from "./locality.ts";
import type { GeocodedName } from "./name-texts.ts";
import { makeNumbers, ORIGIN } from "./numbers.ts";
import { packDocs, type PackedMeta } from "./pack-docs.ts";
import { makePlaces } from "./place-table.ts";
import { type AddressFact, listAddressFacts, ONE_PAGE, type OfPage } from "./postcode-docs.ts";
import { treeOf } from "./area-index.ts";
import { takeParts, withHomes } from "./rim-streets.ts";
import { makeStreets, pointsOf, type Streets, waysOf } from "./streets.ts";
import { SETTLEMENT_KINDS } from "./settlements.ts";
import type { Growing } from "#kit/growing.ts";
import { isInCell, type PageCell, WHOLE } from "../pages/page-cell.ts";

/** A row of a list of addresses; degrees. Unknown is absent. */
export type AddressRow = {
  lat: number;
  lon: number;
  street: string;
  number: string;
  city?: string;
  postcode?: string;
  region?: string;
};

/** A row of a list of places; degrees. `names` are by language. `kind` is a value of `place`. */
export type PlaceRow = {
  /** Of the list; ties are decided by it. */
  id: number;
  lat: number;
  lon: number;
  name: string;
  names?: Readonly<Record<string, string>>;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  region: string | null;
  /** Rows of the same list that are its region and its country, by their ids. */
  region_id?: number;
  country_id?: number;
  population: number | null;
  kind: string;
};

export type GeocoderMeta = PackedMeta & {
  areas: readonly AreaFact[];
};

export type GeocoderSection = BaseSection & {
  addAddresses(rows: Iterable<AddressRow>): void;
  addPlaces(rows: Iterable<PlaceRow>): void;
  /** What the addresses of the page's cell say, once all features were taken; `finish` may still follow. */
  listAddressFacts(): Iterable<AddressFact>;
  /** Takes what the addresses of all pages say of that which several of them have. */
  share(facts: AddressFacts): void;
};

/** What has none of these has neither a name nor an address, and its kind needs one: `ref` names aeroways. */
const KEYS = [...NAME_KEYS, ...UNNAMED_KEYS, "aeroway", "addr:", "place"];

/**
 * `countryAt` answers where the extract has no area of a country. `cell`: of the page that it is for, in
 * which what lies near is too, and is counted by the page that it lies in.
 */
export function createGeocoderSection({
  countryAt = () => null,
  cell = WHOLE,
}: { countryAt?: CountryAt; cell?: PageCell } = {}): GeocoderSection {
  const isOwn = (lat7: number, lon7: number): boolean => cell.z === 0 || isInCell(cell, lat7, lon7);
  let page: OfPage = { ...ONE_PAGE, isOwn };
  let intake = createIntake();
  return {
    name: "geocoder",
    keys: {
      node: KEYS,
      way: [...KEYS, "boundary"],
      relation: [...KEYS, "boundary"],
    },
    node: (feature) => takeNode(intake, feature),
    way: (feature) => takeWay(intake, feature),
    relation: (feature) => takeRelation(intake, feature),
    addAddresses(rows) {
      for (const { lat, lon, ...texts } of rows)
        pushAddress(
          intake,
          { osm: 0, lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) },
          texts,
        );
    },
    addPlaces(rows) {
      for (const row of rows) {
        const others = Object.entries(row.names ?? {}).map(([kind, text]): GeocodedName => ({
          kind,
          text,
        }));
        intake.settlements.push({
          osm: listKey(row.id),
          lat7: Math.round(row.lat * 1e7),
          lon7: Math.round(row.lon * 1e7),
          names: intake.sets.add([{ kind: "", text: row.name }, ...others]),
          place: SETTLEMENT_KINDS.includes(row.kind) ? row.kind : "locality",
          population: row.population,
          known: false,
          country: row.country,
          region: row.region,
          region_osm: row.region_id === undefined ? null : listKey(row.region_id),
          country_osm: row.country_id === undefined ? null : listKey(row.country_id),
        });
      }
    },
    listAddressFacts: () =>
      listAddressFacts({ intake, places: makePlaces(intake, countryAt), page }),
    share: (facts) => void (page = { isOwn, shared: facts }),
    *finish() {
      const taken = intake;
      // Nothing but the columns is kept while the pack is written.
      intake = createIntake();
      takeParts(taken, page.shared.streets);
      const places = withHomes(makePlaces(taken, countryAt), page.shared.streets);
      yield;
      const forms = createForms(taken.texts);
      const streets = yield* makeStreets(taken, places.municipalityAt, forms);
      const owners = yield* attachAddresses(taken, places, { streets, forms });
      const docs = yield* makeDocs(taken, { places, streets, owners, page });
      const numbers = yield* makeNumbers(taken, docs, places);
      const packed = yield* packDocs(taken, docs, numbers);
      yield;
      const meta: GeocoderMeta = { ...packed.meta, areas: places.areas };
      const count = (
        { lat7, lon7 }: Points,
        { from = 0, to = lat7.length, counts = () => true }: Partial<Counted> = {},
      ): number => {
        let sum = 0;
        for (let i = from; i < to; i++) if (counts(i) && isOwn(lat7.at(i), lon7.at(i))) sum += 1;
        return sum;
      };
      const { table } = numbers;
      return {
        columns: {
          ...packed.columns,
          ...places.columns,
          ...packLines(linesOf(taken, streets, docs), taken.streets.points.length),
          "places.kinds": places.settlements.kinds,
          "places.bounded": places.settlements.bounded,
          "places.tree": treeOf(
            Int32Array.from(places.docs.flatMap(({ lat7, lon7 }) => [lat7, lon7, lat7, lon7])),
          ),
        },
        meta,
        counts: {
          addresses: count(table, { counts: (row) => table.origin.at(row) === ORIGIN.own }),
          streets: count(docs.table, { from: docs.places, to: docs.places + docs.streets }),
          places: places.docs.filter(({ lat7, lon7 }) => isOwn(lat7, lon7)).length,
          points_of_interest: count(taken.interests),
          areas: taken.areas.filter(({ lat7, lon7 }) => isOwn(lat7, lon7)).length,
        },
      };
    },
  };
}

type Points = Record<"lat7" | "lon7", Pick<Growing<Int32Array>, "at" | "length">>;
/** Rows from the first up to the last, exclusive, and which of them count. */
type Counted = { from: number; to: number; counts(row: number): boolean };

/** Lines of streets in the order of their documents, those of one street from south to north. */
function* linesOf(
  intake: Intake,
  streets: Streets,
  { street_order, places }: Docs,
): Generator<{ doc: number; points: Int32Array }> {
  for (const [n, street] of street_order.entries()) {
    const lines = Array.from(waysOf(streets, street), (way) => pointsOf(intake, way));
    lines.sort((a, b) => a[0]! - b[0]!);
    for (const points of lines) yield { doc: places + n, points };
  }
}

/** Rows of a list are no objects of the map: their keys are of no type. */
function listKey(id: number): number {
  return id * 4;
}
