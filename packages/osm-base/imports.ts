/** An import in its parts: the blocks of an extract, the pack that it writes, and the thread it runs in. */
export { BlockReader } from "./pbf/block.ts";
export { openBlobs } from "./reader/extract-file.ts";
export { openPack } from "./reader/import-extract.ts";
export { nameOfPage } from "./pages/read-page.ts";
export type { PageRow } from "./pages/paged-layout.ts";
export { serveBaseImport } from "./reader/extract-thread.ts";
export { threadBaseImport } from "./reader/import-paged.ts";
export { readRun } from "./reader/split/read-run.ts";
export { splitExtract } from "./reader/split/split-extract.ts";
