/** Where France is: registers of it swap coordinates, and misplace their digits. */
import type { Box, Location } from "#kit/geo.ts";

/** European France, then the lands overseas, generously. */
const FRANCE: readonly Box[] = [
  { south: 41.2, west: -5.3, north: 51.2, east: 9.7 },
  { south: 14.2, west: -63.3, north: 18.3, east: -60.7 },
  { south: 2, west: -54.7, north: 6, east: -51.5 },
  { south: -21.5, west: 55.1, north: -20.8, east: 55.9 },
  { south: -13.1, west: 44.9, north: -12.5, east: 45.4 },
  { south: 46.6, west: -56.5, north: 47.2, east: -56.1 },
  { south: -28, west: -155, north: -7.7, east: -134.3 },
  { south: -23, west: 157, north: -17, east: 173 },
  { south: -14.5, west: -178.3, north: -13.1, east: -176 },
];

export function isFrench({ lat, lon }: Location): boolean {
  return FRANCE.some(
    ({ south, west, north, east }) => lat >= south && lat <= north && lon >= west && lon <= east,
  );
}
