/** Folders of a trial, which are gone when it ends, also where it is stopped. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "../../test/support/at-exit.ts";

/** A new folder below `parent`. */
export function temporaryFolder(parent: string = tmpdir()): string {
  if (process.listenerCount("SIGINT") === 0)
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => process.exit(1));
  const folder = mkdtempSync(join(parent, "vicinity-planet-"));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
