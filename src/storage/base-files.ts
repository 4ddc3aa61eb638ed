/**
 * Imported bases in a folder: one file each. A new one is written under another name, synced and
 * renamed, so that after a crash or on a full disk the old base is there, and whole.
 */
import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ByteRanges } from "#kit/byte-ranges.ts";
import { openFileRanges, versionOfFile } from "#kit/run/file-ranges.ts";
import { BASE_END, isBaseId } from "#osm/base/base-layout.ts";
import type { BaseDraft, BaseFile, BaseStore } from "#ports/bases.ts";
import { beginDraft } from "./base-drafts.ts";
import { unless } from "./unless.ts";

/** Where the bases of a data folder lie. */
export const baseFolder = (folder: string): string => join(folder, "bases");

export function createBaseStore(folder: string): BaseStore {
  const pathOf = (id: string): string => join(folder, `${id}${BASE_END}`);
  const begin = (id: string): Promise<BaseDraft> => beginDraft(folder, id, pathOf(id));
  return {
    async list() {
      const names = await unless("ENOENT", readdir(folder), []);
      const ids = names.flatMap((name) =>
        name.endsWith(BASE_END) && isBaseId(name.slice(0, -BASE_END.length))
          ? [name.slice(0, -BASE_END.length)]
          : [],
      );
      const files = await Promise.all(ids.sort().map((id) => describeFile(id, pathOf(id))));
      return files.filter((file) => file !== null);
    },
    async open(id) {
      return isBaseId(id) ? await openIfExists(pathOf(id)) : null;
    },
    async read(id) {
      return isBaseId(id) ? await readIfExists(pathOf(id)) : null;
    },
    begin,
    async put(id, pack) {
      const draft = await begin(id);
      try {
        await draft.write(0, pack);
        await draft.commit();
      } finally {
        await draft.remove();
      }
    },
    async remove(id) {
      // Another text could be the path of a base elsewhere.
      if (!isBaseId(id)) return false;
      const removed = rm(pathOf(id)).then(() => true);
      return await unless("ENOENT", removed, false);
    },
  };
}

/**
 * The store, and bases that lie elsewhere: they are read, and never written or removed. Of two of one
 * id the one that is named here is used. One that is not there has no bytes, and cannot be read.
 */
export function withFiles(store: BaseStore, paths: readonly string[]): BaseStore {
  if (paths.length === 0) return store;
  const byName = new Map(paths.map((path) => [basename(path, BASE_END), path]));
  return {
    ...store,
    async list() {
      const own = (await store.list()).filter(({ id }) => !byName.has(id));
      const others = [...byName].map(
        async ([id, path]) => (await describeFile(id, path)) ?? { id, version: "absent", bytes: 0 },
      );
      return [...own, ...(await Promise.all(others))];
    },
    async open(id) {
      const path = byName.get(id);
      return path === undefined ? await store.open(id) : await openIfExists(path);
    },
    async read(id) {
      const path = byName.get(id);
      return path === undefined ? await store.read(id) : await readIfExists(path);
    },
  };
}

function openIfExists(path: string): Promise<ByteRanges | null> {
  return unless("ENOENT", openFileRanges(path), null);
}

async function readIfExists(path: string): Promise<Uint8Array | null> {
  const ranges = await openIfExists(path);
  if (ranges === null) return null;
  try {
    return await ranges.read(0, ranges.bytes);
  } finally {
    await ranges.close();
  }
}

/** null: it has been removed meanwhile. */
function describeFile(id: string, path: string): Promise<BaseFile | null> {
  const described = stat(path, { bigint: true }).then((stats) => ({
    id,
    version: versionOfFile(stats),
    bytes: Number(stats.size),
  }));
  return unless("ENOENT", described, null);
}
