/** Answers as the contract has them, made of what columns say of a document, in a language. */
import type { Address, Candidate, CandidateType, MatchQuality } from "./candidate.ts";
import { composeLabel, streetLine } from "./label.ts";
import type { ClusterBox7 } from "./clusters.ts";
import { nameOfKind, typeOfKind } from "./osm-kinds.ts";
import { codeOf, createNaming } from "./naming.ts";
import type { HouseMatch } from "./number-match.ts";
import { isTown } from "./settlements.ts";
import { fromOsmKey, type OsmType } from "./osm-key.ts";
import type { View } from "./geocoder-view.ts";
import { type Locality, localityOf } from "./locality.ts";
import type { Point7 } from "./metres.ts";

/** How much of a question a candidate explains. */
export type Explanation = {
  /** Part of the words that its name, its number and its whereabouts explain, by their weight, 0 to 1. */
  explained: number;
  /** Words that nothing of it explains, in the comparable form of `fold.ts`. */
  unexplained: readonly string[];
  /** Whether words name a settlement, a postcode, a region or a country that it is, or that it is in. */
  in_named_place: boolean;
};

/** Of what is at a point, which no words asked for. */
const WHOLE: Explanation = { explained: 1, unexplained: [], in_named_place: false };

/** A candidate with what the map says of it. */
export type GeocodeItem = Candidate & {
  osm_type: OsmType | null;
  osm_id: number | null;
  /** Main tag, as `place` and `city`; of an address, that of what it hangs off. */
  osm_key: string;
  osm_value: string;
  /** ISO 3166-1 alpha-2; null: unknown. */
  country_code: string | null;
  /** South, west, north, east in ten-millionths of a degree; null: known as a point only. */
  box7: ClusterBox7 | null;
  /** 0 to 1: how much it weighs among things of the same name. */
  importance: number;
  /** How well it answers; comparable within one answer. */
  score: number;
  /** From the point that was asked about; null: none was. */
  distance_m: number | null;
  /** Called so but for a typing error; absent: it has none. */
  misspelt?: boolean;
  /** It has no name, and is called by its kind; absent: it has one. */
  unnamed?: true;
  /** Of the kind that words of the question are, whatever it is called; absent: it was found by name. */
  by_kind?: true;
} & Explanation;

type Parts = {
  name: string | null;
  address: Omit<Address, "formatted">;
  lat7: number;
  lon7: number;
  osm: number;
  /** Code of the country; null: unknown. */
  country_code: string | null;
};
type Extra = {
  score: number;
  distance_m: number | null;
  explanation?: Explanation;
  /** Words that it contradicts or does not explain: it may be elsewhere. */
  bounded?: boolean;
  /** What was asked for is not it, but what it is at. */
  isAside?: boolean;
};

export type Presenter = {
  /** A document, or a point of it; null: it has no name, and no kind that has one. */
  doc(doc: number, extra: Extra, at?: { point: Point7; locality: Locality }): GeocodeItem | null;
  /** An address of a document: a house number of its own, or one between two. */
  address(doc: number, match: HouseMatch, query: string, extra: Extra): GeocodeItem | null;
};

