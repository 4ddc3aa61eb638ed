/** Processor time of the suites of tests: it does not depend on what else the machine does. */
import { existsSync, readFileSync } from "node:fs";

/** Milliseconds of this process and of those that it started and that have ended; null: not known here. */
export function measureCpu(): number | null {
  if (!existsSync("/proc/self/stat")) return null;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // proc_pid_stat(5): utime, stime, cutime and cstime are the fields 14 to 17, in ticks of 10 ms.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}
