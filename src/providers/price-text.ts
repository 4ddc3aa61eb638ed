/**
 * A price in a source's own words as data. Numbers are taken only where the whole text is one amount, one
 * currency and one unit, such as `0.39 EUR/kWh`; of anything else the words are kept and nothing is guessed.
 */
import type { PriceValue } from "#api/prices.ts";
import { cutText } from "#kit/text/cut.ts";

const TEXT_MAX = 500;
const LONGEST = 60;
/** `EUR 2 per hour`, `0,39 €/kWh`: currency before or behind, never both. */
const ONE_RATE =
  /^([a-zł£€]{1,5})?\s?(\d{1,6})(?:[.,](\d{1,4}))?\s?([a-zł£€]{1,5})?\s?(?:\/|per |pro |je |par |al |por )\s?([a-z]{1,8})\.?$/;

/** Words of one currency alone: `$` and `kr` are of several. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ...["eur", "gbp", "chf", "sek", "nok", "dkk", "pln", "czk", "huf", "ron", "usd", "cad"].map(
    (code) => [code, code.toUpperCase()] as const,
  ),
  ...["aud", "nzd", "jpy", "isk"].map((code) => [code, code.toUpperCase()] as const),
  ["€", "EUR"],
  ["euro", "EUR"],
  ["euros", "EUR"],
  ["£", "GBP"],
  ["zł", "PLN"],
]);

type Unit = "per_minute" | "per_hour" | "per_kwh";
const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ["kwh", "per_kwh"],
  ...["min", "minute"].map((word) => [word, "per_minute"] as const),
  ...["h", "hr", "hour", "std", "stunde", "heure", "uur", "ora", "hora", "timme"].map(
    (word) => [word, "per_hour"] as const,
  ),
]);

/** Returns a price that is known by its words alone. */
export function priceOfText(text: string): PriceValue {
  return {
    ...{ currency: null, unlock: null, per_minute: null, per_kwh: null },
    ...readRate(text),
    text: cutText(text, TEXT_MAX),
    url: null,
  };
}

function readRate(text: string): (Pick<PriceValue, "currency"> & { [U in Unit]?: number }) | null {
  if (text.length > LONGEST) return null;
  const [, before, whole, part = "", behind, word = ""] =
    ONE_RATE.exec(text.trim().toLowerCase()) ?? [];
  const currency = CURRENCIES.get(before ?? behind ?? "");
  const unit = UNITS.get(word);
  const isOne = (before === undefined) !== (behind === undefined);
  // Three digits behind the sign may be thousands: "1.500".
  const isPlain = part.length !== 3 || Number(whole) === 0;
  if (whole === undefined || !isOne || !isPlain || !currency || !unit) return null;
  return { currency, [unit]: Number(`${whole}.${part || "0"}`) };
}
