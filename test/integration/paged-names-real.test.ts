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
import { openNames } from "#osm/names.ts";
import {
  type GeocoderMeta,
  importBase,
  openBasePack,
  openGeocoder,
  openPagedHead,
  readPage,
} from "#osm/index.ts";
import { threadBaseImport } from "#osm/imports.ts";
import type { PinnedPage } from "#ports/base-pages.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { Bytes } from "../../packages/osm-base/test/paged/by-hand.ts";
import { extractPath, lackOf } from "../support/base.ts";
import { noFault } from "../support/faults.ts";
import { oneGeocoder } from "../support/geocoding-bases.ts";
import { seeded } from "../../packages/osm-base/test/geocoder/made-region.ts";

/** Extracts, and how large pages of them are. */
const EXTRACTS: readonly (readonly [name: string, page_bytes: number])[] = [
  ["liechtenstein-alabama-2021", 400_000],
  ["frankfurt-darmstadt-2024", 200_000],
];
/** Questions of each form. */
const ROUNDS = 30;
/** Parts of the questions that may differ (docs/lab/pages.md says why), and that more pages may know. */
const MOST = { differ: 0.01, cut: 0.02 } as const;
const worker_url = new URL("../../src/main/workers/base.ts", import.meta.url);
const STATEMENT = { id: "x", data_at: null, licence: null, attribution: null };
const without = ["map", "walk"] as const;

async function inPages(
  t: TestContext,
  extract: string,
  page_bytes: number,
): Promise<GeocodingBase> {
  const folder = await mkdtemp(join(tmpdir(), "paged-names-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = new Bytes();
  const target = { folder, write: (at: number, bytes: Uint8Array) => file.write(at, bytes) };
  const read = threadBaseImport({ worker_url, onFault: noFault });
  const settings = { id: "x", region: null, now_ms: 5, without, page_bytes };
  const result = await read(extractPath(extract), { ...settings, target });
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
    words: openNames(
      head.columns,
      rows.map(({ cell }) => cell),
    ),
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

async function inOne(extract: string): Promise<{ base: GeocodingBase; drawn: Drawn }> {
  const find = await loadCountries();
  const sections = createSections((lat, lon) => countryAt(find, lat, lon), without);
  const result = await importBase(extractPath(extract), {
    ...{ id: "x", region: null, now_ms: 5, sections },
  });
  assert.ok(result.ok);
  const { columns, meta, covers } = openBasePack(result.pack)!;
  const geocoder = openGeocoder(columns, meta.sections["geocoder"] as GeocoderMeta);
  const base = { statement: STATEMENT, covers, ...oneGeocoder(geocoder) };
  return { base, drawn: draw(geocoder.page!.view) };
}

/** Addresses and names of the base itself. */
function draw({
  numbers,
  docs,
  sets,
  contexts,
  text,
}: NonNullable<ReturnType<typeof openGeocoder>["page"]>["view"]): Drawn {
  const nameOf = (doc: number): string => text(sets.texts[sets.starts[docs.set[doc]!]!] ?? 0);
  const addresses = Array.from(numbers.owners, (doc, row): Row => {
    const context = docs.context[doc]!;
    const city =
      contexts.city[context]! >= 0
        ? nameOf(contexts.city[context]!)
        : text(contexts.city_name[context]!);
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
  address: ({ addresses }) => {
    const { street, number, city } = pick(addresses);
    return `${street} ${number}, ${city}`;
  },
  "address with postcode": ({ addresses }) => {
    const { street, number, city, postcode } = pick(addresses);
    return `${street} ${number}, ${postcode} ${city}`;
  },
  street: ({ addresses }) => {
    const { street, city } = pick(addresses);
    return `${street}, ${city}`;
  },
  "street, one error": ({ addresses }) => {
    const { street, city } = pick(addresses);
    return `${typo(street)}, ${city}`;
  },
  name: ({ names }) => pick(names),
  "name, one error": ({ names }) => typo(pick(names)),
  postcode: ({ addresses }) => pick(addresses).postcode || "9490",
};

const shown = (hit: BaseHit | undefined): string =>
  hit ? `${hit.item.label} ${hit.item.match_quality} ${hit.item.source_place_id}` : "nothing";

for (const [extract, page_bytes] of EXTRACTS)
  test(`${extract} in pages answers by name as in one`, { skip: lackOf(extract) }, async (t) => {
    const { base: whole, drawn } = await inOne(extract);
    const paged = await inPages(t, extract, page_bytes);
    const book = new WordBook();
    const differ: string[] = [];
    let [cut, count] = [0, 0];
    for (let n = 0; n < ROUNDS; n++)
      for (const toQuestion of Object.values(FORMS)) {
        const q = toQuestion(drawn);
        const operation = n % 2 === 0 ? "geocode" : "search";
        const one = await ask(whole, q, { operation });
        const many = await ask(paged, q, { operation, book });
        count++;
        if (many.notices.length > one.notices.length) cut++;
        else if (shown(one.hits[0]) !== shown(many.hits[0]))
          differ.push(`${q}: ${shown(one.hits[0])} | ${shown(many.hits[0])}`);
      }
    assert.ok(paged.pages.rows.length > 1);
    assert.ok(differ.length <= count * MOST.differ, differ.join("\n"));
    assert.ok(cut <= count * MOST.cut, `${cut} of ${count} are cut`);
  });

type AskOptions = { operation: "geocode" | "search"; book?: WordBook };

async function ask(base: GeocodingBase, q: string, { operation, ...more }: AskOptions) {
  const deps = { list: () => [base], gazetteer: () => null, isPending: () => false, ...more };
  const query = { q, language: null, country: null, near: null };
  const reply = await findByName(deps, query, { operation });
  assert.ok(reply.status === "ok");
  return reply;
}
