/** Texts of sources as they are shown (decisions, Texts of sources). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cleanId, cleanName, cleanText, MAX_NAME, MAX_TEXT } from "../../text/clean.ts";
import { cutText } from "../../text/cut.ts";
import { decodePercent } from "../../text/percent.ts";
import { anyText } from "../../../../test/support/any-text.ts";
import { tries } from "../../../../test/support/size.ts";

const tags = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join("");

test("invisible characters are removed", () => {
  const hidden = ["\u200b", "\u2060", "\u2063", "\u202e", "\u2066", "\ufeff", "\u00ad", "\u0007"];
  for (const mark of [...hidden, "\u200e", "\u200f", "\u061c", "\u200c", "\u200d", tags("send it")])
    assert.equal(cleanText(`Sta${mark}tion`), "Station", JSON.stringify(mark));
  assert.equal(cleanText("☎\ufe0f\u{e0101}\u{e0102}\u{e0103}x"), "☎\ufe0fx");
  // One selector a character is a hidden byte a character, where no such sequence exists.
  for (const selector of ["\ufe00", "\ufe0f", "\u{e0100}", "\u{e01ef}", "\u180b"])
    assert.equal(cleanText(`S${selector}t${selector}`), "St");
  assert.equal(cleanText("א\u200f\u200e\u061c\u200fב"), "א\u200fב");
});

test("no character that is never shown stays between two Latin letters", () => {
  const listed = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
  const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/u;
  for (let code = 0; code <= 0x10_ffff; code++) {
    const character = String.fromCodePoint(code);
    if (!hidden.test(character) || listed.test(character)) continue;
    const cleaned = cleanText(`Sta${character}tion`);
    assert.ok(!cleaned.includes(character), code.toString(16));
    assert.ok(!cleanId(`Sta${character}tion`).includes(character), code.toString(16));
  }
});

test("half of a character becomes the sign for an unreadable one, so that every text is UTF-8", () => {
  for (const [broken, clean] of [
    ["\ud83d", "\ufffd"],
    ["Sta\ud83dtion", "Sta\ufffdtion"],
    ["Station\udeb2", "Station\ufffd"],
    ["\udeb2\ud83d", "\ufffd\ufffd"],
    ["🚲\ud83d", "🚲\ufffd"],
    ["🚲", "🚲"],
  ] as const)
    for (const read of [cleanText, cleanName, cleanId])
      assert.equal(read(broken), clean, `${read.name} ${JSON.stringify(broken)}`);
  const torn = cleanText("x".repeat(7) + "🚲", 2);
  assert.ok(torn.isWellFormed(), torn);
});

test("characters that a script needs are kept", () => {
  const needed = [
    "\u200fשלום 12\u200e",
    "می\u200cخواهم",
    "क्\u200dष",
    "👨\u200d👩\u200d👧",
    "☎\ufe0f",
    "1\ufe0f\u20e3",
    "ᠠ\u180bᠨ",
    "👨🏽\u200d❤\ufe0f\u200d👨",
  ];
  for (const text of [...needed, "葛\u{e0100}城", "ශ්\u200dරී"]) assert.equal(cleanText(text), text);
});

test("runs of blanks become one, and line ends become blanks", () => {
  assert.equal(cleanText("  Main \u00a0\t Street\r\n\r\n5 "), "Main Street 5");
  assert.equal(cleanText("Gare\u00a0du Nord"), "Gare\u00a0du Nord");
});

test("names are cut at 256 characters, other texts at 4,096, and no character is torn", () => {
  assert.equal(cleanName("x".repeat(5_000)).length, MAX_NAME);
  assert.equal(cleanText("x".repeat(50_000)).length, MAX_TEXT);
  assert.equal(cleanText("😀".repeat(200), 5), "😀😀");
  assert.equal(cutText("abe\u0301\u0301", 4), "ab");
  assert.equal(cutText("👨\u200d👩\u200d👧x", 5), "👨\u200d👩\u200d👧x".slice(0, 5));
  fc.assert(
    fc.property(anyText(), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const cut = cutText(text.toWellFormed(), most);
      return cut.length <= most && cut.isWellFormed();
    }),
  );
});

test("cleaning twice is cleaning once", () => {
  const unit = fc.constantFrom(
    ...["a", "é", "ש", "م", "क", "👨", "\u200d", "\u200c", "\u200f", " ", "\t", "\ufe0f"],
    ...["\u{e0041}", "\u{e0100}", "\ud800", "\u0301", "%C3%A9", "葛", "☎", "\u180b"],
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const once = cleanText(text);
      return cleanText(once) === once && once === once.trim() && !/\s\s/.test(once);
    }),
    { numRuns: tries(2_000) },
  );
});

test("names that were taken out of an address are decoded once", () => {
  assert.equal(decodePercent("Caf%C3%A9%20du%20Nord"), "Café du Nord");
  assert.equal(decodePercent("100%2525"), "100%25");
  for (const text of ["100%", "50%AC", "5%20 off", "%zz", "100% Bike", "%00", "https://a/%20"])
    assert.equal(decodePercent(text), text);
  assert.equal(cleanName("Caf%C3%A9"), "Café");
});

test("an id keeps its blanks and its encoding", () => {
  assert.equal(cleanId(" a  b%20Ã©\u200b "), "a  b%20Ã©");
});

test("a text of any length costs no more than one that is cut", () => {
  assert.equal(cleanName(`${" ".repeat(1e6)}x`), "");
});
