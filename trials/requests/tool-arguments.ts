/** What the schema of a tool does not say of its arguments: `near` in place of a point, and pairs. */
import type { Dice } from "../dice.ts";
import type { Json, Refusal } from "./bodies.ts";
import type { Schema } from "./description.ts";
import type { Subject } from "./texts.ts";

type Members = Record<string, Json>;
/** `refused`: how it must be; null: it is valid. `fixed`: breaking one of its members says nothing. */
export type Arranged = {
  args: Members;
  fault: string | null;
  refused: Refusal | null;
  fixed: boolean;
};

/** Names that the sandbox's geocoder knows once, several times, and not at all. */
const NAMES = [
  ...["Paris", "Berlin", "Tokyo", "Place du Hérisson, Paris", "Gare des Docks", "東京", "PARIS"],
  ...["Airport", "Springfield", "Mairie", "Central Station", "Rue", "10 Rue de Rivoli"],
  ...["nowhere at all 7731", "x", "' OR 1=1 --", "\u202eParis", "a\u{e0062}c", "😀", "48.85;2.35"],
];
/** Texts of coordinates that lie nowhere on Earth, and texts that are none. */
const WRONG = ["90.1,0", "-91,5", "0,180.5", "999,999", "", "x".repeat(401), "a\u0000"];

/** Ids of each kind of result, which are nowhere. */
const RESULT_IDS = [
  ...["station", "place", "transport_station"].map((kind) => `svc_${kind}_${"a".repeat(20)}`),
  "somewhere:7",
];

/** A place of a plan or a comparison: by its name, or as coordinates. */
function placeText(dice: Dice): string {
  const point = `${(dice.next() * 160 - 80).toFixed(5)},${(dice.next() * 359 - 179).toFixed(5)}`;
  return dice.pick([dice.pick(NAMES), "48.8566,2.3522", "52.52, 13.405", point]);
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  classes: ["pharmacy", "cafe", "toilets", "charging", "playground", "hotel"],
  form_factors: ["bicycle", "cargo_bicycle", "scooter_standing", "moped"],
  wishes: ["toilet:wheelchair", "charger:CCS2>=50kW", "bike:dock", "tram:last", "pharmacy", "aed"],
  for: ["wheelchair", "luggage", "budget:5"],
};

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  at: ["22:00", "07:30"],
  toward: ["Docks", "Mairie Annexe"],
  when: ["2026-11-28T22:00:00+01:00", "2026-12-24T09:00:00Z"],
};

/** Lists and texts whose words the schema of a tool does not have; an id of a stop is left out, for its own is not known. */
function drawWords(valid: Members, { properties = {} }: Schema, dice: Dice): Members {
  const lists = Object.entries(WORDS).flatMap(([name, words]): [string, Json][] => {
    if (!(name in properties) || valid[name] == null) return [];
    return [[name, Array.from({ length: dice.integer(1, 3) }, () => dice.pick(words))]];
  });
  const texts = Object.entries(TEXTS).flatMap(([name, words]): [string, Json][] =>
    name in properties && valid[name] != null ? [[name, dice.pick(words)]] : [],
  );
  const stop: Members = "station_id" in properties ? { station_id: null } : {};
  const ends: Members = "last" in properties && valid["first"] === true ? { last: null } : {};
  return { ...Object.fromEntries([...lists, ...texts]), ...stop, ...ends };
}

/** Puts `near` in place of the point in the given share of calls, and both members of a pair. */
export function arrange(
  valid: Members,
  schema: Schema,
  { subject, dice, near }: { subject: Subject; dice: Dice; near: number },
): Arranged {
  const args = { ...valid, ...drawWords(valid, schema, dice) };
  const members = schema.properties ?? {};
  const plain = { args, fault: null, refused: null, fixed: false };
  if ("to_id" in members) {
    delete args["to_id"];
    delete args["to_version"];
    if (!dice.chance(0.5)) return plain;
    const { id, version } = subject.dataset ?? { id: "nearby_none", version: "1-none" };
    return { ...plain, args: { ...args, to_id: id, to_version: version }, fixed: true };
  }
  if ("from" in members && "to" in members)
    return { ...plain, args: { ...args, from: placeText(dice), to: placeText(dice) }, fixed: true };
  if ("places" in members) {
    const places = Array.from({ length: dice.integer(2, 5) }, () => placeText(dice));
    return { ...plain, args: { ...args, places }, fixed: true };
  }
  // The id of a result has one of four forms; what is not there is refused as such.
  if (schema.required?.includes("id") && !("version" in members))
    return { ...plain, args: { ...args, id: dice.pick(RESULT_IDS) }, fixed: true };
  if (!("near" in members) || near === 0 || !dice.chance(near)) return plain;
  const { lat, lon, ...rest } = args;
  const refused = { code: "invalid_request", names: ["near"] };
  const spoil = dice.next();
  if (spoil < 0.08)
    return { args: { ...args, near: "Paris" }, fault: "near and a point", refused, fixed: true };
  if (spoil < 0.16) {
    const text = dice.pick(WRONG);
    const fault = `near: ${JSON.stringify(text).slice(0, 20)}`;
    return { args: { ...rest, near: text }, fault, refused, fixed: true };
  }
  const point = [`${write(lat)},${write(lon)}`, `${write(lat)}, ${write(lon)}`];
  const text = dice.pick([dice.pick(NAMES), dice.pick(NAMES), dice.pick(point)]);
  return { args: { ...rest, near: text }, fault: null, refused: null, fixed: true };
}

/** Degrees as people write them: the odd notations of numbers are names here. */
function write(degrees: Json | undefined): string {
  return typeof degrees === "number" ? degrees.toFixed(6) : "0";
}
