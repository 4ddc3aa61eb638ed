/** How wide text is, and lines of it that fit a terminal: they end between words, and go on where they began. */
import { stripVTControlCharacters } from "node:util";

/** Parts with spaces between them, as many in a line as it has room for; a longer one has its own. */
export function fill(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const isFull = last === undefined || displayWidth(last) + 1 + displayWidth(part) > width;
    if (isFull) lines.push(part);
    else lines[lines.length - 1] = `${last} ${part}`;
  }
  return lines;
}

/** A text of several lines; those that fit stay as they are, such as the rows of a table. */
export function wrapText(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (displayWidth(line) <= width ? line : wrapLine(line, width)))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  const words = line.trimStart();
  const indent = line.slice(0, line.length - words.length);
  return fill(words.split(" "), width - indent.length)
    .map((part) => indent + part)
    .join("\n");
}

/**
 * Columns that a text takes on a terminal: two for East Asian wide letters and emoji, none for
 * combining marks and colour codes.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const letter of stripVTControlCharacters(text)) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(letter)) continue;
    width += WIDE.test(letter) ? 2 : 1;
  }
  return width;
}

const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
