/** Members that an object names twice: JSON.parse keeps the last one and says nothing (RFC 8259 4). */

/** What is open: an object with the members named so far, or an array (null); and the last name. */
type Open = { names: Set<string> | null; name: string };

/**
 * The first such member in `text`, which must be JSON, by the names that lead to it; null: every
 * object names its members once.
 */
export function findRepeatedMember(text: string): string[] | null {
  const open: Open[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charAt(at)) {
      case "{":
        open.push({ names: new Set(), name: "" });
        isName = true;
        break;
      case "[":
        open.push({ names: null, name: "" });
        isName = false;
        break;
      case "}":
      case "]":
        open.pop();
        isName = false;
        break;
      case ",":
        isName = open.at(-1)?.names instanceof Set;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (isName) {
          const object = open.at(-1)!;
          object.name = JSON.parse(text.slice(at, end)) as string;
          if (object.names!.has(object.name)) return toPath(open);
          object.names!.add(object.name);
          isName = false;
        }
        at = end - 1;
      }
    }
  }
  return null;
}

function toPath(open: readonly Open[]): string[] {
  return open.filter(({ names }) => names !== null).map(({ name }) => name);
}

/** Behind the quote that closes the string which begins at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
