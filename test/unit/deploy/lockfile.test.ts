/** Lockfiles name what is installed by its hash, and no registry. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

type Entry = {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  inBundle?: boolean;
  os?: string[];
  libc?: string[];
  hasInstallScript?: boolean;
};

const entries = ["package-lock.json", "trials/judges/package-lock.json"].flatMap(readEntries);

function readEntries(file: string): [string, Entry][] {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };
  return Object.entries(packages).filter(([path]) => path !== "");
}

test("every package has a hash", () => {
  for (const [path, { integrity, link, inBundle }] of entries)
    if (!link && !inBundle) assert.match(integrity ?? "", /^sha512-[A-Za-z0-9+/]{86}==$/, path);
});

test("of the native parts for one system and processor, npm installs the one for its C library", () => {
  const parts = entries.filter(([path]) => /-linux-\w+-(?:gnu|musl)$/.test(path));
  assert.ok(parts.length > 20, `${parts.length} parts`);
  for (const [path, { libc }] of parts)
    assert.deepEqual(libc, [path.endsWith("-musl") ? "musl" : "glibc"], path);
});

test("no entry names the registry that it was read from", () => {
  for (const [path, { resolved }] of entries) assert.equal(resolved, undefined, path);
});

test("nothing but the pinned runtime runs a script when it is installed", () => {
  const scripted = entries.filter(([, { hasInstallScript, os }]) => hasInstallScript && !os);
  assert.deepEqual(
    scripted.map(([path]) => path),
    ["node_modules/node"],
  );
});
