// What Navitia knows of a region: stop areas, their stop points, and some points of interest. Its pins
// and names are a little other than those of the feeds it was built from.
import { around, type Point } from "../geo.ts";
import { hash, unit } from "../rng.ts";
import type { Network, Platform, TransitStation } from "../world/transit-model.ts";

export type Spot = Point & {
  readonly type: "stop_area" | "stop_point" | "poi";
  readonly id: string;
  readonly name: string;
  readonly station: TransitStation;
  /** Of a stop point. */
  readonly platform: Platform | null;
};

const OFF_M = 15;
const POI_CYCLE = 9;

export const stopAreaIdOf = ({ city, index, key }: TransitStation): string =>
  `stop_area:${city.id.slice(0, 3).toUpperCase()}:SA:${20_000 + index * 3 + (key % 3)}`;

const nameOf = ({ name, key, city }: TransitStation): string => {
  const style = hash(key, 81) % 4;
  if (style === 0) return `${name} (${city.name})`;
  return style === 1 ? name.replaceAll("’", "'").replaceAll(" – ", " - ") : name;
};

/** Of the two poles of a street the pin stays nearer to the one that it is of. */
function pinOf(station: TransitStation): Point {
  const { key, across } = station;
  const most_m = across === null ? OFF_M : Math.min(OFF_M, across.distance_m / 4);
  return around(station, unit(key, 82), most_m * unit(key, 83));
}

export const listSpots = ({ stations }: Network): Spot[] =>
  stations.flatMap((station) => {
    const name = nameOf(station);
    const area = { type: "stop_area", id: stopAreaIdOf(station), name, station } as const;
    return [
      { ...area, ...pinOf(station), platform: null },
      ...station.platforms.map((platform): Spot => {
        const { lat, lon } = station.form === "pole" ? pinOf(station) : platform;
        const id = `${area.id.replace("stop_area", "stop_point").replace(":SA:", ":SP:")}-${platform.index}`;
        return { lat, lon, type: "stop_point", id, name, station, platform };
      }),
      ...(station.index % POI_CYCLE === 0 ? [poiBy(station)] : []),
    ];
  });

const poiBy = (station: TransitStation): Spot => ({
  ...around(station, unit(station.key, 84), 40),
  type: "poi",
  id: `poi:osm:node:${7_000_000 + (station.key % 900_000)}`,
  name: "Kiosk",
  station,
  platform: null,
});
