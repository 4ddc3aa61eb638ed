// Open Location Code, ten digits: what Google calls a plus code.
import type { Point } from "../geo.ts";

const DIGITS = "23456789CFGHJMPQRVWX";
const STEPS_PER_DEGREE = 8000;
const PAIRS = 5;

/** Such as 8FW4V97Q+6H. */
export function plusCode({ lat, lon }: Point): string {
  const north = digitsOf(Math.min(lat + 90, 180 - 1 / STEPS_PER_DEGREE));
  const east = digitsOf((lon + 180 + 360) % 360);
  const pairs = north.map((digit, n) => digit + (east[n] ?? ""));
  return `${pairs.slice(0, 4).join("")}+${pairs.slice(4).join("")}`;
}

/** The short form, for use with the town. */
export const shortPlusCode = (at: Point): string => plusCode(at).slice(4);

function digitsOf(degrees: number): string[] {
  let steps = Math.floor(degrees * STEPS_PER_DEGREE);
  const digits: string[] = [];
  for (let n = 0; n < PAIRS; n += 1) {
    digits.unshift(DIGITS.charAt(steps % 20));
    steps = Math.floor(steps / 20);
  }
  return digits;
}
