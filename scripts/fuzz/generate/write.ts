/** Query parameters as bytes on the wire, each character plain or escaped at whim. */
import type { Dice } from "../../../trials/dice.ts";
import type { Pair } from "../request.ts";

/** What may stand unescaped in a value. */
const PLAIN = /^[A-Za-z0-9._~,:;/?@!$'()*|[\]{}"^`\\<>-]$/;
/** Would end the target or the header line. */
const NEVER_PLAIN = /^["<>\\^`{}|]$/;

export function writePair(pair: Pair, dice: Dice): string {
  const eager = dice.chance(0.15);
  const name = writeText(pair.name, dice, eager);
  if (pair.raw !== undefined) return pair.raw.startsWith("=") ? name : `${name}=${pair.raw}`;
  return `${name}=${writeText(pair.text, dice, eager)}`;
}

function writeText(text: string, dice: Dice, eager: boolean): string {
  let out = "";
  for (const char of text) {
    if (char === " ") out += dice.chance(0.5) ? "+" : "%20";
    else if (PLAIN.test(char) && !NEVER_PLAIN.test(char) && !eager) out += char;
    else out += escapeChar(char, dice.chance(0.5));
  }
  return out;
}

function escapeChar(char: string, upper: boolean): string {
  const hex = [...Buffer.from(char)]
    .map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
    .join("");
  return upper ? hex.toUpperCase() : hex;
}

/** Parameters that no operation knows; they may carry anything, even what is broken. */
export const UNKNOWN_PAIRS: readonly string[] = [
  ...["utm_source=x", "Lat=91", "LON=", "x", "=", "=1", "", "%zz=1", "%ff=%ff", "radius%20=0"],
  ...["a=%", "_=1", "_=2", "callback=x", "lat%00=1", "%6cat%20=1", "lat[]=1", "lat.x=1"],
  ...["__proto__=1", "constructor=1", "toString", "hasOwnProperty=", "l%e4t=1", "a=b=c"],
];
