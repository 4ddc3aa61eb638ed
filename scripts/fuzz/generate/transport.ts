/** Valid parameters of /v1/transport/nearby (contract 4.7a). */
import { CITIES } from "../../../sandbox/world/cities.ts";
import type { Dice } from "../../../trials/dice.ts";
import type { Pair } from "../request.ts";
import { pointText } from "./points.ts";
import { languageText } from "./texts.ts";
import type { Faulty } from "./values.ts";

const SERVED = ["bus", "tram", "metro", "rail", "rapid_transit", "ferry", "coach"];
const SHARED = ["bicycle", "scooter", "car_share", "shared_mobility"];
const SELDOM = ["cable_transport", "carpool", "taxi", "rideshare", "demand_responsive", "other"];
const ALL_MODES: readonly string[] = [...SERVED, ...SHARED, ...SELDOM];
const PROVIDERS: readonly string[] = ["navitia", "transitland", "gtfs", "gbfs"];

type Made = { pairs: Pair[]; labels: string[] };

export function makeTransport(dice: Dice): Made {
  const pairs = [...pointPairs(dice), ...optionalPairs(dice)];
  if (!dice.chance(0.15)) return { pairs, labels: [] };
  const name = dice.pick(Object.keys(IGNORED));
  pairs.push({ name, text: dice.pick(IGNORED[name]!) });
  return { pairs, labels: [`allowed: ignored ${name}`] };
}

/** A corner that others ask from, too, most of the time; under either name of the longitude. */
function pointPairs(dice: Dice): Pair[] {
  const { lat, lon } = dice.chance(0.85) ? inTown(dice) : pointText(dice);
  const name = dice.pick(["lon", "lng"]);
  const pairs: Pair[] = [
    { name: "lat", text: lat },
    { name, text: lon },
  ];
  if (dice.chance(0.1)) pairs.push({ name: name === "lon" ? "lng" : "lon", text: lon });
  return pairs;
}

function inTown(dice: Dice): { lat: string; lon: string } {
  const { lat, lon } = dice.pick(CITIES);
  const step = dice.pick([0, 0.006]);
  return { lat: (lat + step).toFixed(4), lon: (lon - step).toFixed(4) };
}

function optionalPairs(dice: Dice): Pair[] {
  const given: Pair[] = [];
  const add = (name: string, probability: number, text: () => string): void => {
    if (dice.chance(probability)) given.push({ name, text: text() });
  };
  add("radius", 0.4, () => radiusText(dice));
  add("limit", 0.5, () => dice.pick(["1", "2", "5", "50", "200", "201", "007", "1000000"]));
  add("modes", 0.5, () => modesText(dice));
  add("providers", 0.7, () => listText(PROVIDERS, dice.pick([1, 1, 1, 2, 3, 6]), dice));
  add("realtime", 0.3, () => dice.pick(["true", "false"]));
  add("language", 0.2, () => dice.pick(["fr", languageText(dice)]));
  add("debug", 0.25, () => dice.pick(["true", "true", "false"]));
  return given;
}

/** Mostly round ones, so that questions repeat; and the ends of the range. */
function radiusText(dice: Dice): string {
  if (dice.chance(0.7)) return dice.pick(["500", "1000", "1000", "5000"]);
  return dice.pick([
    ...["5e3", "5000.0000001", "5001", "1e300", "0.5", "1e-3", "5e-324", "00050", "39999e-2"],
    String(dice.between(1, 3000)),
  ]);
}

function modesText(dice: Dice): string {
  if (dice.chance(0.45)) return ALL_MODES.join(",");
  const known = dice.pick([SERVED, SERVED, SERVED, SHARED, ALL_MODES, ALL_MODES, SELDOM]);
  return listText(known, dice.pick([1, 1, 2, 4, 9]), dice);
}

function listText(items: readonly string[], count: number, dice: Dice): string {
  const blank = (): string => (dice.chance(0.1) ? dice.pick([" ", "  ", "\t"]) : "");
  return Array.from({ length: count }, () => `${blank()}${dice.pick(items)}${blank()}`).join(",");
}

/** Unknown there, and so without any rule (decisions, Conventions). */
const IGNORED: Faulty = {
  ...{ country: ["FRA", ""], types: ["?"], offset: ["-1"], format: ["xml"] },
  ...{ include: ["?"], provider: ["sncf"], mode: [""], q: [""] },
};
export const TRANSPORT_IGNORED: readonly string[] = Object.keys(IGNORED).map(
  (name) => `allowed: ignored ${name}`,
);
