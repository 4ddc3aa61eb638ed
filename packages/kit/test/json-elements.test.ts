/** Elements out of the bytes: the same as JSON.parse gives, and what is cut or damaged has one end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  JSON_ELEMENT_BOUNDS,
  type JsonStep,
  jsonStep,
  MAX_JSON_ELEMENTS,
  openJsonElements,
  parseJsonSpan,
} from "../json-elements.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
/** As the register of a profile of DATEX has it: an envelope that may be there, and lists or objects. */
const PATH = [jsonStep(["box"], true), jsonStep(["part", "piece"]), jsonStep(["rows"])];

function read(text: string, path: readonly JsonStep[] = PATH): unknown[] | null {
  const bytes = encode(text);
  const found = openJsonElements(bytes, path);
  if (!found) return null;
  const rows = Array.from(found.spans(), (span) => parseJsonSpan(bytes, span));
  assert.equal(found.count, rows.length);
  return rows;
}

/** The same from the tree. */
function fromTree(value: unknown, path: readonly JsonStep[], isListed = false): unknown[] {
  if (Array.isArray(value) && !isListed) return value.flatMap((one) => fromTree(one, path, true));
  if (path.length === 0) return value === null && !isListed ? [] : [value];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path.findIndex((step) => step.is(name));
    const isReached = at >= 0 && path.slice(0, at).every(({ optional }) => optional);
    return isReached ? fromTree(member, path.slice(at + 1)) : [];
  });
}

/** Names of the path among others, texts with every mark of the grammar. */
const texts = fc.string({
  unit: fc.constantFrom('"', "\\", "[", "{", "]", "}", ",", ":", "é", "n"),
});
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(texts, fc.integer(), fc.double({ noNaN: true }), fc.constantFrom(null, true)),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom("box", "part", "piece", "rows"), texts), tie("json"), {
      maxKeys: 4,
    }),
  ),
}));
const documents = fc.oneof(
  fc.array(json),
  fc.dictionary(fc.constantFrom("box", "part", "x"), json),
  fc.tuple(json, json).map(([rows, more]) => ({ box: [{ part: { rows } }, more], more })),
  fc.array(json).map((lists) => lists.map((rows) => ({ part: [{ rows }] }))),
);

test("whatever document there is, the elements are those of JSON.parse", () => {
  let found = 0;
  const indents = fc.constantFrom(0, 1, "\t");
  fc.assert(
    fc.property(documents, indents, (document, indent) => {
      const text = JSON.stringify(document, null, indent);
      const expected = fromTree(JSON.parse(text), PATH);
      found += expected.length;
      assert.deepEqual(read(text), expected);
      assert.deepEqual(read(`\uFEFF ${text}\r\n`), expected);
    }),
    { numRuns: 400 },
  );
  assert.ok(found > 500, `${found} elements`);
});

test("a document that is cut at any byte is none", () => {
  fc.assert(
    fc.property(documents, (document) => {
      const bytes = encode(JSON.stringify(document));
      for (let length = 0; length < bytes.length; length++)
        assert.equal(openJsonElements(bytes.subarray(0, length), PATH), null, `${length}`);
    }),
    { numRuns: 60 },
  );
});

test("a byte that is damaged costs the document or its element, and nothing throws", () => {
  const bytes = encode('{"box":[{"part":{"rows":[{"a":[1,{"b":"c"}]},2]}}],"end":"x"}');
  for (let at = 0; at < bytes.length; at++)
    for (const byte of encode('{}[]",:\\ \u0000')) {
      const damaged = bytes.with(at, byte);
      const found = openJsonElements(damaged, PATH);
      for (const span of found?.spans() ?? []) void parseJsonSpan(damaged, span);
    }
});

const [OUTER] = [[jsonStep(["rows"])]];

test("an element that is too deep or too long costs itself, and its neighbours stay", () => {
  const { depth, bytes } = JSON_ELEMENT_BOUNDS;
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  const long = JSON.stringify("a".repeat(bytes));
  for (const wide of [nested(depth + 1), nested(100_000), long])
    assert.deepEqual(read(`{"rows":[1,${wide},2]}`, OUTER), [1, undefined, 2]);
  assert.equal(read(`{"rows":[${nested(depth)}]}`, OUTER)?.[0] === undefined, false);
});

test("more elements than a register may have are none", () => {
  const listOf = (count: number): Uint8Array => encode(`{"rows":[${"1,".repeat(count - 1)}1]}`);
  assert.equal(openJsonElements(listOf(MAX_JSON_ELEMENTS), OUTER)?.count, MAX_JSON_ELEMENTS);
  assert.equal(openJsonElements(listOf(MAX_JSON_ELEMENTS + 1), OUTER), null);
});

test("lists within lists are elements, and cost no stack", () => {
  assert.deepEqual(read('{"rows":[[1],[[2]]]}', OUTER), [[1], [[2]]]);
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  assert.deepEqual(read(`{"box":${deep},"part":{"rows":[3]}}`), [3]);
});
