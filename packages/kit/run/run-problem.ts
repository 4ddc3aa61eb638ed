/** One printable line for whatever was thrown while a file was imported. */
import { isDefect } from "../guard.ts";
import { systemWords } from "../path-problem.ts";
import { inspect } from "node:util";

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "not allowed to read it",
  EPERM: "not allowed to read it",
  EISDIR: "a folder, not a file",
  ENOTDIR: "not a folder",
  ABORT_ERR: "the import was stopped",
};

/** One line for whatever was thrown while the given file was read. */
export function describe(error: unknown, reading: string): string {
  if (!(error instanceof Error)) return `${reading}: ${printable(String(error))}`;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "IMPORT_PROBLEM") return error.message;
  if (error.name === "AbortError") return WORDS["ABORT_ERR"]!;
  if (code.startsWith("Z_")) return `${reading}: damaged compressed data`;
  return `${reading}: ${WORDS[code] ?? systemWords(error, "write") ?? printable(error.message)}`;
}

/** What a file could not be imported for. `error`: a defect of ours, whose stack is for the log. */
export type ImportProblem = { ok: false; problem: string; error?: unknown };

/** Makes the result of whatever was thrown while the given file was read. */
export function toProblem(error: unknown, reading: string): ImportProblem {
  const problem = describe(error, reading);
  return isDefect(error) ? { ok: false, problem, error } : { ok: false, problem };
}

const MOST_SHOWN = 80;

/** A name out of an archive, safe to print. */
export function quoted(name: string): string {
  const cut = name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name;
  return inspect(printable(cut));
}

function printable(text: string): string {
  return text.toWellFormed().replace(/[^\x20-\x7e\u00a0-\u2027\u2030-\uffff]/gu, "?");
}
