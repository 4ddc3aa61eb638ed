/**
 * Puts a backup into an empty data folder, and into an empty database where it was made of one. It is
 * checked before anything is written, and the folder gets its name at the end.
 */
import { rm, stat } from "node:fs/promises";
import { join, resolve as resolvePath } from "node:path";
import { guard } from "#kit/guard.ts";
import { diskSpaceOf } from "#storage/embedded/disk.ts";
import { findDamage } from "#storage/embedded/database.ts";
import type { DataPlace } from "#storage/open-storage.ts";
import { EMBEDDED_SCHEMAS } from "#storage/schema-versions.ts";
import { withPool } from "#storage/postgres/postgres-command.ts";
import { isEmptyStore, restoreTables } from "#storage/postgres/dump.ts";
import { POSTGRES_MIGRATIONS } from "#storage/postgres/migrations.ts";
import { schemaProblem } from "#storage/store-schema.ts";
import { checkBackup } from "./backup-check.ts";
import {
  chunksOf,
  copyFile,
  counter,
  isFreePath,
  makePartial,
  type OnBytes,
  putInPlace,
  syncFolders,
  unlessMissing,
  Writer,
} from "./backup-files.ts";
import type { Manifest } from "./manifest.ts";
import { type BackupProblem, toProblemOf } from "./backup-problem.ts";
import { readTar } from "./tar.ts";

export type RestoreOptions = DataPlace & {
  store_url: string | null;
  /** A folder, or an archive. */
  source: string;
  onProgress: (step: "checked" | "restored", done: number, total: number) => void;
};

export type Restored = Pick<Manifest, "made_at" | "version" | "store" | "config_sha256"> & {
  folder: string;
  files: number;
};

/** Restores a backup. `problem`: why not, in one line; then nothing has been written. */
export function restoreBackup(options: RestoreOptions): Promise<Restored | BackupProblem> {
  const source = resolvePath(options.source);
  const folder = resolvePath(options.data_dir, options.mode);
  return guard(
    () => begin(options),
    toProblemOf({
      from: [{ name: "SOURCE", path: source }],
      to: { name: "VICINITY_DATA_DIR", path: folder },
    }),
  );
}

async function begin(options: RestoreOptions): Promise<Restored | BackupProblem> {
  const source = resolvePath(options.source);
  const { onProgress, store_url } = options;
  const size = await sizeOf(source);
  const checked = await checkBackup(source, counter("checked", size, onProgress));
  if ("problem" in checked) return { problem: `nothing was restored: ${checked.problem}` };
  const { manifest } = checked;
  const folder = resolvePath(options.data_dir, options.mode);
  const problem = (await refuse(manifest, options)) ?? (await refuseFolder(folder));
  if (problem !== null) return { problem };
  if (store_url === null) return await fill(folder, { ...options, source, manifest });
  return await withPool({ url: store_url, mode: options.mode }, async (pool) => {
    if (!(await isEmptyStore(pool.query, options.mode))) return { problem: NOT_EMPTY };
    const toDatabase = async (partial: string): Promise<string | null> =>
      restoreTables(pool, {
        mode: options.mode,
        schemas: new Map(Object.entries(manifest.schemas.postgres)),
        rowsOf: (name, batch) => readLines(join(partial, "postgres", `${name}.jsonl`), batch),
      });
    return await fill(folder, { ...options, source, manifest, toDatabase });
  });
}

const NOT_EMPTY = "the database of VICINITY_STORE_URL has a store already: name an empty one";

async function refuseFolder(folder: string): Promise<string | null> {
  if (await isFreePath(folder)) return null;
  return `the data folder ${folder} is not empty: name an empty one in VICINITY_DATA_DIR, or move it away`;
}

async function refuse(manifest: Manifest, { mode, store_url }: RestoreOptions) {
  if (manifest.mode !== mode)
    return `the backup is of ${manifest.mode} mode: ${mode === "live" ? "add" : "leave out"} --sandbox`;
  if (manifest.store === "postgres" && store_url === null)
    return "the backup is of PostgreSQL: name an empty database in VICINITY_STORE_URL";
  if (manifest.store === "embedded" && store_url !== null)
    return "the backup is of a data folder alone: it is restored without VICINITY_STORE_URL";
  const { files, postgres } = manifest.schemas;
  for (const [name, version] of [...Object.entries(files), ...Object.entries(postgres)]) {
    const known = EMBEDDED_SCHEMAS[name] ?? POSTGRES_MIGRATIONS[name]?.length ?? 0;
    if (version > known) return `${name} was ${schemaProblem({ version, known })}`;
  }
  return null;
}

type Filling = RestoreOptions & {
  manifest: Manifest;
  /** Writes the tables of a folder with the content; null: done, else one line. */
  toDatabase?: (partial: string) => Promise<string | null>;
};

async function fill(folder: string, input: Filling): Promise<Restored | BackupProblem> {
  const { source, manifest, toDatabase, onProgress } = input;
  const partial = await makePartial(folder);
  try {
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    const { free } = diskSpaceOf(partial);
    if (bytes > free)
      return {
        problem: `nothing was restored: it takes ${bytes} bytes, and ${free} are free at ${folder}`,
      };
    const onBytes = counter("restored", bytes, onProgress);
    await extract({ source, to: partial, manifest, onBytes });
    for (const name of Object.keys(manifest.schemas.files)) {
      const damage = findDamage(join(partial, name));
      if (damage !== null) return { problem: `${name} is damaged: ${damage}` };
    }
    const problem = (await toDatabase?.(partial)) ?? null;
    if (problem !== null) return { problem };
    await rm(join(partial, "postgres"), { recursive: true, force: true });
    await syncFolders(partial);
    await putInPlace(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  const { made_at, version, store, config_sha256, files } = manifest;
  return { made_at, version, store, config_sha256, folder, files: files.length };
}

type Extracting = { source: string; to: string; manifest: Manifest; onBytes: OnBytes };

/** The files of the manifest alone. */
async function extract({ source, to, manifest, onBytes }: Extracting): Promise<void> {
  const names = new Set(manifest.files.map(({ path }) => path));
  if ((await stat(source)).isDirectory()) {
    for (const name of names) await copyFile(join(source, name), join(to, name), onBytes);
    return;
  }
  await readTar(source, async (name, content) => {
    await using writer = names.has(name) ? await Writer.create(join(to, name)) : null;
    for await (const part of content) {
      await writer?.write(part);
      onBytes(part.length);
    }
    await writer?.end();
  });
}

/** Texts may hold other characters that end lines for people. */
async function* readLines(path: string, batch: number): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let rest = "";
  for await (const chunk of chunksOf(path)) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    while (lines.length >= batch) yield lines.splice(0, batch);
  }
  if (lines.length > 0) yield lines;
}

async function sizeOf(source: string): Promise<number> {
  return (await unlessMissing(stat(source)))?.size ?? 0;
}
