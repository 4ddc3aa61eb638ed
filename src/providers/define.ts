/** Declares a provider: checks its descriptor when the module loads, and freezes it. */
import type { Terms } from "#providers/provider.ts";

export type Descriptor = {
  /** Used in configuration, metrics and `/v1/sources`; never changes. */
  id: string;
  name: string;
  /** `feed`: read whole in the background; `lookup`: asked per question. */
  kind: "feed" | "lookup";
  operations: readonly string[];
  /** Defaults where the source itself states nothing else. */
  terms: Terms;
  limits: {
    /** Decoded body cap; configuration may raise it up to MAX_BYTES (mobility.md 1.12 #24). */
    max_bytes: number;
    /** How much of the body of a refusal is read; 0: only its status counts. */
    refusal_bytes?: number;
  };
  /** `retired` keeps the ids of a source resolvable after it has died. */
  lifecycle: "active" | "deprecated" | "retired";
};

export const DEFAULT_MAX_BYTES: number = 32 * 1_024 * 1_024;
/** Registers of whole countries are read as one file (places.md 4.1). */
export const MAX_BYTES: number = 256 * 1_024 * 1_024;

const ID = /^[a-z][a-z0-9_]{1,31}$/;

/** Rules, each with the sentence that a wrong descriptor fails with. */
const CHECKS: readonly [(descriptor: Descriptor) => boolean, string][] = [
  [({ id }) => ID.test(id), "id must be 2 to 32 characters of a-z, 0-9 and _"],
  [({ name }) => name.trim() === name && name !== "", "name must not be empty or padded"],
  [({ operations }) => operations.length > 0, "operations must not be empty"],
  [({ operations }) => new Set(operations).size === operations.length, "operations must be unique"],
  [
    ({ limits }) => Number.isSafeInteger(limits.max_bytes) && limits.max_bytes > 0,
    "limits.max_bytes must be a whole number above 0",
  ],
  [({ limits }) => limits.max_bytes <= MAX_BYTES, `limits.max_bytes must not exceed ${MAX_BYTES}`],
];

/** A wrong descriptor is a programming error: it throws when the module loads. */
export function defineProvider<const D extends Descriptor>(descriptor: D): Readonly<D> {
  const faults = CHECKS.filter(([holds]) => !holds(descriptor)).map(([, sentence]) => sentence);
  if (faults.length > 0) throw new TypeError(`Provider ${descriptor.id}: ${faults.join("; ")}`);
  Object.freeze(descriptor.operations);
  Object.freeze(descriptor.terms);
  Object.freeze(descriptor.limits);
  return Object.freeze(descriptor);
}
