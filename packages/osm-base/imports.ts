/** An import in its parts: the blocks of an extract, the pack that it writes, and the thread it runs in. */
export { BlockReader } from "./pbf/block.ts";
export { openBlobs } from "./reader/file.ts";
export { openPack } from "./reader/import.ts";
export { serveBaseImport, threadBaseImport } from "./reader/thread.ts";
