/**
 * Which of the faults that no test saw the static checks of `npm test` see: those whose file has an
 * error of types since, as when what a guard leaves out is used, and those by which a generated document
 * is another. A rule of style counts for nothing, since it is the planted text that breaks it.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Planted } from "./draw.ts";

/** `copy`: a copy of the program, which is as it was when this returns. */
export function findChecked(
  copy: string,
  survivors: readonly Planted[],
  isGeneratedFrom: (file: string) => boolean,
): Set<Planted> {
  const matches = new Set<Planted>();
  const files = Map.groupBy(survivors, ({ file }) => file);
  // One fault of each file at a time.
  for (let n = 0; ; n++) {
    const planted = [...files.values()].flatMap((own) => own.slice(n, n + 1));
    if (planted.length === 0) break;
    const faulty = withFaults(copy, planted, () =>
      filesWithErrors(
        copy,
        planted.map(({ file }) => file),
      ),
    );
    for (const each of planted) if (faulty.has(each.file)) matches.add(each);
  }
  for (const each of survivors)
    if (!matches.has(each) && isGeneratedFrom(each.file))
      if (!withFaults(copy, [each], () => isUpToDate(copy))) matches.add(each);
  return matches;
}

function withFaults<T>(copy: string, planted: readonly Planted[], check: () => T): T {
  const sources = planted.map(({ file, mutant }) => {
    const path = join(copy, file);
    const source = readFileSync(path, "utf8");
    writeFileSync(path, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end));
    return { path, source };
  });
  try {
    return check();
  } finally {
    for (const { path, source } of sources) writeFileSync(path, source);
  }
}

/** Whether the documents that are derived from the code are as they would be made now. */
function isUpToDate(copy: string): boolean {
  const { status } = spawnSync(process.execPath, ["scripts/generate.ts", "--check"], {
    cwd: copy,
    stdio: "ignore",
  });
  return status === 0;
}

type Diagnostic = { code?: string; filename: string };

function filesWithErrors(copy: string, files: readonly string[]): Set<string> {
  const options = ["--type-aware", "--type-check", "--allow", "all", "--format", "json"];
  const { stdout } = spawnSync("node_modules/.bin/oxlint", [...options, ...files], {
    cwd: copy,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  return new Set(
    diagnostics
      .filter(({ code }) => code?.startsWith("typescript(TS") === true)
      .map(({ filename }) => filename),
  );
}
