/** The version of this program. */
import { readFileSync } from "node:fs";

export function readVersion(): string {
  const manifest = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
