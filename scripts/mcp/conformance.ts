/**
 * The official conformance suites against a server: every revision it serves, each check read from
 * what the suites write to disk, and judged by what is set aside and why (set-aside.json).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { needJudges } from "../../trials/judges/install.ts";
import { execute } from "./execute.ts";
import SET_ASIDE from "./set-aside.json" with { type: "json" };

export type Check = {
  scenario: string;
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  message: string;
};

/** `scenarios`: how many the pinned suite has; fewer means that it broke off. */
export type Run = { name: string; suite: Suite; args: readonly string[]; scenarios: number };
type Suite = "mcp-conformance-stable" | "mcp-conformance-alpha";

const ALPHA = "mcp-conformance-alpha";

export const RUNS: readonly Run[] = [
  {
    name: "0.1.16, 2025-11-25",
    suite: "mcp-conformance-stable",
    args: ["--suite", "all"],
    scenarios: 32,
  },
  {
    name: "0.2.0-alpha.12, 2025-06-18",
    suite: ALPHA,
    args: ["--suite", "all", "--spec-version", "2025-06-18"],
    scenarios: 27,
  },
  {
    name: "0.2.0-alpha.12, 2025-11-25",
    suite: ALPHA,
    args: ["--requirements", "2025-11-25"],
    scenarios: 33,
  },
  {
    name: "0.2.0-alpha.12, 2026-07-28",
    suite: ALPHA,
    args: ["--requirements", "2026-07-28"],
    scenarios: 50,
  },
];

/** Runs a suite against the server at `url`; `folder` takes what it writes. */
export async function runSuite(run: Run, url: string, folder: string): Promise<Check[]> {
  needJudges();
  const program = fileURLToPath(
    new URL(`../../trials/judges/node_modules/${run.suite}/dist/index.js`, import.meta.url),
  );
  const output = join(folder, run.name.replaceAll(/[^\w.-]/g, "_"));
  const args = [program, "server", "--url", `${url}/mcp`, ...run.args, "-o", output];
  const ran = await execute(process.execPath, args, { cwd: folder });
  const checks = readChecks(output);
  const match = new Set(checks.map(({ scenario }) => scenario)).size;
  if (match === run.scenarios) return checks;
  const message = `${ran.out.slice(-400)}${ran.err.slice(-400)}`;
  throw new Error(`${run.name}: ${match} of ${run.scenarios} scenarios\n${message}`);
}

type Written = { id: string; status: Check["status"]; errorMessage?: string };

function readChecks(folder: string): Check[] {
  return readdirSync(folder).flatMap((name) => {
    const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
    const text = readFileSync(join(folder, name, "checks.json"), "utf8");
    return (JSON.parse(text) as Written[]).map(({ id, status, errorMessage = "" }) => ({
      scenario,
      id,
      status,
      message: errorMessage,
    }));
  });
}

/** Checks that fail for the reason, by scenario; `message`: what each of them must say. */
export type SetAside = {
  why: string;
  message: string;
  checks: Readonly<Record<string, readonly string[]>>;
};

export const REASONS: readonly SetAside[] = SET_ASIDE;

/** Returns why a failed check is set aside; null: it is a real failure. */
export function reasonOf(
  { scenario, id, message }: Check,
  reasons: readonly SetAside[] = REASONS,
): string | null {
  const match = reasons.find(
    (each) => each.checks[scenario]?.includes(id) && new RegExp(each.message).test(message),
  );
  return match?.why ?? null;
}

/** Returns the checks that are set aside though none of these failed. */
export function listStale(
  checks: readonly Check[],
  reasons: readonly SetAside[] = REASONS,
): string[] {
  const failed = new Set(
    checks
      .filter(({ status }) => status === "FAILURE")
      .map(({ scenario, id }) => toKey(scenario, id)),
  );
  return reasons.flatMap(({ checks: named_checks }) =>
    Object.entries(named_checks).flatMap(([scenario, ids]) =>
      ids.map((id) => toKey(scenario, id)).filter((key) => !failed.has(key)),
    ),
  );
}

function toKey(scenario: string, id: string): string {
  return `${scenario}: ${id}`;
}
