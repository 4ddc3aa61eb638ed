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

/** Returns the one of the requested tokens under which a place is counted and shown. */
export function tokenOf(place: Place, tokens: readonly ServiceToken[]): ServiceToken {
  const both = tokens.includes("drinking_water") && tokens.includes("fountain");
  if (place.kind !== "water" || !both) return tokens.find((token) => KINDS[token] === place.kind)!;
  return place.attributes["drinking_water"] === "yes" ? "drinking_water" : "fountain";
}
