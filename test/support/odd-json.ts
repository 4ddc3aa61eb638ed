/** Any JSON, and any damaged document: what an adapter must take without a throw (places.md 0.1). */
import fc from "fast-check";
import { anyText } from "./any-text.ts";

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, "", " ", "NaN", "-1", 1e308, -1e308, 1e12, -0, "0x10", "\ud800"),
  fc.constantFrom<unknown>(10, 20, 100, 1_000, "1000", "AVAILABLE", "UNKNOWN", "24/7", true, false),
  fc.double(),
  fc.integer(),
  anyText(),
);

/** Trees whose objects have the members that an adapter looks for, so that they reach its depths. */
export function oddJson(members: readonly string[]): fc.Arbitrary<unknown> {
  const names = fc.constantFrom(...members, "__proto__", "constructor", "toString");
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      odd,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(names, tie("value"), { maxKeys: 10 }),
    ),
  })).value;
}

/** A document with up to four of its values, however deep, replaced by something odd. */
export function damaged(document: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({ path: fc.array(fc.nat(40), { maxLength: 7 }), value: odd });
  return fc
    .array(change, { minLength: 1, maxLength: 4 })
    .map((changes) =>
      changes.reduce(
        (whole, { path, value }) => put(whole, path, value),
        structuredClone(document),
      ),
    );
}

function put(node: unknown, path: readonly number[], value: unknown): unknown {
  if (path.length === 0 || typeof node !== "object" || node === null) return value;
  const keys = Object.keys(node);
  if (keys.length === 0) return value;
  const key = keys[path[0]! % keys.length]!;
  const record = node as Record<string, unknown>;
  record[key] = put(record[key], path.slice(1), value);
  return node;
}
