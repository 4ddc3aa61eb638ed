/** Packages of npm that are measured, and are no dependency: installed outside of the repository. */
import { execFileSync } from "node:child_process";
import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const TIMEOUT_MS = 240_000;

/**
 * Path of the folder of the package, below `folder`; null where it cannot be had. `builds`: whether its
 * own install scripts are run.
 */
export function installPackage(
  folder: string,
  name: string,
  version: string,
  { builds = false } = {},
): string | null {
  const path = join(folder, "node_modules", name);
  if (!existsSync(join(folder, "package.json")))
    writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  for (const npm of ["/usr/bin/npm", "/usr/local/bin/npm", join(dirname(process.execPath), "npm")])
    try {
      const scripts = builds ? [] : ["--ignore-scripts"];
      const args = ["i", "--no-audit", "--no-fund", ...scripts, `${name}@${version}`];
      execFileSync(process.execPath, [realpathSync(npm), ...args], {
        ...{ cwd: folder, stdio: "ignore", timeout: TIMEOUT_MS },
      });
      return path;
    } catch {
      continue;
    }
  return null;
}
