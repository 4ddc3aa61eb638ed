/**
 * npm run bench -- base-names: names over many bases. Small made bases of a village each, 1, 10, 50 and
 * 500 of them, and the same questions of each number: the processor time of a question, relative to
 * that of one base in the same run. Then what the names of made pages take: bytes a word, bytes a page
 * of it, and the time of their merge. Seeded.
 */
import { readArguments } from "../trials/arguments.ts";
import { Budget } from "#kit/budget.ts";
import { toEnd } from "#kit/steps.ts";
import { findByName } from "#app/places/base-geocoding.ts";
import { IN_TURNS } from "#app/places/name-turns.ts";
import { FEW, WordBook } from "#app/places/word-book.ts";
import { mergeNames, type NameEntry, openNames, planPages, readQuestion } from "#osm/names.ts";
import type { PageCell } from "#osm/index.ts";
import { WORKERS } from "#main/workers.ts";
import type { NameEngine } from "#ports/name-engine.ts";
import { SearchThread } from "#upstream/bases/search-thread.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { aBase } from "../test/support/geocoding-bases.ts";
import { aHouse, aNode, type Feature } from "../test/support/geocoder.ts";
import { seeded } from "../packages/osm-base/test/geocoder/made-region.ts";

const options = readArguments(process.argv.slice(2), {
  bases: "1,10,50,500",
  questions: 400,
  pages: 400,
  words: 40_000,
  rounds: 5,
});

const MB = 1024 * 1024;
const SYLLABLES = Array.from("bdfghklmnrstw").flatMap((start) =>
  Array.from("aeiou").flatMap((middle) =>
    ["", "l", "n", "r", "s"].map((end) => start + middle + end),
  ),
);
const STREETS = ["Bahnhofstrasse", "Dorfstrasse", "Kirchweg", "Hauptstrasse", "Schulweg"];

type Question = { q: string; n: number };

async function main(): Promise<void> {
  const counts = options.bases.split(",").map(Number);
  const bases = Array.from({ length: Math.max(...counts) }, (_, n) => aVillage(n));
  const shelves: { count: number; bases: GeocodingBase[]; book: WordBook }[] = [];
  for (const count of counts) {
    const own = bases.slice(0, count);
    const book = new WordBook();
    const begun = process.cpuUsage();
    book.of(own);
    await book.settled();
    console.log(
      `${count} bases: words merged in ${cpuSince(begun).toFixed(0)} ms of processor time`,
    );
    shelves.push({ count, bases: own, book });
  }
  for (const [kind, toQuestion] of Object.entries(QUESTIONS)) {
    const least = new Map(counts.map((count) => [count, Infinity]));
    for (let round = 0; round < options.rounds; round++)
      for (const { count, bases: own, book } of shelves) {
        const random = seeded(11);
        const questions = Array.from({ length: options.questions }, () =>
          toQuestion(Math.floor(random() * count)),
        );
        const begun = process.cpuUsage();
        for (const question of questions) await ask(own, book, question);
        least.set(count, Math.min(least.get(count)!, cpuSince(begun) / questions.length));
      }
    const one = least.get(counts[0]!)!;
    const cells = [...least].map(
      ([count, ms]) => `${count}: ${ms.toFixed(3)} ms (${(ms / one).toFixed(2)}×)`,
    );
    console.log(`${kind.padEnd(22)} ${cells.join("  ")}`);
  }
  await measureDelay();
  if (options.pages > 0) measureNames();
}

/** Things of a word in each of some bases: a question by that word has many candidates. */
const SHOPS = 4_000;

/** Processor time of the serving thread for questions with many candidates, with a thread and without. */
async function measureDelay(): Promise<void> {
  const bases = Array.from({ length: FEW }, (_, n) => {
    const random = seeded(n + 7_000);
    const shops = Array.from({ length: SHOPS }, (__, i) =>
      aNode(i + 1, [40 + n + random() * 0.1, 10 + random() * 0.1], {
        ...{ shop: "bakery", name: `Beck ${syllable(random)}${syllable(random)}` },
      }),
    );
    return aBase(`s${n}`, [40 + n, 10, 40.1 + n, 10.1], shops);
  });
  const thread = new SearchThread({
    ...{ worker_url: WORKERS.search, inTurns: IN_TURNS },
    onFault: (part, error) => console.error(part, error),
  });
  for (const [name, engine] of [
    ["in turns", IN_TURNS],
    ["in a thread", thread],
  ] as const) {
    const book = new WordBook();
    for (const [round, count] of [options.questions / 4, options.questions].entries()) {
      const [begun, all] = [process.threadCpuUsage(), process.cpuUsage()];
      for (let n = 0; n < count; n++) {
        const random = seeded(n);
        await ask(bases, book, { n, q: `Beck ${syllable(random)}` }, engine);
      }
      const { user, system } = process.threadCpuUsage(begun);
      const own = (user + system) / 1000 / count;
      if (round > 0)
        console.log(
          `many candidates, ${name}: ${own.toFixed(2)} ms of the serving thread a question, ${(cpuSince(all) / count).toFixed(2)} of all threads`,
        );
    }
  }
  await thread.close();
}

const QUESTIONS: Readonly<Record<string, (n: number) => Question>> = {
  "address with village": (n) => ({ n, q: `${STREETS[n % 5]} 3, ${nameOf(n)}` }),
  "street of a village": (n) => ({ n, q: `${nameOf(n)}er Weg 5` }),
  village: (n) => ({ n, q: nameOf(n) }),
  "village, one error": (n) => ({ n, q: nameOf(n).slice(0, -2) + nameOf(n).slice(-1) }),
  "long word, two errors": (n) => ({
    n,
    q: `${STREETS[n % 5]!.replace(/[hw]/, "")}z 3, ${nameOf(n)}`,
  }),
  "street that all have": (n) => ({ n, q: STREETS[n % 5]! }),
  nothing: (n) => ({ n, q: `Xyqzz${n} Vwvw` }),
};

