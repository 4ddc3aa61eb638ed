/** Words of pages, merged into the names of a base. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "#kit/budget.ts";
import { toEnd } from "#kit/steps.ts";
import { decodeNames, encodeNames } from "../../geocoder/name-lists.ts";
import { mergeNames } from "../../geocoder/merge-names.ts";
import { openNames } from "../../geocoder/open-names.ts";
import { kindWord, type NameEntry } from "../../geocoder/page-names.ts";
import { planKinds, planPages } from "../../geocoder/plan-pages.ts";
import { readQuestion } from "../../geocoder/fold-words.ts";
import { cellAt, type PageCell, quartersOf, WHOLE } from "../../pages/page-cell.ts";
import { seeded } from "./made-region.ts";

type Word = readonly [word: string, documents: number, importance?: number, around?: number];

/** Entries of a page in order, behind that of all documents. */
function listOf(...words: readonly Word[]): NameEntry[] {
  const total = words.reduce((sum, [, documents]) => sum + documents, 0);
  return [
    { word: "", documents: total, importance: 0, around: 0 },
    ...words
      .map(([word, documents, importance = documents > 0 ? 30 : 0, around = 0]) => ({
        ...{ word, documents, importance, around },
      }))
      .sort((a, b) => (a.word < b.word ? -1 : 1)),
  ];
}

const CELLS: readonly PageCell[] = quartersOf(WHOLE);
const PAGES: readonly NameEntry[][] = [
  listOf(
    ["bahnhofstrasse", 3],
    ["vaduz", 0, 0, 255],
    ["muhleweg", 1],
    [kindWord("amenity=cafe"), 2],
  ),
  listOf(["bahnhofstrasse", 2], ["vaduz", 4, 200, 255], [kindWord("amenity=cafe"), 7, 99]),
  listOf(["bahnhofstrasse", 9], ["vaduzer", 1]),
  listOf(["muhlweg", 5], ["😀", 1]),
];

const names = openNames(
  toEnd(mergeNames(PAGES.map((entries, page) => ({ page, entries })))),
  CELLS,
);
const planned = (q: string, more = {}) =>
  planPages([names], readQuestion(q, 16), {
    ...{ near: null, country: null, prefix: false, most: 8 },
    ...{ budget: new Budget({ looks: 100_000, keeps: 100 }), ...more },
  });
const numbers = (q: string, more = {}): number[] => planned(q, more).pages.map(({ page }) => page);

test("a word has the documents of all pages, and the pages that have it", () => {
  assert.equal(names.documents, 35);
  assert.equal(names.frequencyOf("bahnhofstrasse"), 14);
  assert.equal(names.frequencyOf("vaduz"), 4);
  assert.equal(names.frequencyOf("nothing"), 0);
  const pages: number[][] = [];
  names.eachPage(names.terms.find("vaduz"), (...entry) => pages.push(entry));
  assert.deepEqual(pages, [
    [0, 0, 0, 255],
    [1, 4, 200, 255],
  ]);
});

test("pages come in the order of what they explain, where they are and how important it is", () => {
  assert.deepEqual(numbers("Bahnhofstrasse, Vaduz"), [1, 0, 2]);
  // One error, two errors, and the beginning of a word.
  assert.deepEqual(numbers("Vaduzz"), [1]);
  assert.deepEqual(numbers("Bahnhfstrase, Vaduz"), [1, 0, 2]);
  assert.deepEqual(numbers("vad", { prefix: true }), [1, 2]);
  assert.deepEqual(numbers("Mühleweg"), [0, 3]);
  assert.deepEqual(numbers("qqqq"), []);
  const near = { lat: -40, lon: -90 };
  assert.deepEqual(cellAt(1, near.lat * 1e7, near.lon * 1e7), CELLS[2]);
  assert.equal(numbers("Bahnhofstrasse", { near })[0], 2);
});

test("no more pages are asked than that, among them one in which each heavy word is a name", () => {
  const { pages, rest } = planned("Bahnhofstrasse Muhlweg", { most: 2 });
  assert.deepEqual(new Set(pages.map(({ page }) => page)), new Set([0, 3]));
  assert.ok(rest > 0 && rest < 1);
  assert.equal(planned("Vaduz").rest, 0);
});

