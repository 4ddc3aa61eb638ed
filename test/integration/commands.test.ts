/**
 * Each command that CONTRIBUTING, README and package.json name is started once as a person starts it,
 * until it has said that it is ready, or here is the reason why it is not.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { COMMANDS } from "#cli/commands.ts";
import { openPagedHead } from "#osm/index.ts";
import { createBaseStore } from "#storage/base-files.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { aBasePack, writeExtract } from "../support/bases.ts";
import { SMALL } from "../support/gtfs.ts";
import { zipOf } from "../support/zip.ts";
import { launch, ROOT, waitReady } from "./service/processes.ts";
import { createFolder, eventually, removeFolder } from "./service/support.ts";
import { HANG_MS } from "../support/size.ts";

/** Words after `npm run`, the exit code, and what is printed. They need no network. */
const PRINTS: Readonly<Record<string, { args?: string[]; code: number; says: RegExp }>> = {
  bench: { code: 0, says: /^ {2}nearby +\S/m },
  trials: { code: 0, says: /^ {2}gate +\S/m },
  reports: { code: 0, says: /^ {2}geocoder +\S/m },
  "new:provider": { code: 2, says: /2 to 32 characters/ },
  "release:announce": { code: 2, says: /^usage: npm run release:announce/ },
};

/** They serve until they are ended. */
const SERVES: Readonly<Record<string, { mode: "sandbox" | "live" }>> = {
  start: { mode: "sandbox" },
  dev: { mode: "sandbox" },
  live: { mode: "live" },
};

const ELSEWHERE: Readonly<Record<string, string>> = {
  check: "npm test runs it next to the suites",
  "check:fast": "the first half of check",
  test: "it is what runs this",
  format: "check compares what it would write",
  generate: "check compares what it would write, and test/unit/new-provider.test.ts runs it (long)",
  release: "it commits; test/unit/release has its steps",
  pack: "test/judged/packages.test.ts (long) packs and uses each package",
  bundle: "npm ci runs it, and test/unit/http/page-bundle.test.ts makes one",
  prepare: "npm ci runs it, and test/integration/package.test.ts (long)",
};

const scripts = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object }).scripts,
);

test("every npm script is started here, or there is a reason", () => {
  const entries = [...Object.keys(PRINTS), ...Object.keys(SERVES), ...Object.keys(ELSEWHERE)];
  assert.deepEqual(entries.toSorted(), scripts.toSorted());
});

