/**
 * A data folder, copied while a service runs on it, or none. This process must not have opened its
 * databases otherwise: it reads them by connections of its own, and never their files
 * (embedded/private-files.ts).
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { BASE_END, isBaseId } from "#osm/base/base-layout.ts";
import { baseFolder } from "#storage/base-files.ts";
import { findDamage, openSnapshot, type Snapshot } from "#storage/embedded/database.ts";
import { CONTENT_END, contentNameOf, LABEL_END } from "#storage/embedded/documents.ts";
import { DATABASES } from "#storage/embedded/private-files.ts";
import { listJournalFiles } from "#storage/usage/journal.ts";
import {
  copyFile,
  isThere,
  type OnBytes,
  sealFile,
  unlessMissing,
  Writer,
} from "./backup-files.ts";
import type { BackupFile } from "./manifest.ts";

/** The state of a folder at one moment, to be copied. */
export type FolderState = {
  schemas: Readonly<Record<string, number>>;
  /** Of each file of the copy, bytes. */
  sizes: readonly number[];
  /** Copies all of it; rejects where the copy is damaged. */
  copy(onBytes: OnBytes): Promise<BackupFile[]>;
  close(): void;
};

const DOCUMENTS = "documents";

/**
 * Holds the folder's state. Usage moves from the journal to the ledger, so the journal is copied first:
 * what leaves it meanwhile is in the ledger, and an event in both counts once by its id.
 */
export async function openFolderState(folder: string, to: string): Promise<FolderState> {
  const journals = await copyJournals(folder, to);
  using undo = new DisposableStack();
  const snapshots: [name: string, snapshot: Snapshot][] = [];
  for (const name of Object.values(DATABASES)) {
    if (!(await isThere(join(folder, name)))) continue;
    const snapshot = openSnapshot(join(folder, name));
    undo.defer(() => snapshot.close());
    snapshots.push([name, snapshot]);
  }
  const bases = await listBases(folder);
  const documents = await sizesOfDocuments(folder);
  const journal_bytes = journals.reduce((sum, { bytes }) => sum + bytes, 0);
  const sized = [...journals, ...snapshots.map(([, snapshot]) => snapshot), ...bases];
  const stored = undo.move();
  return {
    schemas: Object.fromEntries(snapshots.map(([name, { schema }]) => [name, schema])),
    sizes: [...sized.map(({ bytes }) => bytes), ...documents],
    async copy(onBytes) {
      onBytes(journal_bytes);
      const files = [...journals];
      for (const [name, snapshot] of snapshots)
        files.push(await copyDatabase(snapshot, { name, to, onBytes }));
      for (const { name } of bases) files.push(...(await copyBase(folder, { name, to, onBytes })));
      return [...files, ...(await copyDocuments(folder, to, onBytes))];
    },
    close: () => stored.dispose(),
  };
}

async function copyJournals(folder: string, to: string): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const path of listJournalFiles(folder)) {
    const copied = await unlessMissing(
      copyFile(join(folder, path), join(to, path), () => undefined),
    );
    if (copied) files.push({ path, ...copied });
  }
  return files;
}

type Target = { name: string; to: string; onBytes: OnBytes };

async function copyDatabase(
  snapshot: Snapshot,
  { name, to, onBytes }: Target,
): Promise<BackupFile> {
  const path = join(to, name);
  let done = 0;
  await snapshot.copyTo(path, (copied, total) => {
    const bytes = total === 0 ? 0 : (copied / total) * snapshot.bytes;
    onBytes(bytes - done);
    done = bytes;
  });
  onBytes(snapshot.bytes - done);
  const damage = findDamage(path);
  if (damage !== null) throw new Error(`${name} is damaged: ${damage}`);
  return { path: name, ...(await sealFile(path, () => undefined)) };
}

async function listBases(folder: string): Promise<{ name: string; bytes: number }[]> {
  const names = (await unlessMissing(readdir(baseFolder(folder)))) ?? [];
  const matches = names.filter(
    (name) => name.endsWith(BASE_END) && isBaseId(name.slice(0, -BASE_END.length)),
  );
  return await Promise.all(
    matches.map(async (name) => {
      const file = await unlessMissing(stat(join(baseFolder(folder), name)));
      return { name, bytes: file?.size ?? 0 };
    }),
  );
}

/** A base is replaced whole: what is open stays as it was. None: it has just been removed. */
async function copyBase(folder: string, { name, to, onBytes }: Target): Promise<BackupFile[]> {
  const target = join(baseFolder(to), name);
  const copied = await unlessMissing(copyFile(join(baseFolder(folder), name), target, onBytes));
  return copied ? [{ path: `${baseFolder("")}/${name}`, ...copied }] : [];
}

async function copyDocuments(folder: string, to: string, onBytes: OnBytes): Promise<BackupFile[]> {
  const [source, target] = [join(folder, DOCUMENTS), join(to, DOCUMENTS)];
  const files: BackupFile[] = [];
  for (const name of (await unlessMissing(readdir(source))) ?? [])
    if (name.endsWith(LABEL_END))
      files.push(...(await copyDocument({ source, target, name, onBytes })));
  return files.map(({ path, ...file }) => ({ path: `${DOCUMENTS}/${path}`, ...file }));
}

/** Labels and contents as they are now: drafts are no part of a copy. */
async function sizesOfDocuments(folder: string): Promise<number[]> {
  const source = join(folder, DOCUMENTS);
  const names = (await unlessMissing(readdir(source))) ?? [];
  const remaining = names.filter((name) => name.endsWith(LABEL_END) || name.endsWith(CONTENT_END));
  const matches = await Promise.all(
    remaining.map((name) => unlessMissing(stat(join(source, name)))),
  );
  return matches.map((file) => file?.size ?? 0);
}

type Document = { source: string; target: string; name: string; onBytes: OnBytes };

/** The label and the content that it names, which a newer pair may replace meanwhile. */
async function copyDocument({ source, target, name, onBytes }: Document): Promise<BackupFile[]> {
  for (let before: string | null = null; ;) {
    const text: string | null = await unlessMissing(readFile(join(source, name), "utf8"));
    const content = text === null ? null : contentNameOf(name, text);
    // A label whose content is gone for good is no document.
    if (text === null || content === null || text === before) return [];
    before = text;
    const copying = copyFile(join(source, content), join(target, content), onBytes);
    const copied = await unlessMissing(copying);
    if (!copied) continue;
    await using label = await Writer.create(join(target, name));
    await label.write(Buffer.from(text));
    return [
      { path: content, ...copied },
      { path: name, ...(await label.end()) },
    ];
  }
}
