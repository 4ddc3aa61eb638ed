/** The release gate (§9, decisions, Changelog): breaking changes must be announced by a new entry. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangelogDocument, ChangelogEntry } from "#api/changelog.ts";
import { judgeRelease } from "../../changelog/release-gate.ts";
import { compareVersions } from "../../changelog/versions.ts";

const NOW_MS = Date.parse("2026-11-21T12:00:00Z");
const entry = (id: string, change: Partial<ChangelogEntry> = {}): ChangelogEntry => ({
  id,
  published_at: "2026-11-20T08:00:00Z",
  api_version: "1.1.0",
  type: "feature",
  title: "T",
  description: "D",
  breaking: false,
  links: [],
  ...change,
});
const changelog = (...entries: ChangelogEntry[]): ChangelogDocument => ({
  version: "1.0.0",
  updated_at: "2026-11-21T09:00:00Z",
  entries,
});
const api = (paths: object, version = "1.1.0") => ({ info: { version }, paths });
const GET = { get: { responses: { 200: { description: "OK" } } } };
const OLD = api({ "/a": GET, "/b": GET });
const RELEASED = { api_version: "1.1.0", description: OLD, changelog: changelog(entry("first")) };
const ANNOUNCEMENT = entry("b-removed", { type: "breaking", breaking: true });

const judge = (document: unknown, description: object) =>
  judgeRelease({ changelog: document, description, released: RELEASED, now_ms: NOW_MS });

// Proves §9 release gate
test("a breaking change passes only where a new entry of this version announces it", () => {
  const broken = api({ "/a": GET });
  const silent = judge(changelog(entry("first")), broken);
  assert.equal(silent.ok, false);
  assert.deepEqual(
    silent.breaking.map(({ rule, where }) => [rule, where]),
    [["endpoint_removed", "/b"]],
  );
  const verdict = judge(changelog(ANNOUNCEMENT, entry("first")), broken);
  assert.deepEqual([verdict.ok, verdict.told_by, verdict.findings], [true, ["b-removed"], []]);
  for (const other of [
    { ...ANNOUNCEMENT, breaking: false, type: "feature" as const },
    { ...ANNOUNCEMENT, api_version: "1.0.0" },
  ])
    assert.equal(judge(changelog(other, entry("first")), broken).ok, false);
  // What was announced at an earlier release was another change.
  const released = { ...RELEASED, changelog: changelog(ANNOUNCEMENT) };
  const again = {
    changelog: changelog(ANNOUNCEMENT),
    description: broken,
    released,
    now_ms: NOW_MS,
  };
  assert.equal(judgeRelease(again).ok, false);
});

test("additions need no entry, and a first release is compared with nothing", () => {
  assert.equal(judge(changelog(entry("first")), api({ "/a": GET, "/b": GET, "/c": GET })).ok, true);
  const first = { changelog: changelog(), description: OLD, released: null, now_ms: NOW_MS };
  assert.deepEqual(judgeRelease(first), { ok: true, findings: [], breaking: [], told_by: [] });
});

test("a faulty changelog is refused whatever the description", () => {
  const codes = (document: unknown) => judge(document, OLD).findings.map(({ code }) => code);
  assert.deepEqual(codes(changelog(entry("First"), entry("first"))), [
    "invalid_id",
    "duplicate_id",
  ]);
  assert.deepEqual(codes(changelog(entry("other"))), ["removed_entry"]);
  assert.equal(judge(null, OLD).ok, false);
});

// Proves §4.13 only released
test("an entry of a version to come is a plan, and refused", () => {
  const planned = judge(changelog(entry("next", { api_version: "1.10.0" }), entry("first")), OLD);
  assert.deepEqual(
    planned.findings.map(({ code, message }) => [code, message]),
    [["unreleased_version", "next: 1.10.0 is later than 1.1.0"]],
  );
  const later = api({ "/a": GET, "/b": GET }, "1.10.0");
  assert.equal(
    judge(changelog(entry("next", { api_version: "1.10.0" }), entry("first")), later).ok,
    true,
  );
});

test("versions are compared number by number", () => {
  const sorted = ["0.9.12", "1.0.0", "1.1.0", "1.1.1", "1.2.0", "1.10.0", "2.0.0", "10.0.0"];
  assert.deepEqual(sorted.toReversed().sort(compareVersions), sorted);
  assert.equal(compareVersions("1.1.0", "1.1.0"), 0);
});
