/** Feature by feature out of the bytes: the same as JSON.parse gives, and hostile input is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openFeatures } from "#providers/geojson-features.ts";
import { tries } from "../../support/size.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function rowsOf(text: string): unknown[] | null {
  const features = openFeatures(encode(text));
  if (!features) return null;
  const rows = [...features.rows()];
  assert.equal(features.count, rows.length);
  assert.deepEqual([...features.rows()], rows);
  return rows;
}

const READ: readonly [text: string, rows: unknown[]][] = [
  ['{"features":[]}', []],
  ['{"type":"FeatureCollection","features":[{"a":1},{"b":[{}]}]}', [{ a: 1 }, { b: [{}] }]],
  ['\uFEFF \r\n\t{ "features" : [ {"a":1} , 2 , null ] } \n', [{ a: 1 }, 2, null]],
  ['{"features":["}]{[", {"a\\"]":"\\\\"}, "\\u005d"]}', ["}]{[", { 'a"]': "\\" }, "]"]],
  ['{"crs":{"features":[9]},"list":[[1],{"x":"]"}],"features":[1],"bbox":[1,2]}', [1]],
  ['{"features":[1],"features":[2,3]}', [2, 3]],
  ['{"features":["é😀"]}', ["é😀"]],
  // Wrong inside, but where it ends is plain: that one row is lost.
  ['{"features":[{"a":[1}], nonsense, {"b":2}]}', [undefined, undefined, { b: 2 }]],
];

for (const [text, rows] of READ)
  test(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(rowsOf(text), rows));

const REFUSED: readonly string[] = [
  ...["", " ", "\uFEFF", "null", "[]", "{}", "<html>", '"features"', '{"features":{}}'],
  ...['{"features":null}', '{"features":[]', '{"features":[', '{"features":[1', '{"features":[1,'],
  ...['{"features":[{"a":"]}', '{"features":[{"a":"\\"]}', '{"features":[{"a":1]}'],
  ...['{"features":[1 2]}', '{"features":[1,]}', '{"features":[,1]}', '{"features":[]}x'],
  ...['{"features":[]},', '{"features" []}', "{features:[]}", '{"features":[],}', '{"a":1 "b":2}'],
  ...['{"detail":"Not Found"}', '{"features":[1],"features":null}', '{"features":[]}}', "{,}"],
];

for (const text of REFUSED)
  test(`refuses ${JSON.stringify(text)}`, () => assert.equal(rowsOf(text), null));

test("a document that is cut anywhere is no document", () => {
  const text = JSON.stringify({
    type: "FeatureCollection",
    features: [{ p: { "a]": '}"\\' }, c: [1, [2]] }, { q: "é" }],
    bbox: [1, 2],
  });
  const bytes = encode(text);
  for (let length = 0; length < bytes.length; length++)
    assert.equal(openFeatures(bytes.subarray(0, length)), null, `${length}`);
  assert.equal(openFeatures(bytes)?.count, 2);
});

test("whatever JSON there is, the rows are those of JSON.parse", () => {
  const space = fc.constantFrom(0, 1, 3, "\t");
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), space, (features, other, indent) => {
      const text = JSON.stringify({ other, features, more: [other] }, null, indent);
      assert.deepEqual(rowsOf(text), JSON.parse(text).features);
    }),
    { numRuns: tries(1_000) },
  );
});

test("no bytes throw", () => {
  const marks = fc.constantFrom(...'{}[]",:\\ 1ne'.split(""), '"features":[');
  fc.assert(
    fc.property(fc.array(marks), (parts) => {
      const text = `{"features":[${parts.join("")}`;
      const rows = rowsOf(text);
      if (rows === null) return;
      // What is whole for us but not for JSON.parse has a broken row.
      assert.ok(isJson(text) || rows.includes(undefined) || /features/.test(parts.join("")), text);
    }),
    { numRuns: tries(5_000) },
  );
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void openFeatures(bytes)));
});

test("a hundred thousand brackets deep costs no stack", () => {
  const deep = "[".repeat(100_000);
  assert.equal(rowsOf(`{"features":[${deep}`), null);
  assert.equal(openFeatures(encode(`{"features":[${deep}${"]".repeat(100_000)}]}`))?.count, 1);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
