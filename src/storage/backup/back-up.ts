/**
 * Makes a backup: one consistent copy of everything that must be kept, while the service runs. It is
 * written under another name, read back and compared, and renamed at the end, so that one that was
 * interrupted is never taken for a whole one.
 */
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { hash } from "node:crypto";
import { basename, dirname, join, resolve as resolvePath } from "node:path";
import { guard } from "#kit/guard.ts";
import { diskSpaceOf } from "#storage/embedded/disk.ts";
import { type DataPlace, hasFolder } from "#storage/open-storage.ts";
import { withPool } from "#storage/postgres/postgres-command.ts";
import { dump, sizesOfTables } from "#storage/postgres/dump.ts";
import { readSchemas } from "#storage/postgres/migrate.ts";
import type { Pool } from "#storage/postgres/pool.ts";
import { NO_STORE } from "#storage/store-schema.ts";
import { listJournalFiles } from "#storage/usage/journal.ts";
import { checkArchive, checkFolder } from "./backup-check.ts";
import { openFolderState, type FolderState } from "./copy-folder.ts";
import {
  counter,
  isFreePath,
  isThere,
  makePartial,
  type OnBytes,
  putInPlace,
  sealFile,
  syncFolders,
  unlessMissing,
  Writer,
} from "./backup-files.ts";
import {
  type BackupFile,
  LAST_BACKUP_FILE,
  type Manifest,
  MANIFEST_FILE,
  writeManifest,
} from "./manifest.ts";
import { type Copying, type BackupProblem, toProblemOf } from "./backup-problem.ts";
import { bytesInTar, packTar, TAR_END_BYTES } from "./tar.ts";

export type BackupOptions = DataPlace & {
  store_url: string | null;
  /** A folder that is not there, or is empty; or a file that is not there and ends in `.tar`. */
  target: string;
  /** Of this program. */
  version: string;
  /** null: there is none. */
  config_file: string | null;
  /** By which option or variable it is named; absent: the variable. */
  config_name?: string;
  now: () => number;
  /** Called before work starts: what it takes, and what is free. */
  onPlan: (plan: { bytes: number; free: number }) => void;
  /** Called with what is done of a step, in bytes. */
  onProgress: (step: Step, done: number, total: number) => void;
};

type Step = "copied" | "packed" | "checked";
export type Made = { path: string; bytes: number; files: number; made_at: string };

/** About what the manifest takes, and a file in it. */
const MANIFEST_HEAD_BYTES = 512;
const MANIFEST_FILE_BYTES = 160;
const POSTGRES_FOLDER = "postgres";

/** Makes a backup. `problem`: why there is none, in one line; nothing is left at the target then. */
export async function backUp(backup_options: BackupOptions): Promise<Made | BackupProblem> {
  const options = { ...backup_options, target: resolvePath(backup_options.target) };
  return await guard(() => begin(options), toProblemOf(placesOf(options)));
}

function placesOf({ target, data_dir, config_file, ...options }: BackupOptions): Copying {
  const { config_name = "VICINITY_CONFIG" } = options;
  const config = config_file === null ? [] : [{ name: config_name, path: config_file }];
  return {
    from: [...config, { name: "VICINITY_DATA_DIR", path: data_dir }],
    to: { name: "TARGET", path: target },
  };
}

