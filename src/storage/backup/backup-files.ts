/** Files of a backup: copied with their digest, synced, and put in place under their name at the end. */
import { createHash, randomBytes } from "node:crypto";
import {
  chmod,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  type FileHandle,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { BackupFile } from "./manifest.ts";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const CHUNK = 1024 * 1024;
/** Made by a backup or restore that has not ended, or was killed. */
const PARTIAL = /^\..+\.[0-9a-f]{16}\.partial$/;
/** None takes longer: what is older was left by one that was killed. */
const PARTIAL_MS = 86_400_000;

/** Called with each number of bytes that were copied. */
export type OnBytes = (bytes: number) => void;

/** Sums bytes up for `onProgress`; a total that was too small grows with them. */
export function counter<Step>(
  step: Step,
  total: number,
  onProgress: (step: Step, done: number, total: number) => void,
): OnBytes {
  let done = 0;
  return (bytes) => {
    done += bytes;
    onProgress(step, done, Math.max(total, done));
  };
}

/** Makes a folder next to the target, to be filled and renamed; removes what killed runs have left there. */
export async function makePartial(target: string): Promise<string> {
  const parent = dirname(target);
  await mkdir(parent, { recursive: true, mode: FOLDER_MODE });
  const now_ms = Date.now();
  for (const name of await readdir(parent)) {
    if (!PARTIAL.test(name)) continue;
    const path = join(parent, name);
    const match = await unlessMissing(stat(path));
    if (match && match.mtimeMs < now_ms - PARTIAL_MS)
      await rm(path, { recursive: true, force: true });
  }
  const path = join(parent, `.${basename(target)}.${randomBytes(8).toString("hex")}.partial`);
  await mkdir(path, { mode: FOLDER_MODE });
  return path;
}

/** Puts a folder or file in the place of the target, which is not there or is an empty folder. */
export async function putInPlace(partial: string, target: string): Promise<void> {
  if (await isEmptyFolder(target)) await rmdir(target);
  await rename(partial, target);
  await syncFolder(dirname(target));
}

/** Whether there is nothing of this name, or a folder without anything in it. */
export async function isFreePath(path: string): Promise<boolean> {
  return !(await isThere(path)) || (await isEmptyFolder(path));
}

export async function isThere(path: string): Promise<boolean> {
  return (await unlessMissing(stat(path))) !== null;
}

async function isEmptyFolder(path: string): Promise<boolean> {
  const match = await unlessMissing(stat(path));
  return match !== null && match.isDirectory() && (await readdir(path)).length === 0;
}

/** Resolves to null where there is no such file. */
export async function unlessMissing<T>(task: Promise<T>): Promise<T | null> {
  return await task.catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
}

/** A file of a backup as it is written: with its digest, and synced when it is closed. */
export class Writer {
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  #bytes = 0;
  #closed = false;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<Writer> {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
    return new Writer(await open(path, "wx", FILE_MODE));
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#file.writeFile(bytes);
  }

  /** Syncs it; returns what the manifest says of it. */
  async end(): Promise<Omit<BackupFile, "path">> {
    await this.#file.sync();
    await this.#file.close();
    this.#closed = true;
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  /** Closes it as it is, unless it has been ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#closed) await this.#file.close();
    this.#closed = true;
  }
}

/** Copies a file; the copy is synced. Where there is no such file, no copy is made. */
export async function copyFile(from: string, to: string, onBytes: OnBytes) {
  await using source = await open(from, "r");
  await using writer = await Writer.create(to);
  for await (const chunk of chunksOfFile(source)) {
    await writer.write(chunk);
    onBytes(chunk.length);
  }
  return await writer.end();
}

/** Reads a file through: its size and digest. */
export async function digestFile(path: string, onBytes: OnBytes) {
  const digest = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunksOf(path)) {
    digest.update(chunk);
    bytes += chunk.length;
    onBytes(chunk.length);
  }
  return { bytes, sha256: digest.digest("hex") };
}

/** Each chunk is valid until the next one. */
export async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path, "r");
  yield* chunksOfFile(file);
}

async function* chunksOfFile(file: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Closes a file to others and syncs it, and returns what the manifest says of it. */
export async function sealFile(path: string, onBytes: OnBytes) {
  await chmod(path, FILE_MODE);
  await using file = await open(path, "r+");
  await file.sync();
  return await digestFile(path, onBytes);
}

/** Without it a power failure could lose the name of a file that is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

/** Syncs the names in a folder and in those below. */
export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  await syncFolder(folder);
}
