/** Valid parameters of the operations that ask other sources (contract 4.3 to 4.7). */
import { CITIES } from "../../../sandbox/world/cities.ts";
import type { Dice } from "../../../trials/dice.ts";
import type { Pair } from "../request.ts";
import { type PointText, pointText } from "./points.ts";
import { countryText, languageText, questionText } from "./texts.ts";
import type { Faulty } from "./values.ts";

export type SearchOperation =
  | "geocode"
  | "placeSearch"
  | "reverse"
  | "services"
  | "parking"
  | "charging";

export const TYPES: readonly string[] = [
  ...["aed", "toilets", "wifi", "fountain", "parking", "charging", "locker", "drinking_water"],
];

type Made = { pairs: Pair[]; labels: string[] };

export function makeSearch(operation: SearchOperation, dice: Dice): Made {
  const made = make(operation, dice);
  if (dice.chance(0.2)) {
    const name = dice.pick(Object.keys(IGNORED[operation]));
    made.pairs.push({ name, text: dice.pick(IGNORED[operation][name]!) });
    made.labels.push(`allowed: ignored ${name}`);
  }
  return made;
}

function make(operation: SearchOperation, dice: Dice): Made {
  const language = dice.chance(0.25) ? [{ name: "language", text: languageText(dice) }] : [];
  switch (operation) {
    case "geocode": {
      const { pair, label } = textPair(dice);
      return { pairs: [pair, ...countryPairs(dice), ...language], labels: [label] };
    }
    case "placeSearch": {
      const { pair, label } = textPair(dice);
      const point = dice.chance(0.5) ? pointPairs(dice) : [];
      return { pairs: [pair, ...point, ...language], labels: [label] };
    }
    case "reverse":
      return { pairs: [...pointPairs(dice), ...language], labels: [] };
    case "services": {
      const types = { name: "types", text: typesText(dice) };
      const around = aroundPairs(dice, ["1", "5", "50", "200", "201", "1000000"]);
      const pairs = [...pointPairs(dice), types, ...around, ...countryPairs(dice)];
      return { pairs, labels: [] };
    }
    case "parking":
    case "charging": {
      const around = aroundPairs(dice, ["1", "2", "5", "20", "21", "1000000"]);
      return { pairs: [...pointPairs(dice), ...around, ...language], labels: [] };
    }
  }
}

function textPair(dice: Dice): { pair: Pair; label: string } {
  const { text, kind } = questionText(dice);
  return { pair: { name: "q", text }, label: `allowed: q ${kind}` };
}

function pointPairs(dice: Dice): Pair[] {
  const { lat, lon } = dice.chance(0.8) ? inTown(dice) : pointText(dice);
  return [
    { name: "lat", text: lat },
    { name: "lon", text: lon },
  ];
}

/** A corner that others ask from, too: what was asked before is answered from memory. */
function inTown(dice: Dice): PointText {
  const { lat, lon } = dice.pick(CITIES);
  const step = dice.pick([0, 0.006]);
  return { lat: (lat + step).toFixed(4), lon: (lon - step).toFixed(4) };
}

function countryPairs(dice: Dice): Pair[] {
  return dice.chance(0.3) ? [{ name: "country", text: countryText(dice) }] : [];
}

function typesText(dice: Dice): string {
  const count = dice.pick([1, 1, 2, 3, 8, 15]);
  const blank = (): string => (dice.chance(0.1) ? dice.pick([" ", "  ", "\t"]) : "");
  return Array.from({ length: count }, () => `${blank()}${dice.pick(TYPES)}${blank()}`).join(",");
}

function aroundPairs(dice: Dice, limits: readonly string[]): Pair[] {
  const given: Pair[] = [];
  if (dice.chance(0.4)) given.push({ name: "radius", text: radiusText(dice) });
  if (dice.chance(0.5)) given.push({ name: "limit", text: dice.pick(limits) });
  if (dice.chance(0.2)) given.push({ name: "debug", text: dice.pick(["true", "true", "false"]) });
  return given;
}

/** Mostly round ones, so that questions repeat; and the ends of the range. */
function radiusText(dice: Dice): string {
  if (dice.chance(0.5)) return dice.pick(["1500", "10000"]);
  return dice.pick([
    ...["1e4", "10000.0000001", "10001", "1e300", "0.5", "1e-3", "5e-324", "00050", "39999e-2"],
    String(dice.between(1, 9000)),
  ]);
}

/** Unknown there, and so without any rule (decisions, Conventions). */
const IGNORED: Readonly<Record<SearchOperation, Faulty>> = {
  geocode: { lat: ["91"], lng: ["x"], limit: ["0"], debug: ["maybe"], types: ["?"] },
  placeSearch: { lng: ["2.35", "181"], country: ["FRA", ""], radius: ["-1"] },
  reverse: { lng: ["2.35", ""], q: [""], country: ["1"], debug: [""] },
  services: { lng: ["2.35", "NaN"], language: ["_"], offset: ["-1"], q: [""] },
  parking: { lng: ["2.35", "x"], country: ["FRA"], types: ["?"], offset: ["x"], format: ["xml"] },
  charging: { lng: ["2.35", "x"], country: ["1"], types: [""], format: ["xml"] },
};
export const IGNORED_LABELS: readonly string[] = [
  ...new Set(Object.values(IGNORED).flatMap(Object.keys)),
].map((name) => `allowed: ignored ${name}`);
