/** What car parks and charging stations are both compared by (facility-groups.ts). Weights are natural logarithms. */
import { fold, nameWords } from "#kit/names/fold.ts";
import { type Lexicon, type Name, prepareName } from "#kit/names/name.ts";
import { compareNames } from "#kit/names/similarity.ts";
import type { Place } from "./place.ts";

/** A line through points: metres, weight. */
export type DistanceWeights = readonly (readonly [metres: number, weight: number])[];

/** Between the points of the line; before the first and after the last it is level. */
export function weighDistance(line: DistanceWeights, metres: number): number {
  const next = line.findIndex(([from]) => metres <= from);
  if (next === -1) return line.at(-1)![1];
  if (next === 0) return line[0]![1];
  const [[from, weight], [until, last]] = [line[next - 1]!, line[next]!];
  return weight + ((metres - from) / (until - from)) * (last - weight);
}

/** How many times the lesser of two numbers the greater is; null: one of them is not known. */
export function ratioOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b) / Math.min(a, b);
}

/** Reads a number above 0. */
export function toPositive(value: unknown): number | null {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : null;
}

/** What is read of a text: no published one is longer. */
const MAX_CHARS = 256;

/** The words of a text that are not among those that say nothing. */
export function wordsBut(text: string, silent: ReadonlySet<string>): string[] {
  return nameWords(fold(text.slice(0, MAX_CHARS))).filter((word) => !silent.has(word));
}

/** null: nothing is left to compare. */
export function nameOfWords(words: readonly string[], lexicon: Lexicon): Name | null {
  const name = prepareName(lexicon, words.join(" "), []);
  return name.words.length > 0 ? name : null;
}

/** Street and number as one name, and whether it has a number. */
export type Street = { name: Name; has_number: boolean };

const STREET_AND_NUMBER = 2.5;
const SAME_STREET = 0.7;
const OTHER_NUMBER = -1;
const OTHER_STREET = -1;
/** From here on two spellings may be of one street. */
const LIKE = 0.6;

/** null: no street is known. */
export function streetOf({ address }: Place, lexicon: Lexicon): Street | null {
  if (address?.street === undefined) return null;
  const text = `${address.street} ${address.number ?? ""}`.slice(0, MAX_CHARS);
  const name = prepareName(lexicon, nameWords(fold(text)).join(" "), []);
  return name.words.length > 0 ? { name, has_number: /\d/.test(text) } : null;
}

export function weighStreets(a: Street | null, b: Street | null, lexicon: Lexicon): number {
  if (a === null || b === null) return 0;
  const { similarity, number_conflict } = compareNames(lexicon, a.name, b.name);
  if (similarity < 0) return 0;
  if (number_conflict) return OTHER_NUMBER;
  if (similarity < LIKE) return OTHER_STREET;
  return similarity === 1 && a.has_number && b.has_number ? STREET_AND_NUMBER : SAME_STREET;
}

/** Words of companies that say nothing of which, and names of hubs and protocols, which run no station. */
const COMPANY_WORDS: ReadonlySet<string> = new Set(
  (
    "gmbh ag kg co se ev eg mbh sa sas sarl sasu srl spa bv nv ltd limited llc inc plc oy ab as aps " +
    "the group gruppe groupe holding international europe deutschland germany france schweiz suisse " +
    "switzerland nederland netherlands italia espana uk austria osterreich " +
    "e mobility emobility mobilite electromobilite elektromobilitat charging charge charger chargers " +
    "station stations network networks services service solutions ladestation ladestationen " +
    "ocpi oicp ocpp hubject gireve eroaming roaming hub " +
    "ladenetz borne bornes recharge und and et de der die le la les des"
  ).split(" "),
);

/** A company by the letters of its words, so that a blank or a hyphen more makes no other one. */
export type Company = string;

/** null: not known, or nothing but words that any company has. */
export function companyOf(text: unknown): Company | null {
  if (typeof text !== "string") return null;
  const letters = wordsBut(text, COMPANY_WORDS).join("");
  return letters.length >= LEAST_LETTERS ? letters : null;
}

const LEAST_LETTERS = 2;
/** A shorter beginning is another company's as well. */
const LEAST_BEGINNING = 4;

/** Whether two names of companies are one's: equal, or one begins with the other, or a letter is wrong. */
export function areOneCompany(a: Company, b: Company): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < LEAST_BEGINNING) return a === b;
  return long.startsWith(short) || (long.length - short.length <= 1 && isSlip(short, long));
}

/** One letter left out or replaced. */
function isSlip(short: string, long: string): boolean {
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}
