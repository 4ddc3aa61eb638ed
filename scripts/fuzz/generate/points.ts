/** Where to ask: mostly where something stands, sometimes where the globe is awkward. */
import { CITIES } from "../../../sandbox/world/cities.ts";
import type { Dice } from "../../../trials/dice.ts";

export type PointText = { lat: string; lon: string };

export function pointText(dice: Dice): PointText {
  const roll = dice.next();
  if (roll < 0.6) return nearCity(dice);
  if (roll < 0.75) return { lat: degrees(dice, 90), lon: degrees(dice, 180) };
  if (roll < 0.85) return dice.pick(AWKWARD);
  return { lat: oddly(dice, 90), lon: oddly(dice, 180) };
}

function nearCity(dice: Dice): PointText {
  const city = dice.pick(CITIES);
  const reach = dice.pick([0.002, 0.005, 0.01, 0.02]);
  const digits = dice.pick([4, 6, 15]);
  const lat = city.lat + dice.between(-reach, reach);
  const lon = city.lon + dice.between(-reach, reach);
  return { lat: lat.toFixed(digits), lon: lon.toFixed(digits) };
}

function degrees(dice: Dice, bound: number): string {
  return String(dice.between(-bound, bound));
}

/** The poles, the antimeridian, zeros of either sign, and places between doubles. */
const AWKWARD: readonly PointText[] = [
  { lat: "90", lon: "0" },
  { lat: "-90", lon: "180" },
  { lat: "89.99999", lon: "-135.5" },
  { lat: "-89.999999999", lon: "77" },
  { lat: "0", lon: "180" },
  { lat: "-17.7", lon: "-180" },
  { lat: "-17.7", lon: "179.99999" },
  { lat: "-16.5", lon: "-179.9999999" },
  { lat: "-0", lon: "-0.0" },
  { lat: "0", lon: "0" },
  { lat: "1e-7", lon: "-1e-7" },
  { lat: "5e-324", lon: "-5E-324" },
  { lat: "1e-400", lon: "1e-999" },
];

/** Unusual but allowed ways of writing a number within the bound. */
function oddly(dice: Dice, bound: number): string {
  const whole = dice.integer(0, bound - 1);
  return dice.pick([
    `000${whole}`,
    `-${whole}.000`,
    `${whole}e0`,
    `${whole}E-3`,
    `-${whole}e-07`,
    `${whole / 10}e+1`,
    `${whole}.5e-1`,
    `${whole}.${"0".repeat(60)}1`,
    `${whole}${"0".repeat(20)}e-020`,
    "0e999",
    `-${bound}`,
    `${bound}.0`,
    `${bound}e0`,
  ]);
}
