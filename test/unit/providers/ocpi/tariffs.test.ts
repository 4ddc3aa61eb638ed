/** Tariffs as prices: numbers only where one element without restrictions states them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PriceValue } from "#api/prices.ts";
import { createTrail } from "#kit/trail.ts";
import { ocpiLocations } from "#providers/ocpi/index.ts";
import { toLocation } from "./location.ts";
import { SETTINGS } from "./readers.ts";

type Row = Record<string, unknown>;

const evse = (members: Row): Row => ({ uid: "1", status: "AVAILABLE", connectors: [members] });
const NAMED = toLocation([evse({ standard: "CHADEMO", tariff_ids: ["T1"] })]);
const part = (type: string, price: unknown, step_size = 1): Row => ({ type, price, step_size });
const TARIFF: Row = {
  ...{ country_code: "DE", party_id: "EXA", id: "T1", currency: "EUR" },
  elements: [{ price_components: [part("ENERGY", 0.39)] }],
};
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

function read(document: unknown, companions: readonly unknown[] = []) {
  const trail = createTrail();
  const options = { settings: SETTINGS, trail, companions: { bodies: companions.map(encode) } };
  const [place] = [...ocpiLocations.open(encode(document), options)!];
  const prices = place!.attributes["prices"] as PriceValue[] | undefined;
  return { prices, repaired: trail.toTrail().repaired.map(({ reason }) => reason) };
}

/** The price of one tariff with these members. */
function priceOf(members: Row): PriceValue {
  const { prices } = read({ data: [NAMED] }, [{ data: [{ ...TARIFF, ...members }] }]);
  assert.equal(prices?.length, 1);
  return prices[0]!;
}

const elementsOf = (...parts: Row[]): Row => ({ elements: [{ price_components: parts }] });

test("energy, time and a flat price, without restrictions", () => {
  assert.deepEqual(
    priceOf({
      ...elementsOf(part("ENERGY", "0,39"), part("TIME", 6, 60), part("FLAT", 0.5)),
      tariff_alt_text: [
        { language: "de", text: "Ohne Karte" },
        { language: "en", text: "Without a card" },
      ],
      tariff_alt_url: "https://cpo.example/t1",
    }),
    {
      ...{ plan_id: "T1", currency: "EUR", unlock: 0.5, per_minute: 0.1, per_kwh: 0.39 },
      ...{ text: "Without a card", url: "https://cpo.example/t1" },
    },
  );
});

const UNKNOWN: readonly (readonly [name: string, members: Row])[] = [
  [
    "a restriction",
    { elements: [{ price_components: [part("ENERGY", 1)], restrictions: { max_power: 16 } }] },
  ],
  [
    "a restriction that is none of ours",
    { elements: [{ price_components: [part("ENERGY", 1)], restrictions: "by day" }] },
  ],
  ["two prices in one element", elementsOf(part("ENERGY", 1), part("ENERGY", 2))],
  [
    "two elements",
    {
      elements: [
        { price_components: [part("ENERGY", 1)] },
        { price_components: [part("ENERGY", 1)] },
      ],
    },
  ],
  ["no currency", { currency: "Euro" }],
  ["an end", { end_date_time: "2099-01-01T00:00:00Z" }],
  [
    "a start after its last change",
    { start_date_time: "2027-01-01T00:00:00Z", last_updated: "2026-01-01T00:00:00Z" },
  ],
  ["a price below 0", elementsOf(part("ENERGY", -1))],
  ["a price that may be thousands", elementsOf(part("ENERGY", "1,250"))],
  ["a price in words", elementsOf(part("ENERGY", "free"))],
  ["no elements", { elements: null }],
  ["too many elements", { elements: Array.from({ length: 101 }, () => ({})).concat(TARIFF) }],
];
for (const [name, members] of UNKNOWN)
  test(`no number of a tariff with ${name}`, () => {
    const { per_kwh, per_minute, unlock } = priceOf(members);
    assert.deepEqual([per_kwh, per_minute, unlock], [null, null, null]);
  });

test("a restriction of nothing is none; 0 is 0", () => {
  const [one] = (TARIFF["elements"] as Row[]).map((each) => ({
    ...each,
    restrictions: { start_time: null },
  }));
  assert.equal(priceOf({ elements: [one] }).per_kwh, 0.39);
  assert.equal(priceOf(elementsOf(part("ENERGY", 0))).per_kwh, 0);
});

test("time in longer steps is no price of a minute", () => {
  const { per_minute, minute_steps } = priceOf(elementsOf(part("TIME", 6, 900)));
  assert.equal(per_minute, null);
  assert.deepEqual(minute_steps, [{ start: 0, rate: 1.5, interval: 15, end: null }]);
});

test("what is charged for parking, or is restricted, is a fee next to the numbers", () => {
  const { per_kwh, per_minute, has_fees } = priceOf(
    elementsOf(part("ENERGY", 0.39), part("PARKING_TIME", 12)),
  );
  assert.deepEqual([per_kwh, per_minute, has_fees], [0.39, null, true]);
});

test("tax is added where a rate of it is stated", () => {
  const taxed = { ...part("ENERGY", 0.39), vat: 19 };
  assert.equal(priceOf(elementsOf(taxed)).is_taxable, true);
  assert.equal(priceOf({ ...elementsOf(taxed), tax_included: "YES" }).is_taxable, false);
  assert.equal("is_taxable" in priceOf({}), false);
});

test("a link that is not secure is left out", () => {
  assert.equal(priceOf({ tariff_alt_url: "http://cpo.example" }).url, null);
  assert.equal(priceOf({ tariff_alt_url: "javascript:alert(1)" }).url, null);
});

const perKwh = (prices: PriceValue[] | undefined) => prices?.map(({ per_kwh }) => per_kwh);

test("tariffs in the same document, in the location, and in its connectors", () => {
  assert.deepEqual(perKwh(read({ locations: [NAMED], tariffs: [TARIFF] }).prices), [0.39]);
  assert.deepEqual(perKwh(read([{ ...NAMED, tariffs: [TARIFF] }]).prices), [0.39]);
  const inside = evse({ standard: "CHADEMO", tariffs: [{ ...TARIFF, party_id: undefined }] });
  assert.deepEqual(perKwh(read([toLocation([inside, inside])]).prices), [0.39]);
  const old = toLocation([evse({ standard: "CHADEMO", tariff_id: "T1" })]);
  assert.deepEqual(perKwh(read({ data: [old], tariffs: [TARIFF] }).prices), [0.39]);
});

test("a tariff of another party with the same id is another one", () => {
  const other = { ...TARIFF, party_id: "OTH", ...elementsOf(part("ENERGY", 9)) };
  assert.deepEqual(perKwh(read([NAMED], [[other, TARIFF]]).prices), [0.39]);
  const third = { ...other, party_id: "THI" };
  assert.equal(read([NAMED], [[other, third]]).prices, undefined);
});

test("unknown tariffs, rows that are none, and a document of something else give no price", () => {
  assert.equal(read([NAMED]).prices, undefined);
  const { prices, repaired } = read([NAMED], [[null, { elements: [] }], { error: 1 }]);
  assert.equal(prices, undefined);
  assert.ok(repaired.includes("tariff_unusable"));
});

test("more tariffs than are read are noted", () => {
  const many = Array.from({ length: 10_001 }, (_, n) => ({ id: `X${n}`, currency: "EUR" }));
  const { prices, repaired } = read([NAMED], [[...many, TARIFF]]);
  assert.equal(prices, undefined);
  assert.ok(repaired.includes("too_many_tariffs"));
});
