/**
 * The zone of a point next to a place that the map of zones, which is coarse by some kilometres, puts
 * into another one (decisions, Clocks and holidays): a zone within a zone within a zone, as the Hopi
 * within the Navajo within Arizona, and shores of rivers that part zones. The nearest of these places
 * decides; those on the other side of a line are listed where they are near.
 */
import { distance_m } from "#kit/geo.ts";

type Place = readonly [lat: number, lon: number, zone: string, name: string];

/** Arizona keeps no summer time (A.R.S. 1-242); the Navajo Nation does, the Hopi within it do not. */
const HOPI: readonly Place[] = [
  [36.1111, -111.2224, "America/Phoenix", "Moenkopi"],
  [35.9286, -110.6649, "America/Phoenix", "Hotevilla"],
  [35.8739, -110.6173, "America/Phoenix", "Kykotsmovi"],
  [35.8069, -110.5304, "America/Phoenix", "Shongopovi"],
  [35.7953, -110.5096, "America/Phoenix", "Second Mesa"],
  [35.8347, -110.3824, "America/Phoenix", "Polacca"],
  [35.8114, -110.2016, "America/Phoenix", "Keams Canyon"],
];
const NAVAJO: readonly Place[] = [
  [36.135, -111.2397, "America/Denver", "Tuba City"],
  [36.1003, -110.2221, "America/Denver", "Pinon"],
  [36.0147, -110.5101, "America/Denver", "Hard Rock"],
  [35.9333, -110.1167, "America/Denver", "Low Mountain"],
  [35.7675, -110.1296, "America/Denver", "Jeddito"],
  [35.7522, -109.8501, "America/Denver", "Steamboat"],
  [35.6017, -110.0757, "America/Denver", "White Cone"],
  [35.5256, -109.8609, "America/Denver", "Greasewood"],
  [35.4989, -110.4053, "America/Denver", "Teesto"],
  [35.466, -110.43, "America/Denver", "Seba Dalkai"],
  [35.4064, -110.0851, "America/Denver", "Indian Wells"],
  [35.385, -110.3204, "America/Denver", "Dilkon"],
  [36.8617, -111.4349, "America/Denver", "LeChee"],
];
const ARIZONA: readonly Place[] = [
  [36.9147, -111.4558, "America/Phoenix", "Page"],
  [36.9306, -111.5823, "America/Phoenix", "Greenehaven"],
  [36.816, -111.637, "America/Phoenix", "Marble Canyon"],
];

/** The line follows the Salmon River (49 CFR 71.9). */
const IDAHO: readonly Place[] = [
  [45.7616, -116.301, "America/Los_Angeles", "White Bird"],
  [45.4224, -116.3154, "America/Boise", "Riggins"],
  [45.27, -115.91, "America/Boise", "Burgdorf"],
];

/** Atlantic and Eastern Standard Time all year, and Newfoundland's in the south of Labrador. */
const CANADA: readonly Place[] = [
  [48.7553, -91.622, "America/Atikokan", "Atikokan"],
  [51.4174, -57.1313, "America/Blanc-Sablon", "Blanc-Sablon"],
  [51.2239, -58.65, "America/Blanc-Sablon", "Saint-Augustin"],
  [50.8319, -58.9747, "America/Blanc-Sablon", "La Tabatière"],
  [50.7017, -59.3208, "America/Blanc-Sablon", "Tête-à-la-Baleine"],
  [50.499, -59.478, "America/Blanc-Sablon", "Harrington Harbour"],
  [50.47, -59.6, "America/Blanc-Sablon", "Chevery"],
  [51.4319, -57.0586, "America/St_Johns", "L'Anse-au-Clair"],
  [52.5475, -56.3, "America/St_Johns", "Port Hope Simpson"],
];

const PLACES: readonly Place[] = [...HOPI, ...NAVAJO, ...ARIZONA, ...IDAHO, ...CANADA];
/** Further from every place of the list the map of zones decides. */
const REACH_M = 10_000;
/** More than that, north to south and, in these latitudes, west to east. */
const REACH_LAT = 0.1;
const REACH_LON = 0.2;

/** The zone of the nearest place of the list; null: none is near. */
export function zoneOfPlace(lat: number, lon: number): string | null {
  let [zone, nearest_m]: [string | null, number] = [null, REACH_M];
  for (const [place_lat, place_lon, place_zone] of PLACES) {
    if (Math.abs(place_lat - lat) > REACH_LAT || Math.abs(place_lon - lon) > REACH_LON) continue;
    const metres = distance_m(lat, lon, place_lat, place_lon);
    if (metres <= nearest_m) [zone, nearest_m] = [place_zone, metres];
  }
  return zone;
}
