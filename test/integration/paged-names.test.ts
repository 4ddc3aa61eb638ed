/**
 * A real extract in pages answers by name as the same extract in one pack (docs/lab/pages.md), or says
 * that more pages have the name than are asked.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { ByteRanges } from "#kit/byte-ranges.ts";
import { findByName } from "#app/places/base-geocoding.ts";
import type { BaseHit } from "#app/places/base-hits.ts";
import { WordBook } from "#app/places/word-book.ts";
import { countryAt, loadCountries } from "#app/country.ts";
import { createSections } from "#main/bases/sections.ts";
import { openBasePack } from "#osm/base/open-base.ts";
import type { GeocoderMeta } from "#osm/geocoder/geocoder-section.ts";
import { openGeocoder } from "#osm/geocoder/geocoder.ts";
import { openNames } from "#osm/geocoder/open-names.ts";
import { openPagedHead } from "#osm/pages/paged-head.ts";
import { readPage } from "#osm/pages/read-page.ts";
import { importBase } from "#osm/index.ts";
import { threadBaseImport } from "#osm/reader/import-paged.ts";
import type { PinnedPage } from "#ports/base-pages.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { Bytes } from "../../packages/osm-base/test/paged/by-hand.ts";
import { extractPath, listExtracts } from "../support/base.ts";
import { noFault } from "../support/faults.ts";
import { oneGeocoder } from "../support/geocoding-bases.ts";
import { seeded } from "../support/made-region.ts";

const EXTRACT = process.env["EXTRACT"] ?? "liechtenstein-alabama-2021";
const worker_url = new URL("../../src/main/workers/base.ts", import.meta.url);
const STATEMENT = { id: "x", data_at: null, licence: null, attribution: null };
const without = ["map", "walk"] as const;

async function inPages(t: TestContext, page_bytes: number): Promise<GeocodingBase> {
  const folder = await mkdtemp(join(tmpdir(), "paged-names-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = new Bytes();
  const target = { folder, write: (at: number, bytes: Uint8Array) => file.write(at, bytes) };
  const read = threadBaseImport({ worker_url, onFault: noFault });
  const settings = { id: "x", region: null, now_ms: 5, without, page_bytes };
  const result = await read(extractPath(EXTRACT), { ...settings, target });
  assert.ok(result.ok, JSON.stringify(result));
  const { bytes } = file;
  const ranges: ByteRanges = {
    ...{ bytes: bytes.length, version: "1", close: () => Promise.resolve() },
    read: (at, length) => Promise.resolve(bytes.slice(at, at + length)),
  };
  const head = await openPagedHead(ranges);
  if ("reason" in head) return assert.fail(head.reason);
  const rows = head.meta.pages;
  const pages = await Promise.all(
    rows.map(async (row, number): Promise<PinnedPage<Opened>> => {
      const { columns, meta } = openBasePack(await readPage(ranges, row), true)!;
      const own = meta.sections["geocoder"] as GeocoderMeta | undefined;
      const geocoder = own ? openGeocoder(columns, own) : null;
      return { number, cell: row.cell, page: { geocoder } };
    }),
  );
  return {
    statement: STATEMENT,
    covers: head.covers,
    hasNames: true,
    words: openNames(head.columns, rows.map(({ cell }) => cell)),
    pages: {
      rows,
      at: () => null,
      around: () => [],
      ofTile: () => [],
      pin: (numbers) =>
        Promise.resolve({
          pages: numbers.map((number) => pages[number]!),
          ...{ missing: [], [Symbol.dispose]: () => undefined },
        }),
    },
  };
}
type Opened = { geocoder: ReturnType<typeof openGeocoder> | null };

type Row = { street: string; number: string; city: string; postcode: string };
type Drawn = { addresses: Row[]; names: string[] };

async function inOne(): Promise<{ base: GeocodingBase; drawn: Drawn }> {
  const find = await loadCountries();
  const sections = createSections((lat, lon) => countryAt(find, lat, lon), without);
  const result = await importBase(extractPath(EXTRACT), {
    ...{ id: "x", region: null, now_ms: 5, sections },
  });
  assert.ok(result.ok);
  const { columns, meta, covers } = openBasePack(result.pack)!;
  const geocoder = openGeocoder(columns, meta.sections["geocoder"] as GeocoderMeta);
  const base = { statement: STATEMENT, covers, ...oneGeocoder(geocoder) };
  return { base, drawn: draw(geocoder.page!.view) };
}

/** Addresses and names of the base itself. */
function draw({ numbers, docs, sets, contexts, text }: NonNullable<ReturnType<typeof openGeocoder>["page"]>["view"]): Drawn {
  const nameOf = (doc: number): string => text(sets.texts[sets.starts[docs.set[doc]!]!] ?? 0);
  const addresses = Array.from(numbers.owners, (doc, row): Row => {
    const context = docs.context[doc]!;
    const city = contexts.city[context]! >= 0 ? nameOf(contexts.city[context]!) : text(contexts.city_name[context]!);
    return {
      ...{ street: nameOf(doc), number: text(numbers.label[row]!), city },
      postcode: text(numbers.postcode[row]! || docs.postcode[doc]!),
    };
  }).filter(({ street, city }) => street !== "" && city !== "");
  const named = Array.from({ length: docs.count }, (_, doc) =>
    sets.starts[docs.set[doc]!]! < sets.starts[docs.set[doc]! + 1]! ? nameOf(doc) : "",
  );
  return { addresses, names: named.filter((name) => name !== "") };
}

