// How CityBikes differs from the operators about the same docks: drawn per station from the seed,
// at rates no smaller than those of real pairs of sources (npm run trials -- sandbox-rates).
import { createHash } from "node:crypto";
import { firstLanguage, textIn } from "../gbfs/context.ts";
import { around, type Point } from "../geo.ts";
import { between, hash, unit } from "../rng.ts";
import type { Place } from "../world/model.ts";

/** Shares of the stations; what is left of the names is written as the operator writes it. */
export const RATES = {
  /** Metres a pin is off, by share: the first row whose share is not used up. */
  moved: [
    { share: 0.36, from_m: 0, to_m: 4 },
    { share: 0.36, from_m: 4, to_m: 15 },
    { share: 0.2, from_m: 15, to_m: 36 },
    { share: 0.08, from_m: 36, to_m: 110 },
  ],
  name: {
    abbreviated: 0.14,
    shouted: 0.28,
    coded: 0.28,
    unaccented: 0.1,
    joined: 0.06,
    translated: 0.12,
  },
  capacity_off: 0.12,
  /** A dock that was taken away, still listed; a thing of its own. */
  stale: 1 / 60,
  malformed_timestamp: 0.1,
} as const;

/** Docks on one corner differ by little: their pins are nearly right. */
const TWIN_OFF_M = 3;

/** Without a key in common a pin further off than this could belong to any dock. */
const KEYLESS_OFF_M = 36;

export function seenAt(place: Place, keyless: boolean): Point {
  const { key } = place.operator;
  const turn = unit(key, place.index, 71);
  if (place.twin !== null) return around(place, turn, TWIN_OFF_M * unit(key, place.index, 72));
  let left = unit(key, place.index, 73);
  for (const { share, from_m, to_m } of RATES.moved) {
    const off_m = from_m + (to_m - from_m) * unit(key, place.index, 74);
    if (left < share) return around(place, turn, keyless ? Math.min(off_m, KEYLESS_OFF_M) : off_m);
    left -= share;
  }
  return place;
}

type NameKind = keyof typeof RATES.name;

const WRITERS: Readonly<Record<NameKind, (name: string, place: Place) => string>> = {
  abbreviated: (name) => ABBREVIATIONS.reduce((text, [from, to]) => text.replace(from, to), name),
  shouted: (name) => name.toLocaleUpperCase("und"),
  coded: (name, { index }) => `${String(index + 101).padStart(4, "0")} - ${name}`,
  unaccented: (name) => name.normalize("NFKD").replaceAll(/\p{M}/gu, ""),
  joined: (name) => name.replace(/ (?:\/|&|x|-|—|et|y|und) /, " & ").replace(", ", " & "),
  translated: (name, place) => place.name["en"] ?? name,
};

const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\bStreet\b/g, "St"],
  [/\bAvenue\b/g, "Ave"],
  [/\bRoad\b/g, "Rd"],
  [/\bSquare\b/g, "Sq"],
  [/\bBoulevard\b/g, "Bd"],
  [/\bAvenida\b/g, "Av."],
  [/\bCalle\b/g, "C."],
  [/\bPlaza\b/g, "Pza."],
  [/\bulica\b/g, "ul."],
  [/straße\b/g, "str."],
  [/Straße\b/g, "Str."],
];

export function seenName(place: Place): string {
  const { operator, index } = place;
  const name = textIn(place.name, firstLanguage(operator), operator);
  let left = unit(operator.key, index, 75);
  for (const [kind, share] of Object.entries(RATES.name)) {
    if (left < share) return WRITERS[kind as NameKind](name, place);
    left -= share;
  }
  return name;
}

export function seenCapacity({ capacity, operator, index }: Place): number {
  if (unit(operator.key, index, 76) >= RATES.capacity_off) return capacity;
  return Math.max(1, capacity + (between(0, 1, operator.key, index, 77) === 0 ? -2 : 1));
}

/** CityBikes' key of a station: what it makes of the coordinates as it has them (mobility.md 2.2). */
export function idAt({ lat, lon }: Point): string {
  const text = `${Math.trunc(lat * 1e6)},${Math.trunc(lon * 1e6)}`;
  return createHash("md5").update(text).digest("hex");
}

/** Returns where a removed dock was that this source still lists: near the one that replaced it. */
export function staleNear(place: Place): Point | null {
  const { key } = place.operator;
  // What is not installed could as well be the one that is still listed.
  const alone = place.twin === null && place.condition !== "not_installed";
  if (!alone || unit(key, place.index, 78) >= RATES.stale) return null;
  return around(place, unit(key, place.index, 79), between(95, 140, key, place.index, 80));
}

/** Key in networks that CityBikes does not read from GBFS: one of the operator's own site. */
export const siteKey = ({ operator, index }: Place): number =>
  20_000 + ((hash(operator.key, 81) % 900) + index) * 7;
