/** Releases: what changed between two descriptions of the API, and whether a version number admits it. */
export { checkChangelog } from "./changelog/changelog-check.ts";
export { judgeRelease, type Released, versionOf } from "./changelog/release-gate.ts";
export { compareVersions } from "./changelog/versions.ts";