test("the rest is what any page explains that is left out, and not the likeliest of them alone", () => {
  // Of the two that are left out the more important one has less of the question.
  const made = openNames(
    toEnd(
      mergeNames(
        [
          listOf(["bahnhofstrasse", 1, 255], ["vaduz", 1, 255]),
          listOf(["bahnhofstrasse", 1, 1], ["vaduz", 0, 0, 200]),
          listOf(["bahnhofstrasse", 1, 255], ["vaduz", 0, 0, 180]),
        ].map((entries, page) => ({ page, entries })),
      ),
    ),
    CELLS,
  );
  const plan = (most: number) =>
    planPages([made], readQuestion("Bahnhofstrasse Vaduz", 16), {
      ...{ near: null, country: null, prefix: false, most },
      budget: new Budget({ looks: 100_000, keeps: 100 }),
    });
  const { pages } = plan(3);
  assert.deepEqual(
    pages.map(({ page }) => page),
    [0, 2, 1],
  );
  assert.ok(pages[2]!.text > pages[1]!.text);
  assert.equal(plan(1).rest, pages[2]!.text);
});

test("a word that weighs as much in two bases weighs what it does in both together", () => {
  const alone = planned("Bahnhofstrasse Vaduz").best.map((best) => best?.documents);
  const both = planPages([names, names], readQuestion("Bahnhofstrasse Vaduz", 16), {
    ...{ near: null, country: null, prefix: false },
    budget: new Budget({ looks: 100_000, keeps: 100 }),
  }).best.map((best) => best?.documents);
  assert.deepEqual(alone, [14, 4]);
  assert.deepEqual(both, [28, 8]);
});

test("a question with many unknown words leaves as much for the search as for the plan, whatever number of bases", () => {
  const q = "Reztaurant zum goldenenn Hirrschen, Hauptztrasse, Garmizch Partenkirchn, Bajern";
  const budget = new Budget({ looks: 20_000, keeps: 100 });
  const list = Array.from({ length: 12 }, () => names);
  planPages(list, readQuestion(q, 16), {
    ...{ near: null, country: null, prefix: false, budget },
  });
  assert.ok(budget.isSpent);
  assert.ok(budget.looksLeft >= 20_000 / 4, String(budget.looksLeft));
});

test("pages with things of a kind come by distance, else by importance", () => {
  const kinds = ["amenity=cafe"];
  const order = (around: Parameters<typeof planKinds>[2]["around"]): number[] =>
    planKinds([names], kinds, { around, country: null }).map(({ page }) => page);
  assert.deepEqual(order(null), [1, 0]);
  assert.deepEqual(order([50e7, -90e7, 50e7, -90e7]), [0, 1]);
});

test("a list is the same after it was on the disk, wherever its pieces are cut", () => {
  const random = seeded(3);
  const words = Array.from({ length: 5_000 }, () =>
    String.fromCharCode(...Array.from({ length: 1 + random() * 12 }, () => 97 + random() * 900)),
  );
  const list = listOf(...[...new Set(words)].map((word, i): Word => [word, i, i % 256, i % 7]));
  const bytes = Buffer.concat([...encodeNames(list)]);
  for (const size of [1, 7, 4_096, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    assert.deepEqual([...decodeNames(pieces)], list);
  }
  assert.throws(() => [...decodeNames([bytes.subarray(0, -1)])], RangeError);
});

test("lists may come in any order, and a page may have no words", () => {
  const shuffled = [3, 1, 0, 2].map((page) => ({ page, entries: PAGES[page]! }));
  const merged = toEnd(mergeNames(shuffled));
  assert.deepEqual(merged, toEnd(mergeNames(PAGES.map((entries, page) => ({ page, entries })))));
  const none = openNames(toEnd(mergeNames([])), []);
  assert.equal(none.documents, 0);
  assert.equal(none.frequencyOf("vaduz"), 0);
});
