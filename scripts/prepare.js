/**
 * `npm ci` runs this last (`prepare`): makes one script and one style sheet of each page (bundle.ts), without
 * which the pages are their modules; starts the sandbox once and stops it, so that the compiled code
 * is kept (bin/vicinity) and the first start takes no longer than any other; and removes what packages
 * bring and nothing here reads: headers for C++ of the pinned runtime (64 MB), source maps (37 MB).
 * What fails here fails no installation. JavaScript, for it may run on an older Node than the pinned one.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const MODULES = join(ROOT, "node_modules");
/** The last line that a start prints. */
const READY = "Explorer ";
/** A machine that is slower than these does without. */
const TIMEOUT_MS = 60_000;
const BUNDLE_TIMEOUT_MS = 180_000;

// Both at once: neither takes more than one core for long.
const bundle_args = [join(ROOT, "scripts/bundle.ts"), "--if-changed"];
const bundle = spawn(join(MODULES, ".bin/node"), bundle_args, {
  stdio: ["ignore", "ignore", "inherit"],
  timeout: BUNDLE_TIMEOUT_MS,
  killSignal: "SIGKILL",
});
bundle.on("error", () => undefined);
const bundled = new Promise((resolve) => bundle.on("close", resolve));

const data_dir = mkdtempSync(join(tmpdir(), "vicinity-prepare-"));
const child = spawn(join(ROOT, "bin/vicinity"), ["serve", "--sandbox"], {
  env: { PATH: process.env["PATH"], PORT: "0", VICINITY_DATA_DIR: data_dir, LOG_LEVEL: "silent" },
  stdio: ["ignore", "pipe", "ignore"],
  timeout: TIMEOUT_MS,
  killSignal: "SIGKILL",
});
child.stdout.setEncoding("utf8").on("data", (text) => {
  if (text.includes(READY)) child.kill("SIGINT");
});
// It cannot be started at all; "close" follows.
child.on("error", () => undefined);
child.on("close", async () => {
  await bundled;
  rmSync(data_dir, { recursive: true, force: true });
  for (const path of listUnread()) rmSync(join(MODULES, path), { recursive: true, force: true });
});

/** Paths below the packages. */
function listUnread() {
  const { platform, arch } = process;
  const files = readdirSync(MODULES, { recursive: true, encoding: "utf8" });
  const maps = files.filter((path) => path.endsWith(".map"));
  return [`node/node_modules/node-${platform}-${arch}/include`, ...maps];
}