/** Presents answers in the language of a tag, such as `de-AT`; null is English. */
export function createPresenter(view: View, tag: string | null): Presenter {
  const { language, nameOf, whereOf, whereAt, cityOf, abroad } = createNaming(view, tag);

  function compose(
    doc: number,
    { name, address, lat7, lon7, osm, country_code }: Parts,
    {
      type,
      match_quality,
      score,
      distance_m,
      explanation = WHOLE,
      bounded = false,
    }: Extra & { type: CandidateType; match_quality: MatchQuality },
  ): GeocodeItem | null {
    if (name === null) return null;
    const [osm_key, osm_value] = tagOf(view, doc);
    const label = composeLabel(name, address);
    const object = fromOsmKey(osm);
    return {
      name,
      label,
      type,
      location: { lat: lat7 / 1e7, lon: lon7 / 1e7 },
      address: { formatted: label, ...address },
      source_place_id: object && `${object.type}${object.id}`,
      match_quality: bounded ? "approximate" : match_quality,
      osm_type: object?.type ?? null,
      osm_id: object?.id ?? null,
      osm_key,
      osm_value,
      country_code,
      box7: type === "address" ? null : boxOf(view, doc),
      importance: view.docs.importance[doc]! / 255,
      score,
      distance_m,
      ...explanation,
    };
  }

  return {
    doc(doc, extra, at) {
      const { docs } = view;
      const kind = view.text(docs.kind[doc]!);
      const type = typeOfKind(kind);
      const own_name = nameOf(doc);
      const name = own_name ?? nameOfKind(kind, language);
      const { where, country_code } = whereAt(doc, at?.locality);
      const street = docs.street[doc]!;
      const address = {
        ...where,
        street: type === "street" ? name : street < 0 ? null : nameOf(street),
        street_number: street < 0 ? null : view.text(docs.number[doc]!) || null,
        city: where.city ?? (isMunicipality(kind) ? name : null),
        region: where.region ?? (type === "region" ? name : null),
      };
      const { lat7, lon7 } = at?.point ?? { lat7: docs.lat7[doc]!, lon7: docs.lon7[doc]! };
      const quality = qualityOf(type, docs.osm[doc]!, kind);
      const isHouse = quality === "rooftop";
      const match_quality = isHouse && extra.isAside === true ? "geometric_center" : quality;
      const item = compose(
        doc,
        { name, address, lat7, lon7, osm: docs.osm[doc]!, country_code },
        { ...extra, type, match_quality },
      );
      return own_name === null && item ? { ...item, unnamed: true } : item;
    },
    address(doc, { row, lat7, lon7, is }, request, extra) {
      const { numbers, docs } = view;
      const street = (row < 0 ? null : view.text(numbers.street[row]!) || null) ?? nameOf(doc);
      const reckoned = row < 0 || numbers.reckoned[row] === 1;
      const own = reckoned ? "range_interpolated" : "rooftop";
      const street_number = row < 0 ? request : view.text(numbers.label[row]!);
      const name = streetLine(street, street_number);
      const own_postcode = row < 0 ? 0 : numbers.postcode[row]!;
      const code = codeOf(view, doc);
      const locality = areaLocality(view, { lat7, lon7 }, code);
      const country_code = locality.country;
      // A street may go on over the border.
      const where =
        country_code === code
          ? whereOf(doc, own_postcode)
          : abroad({ ...locality, postcode: view.text(own_postcode) });
      const stored = cityOf(locality);
      const label = row < 0 ? "" : view.text(numbers.city[row]!);
      const city = label === "" ? {} : { city: label };
      const address = { ...where, ...stored, ...city, street, street_number };
      const osm = row < 0 ? docs.osm[doc]! : numbers.osm[row]!;
      return compose(
        doc,
        { name, address, lat7, lon7, osm, country_code },
        {
          ...extra,
          type: "address",
          match_quality: is === "neighbour" ? "geometric_center" : own,
        },
      );
    },
  };
}

/** Municipality and region of a point by areas alone; `country`: of what it is of, unless it lies outside of that. */
export function areaLocality(
  { areas, meta, excludes }: View,
  { lat7, lon7 }: Point7,
  country: string | null,
): Locality {
  const facts = areas.at(lat7, lon7).map((area) => meta.areas[area]!);
  const isOutside = country !== null && excludes(country, lat7, lon7);
  return localityOf(facts, { nearby: () => [], country: () => (isOutside ? null : country) });
}

function tagOf(view: View, doc: number): [key: string, value: string] {
  const kind = view.text(view.docs.kind[doc]!);
  const at = kind.indexOf("=");
  return [kind.slice(0, at), kind.slice(at + 1)];
}

function isMunicipality(kind: string): boolean {
  return kind.startsWith("place=") && isTown(kind.slice("place=".length));
}

function boxOf({ docs: { boxes } }: View, doc: number): ClusterBox7 | null {
  const [south, west] = [boxes[doc * 4]!, boxes[doc * 4 + 1]!];
  const [north, east] = [boxes[doc * 4 + 2]!, boxes[doc * 4 + 3]!];
  return south === north && west === east ? null : [south, west, north, east];
}

const AREAS: readonly CandidateType[] = ["locality", "neighborhood", "city", "region", "country"];

function qualityOf(type: CandidateType, osm: number, kind: string): MatchQuality {
  if (AREAS.includes(type)) return "approximate";
  if (type === "street") return "geometric_center";
  return kind.startsWith("building=") || fromOsmKey(osm)?.type === "N"
    ? "rooftop"
    : "geometric_center";
}
