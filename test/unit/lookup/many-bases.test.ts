/**
 * Names over many bases (docs/lab/pages.md): words weigh the same in all of them, and a question is
 * asked of those that may hold it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findByName } from "#app/places/base-geocoding.ts";
import type { NameQuery } from "#app/places/choose-hits.ts";
import { PinnedBases } from "#app/places/pinned-bases.ts";
import { FEW, WordBook } from "#app/places/word-book.ts";
import { SEARCH_CUT } from "#core/places/geocode-notices.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { aBase } from "../../support/geocoding-bases.ts";
import { aHouse, aNode, type Feature } from "../../support/geocoder.ts";

type Question = Pick<NameQuery, "q"> & Partial<NameQuery>;

async function ask(
  bases: readonly GeocodingBase[],
  { q, ...more }: Question,
  book = new WordBook(),
): Promise<{ names: string[]; notices: readonly string[] }> {
  const deps = { list: () => bases, gazetteer: () => null, isPending: () => false, book };
  const query = { q, language: null, country: null, near: null, ...more };
  const reply = await findByName(deps, query, { operation: "geocode" });
  assert.ok(reply.status === "ok");
  const names = reply.hits.map(({ item, base }) => `${base.statement.id}: ${item.name}`);
  return { names, notices: reply.notices };
}

const HELSINKI = { lat: 60.17, lon: 24.94 };

/** A city with as many hotels, one of them at its middle, and as many shops. */
function withHotels(
  id: string,
  { lat, lon }: typeof HELSINKI,
  { hotels, shops }: { hotels: number; shops: number },
): GeocodingBase {
  const features: Feature[] = Array.from({ length: hotels }, (_, i) =>
    aNode(100 + i, [lat + i * 1e-3, lon], {
      tourism: "hotel",
      name: i === 0 ? "Hotel" : `Hotel ${NAMES[i % NAMES.length]}`,
    }),
  );
  const others = Array.from({ length: shops }, (_, i) =>
    aNode(9_000 + i, [lat, lon + i * 1e-3], { shop: "bakery", name: `Laden ${i}` }),
  );
  return aBase(id, [lat - 1, lon - 1, lat + 1, lon + 1], [...features, ...others]);
}
const NAMES = ["Kamp", "Torni", "Fabian", "Katajanokka", "Linna"];

test("of two bases the one near the point leads, however rare a word is in the other", async () => {
  const helsinki = withHotels("helsinki", HELSINKI, { hotels: 40, shops: 60 });
  const monaco = withHotels("monaco", { lat: 43.73, lon: 7.42 }, { hotels: 1, shops: 500 });
  const { names } = await ask([monaco, helsinki], { q: "Hotel Qwxyz", near: HELSINKI });
  assert.equal(names[0], "helsinki: Hotel");
});

/** A village far from all others, with a street that all villages have, and one of its own. */
function aVillage(n: number): GeocodingBase {
  const [lat, lon] = [40 + Math.floor(n / 25) * 0.5, (n % 25) * 0.5];
  const town = `Dorf${SYLLABLES[n % 10]}${SYLLABLES[Math.floor(n / 10) % 10]}${SYLLABLES[Math.floor(n / 100)]}`;
  const where = { "addr:city": town };
  return aBase(
    `b${n}`,
    [lat - 0.2, lon - 0.2, lat + 0.2, lon + 0.2],
    [
      aNode(1, [lat, lon], { place: "village", name: town }),
      aHouse(2, [lat + 0.001, lon], "Bahnhofstrasse", "1", where),
      aHouse(3, [lat + 0.001, lon + 0.001], "Bahnhofstrasse", "3", where),
      aHouse(4, [lat - 0.001, lon], `${town}er Weg`, "5", where),
      aNode(5, [lat, lon + 0.002], { amenity: "pharmacy", name: `Apotheke ${town}` }),
    ],
  );
}
const SYLLABLES = ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu"];

const villages = Array.from({ length: 40 }, (_, n) => aVillage(n));

