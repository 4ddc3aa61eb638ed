/**
 * Whether something costs money, by the words of any source; there is no other reader of fees. A
 * word that is not known is unknown, never yes (decisions, Words of open vocabularies; places.md 3).
 */
const FREE: ReadonlySet<string> = new Set(["no", "free", "none", "gratis", "false"]);
const PAID: ReadonlySet<string> = new Set(["yes", "paid", "true", "interval", "24/7"]);
/** Hours at which it costs something: `Mo-Sa 08:00-19:00`. */
const HOURS = /\d:\d\d/;
/** An amount, with a currency before or behind it: `0`, `0.50 EUR`, `€2`. */
const AMOUNT = /^[^\d\s.,-]{0,4}\s?(\d{1,6})(?:[.,](\d{1,4}))?(?:\s?[^\d\s.,:-][^\d:]{0,20})?$/;
const LONGEST = 200;

/**
 * Reads a fee; null: not stated, contradictory, or a word that is not known. Of a list such as
 * `no;donation` what is known counts.
 */
export function readFee(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value >= 0 ? value > 0 : null;
  if (typeof value !== "string" || value.length > LONGEST) return null;
  const words = value
    .toLowerCase()
    .split(";")
    .map((word) => readWord(word.trim()));
  const defined = new Set(words.filter((word) => word !== null));
  const [only = null] = defined;
  return defined.size === 1 ? only : null;
}

function readWord(word: string): boolean | null {
  if (FREE.has(word)) return false;
  if (PAID.has(word) || HOURS.test(word)) return true;
  const [, whole, part = "0"] = AMOUNT.exec(word) ?? [];
  return whole === undefined ? null : Number(whole) > 0 || Number(part) > 0;
}
