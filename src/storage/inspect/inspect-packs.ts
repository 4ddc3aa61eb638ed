/** Imported packs by their first bytes: of which kind and version each is (packages/kit/pack). */
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { BASE_END } from "#osm/base/base-layout.ts";

export type Import = { id: string; magic: number; version: number };

/** Files of bases in their folder. */
export function readBases(folder: string): Import[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.endsWith(BASE_END) && !name.startsWith("."))
    .map((name) => {
      const file = openSync(join(folder, name), "r");
      using end = new DisposableStack();
      end.defer(() => closeSync(file));
      const bytes = Buffer.alloc(8);
      readSync(file, bytes, 0, bytes.length, 0);
      return { id: name.slice(0, -BASE_END.length), ...readPrefix(bytes) };
    });
}

/** As packages/kit/pack writes it, in the order of this machine. */
export function readPrefix(bytes: Buffer): Omit<Import, "id"> {
  if (bytes.length < 8) return { magic: 0, version: 0 };
  return { magic: bytes.readUInt32LE(0), version: bytes.readUInt32LE(4) };
}