test("questions to many bases have the answers that they have where each base is asked", async () => {
  const book = new WordBook();
  book.of(villages);
  await book.settled();
  assert.equal(book.of(villages).alone.length, 0);
  for (const q of [
    "Bahnhofstrasse 3, Dorflebaba",
    "Dorfmibabaer Weg 5",
    "Dorfmidebaer Weg",
    "Dorfgodeba",
    "Dorfgodba",
    "Apotheke Dorfhufiba",
  ]) {
    const all = await ask(villages, { q });
    const planned = await ask(villages, { q }, book);
    assert.ok(all.names.length > 0, q);
    assert.equal(planned.names[0], all.names[0], q);
    assert.ok(!planned.notices.includes(SEARCH_CUT), q);
  }
});

test("where more bases have a name than are asked the answer says that better ones may be missing", async () => {
  const book = new WordBook();
  book.of(villages);
  await book.settled();
  const near = { lat: 40.5, lon: 2 };
  const { names, notices } = await ask(villages, { q: "Bahnhofstrasse", near }, book);
  assert.ok(notices.includes(SEARCH_CUT));
  // The nearest is asked all the same.
  assert.equal(names[0], "b29: Bahnhofstrasse");
});

test("bases that come and go are asked as they are now", async () => {
  const book = new WordBook();
  const before = villages.slice(0, 20);
  book.of(before);
  await book.settled();
  const after = [...villages.slice(10, 20), villages[30]!];
  const q = "Dorfbakaba";
  assert.deepEqual((await ask(after, { q: "Dorfbagoba" }, book)).names[0], "b30: Dorfbagoba");
  assert.equal((await ask(before, { q: "Dorfbababa" }, book)).names[0], "b0: Dorfbababa");
  assert.notEqual((await ask(after, { q: "Dorfbababa" }, book)).names[0], "b0: Dorfbababa", q);
  await book.settled();
  assert.equal(book.of(after).alone.length, 0);
  assert.equal((await ask(after, { q: "Dorfbagoba" }, book)).names[0], "b30: Dorfbagoba");
});

test("few bases are asked each, without that their words are merged", () => {
  const book = new WordBook();
  const few = villages.slice(0, FEW);
  assert.deepEqual(book.of(few).alone, few);
  assert.equal(book.of(few).names.length, 0);
});

test("a page that could not be read for a while weighs as it does where it always could", async () => {
  const few = villages.slice(0, 2);
  using pinned = new PinnedBases();
  await pinned.add(few.map((base) => ({ base, pages: [0] })));
  const pages = few.flatMap((base) => pinned.of(base).flatMap(({ page }) => page ?? []));
  assert.equal(pages.length, 2);
  const view = new WordBook().of(few);
  const documents = pages.map((page) => view.statisticsOf([page]).documents);
  const all = view.statisticsOf(pages);
  assert.equal(all.documents, documents[0]! + documents[1]!);
  assert.equal(view.statisticsOf([...pages]), all, "one object, by which pages keep their counts");
});

/** A city with many inns, and in the first six two shops with a name of one word; the next one has no inn, and a shop with both words. */
function withInns(n: number): GeocodingBase {
  const [lat, lon] = [30 + n, 5];
  const inns = Array.from({ length: n === 6 ? 0 : 60 }, (_, i) =>
    aNode(100 + i, [lat + i * 1e-3, lon], {
      ...{ tourism: "hotel", name: `Gasthaus ${SYLLABLES[i % 10]}${n}` },
    }),
  );
  const names = n < 6 ? ["Adler", "Rose"] : n === 6 ? ["Adler Rose"] : [];
  const shops = names.map((name, i) =>
    aNode(1 + i, [lat, lon + (i + 1) * 0.05], { shop: "bakery", name }),
  );
  return aBase(`h${n}`, [lat - 0.2, lon - 0.2, lat + 0.2, lon + 0.2], [...inns, ...shops]);
}

test("bases that are asked in the end have candidates, whatever those took that were asked first", async () => {
  const inns = Array.from({ length: 20 }, (_, n) => withInns(n));
  const book = new WordBook();
  book.of(inns);
  await book.settled();
  assert.equal(book.of(inns).alone.length, 0);
  const { names } = await ask(inns, { q: "Gasthaus Adler Rose" }, book);
  assert.equal(names[0], "h6: Adler Rose");
});
