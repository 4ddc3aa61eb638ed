/** Returns a text of a publisher on one line: nothing in it may move the cursor or turn the reading order. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202E\u2066-\u2069\s]+/gu, " ").trim();
}
