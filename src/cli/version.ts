import { readFileSync } from "node:fs";

/** Returns the version of this program: the package's. */
export function readProgramVersion(): string {
  const manifest = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
