/** The lockfile names what is installed by its hash, and no registry. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

type Entry = {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  inBundle?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  hasInstallScript?: boolean;
};

const text = readFileSync(new URL("../../../package-lock.json", import.meta.url), "utf8");
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };
const entries = Object.entries(packages).filter(([path]) => path !== "");

/** Native parts of development tools for platforms whose packages the registry lacks (decision 25). */
const UNHASHED = /^node_modules\/@(?:oxc-parser|oxfmt|oxlint|oxlint-tsgolint)\/[\w-]+$/;
const UNHASHED_MAX = 53;

test("every package has a hash, but for development tools of platforms that cannot be had", () => {
  const without = entries.filter(
    ([, { integrity, link, inBundle }]) => !integrity && !link && !inBundle,
  );
  for (const [path, { dev, optional, os }] of without)
    assert.ok(UNHASHED.test(path) && dev && optional && os, `${path} has no integrity`);
  assert.ok(without.length <= UNHASHED_MAX, `${without.length} packages without integrity`);
  for (const [path, { integrity }] of entries)
    if (integrity) assert.match(integrity, /^sha512-[A-Za-z0-9+/]{86}==$/, path);
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
