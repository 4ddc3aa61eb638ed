/** A release in a git repository of its own: one commit, nothing half done; a portal notified separately. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import type { ChangelogDocument, ChangelogEntry } from "#api/changelog.ts";
import { announce } from "../../../scripts/release/announce.ts";
import { git } from "../../../scripts/release/git.ts";
import { release, type ReleaseOptions } from "../../../scripts/release/release.ts";

const FIRST_MS = Date.parse("2026-11-21T10:00:00Z");
const SECOND_MS = Date.parse("2026-11-22T10:00:00Z");
const ENTRY: ChangelogEntry = {
  id: "first",
  published_at: "2026-11-21T09:00:00Z",
  api_version: "1.1.0",
  type: "feature",
  title: "First",
  description: "The first one.",
  breaking: false,
  links: [],
};
const CHANGELOG: ChangelogDocument = {
  version: "1.0.0",
  updated_at: "2026-11-21T09:00:00Z",
  entries: [ENTRY],
};
const GET = { get: { responses: { 200: { description: "OK" } } } };
const describe = (...paths: string[]) => {
  const table = Object.fromEntries(paths.map((path) => [path, GET]));
  return () => JSON.stringify({ openapi: "3.1.0", info: { version: "1.1.0" }, paths: table });
};
const KEPT = ["releases/1.1.0/changelog.json", "releases/1.1.0/openapi.json"];
const OWN = ["CHANGELOG.md", "changelog/entries.json", "openapi.json", ...KEPT];

function createRepository(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), "vicinity-release-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, content: unknown): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(
      join(root, path),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  };
  git(root, "init", "--quiet");
  git(root, "config", "user.email", "release@example.org");
  git(root, "config", "user.name", "Release");
  git(root, "config", "commit.gpgsign", "false");
  write("changelog/entries.json", CHANGELOG);
  write("code.txt", "one");
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message", "Begin");
  const checked: string[][] = [];
  const options: ReleaseOptions = {
    describe: describe("/a", "/b"),
    now_ms: FIRST_MS,
    commit: true,
    check: () => checked.push(git(root, "status", "--porcelain", "-uall").trim().split("\n")) > 0,
  };
  return {
    root,
    write,
    options,
    checked,
    read: (path: string) => readFileSync(join(root, path), "utf8"),
    count: () => Number(git(root, "rev-list", "--count", "HEAD")),
    clean: () => git(root, "status", "--porcelain") === "",
    run: (change: Partial<ReleaseOptions> = {}) => release(root, { ...options, ...change }),
  };
}

// Proves §9 one release
test("description, changelog and page are one commit, with what is kept of them", (t) => {
  const repository = createRepository(t);
  const done = repository.run();
  assert.equal(done.kind, "released", done.report);
  assert.equal(repository.count(), 2);
  assert.ok(repository.clean());
  const changed = git(repository.root, "show", "--name-only", "--format=", "HEAD").trim();
  assert.deepEqual(changed.split("\n").toSorted(), OWN.toSorted());
  assert.equal(repository.read("openapi.json"), describe("/a", "/b")());
  assert.equal(repository.read(KEPT[1]!), repository.read("openapi.json"));
  assert.equal(repository.read(KEPT[0]!), repository.read("changelog/entries.json"));
  const stored = JSON.parse(repository.read(KEPT[0]!)) as ChangelogDocument;
  assert.equal(stored.updated_at, new Date(FIRST_MS).toISOString());
  assert.match(repository.read("CHANGELOG.md"), /\*\*First\*\* \(feature, 2026-11-21, `first`\)/);
  // The checks ran over the written files, before the commit.
  assert.equal(repository.checked.length, 1);
  assert.equal(repository.checked[0]?.length, OWN.length);
});

test("again, nothing changes; updated_at moves with the content alone", (t) => {
  const repository = createRepository(t);
  repository.run();
  assert.equal(repository.run({ now_ms: SECOND_MS }).kind, "unchanged");
  const grown = repository.run({ now_ms: SECOND_MS, describe: describe("/a", "/b", "/c") });
  assert.equal(grown.kind, "released", grown.report);
  const updated = () => (JSON.parse(repository.read(KEPT[0]!)) as ChangelogDocument).updated_at;
  assert.equal(updated(), new Date(FIRST_MS).toISOString(), "no entry has changed");
  repository.write("changelog/entries.json", {
    ...CHANGELOG,
    entries: [{ ...ENTRY, title: "Corrected" }],
  });
  const corrected = repository.run({ now_ms: SECOND_MS, describe: describe("/a", "/b", "/c") });
  assert.equal(corrected.kind, "released", corrected.report);
  assert.equal(updated(), new Date(SECOND_MS).toISOString());
  assert.equal(repository.count(), 4);
});

test("a breaking change without its entry is refused, and nothing is written", (t) => {
  const repository = createRepository(t);
  repository.run();
  const refused = repository.run({ now_ms: SECOND_MS, describe: describe("/a") });
  assert.equal(refused.kind, "refused");
  assert.match(refused.report, /breaking: \/b: an endpoint is gone/);
  assert.ok(repository.clean());
  const removal: ChangelogEntry = {
    ...ENTRY,
    id: "b-removed",
    published_at: "2026-11-22T09:00:00Z",
    type: "breaking",
    breaking: true,
  };
  repository.write("changelog/entries.json", { ...CHANGELOG, entries: [removal, ENTRY] });
  const done = repository.run({ now_ms: SECOND_MS, describe: describe("/a") });
  assert.equal(done.kind, "released", done.report);
  assert.equal(repository.run({ now_ms: SECOND_MS, describe: describe("/a") }).kind, "unchanged");
});

test("a faulty changelog, other changes and failing checks each hold it back", (t) => {
  const repository = createRepository(t);
  repository.write("changelog/entries.json", { ...CHANGELOG, entries: [ENTRY, ENTRY] });
  assert.match(repository.run().report, /duplicate_id/);
  assert.ok(!existsSync(join(repository.root, "releases")));
  repository.write("changelog/entries.json", CHANGELOG);
  repository.write("code.txt", "two");
  assert.match(repository.run().report, /commit these first: code\.txt/);
  assert.ok(!existsSync(join(repository.root, "releases")));
  repository.write("code.txt", "one");
  const failed = repository.run({ check: () => false });
  assert.equal(failed.kind, "refused");
  assert.equal(repository.count(), 1);
  // The same command once the checks pass.
  assert.equal(repository.run().kind, "released");
  assert.equal(repository.count(), 2);
});

test("written without a commit, for the first time or by hand", (t) => {
  const repository = createRepository(t);
  const written = repository.run({ commit: false });
  assert.ok(written.kind === "written" && written.paths.length === 5, written.kind);
  const again = repository.run({ commit: false });
  assert.ok(again.kind === "written" && again.paths.length === 0);
  assert.equal(repository.count(), 1);
});

// Proves §9 portal
test("a portal that fails leaves the release as it is, and can be notified again", async (t) => {
  const repository = createRepository(t);
  const done = repository.run();
  assert.equal(done.kind, "released");
  const requests: { method: string; url: string; key: string; token: string; body: string }[] = [];
  let status = 503;
  const server = createServer(async (request, response) => {
    const { "idempotency-key": key, authorization } = request.headers;
    const body = await text(request);
    const { method = "", url = "" } = request;
    requests.push({ method, url, key: String(key), token: String(authorization), body });
    response.writeHead(status).end("x");
  });
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const portal = { url: `http://127.0.0.1:${port}/portal/`, token: "t", timeout_ms: 60_000 };
  const before = git(repository.root, "rev-parse", "HEAD");
  const failed = await announce(repository.root, portal);
  assert.deepEqual(failed, { ok: false, problem: "the portal answered 503" });
  assert.ok(repository.clean());
  status = 200;
  // An uncommitted folder is not a release.
  repository.write("releases/1.1.0/openapi.json", "{}");
  const [once_, twice] = [
    await announce(repository.root, portal),
    await announce(repository.root, portal),
  ];
  assert.ok(once_.ok && twice.ok && once_.key === twice.key);
  assert.equal(new Set(requests.map((one) => JSON.stringify(one))).size, 1, "the same each time");
  const [{ method, url, key, token, body }] = requests as [(typeof requests)[number]];
  assert.deepEqual([method, url, token], ["PUT", "/portal/releases/1.1.0", "Bearer t"]);
  assert.equal(key, once_.key);
  const { api_version, changelog, description } = JSON.parse(body) as Record<string, any>;
  assert.equal(api_version, "1.1.0");
  assert.deepEqual(changelog.entries, CHANGELOG.entries);
  assert.deepEqual(Object.keys(description.paths), ["/a", "/b"]);
  assert.equal(git(repository.root, "rev-parse", "HEAD"), before);
  const gone = await announce(repository.root, { ...portal, url: "http://127.0.0.1:1/" });
  assert.ok(!gone.ok && gone.problem.startsWith("the portal cannot be reached"));
});
