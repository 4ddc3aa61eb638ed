/** Elements of XML one at a time: encodings, bounds, and documents that break off or mean harm. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTrail } from "#kit/trail.ts";
import {
  childOf,
  descendantsOf,
  readElements,
  readHead,
  textOf,
  type XmlElement,
} from "#providers/xml-elements.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(document: string | Uint8Array, ...names: string[]) {
  const trail = createTrail();
  const body = typeof document === "string" ? bytes(document) : document;
  const elements = [...readElements(body, new Set(names.length > 0 ? names : ["w"]), trail)];
  const { dropped } = trail.toTrail();
  return { elements, dropped: dropped.map(({ reason, examples }) => [reason, ...examples]) };
}

const textsOf = (document: string | Uint8Array): (string | undefined)[] =>
  read(document).elements.map((element) => element?.text);

test("an element comes with all that is in it, by local names", () => {
  const { elements, dropped } = read(
    '<r xmlns:p="x"><w/><p:w q:id="1" b="&lt;"> a<c>t&amp;&#65;&#x42;</c><w><![CDATA[<x>]]></w>b </p:w></r>',
  );
  assert.deepEqual(dropped, []);
  const [empty, whole] = elements as XmlElement[];
  assert.deepEqual([empty?.text, empty?.children], ["", []]);
  assert.deepEqual(
    [...whole!.attributes],
    [
      ["id", "1"],
      ["b", "<"],
    ],
  );
  assert.equal(whole!.text, "ab");
  assert.equal(textOf(whole!, "c"), "t&AB");
  assert.equal(textOf(whole!, "w"), "<x>");
  assert.equal(childOf(whole!, "c", "none"), null);
  assert.equal([...descendantsOf(whole!, "w")].length, 1);
  assert.equal(elements.length, 2);
});

test("encodings: UTF-8 with and without mark, Latin-1, UTF-16 in either order, and none of others", () => {
  const document = (encoding: string): string =>
    `<?xml version="1.0" encoding="${encoding}"?><r><w>Straße €</w></r>`;
  const wide = Buffer.from(`\uFEFF${document("UTF-16")}`, "utf16le");
  assert.deepEqual(textsOf(document("UTF-8")), ["Straße €"]);
  assert.deepEqual(textsOf(`\uFEFF${document("utf-8")}`), ["Straße €"]);
  assert.deepEqual(textsOf(wide), ["Straße €"]);
  assert.deepEqual(textsOf(Buffer.from(wide).swap16()), ["Straße €"]);
  const latin = Buffer.from(document("ISO-8859-1").replace(" €", ""), "latin1");
  assert.deepEqual(textsOf(latin), ["Straße"]);
  // It says what it is not.
  assert.deepEqual(textsOf(document("UTF-16")), ["Straße €"]);
  assert.deepEqual(read(document("Shift_JIS")), {
    elements: [null],
    dropped: [["xml_broken", "encoding"]],
  });
});

test("characters that chunks cut in two are whole", () => {
  const text = "ß€🅿".repeat(40_000);
  const { elements } = read(`<r><w>x${text}</w></r>`);
  assert.equal(elements[0]?.text, `x${text}`);
});

test("what precedes a break is given, and the break is reported once", () => {
  for (const [end, reason] of [
    ["<w>", "Unclosed root tag, line 2"],
    ["<w></r>", "Unexpected close tag, line 2"],
    ["<w>&nbsp;</w></r>", "Invalid character entity, line 2"],
    ["<w a=1></w></r>", "Unquoted attribute value, line 2"],
  ] as const) {
    const { elements, dropped } = read(`<r><w>1</w>\n<w>2</w>${end}`);
    assert.deepEqual(
      [elements.map((each) => each?.text ?? null), dropped],
      [["1", "2", null], [["xml_broken", reason]]],
    );
  }
});

test("a DOCTYPE, deep, wide and long things are refused, and cost nothing else", () => {
  const refused = (document: string): string | undefined => {
    const { elements, dropped } = read(document);
    assert.deepEqual(
      elements.filter((each) => each !== null),
      [],
    );
    return dropped[0]?.[1];
  };
  assert.match(refused('<!DOCTYPE r [<!ENTITY a "b">]><r><w>&a;</w></r>')!, /^DOCTYPE/);
  assert.match(refused("<a>".repeat(100_000))!, /^depth/);
  assert.match(
    refused(`<w ${Array.from({ length: 99 }, (_, i) => `a${i}="1"`).join(" ")}/>`)!,
    /^attributes/,
  );
  assert.match(refused(`<w ${"n".repeat(300)}="1"/>`)!, /^attributes/);
  assert.match(refused(`<${"n".repeat(300)}/>`)!, /^name/);
  assert.match(refused(`<w a="${"v".repeat(200_000)}`)!, /^Max buffer length/);
  assert.equal(refused(""), "no element");
  assert.match(refused("{}")!, /^Non-whitespace/);
  // Members of objects that JavaScript knows are names like others, or refused.
  assert.deepEqual(read("<r><w __proto__='1' constructor='2'/></r>").dropped, []);
  refused("<w hasOwnProperty='1' b='2'/>");
  // Wrong ends after many beginnings take no time that grows with both.
  refused(`<r>${"<a>".repeat(60)}${"</b>".repeat(100_000)}`);
});

test("an element above the bounds is passed over, and the next is read", () => {
  const many = `<w>${"<c/>".repeat(100_001)}</w>`;
  const long = `<w><c>${"x".repeat(4_200_000)}</c><w/></w>`;
  const { elements, dropped } = read(`<r>${many}<w>1</w>${long}<w>2</w></r>`);
  assert.deepEqual(
    elements.map((each) => each?.text ?? null),
    [null, "1", null, "2"],
  );
  assert.deepEqual(dropped, [["xml_element_too_large", "", ""]]);
});

test("no more of a document is read than what is taken", () => {
  const one = `<w>${"x".repeat(1_000)}</w>`;
  const body = bytes(`<r>${one.repeat(1_000)}<broken`);
  const trail = createTrail();
  const reader = readElements(body, new Set(["w"]), trail);
  for (let n = 0; n < 100; n += 1)
    assert.equal((reader.next().value as XmlElement).text.length, 1_000);
  reader.return();
  assert.deepEqual(trail.toTrail().dropped, []);
});

test("the head of a document says what it is, however long the rest", () => {
  const head = readHead(
    bytes(`<d:model><d:payload x:type="n:Publication">${"<a/>".repeat(1_000)}`),
  );
  assert.deepEqual(
    head.slice(0, 2).map(({ name, attributes }) => [name, attributes.get("type")]),
    [
      ["model", undefined],
      ["payload", "n:Publication"],
    ],
  );
  assert.equal(head.length, 100);
  assert.deepEqual(readHead(bytes('{"a":1}')), []);
});

test("no bytes make it throw, and whatever is broken is reported", () => {
  const parts = fc.constantFrom(
    "<w>",
    "</w>",
    "<r>",
    "</r>",
    "&amp;",
    "&",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    'a="',
    "<?",
    "?>",
    "x",
    "<w/>",
    "\u0000",
    "<!DOCTYPE ",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), (texts) => {
      const { elements, dropped } = read(texts.join(""));
      assert.equal(elements.filter((each) => each === null).length, dropped.length);
    }),
    { numRuns: 300 },
  );
});
