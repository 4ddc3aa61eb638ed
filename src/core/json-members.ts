/** Members that an object names twice: JSON.parse keeps the last one and says nothing (RFC 8259 4). */

/** The first such name in `text`, which must be JSON; null: every object names its members once. */
export function findRepeatedMember(text: string): string | null {
  /** One of each object and array that is open; null: an array. */
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
        open.push(new Set());
        isName = true;
        break;
      case "[":
        open.push(null);
        isName = false;
        break;
      case "}":
      case "]":
        open.pop();
        isName = false;
        break;
      case ",":
        isName = open.at(-1) instanceof Set;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (isName) {
          const name = JSON.parse(text.slice(at, end)) as string;
          const names = open.at(-1) as Set<string>;
          if (names.has(name)) return name;
          names.add(name);
          isName = false;
        }
        at = end - 1;
      }
    }
  }
  return null;
}

/** Behind the quote that closes the string which begins at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
