/** A place among the tokens of opening hours, which only ever moves forward. */
import type { Token, HoursWord } from "./hours-tokens.ts";

export type Cursor = { readonly tokens: readonly Token[]; at: number };

/** Returns the token that is n places ahead. */
export function peek({ tokens, at }: Cursor, ahead = 0): Token | undefined {
  return tokens[at + ahead];
}

export function isSymbol(token: Token | undefined, symbol: string): boolean {
  return token?.kind === "symbol" && token.symbol === symbol;
}

export function isWord(token: Token | undefined, word: HoursWord): boolean {
  return token?.kind === "word" && token.word === word;
}

/** Moves over a symbol where it is next. */
export function takeSymbol(cursor: Cursor, symbol: string): boolean {
  if (!isSymbol(peek(cursor), symbol)) return false;
  cursor.at++;
  return true;
}

/** Items that one list may have; hours of a place have few. */
export const MAX_ITEMS = 100;

/**
 * Reads what is between commas, while another item follows; null where one cannot be read, or they
 * are too many.
 */
export function readListed<T>(
  cursor: Cursor,
  read: (cursor: Cursor) => readonly T[] | null,
  follows: (cursor: Cursor, ahead: number) => boolean,
): T[] | null {
  const items: T[] = [];
  for (;;) {
    const match = read(cursor);
    if (!match || items.length > MAX_ITEMS) return null;
    items.push(...match);
    if (!isSymbol(peek(cursor), ",") || !follows(cursor, 1)) return items;
    cursor.at++;
  }
}

/** Moves over a number where one is next that lies within bounds. */
export function takeNumber(cursor: Cursor, least: number, most: number): number | null {
  const token = peek(cursor);
  if (token?.kind !== "number" || token.value < least || token.value > most) return null;
  cursor.at++;
  return token.value;
}

/** Moves over `+1 day` or `-2 days`; 0 where there is none, null where it is out of bounds. */
export function takeOffset_days(cursor: Cursor): number | null {
  const sign = peek(cursor);
  const minus = isSymbol(sign, "-");
  const number = peek(cursor, 1);
  if (!minus && !isSymbol(sign, "+")) return 0;
  if (number?.kind !== "number" || !isWord(peek(cursor, 2), "day")) return 0;
  if (number.value > 366) return null;
  cursor.at += 3;
  return minus ? -number.value : number.value;
}
