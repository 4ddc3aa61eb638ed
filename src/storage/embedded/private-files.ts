/**
 * The data folder and what is in it are for the service's own user: hashes of keys, accounts, the
 * secret of dataset ids. What an earlier version or another umask has left open is closed.
 */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;

/**
 * Makes the folder, or closes it and its files to others. Returns the paths that could not be
 * closed since another user owns them. Throws where there is no such folder and none can be made.
 */
export function makePrivate(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const files = readdirSync(folder).map((name) => join(folder, name));
  return [
    ...close(folder, FOLDER_MODE),
    ...files.flatMap((path) => (lstatSync(path).isFile() ? close(path, FILE_MODE) : [])),
  ];
}

/**
 * Creates a database's file before it is opened: SQLite gives further files the same permissions.
 */
export function provideFile(path: string): void {
  closeSync(openSync(path, "a", FILE_MODE));
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
