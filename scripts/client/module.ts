/** packages/client/index.js: the client without its types, as one file, for those who have it as a package. */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { format } from "./format.ts";

const FOLDER = new URL("../../packages/api/client/", import.meta.url);
/** What a file uses is in one before it. */
const FILES = [
  ...["request", "event-parser", "connection", "stream", "apply-event", "client"],
] as const;
/** What the module exports; a reader of types finds the same in its declarations. */
const EXPORTS = [...["createClient", "PATHS", "WEATHER_PATHS", "reasonOf", "applyEvent"]] as const;

export function clientModule(): string {
  const parts = FILES.map((name) => toPart(readFileSync(new URL(`${name}.ts`, FOLDER), "utf8")));
  return format(
    "index.js",
    `// Made by npm run generate, from packages/api/client.\n${parts.join("\n")}export { ${EXPORTS.join(", ")} };\n`,
  );
}

/** A file without its types, its first comment, and what it takes from the other files or gives them. */
function toPart(source: string): string {
  return stripTypeScriptTypes(source)
    .replace(/^\/\*\*.*?\*\/\n/s, "")
    .replace(/^import [^;]*;\n/gm, "")
    .replace(/^export (?=(?:async )?(?:function|class|const)\b)/gm, "");
}
