/**
 * `npm run release`: judges description and changelog, writes them with what is kept of the release,
 * runs the checks and commits, all in one commit. `--write` stops after the writing. Notifying a
 * portal is a step of its own: `npm run release:announce`.
 */
import { spawnSync } from "node:child_process";
import { PACKAGE_ROOT } from "#cli/releases.ts";
import { toOpenApiText } from "#http/openapi.ts";
import { release } from "./release/release.ts";

const done = release(PACKAGE_ROOT, {
  describe: toOpenApiText,
  now_ms: Date.now(),
  commit: !process.argv.includes("--write"),
  check: () =>
    spawnSync("npm", ["run", "check"], { cwd: PACKAGE_ROOT, stdio: "inherit" }).status === 0,
});
console.log(done.report.trimEnd());
switch (done.kind) {
  case "refused":
    process.exitCode = 1;
    break;
  case "unchanged":
    console.log("nothing has changed since the last release");
    break;
  case "written":
    console.log(done.paths.length === 0 ? "all is as it was" : `wrote ${done.paths.join(", ")}`);
    break;
  case "released":
    console.log(`released in ${done.commit}; next: npm run release:announce -- URL`);
}
