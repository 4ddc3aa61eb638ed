/** Whether a backup is whole: every file of its manifest, byte for byte. The first fault is named. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { guard } from "#kit/guard.ts";
import { toBackupProblem } from "./backup-problem.ts";
import { digestFile, isThere, type OnBytes, unlessMissing } from "./backup-files.ts";
import { type BackupFile, type Manifest, MANIFEST_FILE, readManifest } from "./manifest.ts";
import { isTar, readTar } from "./tar.ts";

type Checked = { manifest: Manifest } | { problem: string };

/** Far more than the longest manifest takes. */
const MANIFEST_BYTES = 64 * 1024 * 1024;

/** Checks a backup, a folder or an archive. `problem` is one line. Rejects where it is not there. */
export async function checkBackup(path: string, onBytes: OnBytes): Promise<Checked> {
  const stats = await stat(path);
  return stats.isDirectory() ? await checkFolder(path, onBytes) : await checkArchive(path, onBytes);
}

export async function checkFolder(folder: string, onBytes: OnBytes): Promise<Checked> {
  const path = join(folder, MANIFEST_FILE);
  if (!(await isThere(path)))
    return { problem: `${folder} is no backup, or an incomplete one: it has no ${MANIFEST_FILE}` };
  const read = readManifest(await readFile(path, "utf8"));
  if ("problem" in read) return read;
  for (const file of read.manifest.files) {
    const digest = await unlessMissing(digestFile(join(folder, file.path), onBytes));
    const problem = compare(file, digest);
    if (problem !== null) return { problem };
  }
  return read;
}

/** Reads an archive through: its manifest comes first. */
export async function checkArchive(path: string, onBytes: OnBytes): Promise<Checked> {
  if (!(await isTar(path))) return { problem: `${path} is no backup: it is no tar archive` };
  let read: Checked = { problem: `${path} is no backup: it does not begin with ${MANIFEST_FILE}` };
  const matches = new Map<string, Omit<BackupFile, "path">>();
  const take = async (name: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
    if (matches.size === 0 && name === MANIFEST_FILE) {
      read = readManifest(await readText(content));
      matches.set(name, { bytes: 0, sha256: "" });
      return;
    }
    matches.set(name, await digestContent(content, onBytes));
  };
  const broken = await guard(
    () => readTar(path, take).then(() => null),
    (error) => toBackupProblem(error).problem,
  );
  if ("problem" in read) return read;
  const { manifest } = read as { manifest: Manifest };
  for (const file of manifest.files) {
    const problem = compare(file, matches.get(file.path) ?? null);
    if (problem !== null)
      return { problem: broken === null ? problem : `${problem}; the archive: ${broken}` };
  }
  return broken === null ? read : { problem: `${path} is damaged: ${broken}` };
}

function compare(file: BackupFile, backup_file: Omit<BackupFile, "path"> | null): string | null {
  if (backup_file === null) return `${file.path} is missing`;
  if (backup_file.bytes !== file.bytes)
    return `${file.path} is damaged: it has ${backup_file.bytes} bytes of ${file.bytes}`;
  return backup_file.sha256 === file.sha256
    ? null
    : `${file.path} is damaged: its content has changed`;
}

async function readText(content: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of content) {
    bytes += part.length;
    if (bytes > MANIFEST_BYTES) throw new Error(`${MANIFEST_FILE} is too long`);
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts).toString("utf8");
}

async function digestContent(content: AsyncIterable<Uint8Array>, onBytes: OnBytes) {
  const digest = createHash("sha256");
  let bytes = 0;
  for await (const part of content) {
    digest.update(part);
    bytes += part.length;
    onBytes(part.length);
  }
  return { bytes, sha256: digest.digest("hex") };
}
