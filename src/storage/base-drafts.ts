/**
 * Bases that are being written: under names that are no base's, so that a crash leaves none but the one
 * before. Its name says whose it is; what a writer left that has ended, the next one removes.
 */
import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { attempt, detach, guard } from "#kit/guard.ts";
import type { BaseDraft } from "#ports/bases.ts";
import { unless } from "./unless.ts";

/**
 * `.id.host-pid.random.draft`, a file or a folder: of a base that is being written, or was when its
 * writer ended. Names of earlier versions have no host and no pid.
 */
const DRAFT = /^\.[a-z0-9][a-z0-9_-]*\.(?:([0-9a-f]{8})-(\d{1,10})\.)?[0-9a-f]{16}\.draft$/;
/** Names change that long after the last sign of their writer: it has ended, wherever it ran. */
const SILENT_MS = 3_600_000;
const SIGN_MS = 60_000;
const MODE = 0o600;
const FOLDER_MODE = 0o700;
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

/** Begins the draft of a base that becomes `path`; what has ended before is removed. */
export async function beginDraft(folder: string, id: string, path: string): Promise<BaseDraft> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await removeDrafts(folder);
  const nameOf = (): string =>
    join(folder, `.${id}.${HOST}-${process.pid}.${randomBytes(8).toString("hex")}.draft`);
  const [scratch, file] = [nameOf(), nameOf()];
  await mkdir(scratch, { mode: FOLDER_MODE });
  return new Draft({ folder, scratch, file, path });
}

/** Of the folder of bases, of what is written, and of what it becomes. */
type Places = { folder: string; file: string; path: string };

class Draft implements BaseDraft {
  readonly folder: string;
  readonly #places: Places;
  readonly #signs: NodeJS.Timeout;
  #file: Promise<FileHandle> | null = null;
  #committed = false;

  constructor({ scratch, ...places }: Places & { scratch: string }) {
    this.folder = scratch;
    this.#places = places;
    const sign = (): void => {
      const now_s = Date.now() / 1000;
      // Where it fails, the draft looks older than it is, and no more.
      for (const at of [scratch, places.file]) detach(utimes(at, now_s, now_s), () => undefined);
    };
    this.#signs = setInterval(sign, SIGN_MS).unref();
  }

  async write(at: number, bytes: Uint8Array): Promise<void> {
    // What has no bytes makes no file, and cannot be committed.
    if (!(bytes.length > 0)) return;
    this.#file ??= open(this.#places.file, "wx", MODE);
    const file = await this.#file;
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
      done += bytesWritten;
    }
  }

  async commit(): Promise<void> {
    const { folder, file, path } = this.#places;
    const handle = await this.#file;
    if (handle === null) throw new TypeError("nothing was written");
    await handle.sync();
    await handle.close();
    this.#file = null;
    await rename(file, path);
    this.#committed = true;
    await syncFolder(folder);
  }

  async remove(): Promise<void> {
    clearInterval(this.#signs);
    const opened = this.#file;
    this.#file = null;
    // A file that could not be opened, or is not closed, is removed all the same.
    await guard(
      async () => await (await opened)?.close(),
      () => undefined,
    );
    if (!this.#committed) await rm(this.#places.file, { force: true });
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Without it a power failure could lose the name of a file that is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

/** Removes what writers have left that have ended. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [match, host, pid] = DRAFT.exec(name) ?? [];
    if (match === undefined) continue;
    const path = join(folder, name);
    if ((host === HOST && !isRunning(Number(pid))) || (await isSilent(path)))
      await rm(path, { recursive: true, force: true });
  }
}

async function isSilent(path: string): Promise<boolean> {
  const stats = await unless("ENOENT", stat(path), null);
  return stats !== null && stats.mtimeMs < Date.now() - SILENT_MS;
}

function isRunning(pid: number): boolean {
  return attempt(
    () => process.kill(pid, 0),
    // Of another user; any other error says that there is none.
    (error) => (error as NodeJS.ErrnoException).code === "EPERM",
  );
}
