/**
 * An import in a process of its own, which may be killed: `import-child.ts EXTRACT DATA_DIR PAGE_BYTES`
 * prints its seconds of processor time.
 */
import { importPaged } from "./paged-import.ts";

const [extract = "", data_dir = "", page_bytes = ""] = process.argv.slice(2);
await importPaged(extract, data_dir, Number(page_bytes));
const { user, system } = process.cpuUsage();
console.log((user + system) / 1e6);
