/** A feed where it lies: a zip archive or a folder, at a path or in memory (mobility.md 3.3). */
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type Archive,
  type ArchiveFile,
  DEFAULT_LIMITS,
  findFeedFiles,
  type Limits,
} from "./entries.ts";
import { problem } from "#kit/problem.ts";
import { quoted } from "#kit/run/run-problem.ts";
import { openZipBytes, openZipFile } from "./zip.ts";

export type FeedSource = { path: string } | { bytes: Uint8Array };

const READ_BYTES = 128 * 1024;

/** Throws for what must not be read; `importGtfs` makes a value of it. */
export async function openArchive(
  source: FeedSource,
  input: Partial<Limits> = {},
): Promise<Archive> {
  const limits = { ...DEFAULT_LIMITS, ...input };
  if ("bytes" in source) return openZipBytes(source.bytes, limits);
  const isFolder = (await stat(source.path)).isDirectory();
  return isFolder ? openFolder(source.path, limits) : openZipFile(source.path, limits);
}

async function openFolder(path: string, limits: Limits): Promise<Archive> {
  const names = await namesIn(path, limits);
  const feed_files = findFeedFiles(
    names.map((name) => ({ name })),
    "folder",
  );
  const files = new Map<string, ArchiveFile>();
  let total = 0;
  for (const [file, { name }] of feed_files) {
    const { size } = await stat(join(path, name));
    total += size;
    if (size > limits.file_bytes)
      throw problem(`folder: ${quoted(name)} has more than ${limits.file_bytes} bytes`);
    if (total > limits.total_bytes) throw problem(`folder: above ${limits.total_bytes} bytes`);
    files.set(file, { size, chunks: () => chunksOf(join(path, name), size) });
  }
  return { files, close: () => Promise.resolve() };
}

/** Of the folder and of the folders in it, as an archive would name them. */
async function namesIn(path: string, limits: Limits): Promise<string[]> {
  const names: string[] = [];
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await readdir(join(path, folder), { withFileTypes: true })) {
      const isFolder = entry.isDirectory();
      if (isFolder && folder === "") folders.push(`${entry.name}/`);
      if (!isFolder) names.push(`${folder}${entry.name}`);
      if (names.length + folders.length > limits.entries)
        throw problem(`folder: more than ${limits.entries} files`);
    }
  }
  return names;
}

/** As long as it was when it was measured: a file that grows meanwhile is no feed yet. */
async function* chunksOf(path: string, size: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
    seen += (chunk as Buffer).length;
    if (seen > size) break;
    yield chunk as Buffer;
  }
  if (seen !== size) throw problem(`folder: ${quoted(path)} changed while it was read`);
}
