/** A region in pages answers as the same region in one (docs/lab/pages.md). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "#kit/budget.ts";
import { toEnd } from "#kit/steps.ts";
import { readQuestion } from "../../geocoder/fold-words.ts";
import type { ForwardQuery } from "../../geocoder/forward.ts";
import { MAX_WORDS } from "../../geocoder/geocode-query.ts";
import { rankGroups } from "../../geocoder/page-search.ts";
import { mayBeBetter, planPages } from "../../geocoder/plan-pages.ts";
import type { GeocodeItem } from "../../geocoder/present-answers.ts";
import { joinStatistics, type WordStatistics } from "../../geocoder/word-statistics.ts";
import { collectGarbage } from "../../../../test/support/garbage.ts";
import {
  aHouse,
  anArea,
  aNode,
  askFor,
  aStreet,
  geocoderOf,
  type Feature,
} from "../../../../test/support/geocoder.ts";
import { type MadePages, pagesOf } from "./made-pages.ts";
import { cellsOf, makeRegion, type MadeHouse, seeded } from "./made-region.ts";

const ZOOM = 13;

type Answer = { items: GeocodeItem[]; pages: number; isCut: boolean };

function ask({ pages, names }: MadePages, query: ForwardQuery): Answer {
  const words = readQuestion(query.q, MAX_WORDS);
  const budget = new Budget({ looks: 1_000_000, keeps: 1_000 });
  const { near, country, prefix = false } = query;
  const plan = planPages([names], words, { near, country, prefix, budget });
  const group = { pages: plan.pages.map(({ page }) => pages[page]!), reading: plan.readings[0]! };
  const question = { ...query, interest: false, statistics: names, best: plan.best, budget };
  const [ranked] = toEnd(rankGroups([group], words, question));
  const items = ranked!.items(query.limit);
  return { items, pages: group.pages.length, isCut: mayBeBetter(plan, items[0] ?? null) };
}

const region = makeRegion();
const cells = cellsOf(region.features, ZOOM);
const paged = pagesOf(region.features, cells);
const whole = geocoderOf(region.features);
const random = seeded(7);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

function typo(text: string): string {
  const at = 1 + Math.floor(random() * (text.length - 2));
  return text.slice(0, at) + text.slice(at + 1);
}

const QUESTIONS: Readonly<Record<string, (house: MadeHouse) => string>> = {
  "address with town": ({ street, number, town }) => `${street} ${number}, ${town}`,
  "address with postcode and town": ({ street, number, postcode, town }) =>
    `${street} ${number}, ${postcode} ${town}`,
  "address with postcode": ({ street, number, postcode }) => `${number} ${street}, ${postcode}`,
  "street with town": ({ street, town }) => `${street}, ${town}`,
  "street with a typing error": ({ street, number, town }) => `${typo(street)} ${number}, ${town}`,
  "town with a typing error": ({ street, number, town }) => `${street} ${number} ${typo(town)}`,
  "number that is not there": ({ street, town }) => `${street} 999, ${town}`,
  town: ({ town }) => town,
  "town like it": ({ town }) => typo(town),
  postcode: ({ postcode }) => postcode,
  thing: () => pick(region.things),
  "thing in a town": ({ town }) => `${pick(region.things)}, ${town}`,
  "street that towns share": () => "Bahnhofstrasse",
  "address anywhere": ({ street, number }) => `${street} ${number}`,
  nothing: () => "Xyqqqstrasse 5",
};

const shown = (item: GeocodeItem | undefined): string =>
  item
    ? `${item.label} [${item.match_quality}] ${item.source_place_id} ${item.location.lat} ${item.location.lon}`
    : "nothing";

test("a region in pages has the answers of the region in one", () => {
  assert.ok(cells.length >= 16, String(cells.length));
  const cut: string[] = [];
  let count = 0;
  for (let n = 0; n < 40; n++)
    for (const toQuestion of Object.values(QUESTIONS)) {
      const q = toQuestion(pick(region.houses));
      const one = whole.geocode(askFor(q));
      const { items, isCut } = ask(paged, askFor(q));
      count++;
      // Where more than eight pages have all of the words, what is better may be in another one.
      if (isCut) cut.push(q);
      else assert.equal(shown(items[0]), shown(one[0]), q);
    }
  assert.ok(cut.length <= count * 0.15, `${cut.length} of ${count}: ${cut.slice(0, 5).join("; ")}`);
});

/** A street of six kilometres over several cells, with numbers from its west to its east. */
const LONG_STREET: readonly Feature[] = [
  anArea(1, [47, 9, 47.1, 9.2], {
    ...{ boundary: "administrative", admin_level: "8", name: "Langwil" },
  }),
  aNode(2, [47.05, 9.1], { place: "village", name: "Langwil" }),
  ...Array.from({ length: 10 }, (_, i) =>
    aStreet(100 + i, 47.05, [9.06 + i * 0.008, 9.068 + i * 0.008], "Langstrasse"),
  ),
  ...Array.from({ length: 40 }, (_, i) =>
    aHouse(200 + i, [47.0501, 9.061 + i * 0.0019], "Langstrasse", String(i * 2 + 1)),
  ),
  // Among other things its name is rare, so that it explains much of a question without its number.
  ...Array.from({ length: 400 }, (_, i) =>
    aNode(1_000 + i, [47.05, 9.061 + i * 1.9e-4], { amenity: "cafe", name: `Eck ${i}` }),
  ),
];

test("a street that cells cut is one, and has its numbers wherever they are", () => {
  const own_cells = cellsOf(LONG_STREET, ZOOM);
  assert.ok(own_cells.length >= 2, String(own_cells.length));
  const cut = pagesOf(LONG_STREET, own_cells);
  assert.equal(ask(cut, askFor("Langstrasse")).items.length, 1);
  for (let number = 1; number < 80; number += 2) {
    const { items } = ask(cut, askFor(`Langstrasse ${number}`));
    assert.deepEqual(
      items.map(({ name, match_quality }) => `${name} ${match_quality}`),
      [`Langstrasse ${number} rooftop`],
    );
  }
});

test("a page that stays open does not keep the words of bases that went", async () => {
  const { page } = paged.pages[0]!;
  const weigh = (): WeakRef<WordStatistics> => {
    const statistics = joinStatistics([page.statistics, paged.names]);
    page.weightsBy(statistics)(0);
    return new WeakRef(statistics);
  };
  const former = weigh();
  await collectGarbage();
  assert.equal(former.deref(), undefined);
});
