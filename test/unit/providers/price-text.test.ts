/** Prices in a source's own words: numbers only where there is no doubt. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { priceOfText } from "#providers/price-text.ts";
import { readFacts } from "#providers/stated-facts.ts";

const READ: readonly [string, string, "per_kwh" | "per_minute" | "per_hour", number][] = [
  ["0.39 EUR/kWh", "EUR", "per_kwh", 0.39],
  ["0,39 €/kWh", "EUR", "per_kwh", 0.39],
  ["£0.79/kWh", "GBP", "per_kwh", 0.79],
  ["0.399 EUR/kWh", "EUR", "per_kwh", 0.399],
  ["2 EUR/hour", "EUR", "per_hour", 2],
  ["EUR 1.50 per hour", "EUR", "per_hour", 1.5],
  ["3 CHF/h", "CHF", "per_hour", 3],
  ["1,20 € pro Stunde", "EUR", "per_hour", 1.2],
  ["0.05 EUR/min", "EUR", "per_minute", 0.05],
  ["0 EUR/kWh", "EUR", "per_kwh", 0],
];

for (const [text, currency, member, amount] of READ)
  test(`"${text}" is ${amount} ${currency} ${member}`, () => {
    const price = priceOfText(text);
    assert.deepEqual([price.currency, price[member], price.text], [currency, amount, text]);
  });

const UNREAD = [
  ...["0.35/kWh", "$0.35/kWh", "20 kr/h", "EUR 2 EUR/hour", "1.500 EUR/hour", "Free", ""],
  ...["2 EUR/2 hours", "1 EUR/30 min", "2 EUR", "2 EUR/hour; 10 EUR/day", "from 2 EUR/hour"],
  ...["-1 EUR/hour", "2-3 EUR/hour", "2 EUR/day", "1e3 EUR/hour", "2 XXX/hour"],
];

for (const text of UNREAD)
  test(`"${text}" stays words`, () => {
    const { text: words, ...rest } = priceOfText(text);
    assert.equal(words, text);
    assert.deepEqual(
      Object.values(rest).filter((each) => each !== null),
      [],
    );
  });

test("a long text is cut, and costs no time", () => {
  assert.equal(priceOfText(`1 EUR/${"a".repeat(100_000)}`).text?.length, 500);
});

test("the words of a car park's or charging station's price become its fact, of no other kind", () => {
  const { charge, prices } = readFacts("parking", { charge: "2 EUR/hour" });
  assert.equal(charge, "2 EUR/hour");
  assert.equal((prices as { per_hour: number }[])[0]?.per_hour, 2);
  assert.ok(!("prices" in readFacts("toilets", { charge: "0.50 EUR" })));
  assert.ok(!("prices" in readFacts("charging", { operator: "A" })));
  const own = [{ ...priceOfText("x"), unlock: 1 }];
  assert.equal(readFacts("charging", { charge: "x", prices: own })["prices"], own);
});
