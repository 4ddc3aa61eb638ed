/**
 * The gate of a release (§4.13, §9, decisions, Changelog): a changelog that may be published, and
 * no breaking change that it does not describe. Pure; the files are read by the command line.
 */
import { API_VERSION_PATTERN, type ChangelogDocument } from "#api/changelog.ts";
import { compareDescriptions } from "../description/compare-descriptions.ts";
import type { BreakingChange } from "../description/description-finding.ts";
import { checkChangelog } from "./changelog-check.ts";
import { isMembers, type EntryMembers } from "./entry.ts";
import { type ReleaseFinding, toFinding } from "./changelog-finding.ts";
import { compareVersions } from "./versions.ts";

const VERSION = new RegExp(API_VERSION_PATTERN);

/** The last release; `changelog` may be missing where only the description was kept. */
export type Released = {
  api_version: string;
  description: unknown;
  changelog: ChangelogDocument | null;
};

export type ReleaseCandidate = {
  /** The document as it was read. */
  changelog: unknown;
  description: unknown;
  released: Released | null;
  now_ms: number;
};

export type Judgement = {
  ok: boolean;
  findings: ReleaseFinding[];
  breaking: BreakingChange[];
  /** Ids of the new entries that describe a breaking change of this version. */
  told_by: string[];
};

export function judgeRelease(candidate: ReleaseCandidate): Judgement {
  const { changelog, description, released, now_ms } = candidate;
  const version = versionOf(description);
  const findings = [
    ...checkChangelog(changelog, { now_ms, released: released?.changelog ?? null }),
    ...findPlanned(changelog, version),
  ];
  const breaking = released === null ? [] : compareDescriptions(released.description, description);
  const told_by = findBreakingEntries(changelog, version, released);
  const ok = findings.length === 0 && (breaking.length === 0 || told_by.length > 0);
  return { ok, findings, breaking, told_by };
}

/** Finds the new breaking entries: one that was released already described another change. */
function findBreakingEntries(
  changelog: unknown,
  version: unknown,
  released: Released | null,
): string[] {
  const old = new Set(released?.changelog?.entries.map(({ id }) => id));
  return listEntries(changelog)
    .filter(({ breaking, api_version }) => breaking === true && api_version === version)
    .map(({ id }: EntryMembers) => String(id))
    .filter((id) => !old.has(id));
}

/** A version that the description has not reached is a plan; plans are kept elsewhere (§4.13). */
function findPlanned(changelog: unknown, version: unknown): ReleaseFinding[] {
  if (!isVersion(version)) return [];
  return listEntries(changelog)
    .filter(({ api_version: of }) => isVersion(of) && compareVersions(of, version) > 0)
    .map(({ id, api_version }) =>
      toFinding(
        "unreleased_version",
        String(id),
        `${String(api_version)} is later than ${version}`,
      ),
    );
}

function isVersion(value: unknown): value is string {
  return typeof value === "string" && VERSION.test(value);
}

function listEntries(changelog: unknown): EntryMembers[] {
  const entries = isMembers(changelog) ? changelog["entries"] : null;
  return (Array.isArray(entries) ? (entries as unknown[]) : []).filter(isMembers);
}

/** `info.version`; undefined where a description has none. */
export function versionOf(description: unknown): unknown {
  const info = isMembers(description) ? description["info"] : null;
  return isMembers(info) ? info["version"] : undefined;
}
