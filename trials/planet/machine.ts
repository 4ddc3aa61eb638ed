/** What a process and a folder take, as the system counts it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "#kit/guard.ts";

const KIB = 1024;
/** Of the clock in which the system counts processor time. */
const TICKS_PER_S = 100;

export type ProcessFacts = {
  resident_bytes: number;
  /** The most that it has ever had. */
  peak_bytes: number;
  cpu_s: number;
};

/** Of a process and all that it has started; null: it has ended. */
export function readProcess(pid: number): ProcessFacts | null {
  return attempt(
    () => {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const [, stat] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
      const fields = stat!.split(" ");
      const sizeOf = (name: string): number =>
        Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * KIB;
      const own = {
        resident_bytes: sizeOf("VmRSS"),
        peak_bytes: sizeOf("VmHWM"),
        cpu_s: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S,
      };
      return childrenOf(pid).reduce<ProcessFacts>((sum, child) => {
        const facts = readProcess(child);
        return facts === null ? sum : add(sum, facts);
      }, own);
    },
    () => null,
  );
}

function add(a: ProcessFacts, b: ProcessFacts): ProcessFacts {
  return {
    resident_bytes: a.resident_bytes + b.resident_bytes,
    peak_bytes: a.peak_bytes + b.peak_bytes,
    cpu_s: a.cpu_s + b.cpu_s,
  };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}

/** Bytes of all files below a folder, of which some may go meanwhile. */
export function folderBytes(folder: string): number {
  return attempt(
    () =>
      readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return sum + folderBytes(path);
        // What lies in a file may be less than its end, where pages are still to be written.
        return (
          sum +
          attempt(
            () => statSync(path).blocks * 512,
            () => 0,
          )
        );
      }, 0),
    () => 0,
  );
}
