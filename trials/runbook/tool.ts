/** What promtool says of the shipped rules: their syntax, and the tests of those that take hours. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { SHIPPED_RULES } from "./prometheus.ts";

const TESTS = new URL("./rules.test.yaml", import.meta.url);

/** Findings; empty: the rules are valid and pass their tests. */
export function checkTool(): string[] {
  return [
    ["check", "rules", fileURLToPath(SHIPPED_RULES)],
    ["test", "rules", fileURLToPath(TESTS)],
  ].flatMap((args) => {
    const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
    if (status === 0) return [];
    return [`promtool ${args.slice(0, 2).join(" ")}: ${(stdout + stderr).trim()}`];
  });
}
