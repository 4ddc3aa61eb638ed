/** Prices of a car park or charging station in a few words. */
import type { Column } from "#cli/print/print-table.ts";
import { UNKNOWN } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { PriceValue } from "#api/prices.ts";

const RATES = { unlock: " to begin", per_minute: "/min", per_hour: "/h", per_kwh: "/kWh" } as const;

/** `€2.00/h` of the first price, or its source's words; null: nothing is known. */
export function priceWords(attributes: object): string | null {
  const { prices, charge } = attributes as { prices?: readonly PriceValue[]; charge?: string };
  const [price] = prices ?? [];
  const rates = price === undefined ? [] : ratesOf(price);
  const words = rates.join(" + ") || oneLine(price?.text ?? price?.name ?? charge ?? "");
  return words === "" ? null : words;
}

type Table = { columns: readonly Column[]; rows: readonly (readonly string[])[] };

const COLUMN: Column = { title: "price", elastic: true, spare: 0 };

/** The table with a column of prices at its end, where one of the results states its price. */
export function withPrices<T extends Table>(
  table: T,
  results: readonly { attributes: object }[],
): T {
  const prices = results.map(({ attributes }) => priceWords(attributes));
  if (prices.every((price) => price === null)) return table;
  return {
    ...table,
    columns: [...table.columns, COLUMN],
    rows: table.rows.map((row, i) => [...row, prices[i] ?? UNKNOWN]),
  };
}

function ratesOf(price: PriceValue): string[] {
  const { currency } = price;
  if (currency === null) return [];
  return Object.entries(RATES).flatMap(([name, unit]) => {
    const amount = price[name as keyof typeof RATES];
    if (typeof amount !== "number") return [];
    const style = { style: "currency", currency, maximumFractionDigits: 4 } as const;
    return [`${amount.toLocaleString("en", style)}${unit}`];
  });
}
