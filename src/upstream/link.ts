/** The `Link` header (RFC 8288), read in one pass. */

const BLANKS = " \t";

/** The target of the first link of that relation type; null when there is none. */
export function findLink(header: string, relation: string): string | null {
  const reader = { text: header, at: 0 };
  while (skipTo(reader, "<")) {
    const end = header.indexOf(">", reader.at);
    if (end === -1) return null;
    const target = header.slice(reader.at, end);
    reader.at = end + 1;
    // Of several `rel` of one link only the first counts.
    const rel = readParameters(reader).find(([name]) => name === "rel")?.[1] ?? "";
    if (rel.toLowerCase().split(" ").includes(relation)) return target.trim();
  }
  return null;
}

type Reader = { text: string; at: number };

/** Behind the next such character; false: there is none. */
function skipTo(reader: Reader, character: string): boolean {
  const index = reader.text.indexOf(character, reader.at);
  reader.at = index + 1;
  return index !== -1;
}

/** `;name=value` up to the comma that ends the link; names in lower case. */
function readParameters(reader: Reader): [name: string, value: string][] {
  const parameters: [string, string][] = [];
  while (peek(reader) === ";") {
    reader.at++;
    const name = readUntil(reader, "=;,").trim().toLowerCase();
    if (peek(reader) !== "=") continue;
    reader.at++;
    parameters.push([
      name,
      peek(reader) === '"' ? readQuoted(reader) : readUntil(reader, ";,").trim(),
    ]);
  }
  return parameters;
}

/** The next character that is no blank. */
function peek(reader: Reader): string | undefined {
  while (BLANKS.includes(reader.text[reader.at] ?? "x")) reader.at++;
  return reader.text[reader.at];
}

function readUntil(reader: Reader, stops: string): string {
  const from = reader.at;
  while (reader.at < reader.text.length && !stops.includes(reader.text[reader.at]!)) reader.at++;
  return reader.text.slice(from, reader.at);
}

function readQuoted(reader: Reader): string {
  let value = "";
  for (reader.at++; reader.at < reader.text.length; reader.at++) {
    const character = reader.text[reader.at]!;
    if (character === '"') break;
    if (character === "\\") reader.at++;
    value += reader.text[reader.at] ?? "";
  }
  reader.at++;
  return value;
}
