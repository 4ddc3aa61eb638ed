/** Texts of questions by name, of what an extract has: addresses, streets, places, things, postcodes and kinds. */
import type { Dice } from "../dice.ts";
import type { Drawn, DrawnObjects } from "./drawn-objects.ts";

type About = { dice: Dice; objects: DrawnObjects };

export function addressOf({ dice, objects }: About): string {
  const { tags } = dice.pick(objects.addresses);
  const street = tags.get("addr:street") ?? tags.get("addr:place")!;
  const number = tags.get("addr:housenumber")!;
  const line = dice.chance(0.5) ? `${street} ${number}` : `${number} ${street}`;
  return [line, cityOf(tags, dice)].filter((part) => part !== "").join(dice.pick([", ", " "]));
}

export function streetOf(about: About): string {
  const { tags } = about.dice.pick(about.objects.streets);
  return [tags.get("name")!, about.dice.chance(0.4) ? placeName(about) : ""]
    .filter(Boolean)
    .join(", ");
}

export function nameOf(about: About): string {
  const { dice, objects } = about;
  const tags = dice.pick(dice.chance(0.3) ? objects.places : objects.things).tags;
  const names = [...tags].filter(([key]) => /^(name|alt_name|old_name|ref|iata)(:|$)/.test(key));
  return [dice.pick(names)[1].slice(0, 150), dice.chance(0.3) ? placeName(about) : ""]
    .filter(Boolean)
    .join(" ");
}

export function anyNameOf(about: About): string {
  return about.dice.pick([addressOf, streetOf, nameOf, nameOf])(about);
}

const placeName = ({ dice, objects }: About): string => dice.pick(objects.places).tags.get("name")!;

function cityOf(tags: Drawn["tags"], dice: Dice): string {
  const [postcode, city] = [tags.get("addr:postcode") ?? "", tags.get("addr:city") ?? ""];
  return dice.pick(["", city, `${postcode} ${city}`.trim(), postcode]);
}

export function postcodeOf(about: About): string {
  const { dice, objects } = about;
  const codes = objects.addresses.filter(({ tags }) => tags.has("addr:postcode"));
  const { tags } = dice.pick(codes);
  return [tags.get("addr:postcode")!, dice.pick(["", tags.get("addr:city") ?? ""])]
    .filter(Boolean)
    .join(" ");
}

export function kindOf(about: About): string {
  const kind = about.dice.pick([
    "pharmacy",
    "hotel",
    "restaurant",
    "supermarket",
    "museum",
    "Apotheke",
    "toilets",
    "school",
  ]);
  return about.dice.chance(0.6)
    ? `${kind} ${about.dice.pick(["near", "in"])} ${placeName(about)}`
    : kind;
}

/** Of a text, up to somewhere after its first letter. */
export function cut(text: string, dice: Dice): string {
  const letters = Array.from(text.slice(0, 60));
  return (
    letters
      .slice(0, dice.integer(Math.min(2, letters.length), letters.length))
      .join("")
      .trim() || text
  );
}

const LONG = 5;
const LETTERS = ["a", "e", "i", "n", "r", "s", "t"];

/** One typing error in one of its longer words. */
export function misspell(text: string, dice: Dice): string {
  const words = text.split(" ");
  const long = words.flatMap((word, i) => (Array.from(word).length >= LONG ? [i] : []));
  if (long.length === 0) return text;
  const i = dice.pick(long);
  const letters = Array.from(words[i]!);
  const at = dice.integer(1, letters.length - 2);
  const kind = dice.integer(0, 3);
  if (kind === 0) letters.splice(at, 1);
  else if (kind === 1) letters.splice(at, 0, dice.pick(LETTERS));
  else if (kind === 2) letters[at] = dice.pick(LETTERS);
  else letters.splice(at, 2, letters[at + 1]!, letters[at]!);
  words[i] = letters.join("");
  return words.join(" ");
}
