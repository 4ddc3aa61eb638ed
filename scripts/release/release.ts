/** A release: judged, written and committed in one commit, or refused (contract §9). */
import { git, listChanged, commitPaths } from "./git.ts";
import { prepareRelease, writeFiles } from "./prepare.ts";

export type ReleaseOptions = {
  /** The text of the description as the code has it. */
  describe: () => string;
  now_ms: number;
  /** False: the files are written, nothing is checked or committed. */
  commit: boolean;
  /** The checks of the repository, over the written files; false: they fail. */
  check: () => boolean;
};

export type Release =
  | { kind: "refused"; report: string }
  | { kind: "written"; paths: string[]; report: string }
  | { kind: "unchanged"; report: string }
  | { kind: "released"; commit: string; report: string };

/** Run again after it was refused or cut short, it goes on from what it finds. */
export function release(root: string, options: ReleaseOptions): Release {
  const prepared = prepareRelease(root, options);
  if (!prepared.ok) return { kind: "refused", report: prepared.report };
  const { files, report, api_version } = prepared;
  if (!options.commit) return { kind: "written", paths: writeFiles(root, files), report };
  const own = new Set(Object.keys(files));
  const others = listChanged(root).filter((path) => !own.has(path));
  if (others.length > 0)
    return { kind: "refused", report: `${report}commit these first: ${others.join(", ")}\n` };
  writeFiles(root, files);
  if (!options.check()) return { kind: "refused", report: `${report}the checks failed\n` };
  if (git(root, "status", "--porcelain", "--", ...own) === "") return { kind: "unchanged", report };
  const commit = commitPaths(root, [...own], `Release the API ${api_version}`);
  return { kind: "released", commit, report };
}
