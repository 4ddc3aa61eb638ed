/**
 * The tokens of `types` (§4.6) and the kinds of places behind them. `drinking_water` is an alias of
 * `fountain`: either finds every drinking point and fountain; asked together, each thing counts once
 * (decisions, Urban services).
 */
import type { SERVICE_TYPES } from "#contract/tokens.ts";
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

/** Each kind once, in the order of the tokens. */
export function kindsOf(tokens: readonly ServiceToken[]): PlaceKind[] {
  return [...new Set(tokens.map((token) => KINDS[token]))];
}

/** Returns the token under which a place is counted and shown (tokenFor). */
export function tokenOf(
  { kind, attributes }: Place,
  tokens: readonly ServiceToken[],
): ServiceToken {
  const potable = attributes["drinking_water"];
  return tokenFor(kind, potable === "yes" ? true : potable === "no" ? false : null, tokens);
}

/**
 * One of the tokens that are requested, but water that is known not to be potable is a fountain,
 * whether or not that is requested. `potable`: null where that is not known.
 */
export function tokenFor(
  kind: PlaceKind,
  potable: boolean | null,
  tokens: readonly ServiceToken[],
): ServiceToken {
  if (kind !== "water") return tokens.find((token) => KINDS[token] === kind)!;
  if (potable === false) return "fountain";
  const both = tokens.includes("drinking_water") && tokens.includes("fountain");
  if (both) return potable ? "drinking_water" : "fountain";
  return tokens.includes("drinking_water") ? "drinking_water" : "fountain";
}
