/** Runs suites of tests (scripts/test.ts) for the trials that do. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Arguments as those of scripts/test.ts; resolves to whether all passed. */
export async function runSuites(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<boolean> {
  const child = spawn(process.execPath, ["scripts/test.ts", ...args], {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0;
}
