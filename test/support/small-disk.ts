/** A disk of a few megabytes for one process and what it starts: a mount that no other process sees. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const MOUNT = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"';

const TIMEOUT_MS = 600_000;

/** For `skip` of a test: false, or why it cannot run here. */
export const NO_SMALL_DISK = canMount() ? false : "no file system can be mounted here (unshare)";

/**
 * Runs a module with a folder as its first argument, in which `at` is the disk; what it prints is JSON, and
 * is returned. Whatever it has started ends with it.
 */
export async function runOnSmallDisk<Printed>(
  module: URL,
  { size, at, args = [] }: { size: string; at: string; args?: readonly string[] },
): Promise<Printed> {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-small-disk-"));
  const disk = join(folder, at);
  mkdirSync(disk);
  try {
    const argv = wrap(disk, size, [process.execPath, module.pathname, folder, ...args]);
    const { stdout } = await promisify(execFile)("unshare", argv, { timeout: TIMEOUT_MS });
    return JSON.parse(stdout) as Printed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function wrap(disk: string, size: string, command: readonly string[]): string[] {
  return ["-rmpf", "--kill-child", "sh", "-c", MOUNT, "sh", size, disk, ...command];
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-small-disk-"));
  try {
    execFileSync("unshare", wrap(folder, "1m", ["true"]), { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
