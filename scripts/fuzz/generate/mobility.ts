/** Valid parameters of /v1/nearby and /v1/sources (contract 4.9; decisions, Global nearby). */
import type { Dice } from "../../../trials/dice.ts";
import type { Pair } from "../request.ts";
import { pointText } from "./points.ts";

const MODES = ["bicycle", "scooter", "moped", "car"];
const FAMILIES = ["places", "lines", "stations", "vehicles", "alerts"];

export function mobilityPairs(operation: "nearby" | "sources", dice: Dice): Pair[] {
  if (operation === "sources") {
    const point = dice.chance(0.6) ? pointPairs(dice) : [];
    const radius = dice.pick(["1", "400", "1.0e4", "1e9", "1e300"]);
    return dice.chance(0.4) ? [...point, { name: "radius", text: radius }] : point;
  }
  return [...pointPairs(dice), ...optionalPairs(dice)];
}

function pointPairs(dice: Dice): Pair[] {
  const { lat, lon } = pointText(dice);
  const name = dice.pick(["lon", "lon", "lng"]);
  const pairs: Pair[] = [
    { name: "lat", text: lat },
    { name, text: lon },
  ];
  if (dice.chance(0.1)) pairs.push({ name: name === "lon" ? "lng" : "lon", text: lon });
  return pairs;
}

function optionalPairs(dice: Dice): Pair[] {
  const given: Pair[] = [];
  const add = (name: string, probability: number, text: () => string): void => {
    if (dice.chance(probability)) given.push({ name, text: text() });
  };
  add("radius", 0.5, () => radiusText(dice));
  add("modes", 0.35, () => listText(MODES, dice));
  add("include", 0.45, () => listText(FAMILIES, dice));
  add("limit", 0.5, () => limitText(dice));
  add("offset", 0.3, () =>
    dice.pick(["0", "-0", "1", "007", "20", "250", "1000", `${dice.integer(0, 60)}`]),
  );
  add("format", 0.3, () => dice.pick(["json", "geojson", "geojson"]));
  add("debug", 0.12, () => dice.pick(["true", "false"]));
  return given;
}

function radiusText(dice: Dice): string {
  const some = String(dice.between(1, 400));
  return dice.pick([
    some,
    some,
    "1",
    "400",
    "400.0000001",
    "401",
    "1e3",
    "1e300",
    "00050",
    "39999e-2",
  ]);
}

function limitText(dice: Dice): string {
  return dice.pick(["1", "2", "5", "20", "100", "101", "007", "1000000", `${dice.integer(1, 30)}`]);
}

function listText(items: readonly string[], dice: Dice): string {
  const count = dice.pick([1, 1, 2, 3, 6]);
  const blank = (): string => (dice.chance(0.15) ? dice.pick([" ", "  ", "\t"]) : "");
  return Array.from({ length: count }, () => `${blank()}${dice.pick(items)}${blank()}`).join(",");
}
