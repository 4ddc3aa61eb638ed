/** Percent-encoding (RFC 3986 2.1) undone once, for names that were taken out of an address. */
import { findWide, toUtf8Text } from "./utf8.ts";

const ENCODED = /%[0-9a-f]{2}/i;
const CONTROL = /\p{Cc}/u;

/**
 * The decoded text; the text itself where it is no encoded one: it is an address or has a blank, a `%` without two
 * digits behind it ("100%"), or its bytes are not UTF-8.
 */
export function decodePercent(text: string): string {
  if (!ENCODED.test(text) || /\s|:\/\//.test(text)) return text;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return text;
    if (text[at] !== "%") bytes.push(code);
    else {
      const digits = text.slice(at, at + 3);
      if (!ENCODED.test(digits)) return text;
      bytes.push(Number.parseInt(digits.slice(1), 16));
      at += 2;
    }
  }
  const wide = findWide(bytes);
  const decoded = wide && toUtf8Text(bytes, wide);
  return decoded === null || CONTROL.test(decoded) ? text : decoded;
}
