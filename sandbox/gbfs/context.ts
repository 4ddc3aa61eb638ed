// What a writer needs to put one feed into words, and the few forms that versions share.
import type {
  GbfsVersion,
  Operator,
  Scene,
  StationThing,
  Text,
  VehicleThing,
} from "../world/model.ts";
import type { FeedName } from "./feeds.ts";

export type Context = {
  readonly operator: Operator;
  readonly version: GbfsVersion;
  /** The language of the file; 3.0 files carry all of them and pass the first. */
  readonly language: string;
  readonly scene: Scene;
  readonly day_s: number;
  urlOf(version: GbfsVersion, feed: FeedName, language: string): string;
};

/** Per feed, the value of `data`. */
export type Writer = Partial<Record<FeedName, (context: Context) => unknown>>;

const domainOf = (operator: Operator): string => `${operator.id}.example`;

export const siteOf = (operator: Operator): string => `https://www.${domainOf(operator)}`;
export const mailOf = (operator: Operator, box: string): string => `${box}@${domainOf(operator)}`;
export const planOf = (operator: Operator): string => `${operator.id}-standard`;

export const LICENCE_URLS = {
  "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
  "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
  "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
} as const;

/** The text in a language, else in the operator's first. */
export function textIn(text: Text, language: string, operator: Operator): string {
  const primary = language.split("-")[0] ?? language;
  return (
    text[language] ?? text[primary] ?? text[firstLanguage(operator)] ?? Object.values(text)[0] ?? ""
  );
}

export function firstLanguage(operator: Operator): string {
  const [first] = operator.city.languages;
  if (first === undefined) throw new Error(`${operator.city.id} speaks no language`);
  return first;
}

export function rentalUris(
  operator: Operator,
  what: "stations" | "vehicles",
  id: string,
): Record<string, string> {
  const path = `${what}/${encodeURIComponent(id)}`;
  const scheme = appSchemeOf(operator);
  return {
    android: `https://app.${domainOf(operator)}/${path}?platform=android`,
    ios:
      scheme === null
        ? `https://app.${domainOf(operator)}/${path}?platform=ios`
        : `${scheme}://${path}`,
    web: `${siteOf(operator)}/${path}`,
  };
}

/** Half of the docked vehicles are published without coordinates of their own, which 2.1 allows. */
export const showsCoordinates = (vehicle: VehicleThing): boolean =>
  vehicle.docked_at === null || vehicle.index % 2 === 0;

export const rangeOf = (vehicle: VehicleThing): number | null =>
  vehicle.type.max_range_m === null ? null : Math.round(vehicle.type.max_range_m * vehicle.charge);

/** How an operator publishes what is left in its batteries: the charge is optional in all versions. */
export const saysOfLevel = ({ key }: Operator): "both" | "range" =>
  key % 3 === 1 ? "range" : "both";

/** Apps of every second operator are opened by a scheme of their own, which `rental_apps` registers. */
const appSchemeOf = (operator: Operator): string | null =>
  operator.key % 2 === 0 ? operator.id : null;

/** Returns `rental_apps` of 2.3 and 3.0. */
export function rentalApps(operator: Operator): unknown {
  const discovery_uri = `${operator.id}://open`;
  return {
    android: { store_uri: `${siteOf(operator)}/android`, discovery_uri },
    ios: { store_uri: `${siteOf(operator)}/ios`, discovery_uri },
  };
}

/** Bays rent nothing, so they say nothing of types. */
export const typeCounts = (station: StationThing): { vehicle_type_id: string; count: number }[] =>
  station.by_type.map(({ type, count }) => ({ vehicle_type_id: type.id, count }));

export const rfc3339 = (time_s: number, offset_min = 0): string => {
  const local = new Date((time_s + offset_min * 60) * 1000).toISOString().slice(0, 19);
  if (offset_min === 0) return `${local}Z`;
  const sign = offset_min < 0 ? "-" : "+";
  const size = Math.abs(offset_min);
  return `${local}${sign}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
};

const twoDigits = (number: number): string => String(number).padStart(2, "0");
