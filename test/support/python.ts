/** Python, for the oracles in test/oracle; they need nothing but its standard library. */
import { execFileSync } from "node:child_process";

/** The command, or null where there is none. */
export function findPython(): string | null {
  for (const name of ["python3", "python"]) {
    try {
      execFileSync(name, ["-c", "import zoneinfo"], { stdio: "pipe" });
      return name;
    } catch {
      // Not this one.
    }
  }
  return null;
}
