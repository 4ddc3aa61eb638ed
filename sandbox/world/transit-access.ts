// What is said of wheelchairs where: GTFS lets a station speak for its platforms, and they for it
// (mobility.md 3.1).
import { hash, pick } from "../rng.ts";
import type { Boarding, Platform, TransitStation, Wheelchair } from "./transit-model.ts";

/** Scheme of who says what. `inherited`: the station speaks, its platforms say nothing. */
export type Scheme =
  | "inherited_yes"
  | "inherited_no"
  | "some_platforms"
  | "no_platform"
  | "half_said"
  | "overruled"
  | "zeros"
  | "silent";

const ALL: readonly Scheme[] = [
  ...(["inherited_yes", "inherited_no", "some_platforms", "no_platform"] as const),
  ...(["half_said", "overruled", "zeros", "silent"] as const),
];
/** Of a pole, and where two feeds have other platforms of one station. */
const PLAIN: readonly Scheme[] = [
  "inherited_yes",
  "inherited_yes",
  "inherited_no",
  "zeros",
  "silent",
];

export const schemeOf = (key: number, form: TransitStation["form"], is_shared: boolean): Scheme =>
  pick(form === "pole" || is_shared ? PLAIN : ALL, hash(key, 41));

const OWN: Readonly<Record<Scheme, Boarding>> = {
  inherited_yes: "1",
  inherited_no: "2",
  some_platforms: "",
  no_platform: "0",
  half_said: "",
  overruled: "1",
  zeros: "0",
  silent: "",
};

export const ownBoarding = (scheme: Scheme, key: number): Boarding =>
  OWN[scheme] === "0" && hash(key, 42) % 2 === 0 ? "" : OWN[scheme];

const FIRST: Readonly<Record<Scheme, Boarding>> = {
  inherited_yes: "",
  inherited_no: "0",
  some_platforms: "1",
  no_platform: "2",
  half_said: "2",
  overruled: "2",
  zeros: "0",
  silent: "",
};
const LATER: Readonly<Record<Scheme, Boarding>> = {
  ...FIRST,
  some_platforms: "2",
  half_said: "",
  overruled: "",
};

export const platformBoarding = (scheme: Scheme, index: number): Boarding =>
  (index === 0 ? FIRST : LATER)[scheme];

const WORDS: Readonly<Record<Boarding, Wheelchair>> = {
  "": "unknown",
  "0": "unknown",
  "1": "yes",
  "2": "no",
};

export function toWheelchair(
  form: TransitStation["form"],
  own: Boarding,
  platforms: readonly Platform[],
): Wheelchair {
  if (form === "pole" || WORDS[own] !== "unknown") return WORDS[own];
  if (platforms.some(({ boarding }) => boarding === "1")) return "yes";
  return platforms.every(({ boarding }) => boarding === "2") ? "no" : "unknown";
}

/** Returns the access of a platform, with what its station says for it. */
export const effective = ({ boarding, form }: TransitStation, platform: Platform): Wheelchair => {
  const own = form === "pole" ? "unknown" : WORDS[platform.boarding];
  return own === "unknown" ? WORDS[boarding] : own;
};
