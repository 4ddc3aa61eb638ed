// Countries as far as the simulated geocoders know them: ISO 3166-1 codes, languages, names, a point within,
// and a rough box (south, west, north, east; west > east where it crosses the antimeridian).
import { distance, offset, type Point } from "../geo.ts";

export type Country = Point & {
  readonly code: string;
  readonly alpha_3: string;
  readonly english: string;
  readonly local: string;
  /** ISO 639-1, of the local name. */
  readonly languages: readonly string[];
  readonly box: Box;
};
export type Box = readonly [south: number, west: number, north: number, east: number];

type Row = readonly [
  codes_and_languages: string,
  english: string,
  local: string,
  at: readonly [lat: number, lon: number],
  box: Box,
];

const ROWS: readonly Row[] = [
  [
    "AE ARE ar",
    "United Arab Emirates",
    "الإمارات العربية المتحدة",
    [23.9, 54.3],
    [22.6, 51.5, 26.1, 56.4],
  ],
  ["AR ARG es", "Argentina", "Argentina", [-34.9, -64.9], [-55.1, -73.6, -21.8, -53.6]],
  ["AT AUT de", "Austria", "Österreich", [47.6, 14.1], [46.4, 9.5, 49.0, 17.2]],
  ["AU AUS en", "Australia", "Australia", [-24.8, 134.4], [-43.7, 113.2, -10.7, 153.7]],
  ["BE BEL nl fr", "Belgium", "België / Belgique", [50.6, 4.7], [49.5, 2.5, 51.5, 6.4]],
  ["BG BGR bg", "Bulgaria", "България", [42.7, 25.3], [41.2, 22.4, 44.2, 28.6]],
  ["BR BRA pt", "Brazil", "Brasil", [-10.3, -53.2], [-33.8, -74.0, 5.3, -34.8]],
  ["CA CAN en fr", "Canada", "Canada", [56.1, -106.3], [41.7, -141.0, 83.1, -52.6]],
  ["CH CHE de fr it", "Switzerland", "Schweiz / Suisse", [46.8, 8.2], [45.8, 5.9, 47.8, 10.5]],
  ["CL CHL es", "Chile", "Chile", [-31.8, -71.3], [-55.9, -75.7, -17.5, -66.4]],
  ["CN CHN zh", "China", "中国", [35.0, 104.0], [18.2, 73.5, 53.6, 134.8]],
  ["CO COL es", "Colombia", "Colombia", [4.1, -73.3], [-4.2, -79.0, 12.5, -66.9]],
  ["CZ CZE cs", "Czechia", "Česko", [49.8, 15.3], [48.6, 12.1, 51.1, 18.9]],
  ["DE DEU de", "Germany", "Deutschland", [51.1, 10.4], [47.3, 5.9, 55.1, 15.0]],
  ["DK DNK da", "Denmark", "Danmark", [56.0, 10.3], [54.6, 8.1, 57.8, 12.7]],
  ["DZ DZA ar", "Algeria", "الجزائر", [28.2, 2.6], [19.0, -8.7, 37.1, 12.0]],
  ["EE EST et", "Estonia", "Eesti", [58.7, 25.3], [57.5, 21.8, 59.7, 28.2]],
  ["EG EGY ar", "Egypt", "مصر", [26.3, 29.3], [22.0, 24.7, 31.7, 36.9]],
  ["ES ESP es", "Spain", "España", [40.0, -4.0], [36.0, -9.3, 43.8, 3.3]],
  ["ET ETH am", "Ethiopia", "ኢትዮጵያ", [8.6, 39.6], [3.4, 33.0, 14.9, 48.0]],
  ["FI FIN fi", "Finland", "Suomi", [63.2, 25.9], [59.8, 20.6, 70.1, 31.6]],
  ["FJ FJI en fj", "Fiji", "Viti", [-17.9, 177.9], [-19.2, 176.9, -16.1, -179.2]],
  ["FR FRA fr", "France", "France", [46.6, 1.9], [41.3, -5.2, 51.1, 9.6]],
  ["GB GBR en", "United Kingdom", "United Kingdom", [54.7, -3.3], [49.9, -8.2, 60.9, 1.8]],
  ["GH GHA en", "Ghana", "Ghana", [8.0, -1.1], [4.7, -3.3, 11.2, 1.2]],
  ["GR GRC el", "Greece", "Ελλάς", [38.9, 22.9], [34.8, 19.6, 41.8, 28.3]],
  ["HR HRV hr", "Croatia", "Hrvatska", [45.6, 16.4], [42.4, 13.5, 46.6, 19.4]],
  ["HU HUN hu", "Hungary", "Magyarország", [47.2, 19.4], [45.7, 16.1, 48.6, 22.9]],
  ["ID IDN id", "Indonesia", "Indonesia", [-2.5, 117.9], [-11.0, 95.0, 6.1, 141.0]],
  ["IE IRL en ga", "Ireland", "Éire / Ireland", [53.2, -8.2], [51.4, -10.7, 55.4, -5.9]],
  ["IL ISR he", "Israel", "ישראל", [31.4, 34.9], [29.5, 34.2, 33.3, 35.9]],
  ["IN IND hi en", "India", "भारत", [22.4, 78.7], [6.7, 68.1, 35.5, 97.4]],
  ["IS ISL is", "Iceland", "Ísland", [64.9, -18.6], [63.3, -24.6, 66.6, -13.5]],
  ["IT ITA it", "Italy", "Italia", [42.6, 12.7], [36.6, 6.6, 47.1, 18.6]],
  ["JP JPN ja", "Japan", "日本", [36.6, 139.2], [30.9, 129.4, 45.6, 145.9]],
  ["KE KEN sw en", "Kenya", "Kenya", [1.4, 38.4], [-4.7, 33.9, 5.1, 41.9]],
  ["KR KOR ko", "South Korea", "대한민국", [36.6, 127.9], [33.1, 125.9, 38.6, 129.6]],
  ["KZ KAZ kk", "Kazakhstan", "Қазақстан", [48.1, 67.2], [40.6, 46.5, 55.4, 87.3]],
  ["LT LTU lt", "Lithuania", "Lietuva", [55.3, 23.8], [53.9, 21.0, 56.4, 26.8]],
  ["LU LUX lb fr de", "Luxembourg", "Lëtzebuerg", [49.8, 6.1], [49.4, 5.7, 50.2, 6.5]],
  ["LV LVA lv", "Latvia", "Latvija", [56.8, 24.8], [55.7, 21.0, 58.1, 28.2]],
  ["MA MAR ar", "Morocco", "المغرب", [31.9, -6.5], [27.7, -13.2, 35.9, -1.0]],
  ["MX MEX es", "Mexico", "México", [23.7, -102.0], [14.5, -117.1, 32.7, -86.7]],
  ["MY MYS ms", "Malaysia", "Malaysia", [4.0, 102.3], [0.9, 99.6, 7.4, 119.3]],
  ["NG NGA en", "Nigeria", "Nigeria", [9.6, 8.1], [4.3, 2.7, 13.9, 14.7]],
  ["NL NLD nl", "Netherlands", "Nederland", [52.2, 5.3], [50.8, 3.4, 53.6, 7.2]],
  ["NO NOR no", "Norway", "Norge", [61.2, 8.8], [58.0, 4.6, 71.2, 31.1]],
  [
    "NZ NZL en",
    "New Zealand",
    "New Zealand / Aotearoa",
    [-41.8, 172.8],
    [-47.3, 166.4, -34.4, 178.6],
  ],
  ["PE PER es", "Peru", "Perú", [-9.2, -75.0], [-18.4, -81.4, 0.0, -68.7]],
  ["PH PHL tl en", "Philippines", "Pilipinas", [12.8, 122.7], [5.0, 117.2, 18.7, 126.6]],
  ["PL POL pl", "Poland", "Polska", [52.2, 19.1], [49.0, 14.1, 54.9, 24.2]],
  ["PT PRT pt", "Portugal", "Portugal", [39.6, -8.0], [36.9, -9.6, 42.2, -6.2]],
  ["RO ROU ro", "Romania", "România", [45.9, 25.0], [43.6, 20.3, 48.3, 29.7]],
  ["SE SWE sv", "Sweden", "Sverige", [62.2, 15.3], [55.3, 11.0, 69.1, 24.2]],
  ["SG SGP en", "Singapore", "Singapore", [1.35, 103.82], [1.2, 103.6, 1.5, 104.1]],
  ["TH THA th", "Thailand", "ประเทศไทย", [15.0, 101.0], [5.6, 97.3, 20.5, 105.6]],
  ["TR TUR tr", "Türkiye", "Türkiye", [39.1, 34.9], [35.8, 26.0, 42.1, 44.8]],
  ["UA UKR uk", "Ukraine", "Україна", [48.9, 31.2], [44.4, 22.1, 52.4, 40.2]],
  ["US USA en", "United States", "United States", [39.8, -98.6], [24.5, -124.8, 49.4, -66.9]],
  ["VN VNM vi", "Vietnam", "Việt Nam", [15.9, 106.3], [8.6, 102.1, 23.4, 109.5]],
  ["ZA ZAF en af", "South Africa", "South Africa", [-29.0, 25.1], [-34.9, 16.5, -22.1, 32.9]],
];

