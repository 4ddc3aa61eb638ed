/**
 * Which place a name means (docs/agents.md): the one candidate that is called so, or a settlement whose
 * rivals are what it lies in or what lies in it. Anything else is not certain, and the model chooses.
 */
import type { ReplyAt } from "#api/operations.ts";
import { distance_m } from "#kit/geo.ts";
import { fold, nameWords } from "#kit/names/fold.ts";

export type NearCandidate = ReplyAt<"/v1/geocode">["results"][number];

export type NearChoice =
  | { chosen: NearCandidate }
  /** What is called so, else all there is; none: nothing is known. */
  | { chosen: null; candidates: readonly NearCandidate[] };

/** `isWhole`: nothing of the question is said to be unknown, or to be written otherwise. */
export function chooseNear(
  text: string,
  results: readonly NearCandidate[],
  isWhole: boolean,
): NearChoice {
  const whole = results.filter((candidate) => hasAllWords(candidate, text));
  const names = whole.filter(({ name }) => isNamed(name, text));
  const left = names.length > 0 ? names : whole;
  const [first, ...others] = left;
  if (
    first !== undefined &&
    !isScattered(first, text) &&
    others.every((other) => isSame(first, other))
  )
    return { chosen: first };
  const settlement = left.find(({ type }) => type === "city") ?? left.find(isSettlement);
  if (settlement && left.every((other) => isPartOrWhole(settlement, other)))
    return { chosen: settlement };
  const [only, ...more] = results;
  // A word that could be compared, and is not there, may be the town that is meant.
  if (only && more.length === 0 && isWhole && isInOtherScript(only, text)) return { chosen: only };
  return { chosen: null, candidates: left.length > 0 ? left : results };
}

/** Every word begins a word of its label or address: what it leaves out may be the point of it. */
function hasAllWords(candidate: NearCandidate, text: string): boolean {
  const words = wordsOf(candidate);
  return nameWords(fold(text)).every((word) => words.some((each) => each.startsWith(word)));
}

function wordsOf({ name, label, address }: NearCandidate): string[] {
  const texts = [name, label, ...Object.values(address)].flatMap((each) => each ?? []);
  return nameWords(fold(texts.join(" ")));
}

/**
 * Whether the words of the wanted name are found partly in its street, and its own name has
 * others: "Canal Neuf Pharmacy" in Rue des Cerisaies is no stop "Rue des Cerisaies – Canal Neuf".
 */
function isScattered({ name, address }: NearCandidate, text: string): boolean {
  const [head = ""] = text.split(",");
  const wanted = nameWords(fold(head));
  const own = nameWords(fold(name));
  const around = nameWords(fold([address.city, address.region, address.country].join(" ")));
  const isIn = (words: readonly string[], word: string): boolean =>
    words.some((each) => each.startsWith(word));
  return (
    wanted.some((word) => !isIn(own, word) && !isIn(around, word)) &&
    own.some((word) => !wanted.some((each) => word.startsWith(each)))
  );
}

/** The whole text, or what precedes its first comma. */
function isNamed(name: string, text: string): boolean {
  const [head = ""] = text.split(",");
  const plain = toPlain(name);
  return plain === toPlain(text) || plain === toPlain(head);
}

function toPlain(text: string): string {
  return nameWords(fold(text)).join(" ");
}

function isAlike(a: string | null, b: string): boolean {
  return a !== null && toPlain(a) === toPlain(b);
}

/** Objects of one place, such as the parts of a station: a search around either is the same. */
const SAME_PLACE_M = 150;

function isSame(a: NearCandidate, b: NearCandidate): boolean {
  return metresBetween(a, b) <= SAME_PLACE_M;
}

function metresBetween({ location: a }: NearCandidate, { location: b }: NearCandidate): number {
  return distance_m(a.lat, a.lon, b.lat, b.lon);
}

function isSettlement({ type }: NearCandidate): boolean {
  return type === "city" || type === "locality";
}

/** How far the middle of a region is from that of a town in it that it is called after. */
const REGION_M = 400_000;
/** How far from the middle of a town things are that lie in it, where their address names no town. */
const TOWN_M = 8_000;
/** How far, where it does. */
const NAMED_TOWN_M = 40_000;

/** Whether a rival is the settlement itself, the region or country that it lies in, or lies in it. */
function isPartOrWhole(settlement: NearCandidate, other: NearCandidate): boolean {
  if (other === settlement || isSame(settlement, other)) return true;
  const metres = metresBetween(settlement, other);
  const { region, country } = settlement.address;
  if (other.type === "country") return isAlike(country, other.name);
  if (other.address.country !== country) return false;
  if (other.type === "region")
    return region === null ? metres <= REGION_M : isAlike(region, other.name);
  // Of two of one rank neither lies in the other.
  if (other.type === "city" || other.type === settlement.type) return false;
  const { city } = other.address;
  return city === null
    ? metres <= TOWN_M
    : isAlike(city, settlement.name) && metres <= NAMED_TOWN_M;
}

/** Whether no word of the text is in a script of the candidate, so that it contradicts nothing of it. */
function isInOtherScript(candidate: NearCandidate, text: string): boolean {
  const words = nameWords(fold(text));
  const others = new Set(wordsOf(candidate).map(scriptOf));
  return words.length > 0 && words.every((word) => !others.has(scriptOf(word)));
}

/** The script of a word by its first letter; of Japanese all three are one. */
function scriptOf(word: string): string {
  const script = SCRIPTS.find(([, pattern]) => pattern.test(word));
  return script?.[0] ?? "other";
}

const SCRIPTS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["latin", /^\p{Script=Latin}/u],
  ["digits", /^\p{N}/u],
  ["cyrillic", /^\p{Script=Cyrillic}/u],
  ["greek", /^\p{Script=Greek}/u],
  ["arabic", /^\p{Script=Arabic}/u],
  ["hebrew", /^\p{Script=Hebrew}/u],
  ["hangul", /^\p{Script=Hangul}/u],
  ["cjk", /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
];
