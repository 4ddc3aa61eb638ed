/**
 * Types of candidates by what the geocoders of open maps call a thing (places.md 2.5), as data: the
 * first row that says yes wins, so that a railway station is one before it is an amenity.
 */
import type { CandidateType } from "#osm/geocoder/candidate.ts";

/** Facts of one thing before it has a type. */
export type PlaceFacts = {
  /** Main tag in the open map. */
  key: string | null;
  value: string | null;
  /**
   * What the provider says it is, each with whose word it is: `nominatim:` addresstype, `pelias:`
   * layer, `category:` of Pelias, `rank:` type of Photon, and of Nominatim where there is only a
   * rank.
   */
  words: readonly string[];
  /** Its own name, none that was put together from an address. */
  name: string | null;
  city: string | null;
  /** It has a house number. */
  numbered: boolean;
};

type Rule = {
  type: CandidateType;
  /** Tags (`key=value`, `key=*`) and words; one of them is enough. */
  any: readonly string[];
  when?: (facts: PlaceFacts) => boolean;
};

/** `of("place=", "city town")`: the same beginning for all of them. */
function of(prefix: string, endings: string): string[] {
  return endings.split(" ").map((ending) => prefix + ending);
}

const RULES: readonly Rule[] = [
  {
    type: "airport",
    any: [
      ...of("aeroway=", "aerodrome terminal heliport"),
      ...of("category:transport:air:", "aerodrome airport"),
    ],
  },
  {
    type: "railway_station",
    any: [...of("railway=", "station halt"), "building=train_station", "category:transport:rail"],
  },
  {
    type: "transit_station",
    any: [
      ...of("railway=", "tram_stop subway_entrance stop"),
      ...of("station=", "subway light_rail"),
      "highway=bus_stop",
      ...of("amenity=", "bus_station ferry_terminal"),
      ...of("public_transport=", "platform stop_position"),
      "aerialway=station",
      ...of("category:transport:", "bus sea"),
    ],
  },
  {
    type: "station",
    any: [
      "public_transport=station",
      ...of("amenity=", "taxi bicycle_rental"),
      ...of("category:transport:", "station taxi"),
    ],
  },
  {
    type: "country",
    any: [
      ...["nominatim:country", "rank:country", "place=country"],
      ...of("pelias:", "country dependency"),
    ],
  },
  {
    type: "region",
    any: [
      ...of("nominatim:", "state region province county state_district"),
      ...of("place=", "state region province county state_district"),
      ...of("rank:", "state county"),
      ...of("pelias:", "region macroregion county macrocounty"),
    ],
  },
  {
    type: "locality",
    any: [
      ...of("place=", "village hamlet isolated_dwelling farm locality postcode"),
      ...of("nominatim:", "village hamlet isolated_dwelling farm locality postcode"),
      "boundary=postal_code",
      "pelias:postalcode",
    ],
  },
  {
    type: "city",
    any: [
      ...of("nominatim:", "city town municipality"),
      ...of("place=", "city town municipality"),
      "rank:city",
      ...of("pelias:", "locality localadmin"),
    ],
    // Photon knows Paris as a district of Paris, too.
    when: ({ key, words, name, city }) =>
      words.includes("rank:district") && key === "boundary" && name !== null && name === city,
  },
  {
    type: "neighborhood",
    any: [
      ...of("nominatim:", "suburb borough quarter neighbourhood city_district city_block"),
      ...of("place=", "suburb borough quarter neighbourhood city_district city_block"),
      "rank:district",
      ...of("pelias:", "borough neighbourhood macrohood microhood"),
    ],
  },
  { type: "street", any: ["highway=*", "rank:street", ...of("pelias:", "street intersection")] },
  {
    type: "address",
    any: [
      ...of("place=", "house houses house_number"),
      ...of("nominatim:", "building house_number"),
      "pelias:address",
    ],
    when: isUnnamedHouse,
  },
  {
    type: "poi",
    any: [
      ...["amenity=*", "tourism=*", "leisure=*", "historic=*", "natural=*", "man_made=*"],
      ...["healthcare=*", "emergency=*", "pelias:venue", "rank:other"],
    ],
  },
  { type: "establishment", any: ["shop=*", "office=*", "craft=*"] },
];

/** A building, or anything with a number: without a name of its own it is its address. */
function isUnnamedHouse({ key, words, name, numbered }: PlaceFacts): boolean {
  if (key === "building" && name === null) return true;
  if (!words.includes("rank:house")) return false;
  return name === null || (numbered && (key === "building" || key === "place"));
}

/** The type of a candidate; `unknown` where no row of the table says anything. */
export function typeOf(facts: PlaceFacts): CandidateType {
  const { key, value } = facts;
  const tags = key === null ? [] : [`${key}=${value}`, `${key}=*`];
  const reported = [...tags, ...facts.words];
  const rule = RULES.find(
    ({ any, when }) => reported.some((word) => any.includes(word)) || (when?.(facts) ?? false),
  );
  return rule?.type ?? "unknown";
}