export const COUNTRIES: readonly Country[] = ROWS.map(([codes, english, local, at, box]) => {
  const [code = "", alpha_3 = "", ...languages] = codes.split(" ");
  return { code, alpha_3, languages, english, local, lat: at[0], lon: at[1], box };
});

const byCode = new Map(COUNTRIES.map((country) => [country.code, country]));

export function countryOf(code: string): Country {
  const match = byCode.get(code);
  if (match === undefined) throw new Error(`no country ${code}`);
  return match;
}

/** Finds a country by ISO code of two or three letters, or by a name; any case. */
export function findCountry(text: string): Country | undefined {
  const wanted = text.trim().toLowerCase();
  return COUNTRIES.find(({ code, alpha_3, english, local }) =>
    [code, alpha_3, english, local].some((name) => name.toLowerCase() === wanted),
  );
}

/** Large cities near a border, where rough boxes alone would give the neighbour's name. */
const BORDER_CITIES: readonly (readonly [code: string, lat: number, lon: number])[] = [
  ["DE", 48.14, 11.58],
  ["CH", 46.2, 6.14],
  ["CA", 43.65, -79.38],
  ["CA", 45.5, -73.57],
  ["IE", 53.35, -6.26],
  ["ES", 41.39, 2.17],
];
const BORDER_CITY_REACH_M = 60_000;

/** Boxes overlap: of those that hold the point the one whose middle it is relatively nearest to. */
export function countryAt(at: Point): Country | undefined {
  const entry = BORDER_CITIES.find(
    ([, lat, lon]) => distance(at, { lat, lon }) <= BORDER_CITY_REACH_M,
  );
  if (entry !== undefined) return countryOf(entry[0]);
  const holding = COUNTRIES.filter(({ box }) => isWithin(at, box));
  const off = (country: Country): number => distance(at, country) / reachOf(country);
  return holding.toSorted((a, b) => off(a) - off(b))[0];
}

export function isWithin({ lat, lon }: Point, [south, west, north, east]: Box): boolean {
  if (lat < south || lat > north) return false;
  return west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
}

/** The box that reaches so far to every side of a point. */
export function boxAround(at: Point, half_m: number): Box {
  const [low, high] = [offset(at, -half_m, -half_m), offset(at, half_m, half_m)];
  return [low.lat, low.lon, high.lat, high.lon];
}

const reachOf = ({ box: [south, west, north, east] }: Country): number =>
  distance({ lat: south, lon: west }, { lat: north, lon: east });
