/** An extract of any size as runs of features for the pages of its base, in bounded memory. */
import type { BlobFile } from "../extract-file.ts";
import type { PageRun, RunEntry, Split, SplitOptions } from "./split-types.ts";

/** Throws a `problem` for what the file may hold, and closes what it opened. */
export declare function splitExtract(file: BlobFile, options: SplitOptions): Promise<Split>;

/** The features of a run, wherever its folder is read. */
export declare function readRun(run: PageRun): Generator<RunEntry>;
