// The stops of a city as the publisher of one of its feeds numbers them: stations, platforms,
// entrances, nodes, boarding areas, poles (mobility.md 3.1). Every source of public transport reads it.
import { around, type Point } from "../geo.ts";
import { hash, unit } from "../rng.ts";
import type { City } from "./model.ts";
import type { Boarding, Call, Network, Part, Platform, TransitStation } from "./transit-model.ts";

export type StopRow = {
  readonly stop_id: string;
  readonly stop_code: string;
  readonly name: string;
  /** Nodes and boarding areas need none. */
  readonly at: Point | null;
  readonly location_type: 0 | 1 | 2 | 3 | 4;
  readonly parent: string;
  readonly boarding: Boarding;
  readonly platform_code: string;
  readonly station: TransitStation;
  /** Of location_type 0. */
  readonly platform: Platform | null;
};

/** The name of a feed's archive. */
export const feedIdOf = (city: City, part: Part): string =>
  part === 0 ? city.id : `${city.id}-rail`;

/** The feeds with a platform there. An unserved stop is in the first feed. */
const isIn = ({ platforms }: TransitStation, part: Part): boolean =>
  platforms.some(({ parts }) => parts.includes(part));

/** Digits, codes with colons, or letters with underscores. */
export function stationIdOf({ city, index, key, form }: TransitStation, part: Part): string {
  const number = 1000 + index * 7 + (key % 7);
  if (part === 1) return `${form === "pole" ? "p" : "area"}_${number}`;
  const style = city.id.length % 3;
  if (style === 0) return String(number * 10);
  const letters = city.id.slice(0, 3);
  return style === 1 ? `${city.country}:${letters}:${number}` : `${letters.toUpperCase()}${number}`;
}

export const platformIdOf = (station: TransitStation, part: Part, platform: number): string =>
  station.form === "pole"
    ? stationIdOf(station, part)
    : `${stationIdOf(station, part)}_${platform + 1}`;

export const calledAt = ({ stations }: Network, part: Part, call: Call): string => {
  const station = stations[call.station];
  if (station === undefined) throw new Error(`no station ${call.station}`);
  return platformIdOf(station, part, call.platform);
};

/** A second publisher measures for himself, and some of them shout. */
export function pinOf(station: TransitStation, part: Part): Point {
  if (part === 0) return { lat: station.lat, lon: station.lon };
  return around(station, unit(station.key, 61), 10 * unit(station.key, 62));
}

export const nameIn = ({ name, key, city }: TransitStation, part: Part): string =>
  part === 1 && hash(key, 63) % 3 === 0 ? name.toLocaleUpperCase(city.languages[0] ?? "und") : name;

export const listStops = ({ stations }: Network, part: Part): StopRow[] =>
  stations.filter((station) => isIn(station, part)).flatMap((station) => rowsOf(station, part));

function rowsOf(station: TransitStation, part: Part): StopRow[] {
  const id = stationIdOf(station, part);
  const name = nameIn(station, part);
  const frame = { stop_code: "", name, parent: id, station, platform: null, platform_code: "" };
  const platforms = station.platforms.filter(({ parts }) => parts.includes(part));
  if (station.form === "pole") return [poleRow(station, part)];
  const inside = { ...frame, boarding: "" as const };
  return [
    {
      ...frame,
      stop_id: id,
      at: pinOf(station, part),
      location_type: 1,
      parent: "",
      boarding: station.boarding,
    },
    ...platforms.flatMap((platform): StopRow[] => {
      const { lat, lon, boarding, code: platform_code } = platform;
      const stop_id = platformIdOf(station, part, platform.index);
      const on = { ...frame, platform, platform_code, boarding };
      return [
        { ...on, stop_id, at: { lat, lon }, location_type: 0 },
        ...Array.from({ length: platform.areas }, (_, n): StopRow => ({
          ...inside,
          stop_id: `${stop_id}_${"ab"[n]}`,
          parent: stop_id,
          name: "",
          at: null,
          location_type: 4,
        })),
      ];
    }),
    ...station.entrances.map((at, n): StopRow => ({
      ...inside,
      stop_id: `${id}_E${n + 1}`,
      at,
      location_type: 2,
    })),
    ...(station.has_node
      ? [{ ...inside, stop_id: `${id}_N`, name: "", at: null, location_type: 3 as const }]
      : []),
  ];
}

const poleRow = (station: TransitStation, part: Part): StopRow => ({
  stop_id: stationIdOf(station, part),
  stop_code: String(station.index + 1).padStart(4, "0"),
  name: nameIn(station, part),
  at: pinOf(station, part),
  location_type: 0,
  parent: "",
  boarding: station.boarding,
  platform_code: "",
  station,
  platform: station.platforms[0] ?? null,
});
