/** Who may read which dataset: every row of decisions, Capabilities; and versions. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { judgeDataset, type DatasetVerdict } from "#core/datasets/dataset-verdict.ts";
import { versionOf } from "#core/datasets/dataset-version.ts";

const STORED = { owner: "acc_1", version: "1-a", expires_at_ms: 1_000 };
type Request = Parameters<typeof judgeDataset>[0];
const REQUEST: Request = { issued_to: "acc_1", version: "1-a", stored: STORED, now_ms: 999 };

const ROWS: readonly [title: string, change: Partial<Request>, verdict: DatasetVerdict][] = [
  ["it is there", {}, "found"],
  ["it was issued to no identity of the caller", { issued_to: null }, "dataset_not_found"],
  ["the same, and it is gone", { issued_to: null, stored: null }, "dataset_not_found"],
  ["it was forgotten", { stored: null }, "dataset_gone"],
  ["the same, and of another version", { stored: null, version: "?" }, "dataset_gone"],
  ["its retention has ended this moment", { now_ms: 1_000 }, "dataset_gone"],
  ["the same, and of another version", { now_ms: 1_000, version: "?" }, "dataset_gone"],
  ["it is stored with another version", { version: "1-b" }, "dataset_not_found"],
  ["the version is empty", { version: "" }, "dataset_not_found"],
  ["the store has another owner's under it", { issued_to: "public" }, "dataset_not_found"],
];

for (const [title, change, verdict] of ROWS)
  test(`${title}: ${verdict}`, () => {
    assert.equal(judgeDataset({ ...REQUEST, ...change }), verdict);
  });

test("the version is that of the content, whatever the order of members and the library", () => {
  const version = versionOf({ b: [1, "é"], a: null });
  assert.match(version, /^1-[a-z2-7]{26}$/);
  assert.equal(versionOf({ a: null, b: [1, "é"] }), version);
  const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(versionOf(value, sha256), versionOf(value));
    }),
  );
});

test("another content has another version", () => {
  const versions = [{}, [], null, 0, "", "0", { a: 1 }, { a: 2 }, { a: null }].map((value) =>
    versionOf(value),
  );
  assert.equal(new Set(versions).size, versions.length);
});
