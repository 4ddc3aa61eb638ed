/** Small and read-only volumes, which only root can make; null: not here. */
import { execFileSync } from "node:child_process";

/** Mounts a volume of that size in memory; how it is taken away again. */
export function mountSmall(folder: string, size_mb: number): (() => void) | null {
  return mount(["-t", "tmpfs", "-o", `size=${size_mb}m,mode=0700`, "vicinity", folder], folder);
}

/** Covers the folder by itself, read-only: files that are open go on, paths lead to what takes no writes. */
export function mountReadOnly(folder: string): (() => void) | null {
  const unmount = mount(["--bind", folder, folder], folder);
  if (unmount === null) return null;
  if (run("mount", ["-o", "remount,bind,ro", folder])) return unmount;
  unmount();
  return null;
}

function mount(args: readonly string[], folder: string): (() => void) | null {
  if (process.getuid?.() !== 0 || !run("mount", args)) return null;
  // Lazily: a process that was killed a moment ago may have files open on it.
  return () => void run("umount", ["-l", folder]);
}

function run(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
