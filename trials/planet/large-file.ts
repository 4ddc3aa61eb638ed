/** Where copies of towns lie on a made planet, as many as a size needs. */
import { basename } from "node:path";
import { type Copy, withIds } from "./make-planet.ts";
import { listSources, readSource, type Source } from "./sources.ts";

/** Extracts that lie in one piece: each copy has a place of its own. */
const TOWNS = [
  "andorra-2018",
  "berlin-miraustrasse-2026",
  "frankfurt-darmstadt-2024",
  "hamburg-harbour-2026",
  "helsinki-centre-2019",
  "monaco-2023",
  "oslo-east-2019",
  "porto-2015",
  "queens-village-2016",
];
/** One next to the other, from the north west on, in degrees. */
const NORTH = 55;
const WEST = -60;
const ROW = 0.5;
const COLUMN = 1;
const COLUMNS = 120;

export async function readTowns(): Promise<Source[]> {
  const paths = listSources().filter((path) => TOWNS.includes(basename(path, ".osm.pbf")));
  return await Promise.all(paths.map((path) => readSource(path)));
}

/** Copies in turn, until they have as many bytes. Names of the n-th copy of each are the n-th ones. */
export function listCopies(towns: readonly Source[], bytes: number): Copy[] {
  const copies: Parameters<typeof withIds>[0][number][] = [];
  for (let sum = 0, n = 0; sum < bytes; n++) {
    const source = towns[n % towns.length]!;
    const to = {
      lat: NORTH - ROW * Math.floor(n / COLUMNS),
      lon: WEST + COLUMN * (n % COLUMNS),
    };
    copies.push({ source, names: Math.floor(n / towns.length), to });
    sum += source.file_bytes;
  }
  return withIds(copies);
}
