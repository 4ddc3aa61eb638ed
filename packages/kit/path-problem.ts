/**
 * What the system says of a path that a person gave, in one sentence: which option, argument or variable
 * names it, which path, what is wrong with it, and what to do. One place for every command and for the
 * start of the service, so that no raw error of the system (`ENOENT: no such file…`) reaches a person.
 */

/** Where the path comes from, as it is typed: `--out`, `TARGET`, `VICINITY_DATA_DIR`. */
export type PathPlace = { name: string; path: string };

/** `read`: it is to be there; `create`: a new file; `write`: a file or folder, new or not. */
export type PathUse = "read" | "create" | "write";

type Words = { what: string; todo: string };

const OTHER = "name another";

/** By the code of the system; a function where it depends on what is done. */
const WORDS: Readonly<Record<string, (use: PathUse) => Words>> = {
  EEXIST: () => ({ what: "is there already, and is not replaced", todo: OTHER }),
  ENOTEMPTY: () => ({ what: "is not empty", todo: OTHER }),
  ENOENT: (use) =>
    use === "read"
      ? { what: "is not there", todo: "check the path" }
      : { what: "has no folder to be in", todo: `make the folder, or ${OTHER}` },
  EACCES: (use) => ({
    what: `may not be ${use === "read" ? "read" : "written"} by this user`,
    todo: "change its owner or permissions, or use another user",
  }),
  EPERM: (use) => ({
    what: `may not be ${use === "read" ? "read" : "written"}: the system does not permit it`,
    todo: `change its owner or attributes, or ${OTHER}`,
  }),
  ENOSPC: () => ({ what: "is on a disk that is full", todo: `free space, or ${OTHER}` }),
  EDQUOT: () => ({ what: "is over the quota of this user", todo: `free space, or ${OTHER}` }),
  EFBIG: () => ({ what: "is larger than this file system allows", todo: OTHER }),
  EROFS: () => ({
    what: "is on a file system that is read-only",
    todo: `mount it for writing, or ${OTHER}`,
  }),
  ENOTDIR: () => ({ what: "leads through a file as if it were a folder", todo: "check the path" }),
  EISDIR: () => ({ what: "is a folder, where a file is expected", todo: "name a file" }),
  ELOOP: () => ({ what: "leads through links that lead to themselves", todo: "check the path" }),
  ENAMETOOLONG: () => ({ what: "is too long", todo: "name a shorter one" }),
  EINVAL: () => ({ what: "is none that this file system takes", todo: OTHER }),
  EIO: () => ({ what: "is on a disk that does not work", todo: "look at the disk" }),
  EBUSY: () => ({ what: "is in use by another program", todo: "end that first" }),
  ETXTBSY: () => ({ what: "is in use by another program", todo: "end that first" }),
  ENXIO: () => ({ what: "is no file that can be used", todo: OTHER }),
  ENODEV: () => ({ what: "is no file that can be used", todo: OTHER }),
  EMFILE: () => ({ what: "could not be opened: too many files are open", todo: "try again" }),
  ENFILE: () => ({ what: "could not be opened: too many files are open", todo: "try again" }),
};

/** Says it; null: the error is none that the system has of a path. */
export function pathProblem(
  error: unknown,
  { name, path }: PathPlace,
  use: PathUse,
): string | null {
  const words = systemWords(error, use);
  return words === null ? null : `${name}: ${path} ${words}`;
}

/** The end of such a sentence, behind the name of what it is about; null: as above. */
export function systemWords(error: unknown, use: PathUse): string | null {
  const code = codeOf(error);
  if (code === null) return null;
  const { what, todo } = WORDS[code]?.(use) ?? { what: `cannot be used (${code})`, todo: OTHER };
  return `${what}: ${todo}`;
}

/** Whether the system refused it for want of room or because nothing may be written there. */
export function isOfWriting(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EFBIG", "EROFS"].includes(codeOf(error) ?? "");
}

/** The path that the system names; null: of an open file it names none. */
export function pathOf(error: unknown): string | null {
  const { path } = (error ?? {}) as { path?: unknown };
  return typeof path === "string" ? path : null;
}

/** What SQLite hands on of the system, by the lower eight bits of its codes (sqlite3.h). */
const OF_SQLITE: Readonly<Record<number, string>> = { 8: "EROFS", 10: "EIO", 13: "ENOSPC" };

/** null: no error of a call of the system. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall, errcode } = error as {
    code?: unknown;
    syscall?: unknown;
    errcode?: unknown;
  };
  if (typeof errcode === "number") return OF_SQLITE[errcode & 0xff] ?? null;
  return typeof code === "string" && typeof syscall === "string" ? code : null;
}