const random = seeded(9);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
function typo(input: string): string {
  const at = 1 + Math.floor(random() * Math.max(1, input.length - 2));
  return input.slice(0, at) + input.slice(at + 1);
}

const FORMS: Readonly<Record<string, (drawn: Drawn) => string>> = {
  "address": ({ addresses }) => {
    const { street, number, city } = pick(addresses);
    return `${street} ${number}, ${city}`;
  },
  "address with postcode": ({ addresses }) => {
    const { street, number, city, postcode } = pick(addresses);
    return `${street} ${number}, ${postcode} ${city}`;
  },
  "street": ({ addresses }) => {
    const { street, city } = pick(addresses);
    return `${street}, ${city}`;
  },
  "street, one error": ({ addresses }) => {
    const { street, city } = pick(addresses);
    return `${typo(street)}, ${city}`;
  },
  "name": ({ names }) => pick(names),
  "name, one error": ({ names }) => typo(pick(names)),
  "postcode": ({ addresses }) => pick(addresses).postcode || "9490",
};

const shown = (hit: BaseHit | undefined): string =>
  hit ? `${hit.item.label} ${hit.item.match_quality} ${hit.item.source_place_id}` : "nothing";

test("an extract in pages answers by name as in one", { skip: !listExtracts().includes(EXTRACT) }, async (t) => {
  const { base: whole, drawn } = await inOne();
  const paged = await inPages(t, Number(process.env["PAGE_BYTES"] ?? 400_000));
  const book = new WordBook();
  const ask = async (base: GeocodingBase, q: string, operation: "geocode" | "search") => {
    const deps = { list: () => [base], gazetteer: () => null, isPending: () => false };
    const query = { q, language: null, country: null, near: null };
    const more = base === paged ? { book } : {};
    const reply = await findByName({ ...deps, ...more }, query, { operation });
    assert.ok(reply.status === "ok");
    return reply;
  };
  const differ: string[] = [];
  const all: string[] = [];
  let [cut, asked] = [0, 0];
  for (let n = 0; n < Number(process.env["ROUNDS"] ?? 40); n++)
    for (const [form, toQuestion] of Object.entries(FORMS)) {
      const q = toQuestion(drawn);
      const operation = n % 2 === 0 ? "geocode" : "search";
      const [one, many] = [await ask(whole, q, operation), await ask(paged, q, operation)];
      asked++;
      const isCut = many.notices.length > one.notices.length;
      if (isCut) cut++;
      else if (shown(one.hits[0]) !== shown(many.hits[0]))
        differ.push(`${form} ${operation} ${q}: ${shown(one.hits[0])} | ${shown(many.hits[0])}`);
      if (one.hits.map(shown).join() !== many.hits.map(shown).join()) all.push(q);
    }
  console.log(paged.pages.rows.length, "pages", asked, "asked", cut, "cut", all.length, "lists differ", differ);
});
