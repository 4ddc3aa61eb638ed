/** Lines of what addresses say on disk: no file stays open, since there are thousands. */
import { appendFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SharedLine } from "../geocoder/share-facts.ts";
import { readPieces } from "./names-file.ts";

export async function writeLines(path: string, lines: readonly string[]): Promise<void> {
  await writeFile(path, lines.map((line) => `${line}\n`).join(""), { flag: "wx", mode: 0o600 });
}

export function* readLines(path: string): Generator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let begun = "";
  for (const piece of readPieces(path)) {
    const lines = (begun + decoder.decode(piece, { stream: true })).split("\n");
    begun = lines.pop()!;
    yield* lines;
  }
}

/** Characters of lines that wait to be written. */
const MOST_WAITING = 8 * 1024 ** 2;

/** Writes each line to the files of its pages, in the folder; returns the paths by page, null: it has none. */
export function* writeShared(
  folder: string,
  lines: Iterable<SharedLine>,
  pages: number,
): Generator<void, (string | null)[]> {
  const paths = Array.from({ length: pages }, (): string | null => null);
  const waiting = new Map<number, string[]>();
  let characters = 0;
  const flush = (): void => {
    for (const [page, list] of waiting) {
      paths[page] ??= join(folder, `shared.${page}`);
      appendFileSync(paths[page], `${list.join("\n")}\n`, { mode: 0o600 });
    }
    waiting.clear();
    characters = 0;
  };
  for (const { pages: own, line } of lines) {
    for (const page of own) {
      const list = waiting.get(page);
      if (list) list.push(line);
      else waiting.set(page, [line]);
      characters += line.length;
    }
    if (characters > MOST_WAITING) flush();
    yield;
  }
  flush();
  return paths;
}
