/**
 * The manifest of a backup: which files it has, of which moment and program. It carries a digest of
 * itself, so that a backup is either whole or names what is not.
 */
import { hash } from "node:crypto";
import { parseJson } from "#kit/json.ts";

export const MANIFEST_FILE = "manifest.json";
/** Of the newest backup, in the folder of the mode: where it is and how old (doctor). */
export const LAST_BACKUP_FILE = "last-backup.json";
/** Raised when an older program could not restore a backup of this one. */
const FORMAT = 1;

export type BackupFile = {
  /** With `/`, below the backup. */
  path: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
};

export type Manifest = {
  format: number;
  /** Of the program that made it. */
  version: string;
  mode: "sandbox" | "live";
  /** RFC 3339: all that was acknowledged before is in it. */
  made_at: string;
  /** Where accounts, usage and datasets were kept. */
  store: "embedded" | "postgres";
  /** Schema of each database file, and of each module of PostgreSQL. */
  schemas: { files: Readonly<Record<string, number>>; postgres: Readonly<Record<string, number>> };
  /** Of the configuration file, which is not in the backup; null: there was none. */
  config_sha256: string | null;
  files: readonly BackupFile[];
};

type Read = { manifest: Manifest } | { problem: string };

export function writeManifest(manifest: Omit<Manifest, "format">): string {
  const whole = { format: FORMAT, ...manifest };
  return `${JSON.stringify({ ...whole, sha256: digestOf(whole) }, null, 1)}\n`;
}

/** Reads what `writeManifest` wrote; `problem` is one line. */
export function readManifest(text: string): Read {
  const read = parseJson(text) as (Manifest & { sha256?: unknown }) | undefined;
  if (typeof read !== "object" || read === null || typeof read.format !== "number")
    return { problem: `${MANIFEST_FILE} is damaged: it is no manifest of a backup` };
  if (read.format > FORMAT)
    return {
      problem: `the backup was made by a newer version (format ${read.format}, this one knows ${FORMAT})`,
    };
  const { sha256, ...manifest } = read;
  if (!Array.isArray(manifest.files))
    return { problem: `${MANIFEST_FILE} is damaged: it lists no files` };
  if (sha256 !== digestOf(manifest))
    return { problem: `${MANIFEST_FILE} is damaged: it is not what was written` };
  const odd = manifest.files.find(({ path }) => !isInside(path));
  return odd === undefined ? { manifest } : { problem: `${MANIFEST_FILE} names ${odd.path}` };
}

function digestOf(manifest: object): string {
  return hash("sha256", JSON.stringify(manifest));
}

/** Below the backup, and nowhere else. */
function isInside(path: string): boolean {
  return path.split("/").every((part) => /^[^\\\0]+$/.test(part) && part !== ".." && part !== ".");
}
