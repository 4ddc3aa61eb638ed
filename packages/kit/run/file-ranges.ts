/** A file on this machine as ranges of bytes: positional reads into shared memory. */
import { type FileHandle, open } from "node:fs/promises";
import type { BigIntStats } from "node:fs";
import type { ByteRanges } from "../byte-ranges.ts";
import { problem } from "../problem.ts";
import { createShared } from "../shared-bytes.ts";

/** One read takes at most 2 GiB. */
const READ_BYTES = 2 ** 30;

/** Opens a file, which stays the same one where another is put in its place. Rejects as the file system does. */
export async function openFileRanges(path: string): Promise<ByteRanges> {
  const file = await open(path, "r");
  const stats = await file.stat({ bigint: true });
  return new FileRanges(file, stats);
}

/** Changes with what a file holds, and with the file of a name. */
export function versionOfFile({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino.toString(36)}-${size.toString(36)}-${mtimeNs.toString(36)}`;
}

class FileRanges implements ByteRanges {
  readonly bytes: number;
  readonly version: string;
  readonly #file: FileHandle;

  constructor(file: FileHandle, stats: BigIntStats) {
    this.#file = file;
    this.bytes = Number(stats.size);
    this.version = versionOfFile(stats);
  }

  async read(at: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    signal?.throwIfAborted();
    if (at + length > this.bytes)
      throw problem(`bytes ${at} to ${at + length}: the file has ${this.bytes}`);
    const bytes = createShared(length);
    for (let done = 0; done < length;) {
      const most = Math.min(READ_BYTES, length - done);
      const { bytesRead } = await this.#file.read(bytes, done, most, at + done);
      if (bytesRead === 0) throw problem(`byte ${at + done}: the file ends there, and had more`);
      done += bytesRead;
      signal?.throwIfAborted();
    }
    const now = versionOfFile(await this.#file.stat({ bigint: true }));
    if (now !== this.version) throw problem(`byte ${at}: the file was written in its place`);
    return bytes;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
