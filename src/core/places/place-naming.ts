/**
 * What a place is called in an answer (decisions, Names): its own name, else its kind and where it
 * is; a locker its operator and code. An operator alone, an address line or a direction is no
 * name.
 */
import { fold } from "#kit/names/fold.ts";
import type { Place, PlaceKind } from "./place.ts";

/** Words for kinds; `fountain` and `water_point` are water that is not known to be potable. */
type Label = PlaceKind | "fountain" | "water_point";
type Labels = Readonly<Record<Label, string>>;

const ENGLISH: Labels = {
  aed: "Defibrillator",
  toilets: "Public toilets",
  water: "Drinking water",
  fountain: "Fountain",
  water_point: "Water point",
  wifi: "Wi-Fi",
  parking: "Car park",
  charging: "Charging station",
  locker: "Parcel locker",
};

const LABELS: Readonly<Record<string, Labels>> = {
  en: ENGLISH,
  ar: {
    aed: "جهاز إزالة الرجفان",
    toilets: "مرحاض عام",
    water: "مياه شرب",
    fountain: "نافورة",
    water_point: "نقطة مياه",
    wifi: "واي فاي",
    parking: "موقف سيارات",
    charging: "محطة شحن",
    locker: "خزانة طرود",
  },
  de: {
    aed: "Defibrillator",
    toilets: "Öffentliche Toilette",
    water: "Trinkwasser",
    fountain: "Brunnen",
    water_point: "Wasserstelle",
    wifi: "WLAN",
    parking: "Parkplatz",
    charging: "Ladestation",
    locker: "Paketstation",
  },
  es: {
    aed: "Desfibrilador",
    toilets: "Aseos públicos",
    water: "Agua potable",
    fountain: "Fuente",
    water_point: "Punto de agua",
    wifi: "Wifi",
    parking: "Aparcamiento",
    charging: "Punto de recarga",
    locker: "Taquilla de paquetería",
  },
  fr: {
    aed: "Défibrillateur",
    toilets: "Toilettes publiques",
    water: "Eau potable",
    fountain: "Fontaine",
    water_point: "Point d’eau",
    wifi: "Wi-Fi",
    parking: "Parking",
    charging: "Borne de recharge",
    locker: "Consigne à colis",
  },
  it: {
    aed: "Defibrillatore",
    toilets: "Servizi igienici",
    water: "Acqua potabile",
    fountain: "Fontana",
    water_point: "Punto d’acqua",
    wifi: "Wi-Fi",
    parking: "Parcheggio",
    charging: "Stazione di ricarica",
    locker: "Armadietto per pacchi",
  },
  ja: {
    aed: "AED",
    toilets: "公衆トイレ",
    water: "飲料水",
    fountain: "噴水",
    water_point: "給水所",
    wifi: "Wi-Fi",
    parking: "駐車場",
    charging: "充電スタンド",
    locker: "宅配ロッカー",
  },
  nl: {
    aed: "AED",
    toilets: "Openbaar toilet",
    water: "Drinkwater",
    fountain: "Fontein",
    water_point: "Waterpunt",
    wifi: "Wifi",
    parking: "Parkeerplaats",
    charging: "Laadpunt",
    locker: "Pakketautomaat",
  },
  pl: {
    aed: "Defibrylator",
    toilets: "Toaleta publiczna",
    water: "Woda pitna",
    fountain: "Fontanna",
    water_point: "Punkt poboru wody",
    wifi: "Wi-Fi",
    parking: "Parking",
    charging: "Stacja ładowania",
    locker: "Automat paczkowy",
  },
  pt: {
    aed: "Desfibrilhador",
    toilets: "Sanitários públicos",
    water: "Água potável",
    fountain: "Fonte",
    water_point: "Ponto de água",
    wifi: "Wi-Fi",
    parking: "Estacionamento",
    charging: "Posto de carregamento",
    locker: "Cacifo de encomendas",
  },
};

/** The name in a language, a BCP 47 tag; null: the source's own name, and English labels. */
export function displayNameOf(place: Place, language: string | null): string {
  const own = ownNameOf(place) === null ? null : nameIn(place, language);
  return lockerName(place) ?? located(place, own) ?? describe(place, language);
}

/** What a name of a car park or charging station says that is more than an operator's. */
const SAYS_KIND: Readonly<Partial<Record<PlaceKind, RegExp>>> = {
  parking:
    /car park|parking|parkplatz|parkhaus|parkeer|garage|estaciona|aparca|parcheggio|駐車|停車|停车|주차/i,
  charging: /charg|lade|laad|borne|recarga|ricarica|ładow|eletroposto|elettric|充電|充电|충전/i,
};

/**
 * Adds the street to a name that may be no more than an operator's, as maps providers call car parks
 * and charging stations without saying whose they are.
 */
function located({ kind, attributes, address }: Place, name: string | null): string | null {
  const words = SAYS_KIND[kind];
  const street = address?.street;
  if (name === null || !words || street === undefined) return name;
  if (attributes["operator"] !== undefined || words.test(name)) return name;
  return fold(name).includes(fold(street)) ? name : `${name}, ${street}`;
}

/**
 * Its own name; null: it has none, or only that of its operator or its address. Of a shop with Wi-Fi
 * the brand is the name over its door.
 */
export function ownNameOf({ kind, name, attributes, address = {} }: Place): string | null {
  if (name === null) return null;
  const { street, number } = address;
  const runs = kind === "wifi" ? [] : [attributes["operator"], attributes["brand"]];
  const lines =
    street === undefined
      ? []
      : [street, ...[" ", ", "].flatMap((gap) => bothWays(street, number, gap))];
  const none = [...runs, attributes["address"], ...lines];
  const folded = fold(name);
  return none.some((text) => typeof text === "string" && fold(text) === folded) ? null : name;
}

function bothWays(street: string, number: string | undefined, gap: string): string[] {
  return number === undefined ? [] : [`${number}${gap}${street}`, `${street}${gap}${number}`];
}

function nameIn({ name, names }: Place, language: string | null): string | null {
  if (language === null || !names) return name;
  return names[language] ?? names[primaryOf(language)] ?? name;
}

function primaryOf(language: string): string {
  return language.split("-")[0]!.toLowerCase();
}

/** Operator and code, which are written on it; null: one of them is unknown, or it is no locker. */
function lockerName({ kind, attributes }: Place): string | null {
  if (kind !== "locker") return null;
  const operator = textOf(attributes["brand"]) ?? textOf(attributes["operator"]);
  const code = textOf(attributes["code"]);
  return operator === null || code === null ? null : `${operator} ${code}`;
}

/** "Public toilets, Rue des Tilleuls"; without a street the quarter, else its code. */
function describe(place: Place, language: string | null): string {
  const tag = primaryOf(language ?? "en");
  const labels = Object.hasOwn(LABELS, tag) ? LABELS[tag]! : ENGLISH;
  const label = labels[labelOf(place)];
  const where = place.address?.street ?? place.address?.area;
  if (where !== undefined) return `${label}, ${where}`;
  const code = textOf(place.attributes["code"]);
  return code === null ? label : `${label} ${code}`;
}

function labelOf({ kind, attributes }: Place): Label {
  if (kind !== "water" || attributes["drinking_water"] === "yes") return kind;
  return attributes["water_kind"] === "fountain" ? "fountain" : "water_point";
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
