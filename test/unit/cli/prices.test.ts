/** Prices of car parks and charging stations in the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { priceWords, withPrices } from "#cli/print/print-price.ts";

const NONE = { currency: null, unlock: null, per_minute: null, per_kwh: null, text: null };

test("rates are said where they are numbers of a known currency, else the source's words", () => {
  const rated = { ...NONE, currency: "EUR", unlock: 1, per_kwh: 0.395, text: "by tariff" };
  assert.equal(priceWords({ prices: [rated] }), "€1.00 to begin + €0.395/kWh");
  assert.equal(
    priceWords({ prices: [{ ...NONE, per_hour: 2, text: "2\n an hour" }] }),
    "2 an hour",
  );
  assert.equal(priceWords({ charge: "2 EUR" }), "2 EUR");
  for (const unknown of [{}, { prices: [NONE] }, { fee: true }])
    assert.equal(priceWords(unknown), null);
});

test("a table has a column of prices only where one of its results states a price", () => {
  const table = { columns: [{ title: "name" }], rows: [["a"], ["b"]] };
  const none = { attributes: {} };
  assert.equal(withPrices(table, [none, none]), table);
  const priced = withPrices(table, [none, { attributes: { charge: "2 EUR" } }]);
  assert.deepEqual(priced.rows, [
    ["a", "–"],
    ["b", "2 EUR"],
  ]);
  assert.equal(priced.columns.at(-1)!.title, "price");
});
