/**
 * Whether the files that the store has open are still those that their names lead to. Another
 * program that takes itself for the last one deletes the log of a database, a person moves the
 * folder: what is written from then on goes into files without a name, and is lost when the process
 * ends. SQLite does not notice, so the names are looked up, by stat alone: opening a file of SQLite's
 * would release its locks (private-files.ts).
 */
import { statSync } from "node:fs";

/** Next to a database in WAL mode, as long as a connection is open. */
const COMPANIONS = ["", "-wal", "-shm"] as const;

export type OpenFiles = {
  databases: readonly string[];
  others: readonly string[];
};

export class FileNames {
  /** Number of the file that each name led to when it was opened. */
  readonly #opened: ReadonlyMap<string, bigint>;

  /**
   * Made when the files are open and have been read: from then on SQLite makes none of them again
   * until the last connection is closed.
   */
  constructor({ databases, others }: OpenFiles) {
    const paths = [...databases.flatMap((path) => COMPANIONS.map((end) => path + end)), ...others];
    this.#opened = new Map(
      paths.flatMap((path): [string, bigint][] => {
        const number = numberOf(path);
        return typeof number === "bigint" ? [[path, number]] : [];
      }),
    );
  }

  /** Lists the paths that lead to nothing or to another file. */
  listLost(): string[] {
    return [...this.#opened].flatMap(([path, opened]) => {
      const number = numberOf(path);
      return number === "unknown" || number === opened ? [] : [path];
    });
  }
}

/** null: there is no file of this name; unknown: the file system does not say. */
function numberOf(path: string): bigint | null | "unknown" {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
  } catch {
    return "unknown";
  }
}
