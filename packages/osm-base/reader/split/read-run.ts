/** Reads the features of a run, in whichever thread. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { EntryReader } from "./entry-reader.ts";
import { readBytes } from "./spill.ts";
import { RUN_FILES, TEXTS_FILE } from "./run-files.ts";
import type { PageRun, RunEntry } from "./split-types.ts";

/**
 * The features of a run in the order in which sections are to have them. `mask`: only those of these
 * sections.
 */
export function* readRun({ folder, parts }: PageRun, mask = ~0): Generator<RunEntry> {
  const texts = JSON.parse(readFileSync(`${folder}/${TEXTS_FILE}`, "utf8")) as string[];
  const reader = new EntryReader(texts);
  const fds: (number | undefined)[] = [];
  try {
    for (let i = 0; i < parts.length; i += 3) {
      const file = parts[i]!;
      const kind = RUN_FILES[file]!;
      const fd = (fds[file] ??= openSync(`${folder}/${kind}`, "r"));
      reader.begin(readBytes(fd, parts[i + 1]!, parts[i + 2]!));
      while (reader.hasMore) {
        const { sections, length } = reader.head();
        if ((sections & mask) === 0) {
          reader.at += length;
          continue;
        }
        const feature =
          kind === "nodes" ? reader.node() : kind === "ways" ? reader.way() : reader.relation();
        yield { sections, feature };
      }
    }
  } finally {
    for (const fd of fds) if (fd !== undefined) closeSync(fd);
  }
}
