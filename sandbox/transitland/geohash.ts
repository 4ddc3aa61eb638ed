// Geohash: bits of longitude and latitude in turn, five to a letter.
import type { Point } from "../geo.ts";

const LETTERS = "0123456789bcdefghjkmnpqrstuvwxyz";

export function geohash({ lat, lon }: Point, length: number): string {
  const ranges = { lon: [-180, 180] as [number, number], lat: [-90, 90] as [number, number] };
  let text = "";
  for (let at = 0, bits = 0; text.length < length; at += 1) {
    const axis = at % 2 === 0 ? "lon" : "lat";
    const range = ranges[axis];
    const middle = (range[0] + range[1]) / 2;
    const upper = (axis === "lon" ? lon : lat) >= middle;
    range[upper ? 0 : 1] = middle;
    bits = bits * 2 + (upper ? 1 : 0);
    if (at % 5 === 4) {
      text += LETTERS[bits] ?? "";
      bits = 0;
    }
  }
  return text;
}
