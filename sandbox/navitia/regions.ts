// What the simulated Navitia covers: one region per city, as its coverage route describes them
// (mobility.md 4.1).
import { distance, type Point, squareRing } from "../geo.ts";
import type { City } from "../world/model.ts";
import type { World } from "../world/world.ts";

export type Region = {
  readonly id: string;
  readonly city: City;
  /** Live data are loaded. */
  readonly is_realtime: boolean;
};

const REGIONS: Readonly<Record<string, readonly [id: string, is_realtime: boolean]>> = {
  paris: ["fr-idf", true],
  berlin: ["de-berlin", true],
  warsaw: ["pl-mazowsze", false],
  london: ["gb-london", false],
  "new-york": ["us-ny", true],
};
const HALF_M = 30_000;

export const listRegions = ({ cities }: World): Region[] =>
  cities.flatMap((city) => {
    const row = REGIONS[city.id];
    return row === undefined ? [] : [{ id: row[0], city, is_realtime: row[1] }];
  });

export const regionOf = (regions: readonly Region[], { id }: City): Region | undefined =>
  regions.find(({ city }) => city.id === id);

/** The one whose square holds the point. */
export const regionAt = (regions: readonly Region[], at: Point): Region | undefined =>
  regions.find(({ city }) => {
    const north_m = distance({ lat: at.lat, lon: city.lon }, city);
    const east_m = distance({ lat: city.lat, lon: at.lon }, city);
    return north_m <= HALF_M && east_m <= HALF_M;
  });

export function printRegion({ id, city }: Region): unknown {
  const ring = squareRing(city, HALF_M).map(([lon, lat]) => `${lon} ${lat}`);
  return {
    id,
    name: city.name,
    status: "running",
    shape: `MULTIPOLYGON(((${ring.join(",")})))`,
    start_production_date: "20250101",
    end_production_date: "20391231",
    dataset_created_at: "20260105T033000",
    last_load_at: "20260105T040000",
    error: "",
  };
}

export const printStatus = ({ id, is_realtime }: Region): unknown => ({
  status: {
    region_id: id,
    status: "running",
    loaded: true,
    data_version: 7,
    start_production_date: "20250101",
    end_production_date: "20391231",
    is_realtime_loaded: is_realtime,
    realtime_contributors: is_realtime ? [`rt.${id}`] : [],
    last_load_at: "20260105T040000",
    last_load_status: true,
    publication_date: "20260105T033000",
  },
});
