/**
 * The data folder and what is in it are for the service's own user: hashes of keys, accounts, the
 * secret of dataset ids. What an earlier version or another umask has left open is closed.
 */
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Names of the databases in the data folder; only SQLite may open them. */
export const DATABASES = { main: "vicinity.db", datasets: "datasets.db" } as const;

const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;

/**
 * Makes the folder, or closes it and its files to others. Returns the paths that could not be
 * closed since another user owns them. Throws where there is no such folder and none can be made, and
 * where it cannot be written, which SQLite would not explain.
 */
export function makePrivate(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  accessSync(folder, constants.W_OK | constants.X_OK);
  const files = readdirSync(folder).map((name) => join(folder, name));
  return [
    ...close(folder, FOLDER_MODE),
    ...files.flatMap((path) => (lstatSync(path).isFile() ? close(path, FILE_MODE) : [])),
  ];
}

/**
 * Closes the file of a database to others, by its name: SQLite has made it and gives further files
 * the same permissions. It must never be opened here. A process that closes any descriptor of a file
 * loses all its locks on it, those of SQLite too, and another program then believes itself alone and
 * deletes the log of the running service (SQLite, "How To Corrupt", 2.2).
 */
export function closeToOthers(path: string): void {
  close(path, FILE_MODE);
}

function close(path: string, mode: number): string[] {
  if ((lstatSync(path).mode & OTHERS) === 0) return [];
  try {
    chmodSync(path, mode);
    return [];
  } catch {
    return [path];
  }
}