async function ask(
  bases: readonly GeocodingBase[],
  book: WordBook,
  { q }: Question,
  engine: NameEngine = IN_TURNS,
): Promise<void> {
  const deps = { list: () => bases, gazetteer: () => null, isPending: () => false, book, engine };
  const query = { q, language: null, country: null, near: null };
  await findByName(deps, query, { operation: "geocode" });
}

function nameOf(n: number): string {
  const random = seeded(n + 1_000);
  const name = [0, 1, 2].map(() => syllable(random)).join("");
  return name[0]!.toUpperCase() + name.slice(1);
}

function syllable(random: () => number): string {
  return SYLLABLES[Math.floor(random() * SYLLABLES.length)]!;
}

/** A village far from all others, with streets that all have, and some of its own. */
function aVillage(n: number): GeocodingBase {
  const [lat, lon] = [30 + Math.floor(n / 25) * 0.5, (n % 25) * 0.5];
  const random = seeded(n + 1);
  const town = nameOf(n);
  const features: Feature[] = [aNode(1, [lat, lon], { place: "village", name: town })];
  const own = Array.from({ length: 30 }, () => [0, 1, 2, 3].map(() => syllable(random)).join(""));
  const streets = [...STREETS, `${town}er Weg`, ...own.map((stem) => `${stem}gasse`)];
  let id = 10;
  for (const [i, street] of streets.entries())
    for (let number = 1; number < 20; number++) {
      const at = [lat + i * 2e-3, lon + number * 3e-4] as const;
      features.push(aHouse(id++, at, street, String(number), { "addr:city": town }));
    }
  for (const stem of own)
    features.push(
      aNode(id++, [lat + random() * 0.05, lon], { shop: "bakery", name: `Beck ${stem}` }),
    );
  return aBase(`b${n}`, [lat - 0.2, lon - 0.2, lat + 0.2, lon + 0.2], features);
}

/** Made lists of pages: a few thousand words that many pages have, and others of one or few pages. */
function measureNames(): void {
  const { pages, words } = options;
  const size = 2 ** Math.ceil(Math.log2(Math.sqrt(pages)));
  const cells = Array.from({ length: pages }, (_, i): PageCell => ({
    z: Math.log2(size),
    x: i % size,
    y: Math.floor(i / size),
  }));
  const before = process.memoryUsage().rss;
  const begun = process.cpuUsage();
  const lists = cells.map((_, page) => ({ page, entries: entriesOf(page, words) }));
  const columns = toEnd(mergeNames(lists));
  const merged_ms = cpuSince(begun);
  const names = openNames(columns, cells);
  const bytes = Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, 0);
  const posted = columns["names.bytes"]!.byteLength;
  const postings = pages * words;
  console.log(
    `names of ${pages} pages with ${words} words each: ${names.terms.count} words, ${(bytes / MB).toFixed(1)} MB, ${((bytes - posted) / names.terms.count).toFixed(0)} bytes a word and ${(posted / postings).toFixed(1)} a page of it; merged in ${(merged_ms / 1000).toFixed(1)} s, ${((process.memoryUsage().rss - before) / MB).toFixed(0)} MB more resident`,
  );
  const random = seeded(5);
  const planned = Array.from({ length: 1_000 }, () => {
    const page = Math.floor(random() * pages);
    const [rare, common] = [wordOf(page, Math.floor(random() * words)), commonOf(random)];
    return readQuestion(`${common} 12, ${rare}`, 16);
  });
  let least = Infinity;
  for (let round = 0; round < options.rounds; round++) {
    const at = process.cpuUsage();
    for (const question of planned)
      planPages([names], question, {
        ...{ near: null, country: null, prefix: false },
        budget: new Budget({ looks: 100_000, keeps: 288 }),
      });
    least = Math.min(least, cpuSince(at) / planned.length);
  }
  console.log(`a plan over them: ${least.toFixed(3)} ms`);
}

/** As many words of a page are also those of any other. */
const SHARED_WORDS = 0.5;
const COMMON_WORDS = 30_000;

function entriesOf(page: number, words: number): NameEntry[] {
  const random = seeded(page + 1);
  const own = new Set<string>();
  while (own.size < words)
    own.add(random() < SHARED_WORDS ? commonOf(random) : wordOf(page, own.size));
  const list = [...own].sort();
  return [
    { word: "", documents: words * 3, importance: 0, around: 0 },
    ...list.map((word) => ({
      ...{ word, documents: Math.floor(random() ** 4 * 40) },
      importance: 1 + Math.floor(random() ** 3 * 200),
      around: random() < 0.3 ? 255 : 0,
    })),
  ];
}

function commonOf(random: () => number): string {
  return toWord(Math.floor(random() ** 2 * COMMON_WORDS));
}

function wordOf(page: number, n: number): string {
  return toWord(COMMON_WORDS + page * options.words + n);
}

/** Another word for each number, all of them unlike. */
function toWord(number: number): string {
  let rest = (number * 2_654_435_761) % 2 ** 32;
  let word = "";
  for (; rest > 0; rest = Math.floor(rest / 12))
    word += "bdfghklmnrst"[rest % 12]! + "aeiou"[rest % 5]!;
  return word;
}

function cpuSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

await main();
