/** Which commit a checkout is at, and what an image says instead. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { readBuild } from "#observe/build.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

function createCheckout(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "vicinity-build-"));
  t.after(() => rmSync(root, { recursive: true }));
  const all = { "package.json": '{"version":"1.2.3"}', ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const REF = "ref: refs/heads/main\n";

test("a checkout says its commit: of a branch, packed, detached, or of a worktree", (t) => {
  const checkouts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    branch: { ".git/HEAD": REF, ".git/refs/heads/main": `${COMMIT}\n` },
    packed: {
      ".git/HEAD": REF,
      ".git/packed-refs": `# pack-refs\n${"f".repeat(40)} refs/heads/other\n${COMMIT} refs/heads/main\n`,
    },
    detached: { ".git/HEAD": `${COMMIT}\n` },
    worktree: {
      ".git": "gitdir: main/worktrees/one\n",
      "main/worktrees/one/HEAD": REF,
      "main/worktrees/one/commondir": "../..\n",
      "main/refs/heads/main": `${COMMIT}\n`,
    },
  };
  for (const [what, files] of Object.entries(checkouts))
    assert.deepEqual(
      readBuild(null, createCheckout(t, files)),
      { version: "1.2.3", commit: "0123456789ab" },
      what,
    );
});

test("without a checkout the commit is that of the image, or unknown", (t) => {
  const root = createCheckout(t, {});
  assert.equal(readBuild(null, root).commit, null);
  assert.equal(readBuild(COMMIT, root).commit, "0123456789ab");
  const broken = createCheckout(t, { ".git/HEAD": REF });
  assert.equal(readBuild(null, broken).commit, null, "a branch without a commit");
});
