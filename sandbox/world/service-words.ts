// What services are called and who runs them, in the languages of the cities.
import type { City } from "./model.ts";
import type { ServiceType } from "./service-model.ts";

/** What precedes the street or the square in a name; Japanese puts it behind. */
const LABELS: Readonly<Record<ServiceType, Readonly<Record<string, string>>>> = {
  aed: {
    en: "Defibrillator",
    fr: "Défibrillateur",
    de: "Defibrillator",
    es: "Desfibrilador",
    pl: "Defibrylator",
    pt: "Desfibrilador",
    ja: "AED",
  },
  toilets: {
    en: "Public Toilets",
    fr: "Sanisette",
    de: "WC-Anlage",
    es: "Aseos",
    pl: "Toaleta",
    pt: "Banheiro",
    ja: "公衆トイレ",
  },
  drinking_water: {
    en: "Water Tap",
    fr: "Borne-fontaine",
    de: "Trinkbrunnen",
    es: "Fuente de agua",
    pl: "Zdrój",
    pt: "Bebedouro",
    ja: "水飲み場",
  },
  fountain: {
    en: "Fountain",
    fr: "Fontaine",
    de: "Brunnen",
    es: "Fuente",
    pl: "Fontanna",
    pt: "Fonte",
    ja: "噴水",
  },
  wifi: {
    en: "Café",
    fr: "Café",
    de: "Café",
    es: "Cafetería",
    pl: "Kawiarnia",
    pt: "Café",
    ja: "喫茶",
  },
  parking: {
    en: "Car Park",
    fr: "Parking",
    de: "Parkplatz",
    es: "Aparcamiento",
    pl: "Parking",
    pt: "Estacionamento",
    ja: "駐車場",
  },
  charging: {
    en: "Charge Point",
    fr: "Borne",
    de: "Ladestation",
    es: "Punto de recarga",
    pl: "Ładowarka",
    pt: "Eletroposto",
    ja: "充電スタンド",
  },
  locker: {
    en: "Parcel Locker",
    fr: "Consigne",
    de: "Paketautomat",
    es: "Taquilla",
    pl: "Paczkomat",
    pt: "Armário",
    ja: "宅配ロッカー",
  },
};

/** Invented, save InPost: none of them is a company. */
const OPERATORS: Readonly<Record<ServiceType, readonly string[]>> = {
  aed: ["Cordis Vita", "Red Heart Trust", "City Hall"],
  toilets: ["City Hall", "Limpide", "Parks Department"],
  drinking_water: ["Aquaterra", "City Hall"],
  fountain: ["Parks Department", "City Hall"],
  wifi: ["Moka & Cie", "Free City Net"],
  parking: ["Parkita", "Stallo", "Q-Bay"],
  charging: ["Voltaro", "Ampelo", "Kilowatt Commons"],
  locker: ["InPost"],
};

/** Where InPost or a network of its own has lockers, as far as there is a city. */
const INPOST_COUNTRIES = new Set(["PL", "GB", "FR", "ES", "IT", "PT", "BE", "NL", "LU"]);
export const isInpostCountry = ({ country }: City): boolean => INPOST_COUNTRIES.has(country);

export const operatorsOf = (type: ServiceType): readonly string[] => OPERATORS[type];

/** Offices, as they are called there. */
const OFFICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "City Hall": {
    fr: "Mairie",
    de: "Stadtverwaltung",
    es: "Ayuntamiento",
    pl: "Urząd Miasta",
    pt: "Prefeitura",
    ja: "市役所",
  },
  "Parks Department": {
    fr: "Espaces verts",
    de: "Grünflächenamt",
    es: "Parques y Jardines",
    pl: "Zarząd Zieleni",
    pt: "Parques e Jardins",
    ja: "公園緑地課",
  },
};

export function operatorsIn(type: ServiceType, city: City): readonly string[] {
  if (type === "locker" && !isInpostCountry(city)) return ["Boxado", "Parcello"];
  return OPERATORS[type].map((name) => OFFICES[name]?.[tagOf(city)] ?? name);
}

const tagOf = ({ languages }: City): string => (languages[0] ?? "en").split("-")[0] ?? "en";

/** Returns what things of a type are called there. */
export const labelOf = (type: ServiceType, city: City): string =>
  LABELS[type][tagOf(city)] ?? LABELS[type]["en"] ?? "";

/** A name as written on the sign, in the city's first language. */
export function nameOf(type: ServiceType, city: City, where: string): string {
  const [tag, label] = [tagOf(city), labelOf(type, city)];
  return tag === "ja" ? `${where}${label}` : `${label} ${where}`;
}
