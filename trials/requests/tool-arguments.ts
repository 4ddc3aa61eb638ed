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

/** Puts `near` in place of the point in the given share of calls, and both members of a pair. */
export function arrange(
  valid: Members,
  schema: Schema,
  { subject, dice, near }: { subject: Subject; dice: Dice; near: number },
): Arranged {
  const args = { ...valid };
  const members = schema.properties ?? {};
  const plain = { args, fault: null, refused: null, fixed: false };
  if ("to_id" in members) {
    delete args["to_id"];
    delete args["to_version"];
    if (!dice.chance(0.5)) return plain;
    const { id, version } = subject.dataset ?? { id: "nearby_none", version: "1-none" };
    return { ...plain, args: { ...args, to_id: id, to_version: version }, fixed: true };
  }
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
