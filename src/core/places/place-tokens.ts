/**
 * The tokens of `types` (§4.6) and the kinds of places behind them. `drinking_water` is an alias of
 * `fountain`: either finds every drinking point and fountain; asked together, each thing counts once
 * (decisions, Urban services, Drinking water).
 */
import type { SERVICE_TYPES } from "#api/tokens.ts";
import type { Place, PlaceKind } from "./place.ts";

export type ServiceToken = (typeof SERVICE_TYPES)[number];

const KINDS: Readonly<Record<ServiceToken, PlaceKind>> = {
  aed: "aed",
  toilets: "toilets",
  drinking_water: "water",
  fountain: "water",
  wifi: "wifi",
  parking: "parking",
  charging: "charging",
  locker: "locker",
};

/** The kind behind a token. */
export function kindOf(token: ServiceToken): PlaceKind {
  return KINDS[token];
}

/** Each kind once, in the order of the tokens. */
export function kindsOf(tokens: readonly ServiceToken[]): PlaceKind[] {
  return [...new Set(tokens.map((token) => KINDS[token]))];
}

/** Returns the token under which a place is counted and shown (tokenFor). */
export function tokenOf(
  { kind, attributes }: Place,
  tokens: readonly ServiceToken[],
): ServiceToken {
  return tokenFor(kind, potableOf(attributes), tokens);
}

function potableOf(attributes: Place["attributes"]): boolean | null {
  const potable = attributes["drinking_water"];
  return potable === "yes" ? true : potable === "no" ? false : null;
}

/**
 * One of the tokens that are requested, but water that is not known to be potable is a fountain,
 * whether or not that is requested. `potable`: null where that is not known.
 */
export function tokenFor(
  kind: PlaceKind,
  potable: boolean | null,
  tokens: readonly ServiceToken[],
): ServiceToken {
  if (kind !== "water") return tokens.find((token) => KINDS[token] === kind)!;
  return potable === true && tokens.includes("drinking_water") ? "drinking_water" : "fountain";
}

/**
 * Reports whether it is shown though it is of no requested token: where drinking water alone is
 * requested, water of unknown quality comes after everything else, and is not counted as such.
 */
export function isUncertain(
  kind: PlaceKind,
  potable: boolean | null,
  tokens: readonly ServiceToken[],
): boolean {
  if (kind !== "water" || potable !== null) return false;
  return tokens.includes("drinking_water") && !tokens.includes("fountain");
}

/** The same of a place at hand. */
export function isUncertainPlace(
  { kind, attributes }: Place,
  tokens: readonly ServiceToken[],
): boolean {
  return isUncertain(kind, potableOf(attributes), tokens);
}