async function begin(options: BackupOptions): Promise<Made | BackupProblem> {
  const refused = await refuse(options);
  if (refused !== null) return { problem: refused };
  const partial = await makePartial(options.target);
  try {
    const { store_url: url, mode } = options;
    if (url === null) return await make(options, partial, null);
    return await withPool({ url, mode }, (pool) => make(options, partial, pool));
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function refuse({ target, store_url, ...place }: BackupOptions): Promise<string | null> {
  const folder = join(place.data_dir, place.mode);
  // In a fleet the accounts are elsewhere, and a machine may have no folder.
  if (store_url === null && !hasFolder(place))
    return `${folder} has nothing to back up: ${NO_STORE}`;
  // As where a volume is not mounted, which the backup would then not be on.
  if (!(await isThere(dirname(target))))
    return `TARGET: the folder ${dirname(target)} is not there: make it, or mount its volume`;
  if (await isInData(target, place))
    return `${target} is in the data folder, which the backup is to outlive`;
  if (isArchive(target))
    return (await isThere(target)) ? `${target} is there already; choose another name` : null;
  return (await isFreePath(target)) ? null : `${target} is not empty; choose another folder`;
}

/** By the folders that the names lead to: either may be, or lead through, a symbolic link. */
async function isInData(target: string, { data_dir, mode }: DataPlace): Promise<boolean> {
  const at = await realPathOf(target);
  const folders = [data_dir, join(data_dir, mode)].map((path) => realPathOf(resolvePath(path)));
  return (await Promise.all(folders)).some((folder) => isInside(at, folder));
}

/** Of the part of it that is there, with the rest as it is written. */
async function realPathOf(path: string): Promise<string> {
  const real = await unlessMissing(realpath(path));
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await realPathOf(dirname(path)), basename(path));
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function isArchive(path: string): boolean {
  return path.endsWith(".tar");
}

async function make(
  options: BackupOptions,
  partial: string,
  pool: Pool | null,
): Promise<Made | BackupProblem> {
  const { onPlan, onProgress, now, mode } = options;
  const content = join(partial, "content");
  await mkdir(content, { mode: 0o700 });
  const schemas = pool === null ? new Map<string, number>() : await readSchemas(pool.query, mode);
  if (schemas === null) return { problem: NO_STORE };
  const made_at_ms = now();
  // Before the journals are copied, which come first.
  const { free } = diskSpaceOf(dirname(partial));
  const first = await sizeOfJournals(options);
  if (first > free) return tooLittle(first, free);
  const stored = await hold(options, content);
  try {
    const tables_bytes = pool === null ? [] : await sizesOfTables(pool.query, schemas);
    const plan = planOf([...stored.sizes, ...tables_bytes], isArchive(options.target));
    onPlan({ bytes: plan.bytes, free });
    if (plan.needed > free) return tooLittle(plan.needed, free);
    const onBytes = counter("copied", plan.bytes, onProgress);
    const tables = pool === null ? [] : await dumpTables(pool, { schemas, content, onBytes });
    const files = [...tables, ...(await stored.copy(onBytes))];
    const manifest: Omit<Manifest, "format"> = {
      version: options.version,
      mode,
      made_at: new Date(made_at_ms).toISOString(),
      store: pool === null ? "embedded" : "postgres",
      schemas: { files: stored.schemas, postgres: Object.fromEntries(schemas) },
      config_sha256: await digestOfConfig(options.config_file),
      files,
    };
    return await finish(options, { partial, content, manifest });
  } finally {
    stored.close();
  }
}

function tooLittle(needed: number, free: number): BackupProblem {
  return {
    problem: `TARGET: the backup takes ${needed} bytes, and ${free} are free there: free space, or name another disk`,
  };
}

async function sizeOfJournals({ data_dir, mode }: DataPlace): Promise<number> {
  const folder = join(data_dir, mode);
  const paths = listJournalFiles(folder).map((name) => join(folder, name));
  const matches = await Promise.all(paths.map((path) => unlessMissing(stat(path))));
  return matches.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

/** What the files of these sizes take: in the end, and while they are written. */
function planOf(sizes: readonly number[], isPacked: boolean): { bytes: number; needed: number } {
  const of_manifest = MANIFEST_HEAD_BYTES + sizes.length * MANIFEST_FILE_BYTES;
  const all = [...sizes, of_manifest].map((bytes) => (isPacked ? bytesInTar(bytes) : bytes));
  const bytes = all.reduce((sum, each) => sum + each, isPacked ? TAR_END_BYTES : 0);
  // An archive is packed a file at a time, each of which is there twice for as long.
  return { bytes, needed: isPacked ? bytes + Math.max(...all) : bytes };
}

/** Of a machine without a data folder: nothing. */
async function hold(options: BackupOptions, content: string): Promise<FolderState> {
  if (hasFolder(options))
    return await openFolderState(join(options.data_dir, options.mode), content);
  return { schemas: {}, sizes: [], copy: async () => [], close: () => undefined };
}

type Dumping = { schemas: ReadonlyMap<string, number>; content: string; onBytes: OnBytes };

async function dumpTables(
  pool: Pool,
  { schemas, content, onBytes }: Dumping,
): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  await dump(pool, schemas, async ({ name, rows }) => {
    const path = `${POSTGRES_FOLDER}/${name}.jsonl`;
    await using writer = await Writer.create(join(content, path));
    for await (const lines of rows) {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      await writer.write(bytes);
      onBytes(bytes.length);
    }
    files.push({ path, ...(await writer.end()) });
  });
  return files;
}

async function digestOfConfig(path: string | null): Promise<string | null> {
  return path === null ? null : hash("sha256", await readFile(path));
}

type Content = { partial: string; content: string; manifest: Omit<Manifest, "format"> };

/** Packs, checks and renames it. */
async function finish(
  { target, onProgress, ...options }: BackupOptions,
  { partial, content, manifest }: Content,
): Promise<Made | BackupProblem> {
  await writeFile(join(content, MANIFEST_FILE), writeManifest(manifest), { mode: 0o600 });
  const own = { path: MANIFEST_FILE, ...(await sealFile(join(content, MANIFEST_FILE), ignore)) };
  const all = [own, ...manifest.files];
  const bytes = all.reduce((sum, file) => sum + file.bytes, 0);
  let whole = content;
  if (isArchive(target)) {
    whole = join(partial, "archive");
    const onBytes = counter("packed", bytes, onProgress);
    await packTar(whole, content, all, { onBytes, onPacked: (path) => rm(path) });
  }
  const check = isArchive(target) ? checkArchive : checkFolder;
  const checked = await check(whole, counter("checked", bytes, onProgress));
  if ("problem" in checked)
    return { problem: `the backup could not be written: ${checked.problem}` };
  if (!isArchive(target)) await syncFolders(whole);
  await putInPlace(whole, target);
  const made = { path: target, bytes, files: all.length, made_at: manifest.made_at };
  await noteLast(options, made);
  return { ...made, bytes: isArchive(target) ? (await stat(target)).size : bytes };
}

async function noteLast(place: DataPlace, made: Made): Promise<void> {
  if (!hasFolder(place)) return;
  const path = join(place.data_dir, place.mode, LAST_BACKUP_FILE);
  await writeFile(`${path}.draft`, `${JSON.stringify(made)}\n`, { mode: 0o600 });
  await rename(`${path}.draft`, path);
}

function ignore(): void {
  // It is small.
}
