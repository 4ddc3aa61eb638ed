/** Texts that hide others: planted in what sources write, and looked for in what is answered. */
import assert from "node:assert/strict";
import { HIDDEN } from "../../sandbox/hidden-text.ts";

const KINDS = new Set(HIDDEN);

/** The first text, name of a member or not, that has a hidden character; null: none has. */
export function findHidden(value: unknown): string | null {
  if (typeof value === "string") {
    const match = Array.from(value).find((character) => KINDS.has(character));
    return match === undefined
      ? null
      : `U+${match.codePointAt(0)!.toString(16)} in ${JSON.stringify(value)}`;
  }
  if (typeof value !== "object" || value === null) return null;
  const parts: unknown[] = Array.isArray(value) ? value : Object.entries(value).flat();
  for (const part of parts) {
    const hidden = findHidden(part);
    if (hidden !== null) return hidden;
  }
  return null;
}

/** Reads the document with each of its members planted in turn: nothing hidden may come of it. */
export function checkHidden(document: unknown, read: (body: string) => unknown): void {
  for (const [key, planted] of plantEach(document)) {
    const text = JSON.stringify(read(JSON.stringify(planted))) as string | undefined;
    assert.equal(findHidden(JSON.parse(text ?? "null")), null, key);
  }
}

/** The document once for each member that has texts, with hidden characters in these, and its name. */
function* plantEach(document: unknown): Generator<[key: string, planted: unknown]> {
  const keys = new Set<string>();
  visit(document, "", (key, text) => {
    keys.add(key);
    return text;
  });
  for (const planted of keys)
    yield [
      planted,
      visit(document, "", (key, text) =>
        key === planted ? `${text.slice(0, 1)}${HIDDEN}${text.slice(1)}${HIDDEN}` : text,
      ),
    ];
}

function visit(
  value: unknown,
  key: string,
  change: (key: string, text: string) => string,
): unknown {
  if (typeof value === "string") return change(key, value);
  if (Array.isArray(value)) return value.map((each: unknown) => visit(each, key, change));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    visit(member, name, change),
  ]);
  return Object.fromEntries(members) as unknown;
}
