/** Parameters of a raw query, one by one, and which of them break their rule. */
import { decodeForm, readNumber } from "./grammar.ts";

/** All values of one name, in order; undefined: broken encoding. */
export type Given = ReadonlyMap<string, readonly (string | undefined)[]>;

/**
 * Either a question, or the parameters of which a refusal must name at least one. `unsure`: what
 * is decided can be read either way, and the parameter may be refused, too.
 */
export type Read<Q> =
  | { question: Q; at_fault: null; unsure?: string | undefined }
  | { question: null; at_fault: Set<string> };

export function readQuery(raw: string): Given {
  const given = new Map<string, (string | undefined)[]>();
  for (const part of raw.split("&")) {
    const split = part.indexOf("=");
    const name = decodeForm(split === -1 ? part : part.slice(0, split));
    if (name === undefined) continue;
    const value = decodeForm(split === -1 ? "" : part.slice(split + 1));
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return given;
}

/** Reads single values and remembers every parameter that breaks its rule. */
export type Reader = {
  at_fault: Set<string>;
  one<T>(name: string, read: (text: string) => T | undefined): T | undefined;
  /** As `one`, and must be there. */
  required<T>(name: string, read: (text: string) => T | undefined): T | undefined;
};

export function createReader(given: Given): Reader {
  const at_fault = new Set<string>();
  const one: Reader["one"] = (name, read) => {
    const values = given.get(name);
    if (values === undefined) return undefined;
    const value = values.length === 1 && values[0] !== undefined ? read(values[0]) : undefined;
    if (value === undefined) at_fault.add(name);
    return value;
  };
  return {
    at_fault,
    one,
    required: (name, read) => {
      if (!given.has(name)) at_fault.add(name);
      return one(name, read);
    },
  };
}

/** Both ends included. */
export const within =
  (read: (text: string) => number | undefined, low: number, high = Number.MAX_VALUE) =>
  (text: string): number | undefined => {
    const value = read(text);
    return value !== undefined && value >= low && value <= high ? value : undefined;
  };

/** The end not included. */
export const above =
  (read: (text: string) => number | undefined, low: number) =>
  (text: string): number | undefined => {
    const value = read(text);
    return value !== undefined && value > low ? value : undefined;
  };

export const LATITUDE = within(readNumber, -90, 90);
export const LONGITUDE = within(readNumber, -180, 180);

/** The question of what was read, if nothing is at fault. */
export function conclude<Q>(reader: Reader, question: () => Q): Read<Q> {
  const { at_fault } = reader;
  return at_fault.size > 0
    ? { question: null, at_fault }
    : { question: question(), at_fault: null };
}
