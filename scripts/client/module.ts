/** packages/client/index.js: the client without its types, for those who have it as a package. */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { format } from "./format.ts";

const SOURCE = new URL("../../packages/api/client/client.ts", import.meta.url);

export function clientModule(): string {
  const bare = stripTypeScriptTypes(readFileSync(SOURCE, "utf8"));
  return format(
    "index.js",
    `// Made by npm run generate, from packages/api/client/client.ts.\n${bare}`,
  );
}
