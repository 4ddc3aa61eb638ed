/** client/client.js: the typed client for those who have it as a package, where types do not run. */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

const SOURCE = new URL("../../src/client/client.ts", import.meta.url);

export function clientModule(): string {
  const bare = stripTypeScriptTypes(readFileSync(SOURCE, "utf8"));
  const lines = bare.split("\n").map((line) => line.trimEnd());
  const kept = lines.filter((line, at) => line !== "" || (lines[at - 1] ?? "") !== "");
  return `// Made from src/client/client.ts by npm run generate.\n${kept.join("\n").trimEnd()}\n`;
}