// npm scripts that documents name: test/npm-scripts.test.ts.
test("every command of vicinity that the first pages name is there", () => {
  const words = new Set(COMMANDS.map(({ name }) => name.split(" ")[0]));
  let named_count = 0;
  for (const page of ["CONTRIBUTING.md", "README.md"]) {
    const text = readFileSync(join(ROOT, page), "utf8");
    for (const [, name] of text.matchAll(/(?:`|^)(?:bin\/)?vicinity ([a-z]+)/gm)) {
      named_count += 1;
      assert.ok(words.has(name), `${page}: vicinity ${name}`);
    }
  }
  assert.ok(named_count > 0);
});

async function folderOf(t: TestContext): Promise<string> {
  const data_dir = await createFolder();
  t.after(() => removeFolder(data_dir));
  return data_dir;
}

/** Ends a command with all that it has started. */
function endAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal);
  } catch {
    // It has ended already.
  }
}

function run(
  command: string,
  args: readonly string[],
  variables: Record<string, string> = {},
  input = "",
): Promise<{ code: number | null; out: string }> {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: "pipe",
    env: { ...process.env, ...variables },
    timeout: HANG_MS,
  });
  child.stdin.end(input);
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (out += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out })));
}

describe("commands that serve", () => {
  for (const [name, { mode }] of Object.entries(SERVES))
    test(`npm run ${name} serves in mode ${mode}`, async (t) => {
      const data_dir = await folderOf(t);
      const config = join(data_dir, "vicinity.json");
      await writeFile(config, JSON.stringify({ sources: { openbase: { gazetteer: false } } }));
      const running = launch({
        ...{ data_dir, command: "npm", args: ["run", "--silent", name], cities: "taveuni" },
        detached: true,
        variables: {
          ...{ SANDBOX_PORT: "0", ADMIN_PORT: "0", VICINITY_CONTACT: "tests@example.org" },
          ...(mode === "live" && { VICINITY_CONFIG: config }),
        },
      });
      t.after(async () => {
        endAll(running.child, "SIGKILL");
        await running.ended;
      });
      const { url, sandbox_url } = await waitReady(running, data_dir);
      assert.equal(sandbox_url === null, mode === "live");
      const reply = await fetch(`${url}/health`);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get("x-vicinity-mode"), mode === "live" ? null : "sandbox");
      await reply.text();
    });

  test("vicinity mcp --sandbox answers a host from a service of its own, and leaves nothing", async (t) => {
    const TMPDIR = await folderOf(t);
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const variables = { TMPDIR, SANDBOX_CITIES: "taveuni" };
    const { code, out } = await run("bin/vicinity", ["mcp", "--sandbox"], variables, `${ping}\n`);
    assert.deepEqual([code, JSON.parse(out)], [0, { jsonrpc: "2.0", id: 1, result: {} }]);
    assert.deepEqual(readdirSync(TMPDIR), []);
  });

  test("vicinity sandbox serves the simulator alone, and ends with a signal", async (t) => {
    const data_dir = await folderOf(t);
    const args = ["sandbox", "--port", "0", "--seed", "7"];
    const running = launch({ data_dir, args, cities: "taveuni" });
    t.after(() => running.child.kill("SIGKILL"));
    const url = await eventually(
      () => {
        const { out, err } = running.output();
        assert.equal(running.child.exitCode, null, err);
        return Promise.resolve(/http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? null);
      },
      { within_ms: HANG_MS, what: "the address of the simulator" },
    );
    const reply = await fetch(`${url}/__sandbox/sources`);
    assert.equal(reply.status, 200);
    assert.match(await reply.text(), /"gbfs"/);
    running.child.kill("SIGTERM");
    assert.deepEqual(await running.ended, { code: 0, signal: null });
  });

  test(
    "vicinity sandbox refuses a city that it does not know, in one line",
    { timeout: HANG_MS },
    async (t) => {
      const running = launch({
        data_dir: await folderOf(t),
        args: ["sandbox"],
        cities: "atlantis",
      });
      t.after(() => running.child.kill("SIGKILL"));
      assert.equal((await running.ended).code, 1);
      assert.match(running.output().err, /^vicinity: SANDBOX_CITIES: [^\n]*atlantis[^\n]*\n$/);
    },
  );
});

describe("commands that print and end", () => {
  for (const [name, { args = [], code, says }] of Object.entries(PRINTS))
    test(`npm run ${name} ${args.join(" ")}`, async () => {
      const ended = await run("npm", ["run", "--silent", name, "--", ...args]);
      assert.match(ended.out, says);
      assert.equal(ended.code, code, ended.out);
    });

  test("options of trials, benchmarks and reports are shown, and others refused in a sentence", async () => {
    for (const [program, name] of [
      ["trials/main.ts", "gate"],
      ["bench/main.ts", "hours"],
      ["scripts/reports.ts", "geocoder"],
    ] as const) {
      const help = await run(process.execPath, [program, name, "--help"]);
      assert.match(help.out, /\n\nusage: npm run \w+ -- \w+ .*--\w+/, program);
      assert.equal(help.code, 0);
      const odd = await run(process.execPath, [program, name, "--odd"]);
      assert.equal(odd.code, 2, odd.out);
      assert.match(odd.out, /^\w+ \w+: Unknown option '--odd'\nusage: npm run [^\n]+\n$/);
      const unknown = await run(process.execPath, [program, "toString"]);
      assert.equal(unknown.code, 2);
      assert.match(unknown.out, /^(unknown \w+ toString\n)?usage: [^\n]+\n\n {2}\w/);
    }
  });
});

describe("imports", () => {
  test("vicinity import gtfs stores a timetable", async (t) => {
    const data_dir = await folderOf(t);
    const path = join(data_dir, "feed.zip");
    await writeFile(path, zipOf(SMALL));
    const running = launch({ data_dir, args: ["import", "gtfs", path, "--id", "small"] });
    assert.equal((await running.ended).code, 0, running.output().err);
    const store = openAdminStorage({ data_dir, mode: "live" });
    assert.ok(!("problem" in store));
    t.after(() => store.close());
    assert.deepEqual(
      store.transit.listFeeds().map(({ feed_id }) => feed_id),
      ["small"],
    );
  });

  test("vicinity import osm stores a base", async (t) => {
    const data_dir = await folderOf(t);
    const path = join(data_dir, "town.osm.pbf");
    await writeExtract(path, 30);
    const running = launch({ data_dir, args: ["import", "osm", path, "--id", "town"] });
    assert.equal((await running.ended).code, 0, running.output().err);
    const ranges = await createBaseStore(join(data_dir, "live", "bases")).open("town");
    assert.ok(ranges);
    const head = await openPagedHead(ranges);
    await ranges.close();
    assert.ok("meta" in head, JSON.stringify(head));
    assert.deepEqual([head.meta.counts.nodes, head.meta.pages.length], [30, 1]);
  });

  test("vicinity bases lists what has been imported", async (t) => {
    const data_dir = await folderOf(t);
    const store = openAdminStorage({ data_dir, mode: "live" });
    assert.ok(!("problem" in store));
    await store.bases.put("somewhere", await aBasePack("somewhere"));
    store.close();
    const running = launch({ data_dir, args: ["bases"] });
    assert.equal((await running.ended).code, 0, running.output().err);
    assert.match(running.output().out, /somewhere/);
  });
});
