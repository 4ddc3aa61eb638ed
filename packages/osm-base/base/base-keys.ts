/** Which sections of a base want an object that carries a key: one bit per section. */
import type { BaseSection } from "./base-features.ts";

/** Bits of the sections that want objects with this key; 0: none does. */
export type KeyMatcher = (key: string) => number;

export const MAX_SECTIONS = 30;

/** Matcher of the keys that the sections name for one kind of object. */
export function createKeyMatcher(
  sections: readonly Pick<BaseSection, "keys">[],
  kind: keyof BaseSection["keys"],
): KeyMatcher {
  const exact = new Map<string, number>();
  const prefixes = new Map<string, number>();
  sections.forEach(({ keys }, i) => {
    for (const key of keys[kind]) {
      const into = key.endsWith(":") ? prefixes : exact;
      into.set(key, (into.get(key) ?? 0) | (1 << i));
    }
  });
  const starts = [...prefixes];
  return (key) => {
    let mask = exact.get(key) ?? 0;
    for (const [start, bits] of starts) if (key.startsWith(start)) mask |= bits;
    return mask;
  };
}
