/**
 * Imported bases in a folder: one file each. A new one is written under another name, synced and
 * renamed, so that after a crash or on a full disk the old base is there, and whole.
 */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isBaseId } from "#osm/base/base-layout.ts";
import type { BaseFile, BaseStore } from "#ports/bases.ts";

export const BASE_END = ".vbase";
/** A name that begins with a dot is of a base that is being written, or was when its writer ended. */
const DRAFT = /^\.[a-z0-9][a-z0-9_-]*\.[0-9a-f]{16}\.draft$/;
/** No writer takes longer: what is older was left by one that has ended. */
const DRAFT_MS = 3_600_000;
const MODE = 0o600;
/** One read takes at most 2 GiB. */
const READ_BYTES = 2 ** 30;

/** Where the bases of a data folder lie. */
export const baseFolder = (folder: string): string => join(folder, "bases");

export function createBaseStore(folder: string): BaseStore {
  const pathOf = (id: string): string => join(folder, `${id}${BASE_END}`);
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
    async read(id) {
      return isBaseId(id) ? await readIfExists(pathOf(id)) : null;
    },
    async put(id, pack) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `.${id}.${randomBytes(8).toString("hex")}.draft`);
      const written = writeSynced(draft, pack).then(() => stat(draft));
      const { mtimeMs } = await written.catch(async (error: unknown) => {
        await rm(draft, { force: true });
        throw error;
      });
      await rename(draft, pathOf(id));
      await syncFolder(folder);
      await removeDrafts(folder, mtimeMs - DRAFT_MS);
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
    async read(id) {
      const path = byName.get(id);
      return path === undefined ? await store.read(id) : await readIfExists(path);
    },
  };
}

function readIfExists(path: string): Promise<Uint8Array | null> {
  return unless("ENOENT", readShared(path), null);
}

/** null: it has been removed meanwhile. */
function describeFile(id: string, path: string): Promise<BaseFile | null> {
  const described = stat(path, { bigint: true }).then(({ ino, size, mtimeNs }) => ({
    id,
    version: `${ino.toString(36)}-${size.toString(36)}-${mtimeNs.toString(36)}`,
    bytes: Number(size),
  }));
  return unless("ENOENT", described, null);
}

async function readShared(path: string): Promise<Uint8Array> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  let at = 0;
  while (at < size) {
    const { bytesRead } = await file.read(bytes, at, Math.min(READ_BYTES, size - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes;
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, "wx", MODE);
  await file.writeFile(bytes);
  await file.sync();
}

/** Without it a power failure could lose the name of a file that is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

async function removeDrafts(folder: string, before_ms: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!DRAFT.test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await unless("ENOENT", stat(path), { mtimeMs: before_ms });
    if (mtimeMs < before_ms) await rm(path, { force: true });
  }
}

async function unless<T, F>(code: string, task: Promise<T>, otherwise: F): Promise<T | F> {
  return await task.catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === code) return otherwise;
    throw error;
  });
}
