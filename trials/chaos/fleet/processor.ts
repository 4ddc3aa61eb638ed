/** Processor time of processes, user and system, by the kernel (proc(5)). */
import { readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second (USER_HZ). */
const TICKS_PER_S = 100;

/** Of all threads of a process, since it began. */
export function readCpu_s(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program is in brackets, and may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

/** Of a server and its children, which live as long as their connections; null: there is none. */
export function readTree_s(server: { pid: number } | null): number {
  if (!server) return 0;
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8")
    .split(" ")
    .filter((pid) => pid !== "");
  return [server.pid, ...children.map(Number)].reduce((sum, pid) => sum + readCpu_s(pid), 0);
}
