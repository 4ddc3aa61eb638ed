// What the simulated geocoders know of each city beyond its streets: names, region, post codes, words.
import type { City, Word } from "./model.ts";
import { postCodesOf } from "./post-codes.ts";
import { type Country, countryOf } from "./countries.ts";

/** Name as it is said on the spot, and in English. */
export type Name = { readonly local: string; readonly english: string };

export type Town = {
  readonly city: City;
  readonly name: Name;
  readonly region: Name & { readonly short: string };
  readonly country: Country;
  readonly language: string;
  readonly post_codes: readonly string[];
};

export const POI_KINDS = [
  "museum",
  "station",
  "airport",
  "subway",
  "cafe",
  "shop",
  "office",
  "pharmacy",
  "hotel",
  "parking",
] as const;
export type PoiKind = (typeof POI_KINDS)[number];

type Facts = readonly [english: string, region: string, region_english: string, short: string];

/** What the cities are called in other languages, apart from their local and English names. */
const EXONYMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  paris: { it: "Parigi", es: "París", pl: "Paryż", nl: "Parijs", ja: "パリ" },
  london: { fr: "Londres", nl: "Londen", it: "Londra", pl: "Londyn", ja: "ロンドン" },
  berlin: { es: "Berlín", it: "Berlino", nl: "Berlijn", pt: "Berlim", ja: "ベルリン" },
  madrid: { pl: "Madryt", pt: "Madri", ja: "マドリード" },
  warsaw: {
    ...{ fr: "Varsovie", de: "Warschau", it: "Varsavia", es: "Varsovia" },
    ...{ pt: "Varsóvia", ja: "ワルシャワ" },
  },
  "new-york": {
    ...{ es: "Nueva York", pt: "Nova York", "pt-PT": "Nova Iorque", pl: "Nowy Jork" },
    ja: "ニューヨーク",
  },
  "san-francisco": { pt: "São Francisco", ja: "サンフランシスコ" },
  "mexico-city": {
    ...{ de: "Mexiko-Stadt", fr: "Mexique Ville", it: "Città del Messico" },
    ...{ pt: "Cidade do México", pl: "Meksyk", ja: "メキシコシティ" },
  },
  "sao-paulo": { es: "San Pablo", it: "San Paolo", ja: "サンパウロ" },
  tokyo: { es: "Tokio", pt: "Tóquio" },
  sydney: { es: "Sídney", ja: "シドニー" },
  "cape-town": {
    ...{ fr: "Le Cap", de: "Kapstadt", nl: "Kaapstad", es: "Ciudad del Cabo" },
    ...{ it: "Città del Capo", pl: "Kapsztad" },
  },
};

export const exonymsOf = ({ id }: City): Readonly<Record<string, string>> => EXONYMS[id] ?? {};

const FACTS: Readonly<Record<string, Facts>> = {
  paris: ["Paris", "Île-de-France", "Île-de-France", "IDF"],
  london: ["London", "England", "England", "England"],
  berlin: ["Berlin", "Berlin", "Berlin", "BE"],
  madrid: ["Madrid", "Comunidad de Madrid", "Community of Madrid", "MD"],
  warsaw: ["Warsaw", "województwo mazowieckie", "Masovian Voivodeship", "MZ"],
  "new-york": ["New York", "New York", "New York", "NY"],
  "san-francisco": ["San Francisco", "California", "California", "CA"],
  "mexico-city": ["Mexico City", "Ciudad de México", "Mexico City", "CDMX"],
  "sao-paulo": ["Sao Paulo", "São Paulo", "State of São Paulo", "SP"],
  tokyo: ["Tokyo", "東京都", "Tokyo", "東京都"],
  sydney: ["Sydney", "New South Wales", "New South Wales", "NSW"],
  "cape-town": ["Cape Town", "Western Cape", "Western Cape", "WC"],
  taveuni: ["Taveuni", "Northern Division", "Northern Division", "Northern"],
};

/** `*` is a place of the city; an airport has the city's own name. */
const POI_WORDS: Readonly<Record<string, Readonly<Record<PoiKind, string>>>> = {
  en: {
    museum: "* Museum",
    station: "* Station",
    airport: "* East Airport",
    subway: "* Subway Station",
    cafe: "* Café",
    shop: "* Grocery",
    office: "* Offices",
    pharmacy: "* Pharmacy",
    hotel: "Hotel *",
    parking: "* Parking",
  },
  fr: {
    museum: "Musée *",
    station: "Gare *",
    airport: "Aéroport de *-Est",
    subway: "Métro *",
    cafe: "Café *",
    shop: "Épicerie *",
    office: "Bureaux *",
    pharmacy: "Pharmacie *",
    hotel: "Hôtel *",
    parking: "Parking *",
  },
  de: {
    museum: "Museum *",
    station: "Bahnhof *",
    airport: "Flughafen * Ost",
    subway: "U-Bahnhof *",
    cafe: "Café *",
    shop: "Laden am *",
    office: "Bürohaus *",
    pharmacy: "Apotheke *",
    hotel: "Hotel *",
    parking: "Parkplatz *",
  },
  es: {
    museum: "Museo *",
    station: "Estación *",
    airport: "Aeropuerto de * Este",
    subway: "Metro *",
    cafe: "Cafetería *",
    shop: "Tienda *",
    office: "Oficinas *",
    pharmacy: "Farmacia *",
    hotel: "Hotel *",
    parking: "Aparcamiento *",
  },
  pl: {
    museum: "Muzeum *",
    station: "Stacja *",
    airport: "Lotnisko * Wschód",
    subway: "Metro *",
    cafe: "Kawiarnia *",
    shop: "Sklep *",
    office: "Biuro *",
    pharmacy: "Apteka *",
    hotel: "Hotel *",
    parking: "Parking *",
  },
  pt: {
    museum: "Museu *",
    station: "Estação *",
    airport: "Aeroporto de * Leste",
    subway: "Metrô *",
    cafe: "Café *",
    shop: "Mercearia *",
    office: "Escritório *",
    pharmacy: "Farmácia *",
    hotel: "Hotel *",
    parking: "Estacionamento *",
  },
  ja: {
    museum: "*美術館",
    station: "*駅",
    airport: "*東空港",
    subway: "*地下鉄駅",
    cafe: "喫茶*",
    shop: "*商店",
    office: "*会館",
    pharmacy: "*薬局",
    hotel: "ホテル*",
    parking: "*駐車場",
  },
};

export function toTown(city: City): Town {
  const facts = FACTS[city.id];
  if (facts === undefined) throw new Error(`no facts about ${city.id}`);
  const [english, region, region_english, short] = facts;
  return {
    city,
    name: { local: city.name, english },
    region: { local: region, english: region_english, short },
    country: countryOf(city.country),
    language: (city.languages[0] ?? "en").slice(0, 2),
    post_codes: postCodesOf(city),
  };
}

export const toName = (word: Word): Name =>
  typeof word === "string" ? { local: word, english: word } : { local: word[0], english: word[1] };

/** A name that is made of the city's words, in English. */
export const englishOf = ({ streets, places }: City, name: string): string =>
  [...streets, ...places]
    .map(toName)
    .toSorted((a, b) => b.local.length - a.local.length)
    .reduce((text, { local, english }) => text.replace(local, english), name);

/** The name of a point of interest at a place, in the city's tongue and in English. */
export function namePoi(kind: PoiKind, place: Name, { language }: Town): Name {
  const say = (tongue: string, word: string): string =>
    POI_WORDS[tongue]?.[kind].replace("*", word) ?? word;
  return { local: say(language, place.local), english: say("en", place.english) };
}
