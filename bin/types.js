/**
 * Removes the types of this package's own files as they are loaded. Node does so itself, but not
 * under node_modules, where this package is when another one depends on it (bin/vicinity preloads it
 * there, and threads inherit it).
 */
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(ROOT) || !url.endsWith(".ts")) return nextLoad(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), "utf8"));
    return { format: "module", source, shortCircuit: true };
  },
});
