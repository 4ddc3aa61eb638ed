/** Message catalogues as GNU gettext compiles them (`.mo`). */

const MAGIC = 0x950412de;

/** Messages and their translations. */
export function readCatalogue(bytes: Buffer): Map<string, string> {
  if (bytes.readUInt32LE(0) !== MAGIC) throw new Error("not a catalogue in this byte order");
  const count = bytes.readUInt32LE(8);
  const [ids, texts] = [bytes.readUInt32LE(12), bytes.readUInt32LE(16)];
  const textAt = (entry: number): string => {
    const from = bytes.readUInt32LE(entry + 4);
    return bytes.toString("utf8", from, from + bytes.readUInt32LE(entry));
  };
  const catalogue = new Map<string, string>();
  for (let i = 0; i < count; i++) catalogue.set(textAt(ids + i * 8), textAt(texts + i * 8));
  return catalogue;
}
