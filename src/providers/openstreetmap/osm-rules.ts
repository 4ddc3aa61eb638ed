/**
 * Rules for what is an urban service on the open map (places.md 3), as one table: the filters of
 * Overpass and our own reading of tags both come from it, so that they never disagree.
 */
import type { PlaceKind } from "#core/places/place.ts";
import type { Tags } from "./element.ts";

/** All terms must hold: a value, or a pattern that ignores case. */
type Term = readonly [key: string, value: string] | { key: string; like: string };
type Rule = readonly Term[];

/** Handles lists such as `wlan;terminal` and the deprecated spellings. */
const WIFI = "(^|;) *(wlan|wifi|wi-fi) *(;|$)";

const RULES: Readonly<Record<PlaceKind, readonly Rule[]>> = {
  aed: [[["emergency", "defibrillator"]], [["medical", "aed"]]],
  toilets: [[["amenity", "toilets"]], [["amenity", "toilet"]]],
  water: [
    [["amenity", "drinking_water"]],
    [["amenity", "fountain"]],
    [
      ["man_made", "water_tap"],
      ["drinking_water", "yes"],
    ],
    [
      ["natural", "spring"],
      ["drinking_water", "yes"],
    ],
    [["drinking_water:refill", "yes"]],
    [["fountain", "bottle_refill"]],
    [["amenity", "water_point"]],
  ],
  // internet_access=yes alone does not say that it is wireless.
  wifi: [
    [{ key: "internet_access", like: WIFI }],
    [["internet_access", "public"]],
    [["wifi", "yes"]],
    [["wifi", "free"]],
  ],
  // Not parking_space, motorcycle_parking, bicycle_parking: other values, which never match.
  parking: [[["amenity", "parking"]], [["amenity", "parking_entrance"]]],
  charging: [
    [["amenity", "charging_station"]],
    [["man_made", "charge_point"]],
    [["amenity", "ev_charging"]],
  ],
  locker: [
    [["amenity", "parcel_locker"]],
    ...["parcel_pickup", "parcel_mail_in"].map((value) => lockerRule(value)),
    ...["parcel_pickup;parcel_mail_in", "parcel_mail_in;parcel_pickup"].map(lockerRule),
  ],
};

function lockerRule(vending: string): Rule {
  return [
    ["amenity", "vending_machine"],
    ["vending", vending],
  ];
}

/** Filters of Overpass for one kind, `[amenity=toilets]` and so on. */
export function filtersOf(kind: PlaceKind): string[] {
  return RULES[kind].map((rule) => rule.map(filterOf).join(""));
}

/** Reports whether the tags say that it is one, before anything is excluded. */
export function isKind(tags: Tags, kind: PlaceKind): boolean {
  return RULES[kind].some((rule) => rule.every((term) => holds(tags, term)));
}

const BARE = /^[A-Za-z]\w*$/;

function filterOf(term: Term): string {
  if ("like" in term) return `[${word(term.key)}~${quoted(term.like)},i]`;
  return `[${word(term[0])}=${word(term[1])}]`;
}

function word(text: string): string {
  return BARE.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, (mark) => `\\${mark}`)}"`;
}

const LIKE = new Map([[WIFI, new RegExp(WIFI, "i")]]);

function holds(tags: Tags, term: Term): boolean {
  if (!("like" in term)) return tags.get(term[0]) === term[1];
  const text = tags.get(term.key);
  return text !== undefined && LIKE.get(term.like)!.test(text);
}
