// What things cost in the simulated world: small amounts, in the money of each country.
import type { City } from "./model.ts";

type Prices = {
  /** For a public toilet. */
  readonly toilet: string;
  /** To unlock a vehicle, and by the minute. */
  readonly unlock: number;
  readonly minute: number;
  readonly car_minute: number;
};

const row = (toilet: string, unlock: number, minute: number, car_minute: number): Prices => ({
  toilet,
  unlock,
  minute,
  car_minute,
});

const PRICES: Readonly<Record<string, Prices>> = {
  EUR: row("0.50", 1, 0.2, 0.35),
  GBP: row("0.50", 1, 0.17, 0.32),
  PLN: row("2", 2.5, 0.65, 1.3),
  USD: row("1", 1, 0.3, 0.45),
  MXN: row("6", 10, 3, 5),
  BRL: row("2", 3, 0.6, 1.2),
  JPY: row("100", 50, 15, 25),
  AUD: row("1", 1, 0.45, 0.6),
  ZAR: row("5", 10, 2, 4),
  FJD: row("0.50", 1, 0.3, 0.5),
};

export function pricesIn({ currency }: City): Prices {
  const match = PRICES[currency];
  if (match === undefined) throw new Error(`no prices in ${currency}`);
  return match;
}
