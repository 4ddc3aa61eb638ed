/** The service as a package: only what runs, and the launcher works from it, as a dependency too. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { HANG_MS } from "../support/size.ts";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { pack, unpack } from "../support/client-project.ts";
import { eventually } from "./service/support.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PACKAGES = join(ROOT, "node_modules");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const manifest = JSON.parse(read("package.json")) as {
  version: string;
  files: string[];
  dependencies: Record<string, string>;
};

/** Links every package of this repository into a folder, so that none need be installed. */
function linkPackages(folder: string): void {
  for (const name of readdirSync(PACKAGES))
    if (name !== ".cache") symlinkSync(join(PACKAGES, name), join(folder, name));
}

describe("the package of the service", () => {
  const work = mkdtempSync(join(tmpdir(), "vicinity-package-"));
  const installed = join(work, "node_modules/vicinity");
  const launcher = join(installed, "bin/vicinity");
  let paths: string[] = [];
  before(async () => {
    const packed = await pack(".", work);
    paths = packed.files.map(({ path }) => path);
    mkdirSync(join(work, "node_modules"));
    linkPackages(join(work, "node_modules"));
    rmSync(join(work, "node_modules/.bin"));
    mkdirSync(join(work, "node_modules/.bin"));
    symlinkSync(join(PACKAGES, ".bin/node"), join(work, "node_modules/.bin/node"));
    symlinkSync("../vicinity/bin/vicinity", join(work, "node_modules/.bin/vicinity"));
    writeFileSync(join(work, "package.json"), JSON.stringify({ private: true }));
    await unpack(join(work, packed.filename), installed);
  });
  after(() => rmSync(work, { recursive: true, force: true }));

  function launch(
    program: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
  ): Promise<[code: unknown, out: string, err: string]> {
    return new Promise((resolve) => {
      execFile(program, args, { cwd: work, env }, (error, stdout, stderr) => {
        resolve([error?.code ?? 0, stdout, stderr]);
      });
    });
  }

  test("it has what the program reads, and nothing of tests, tools and documents", () => {
    const folders = [...new Set(paths.map((path) => path.split("/")[0] ?? ""))].toSorted();
    const own_files = manifest.files.filter((path) => !path.startsWith("!"));
    assert.deepEqual(folders, [...own_files, "LICENSE", "README.md", "package.json"].toSorted());
    // What an image is made of, less what npm adds by itself. An image makes the pages; a package has them.
    const image = [...read(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, path = ""]) =>
      path === "scripts/bundle.ts" ? "dist" : path,
    );
    const added = new Set(["LICENSE", "package.json", "package-lock.json"]);
    assert.deepEqual(own_files.toSorted(), image.filter((path) => !added.has(path)).toSorted());
    assert.deepEqual(
      paths.filter(
        (path) =>
          /(^|\/)(test|tests|bench|scripts|trials|fixtures|docs)\//.test(path) &&
          !path.startsWith("explorer/docs/"),
      ),
      [],
    );
    assert.deepEqual(
      paths.filter((path) => /\.(test|spec)\.\w+$|tsconfig/.test(path)),
      [],
    );
    assert.ok(paths.length > 500, `${paths.length} files`);
  });

  test("as a dependency the launcher finds the pinned Node where it is hoisted", async () => {
    const [code, out, err] = await launch(launcher, ["--version"], { PATH: "/usr/bin:/bin" });
    assert.deepEqual([code, out, err], [0, `${manifest.version}\n`, ""]);
    const [helped, help] = await launch(launcher, ["--help"], { PATH: "/usr/bin:/bin" });
    assert.equal(helped, 0);
    assert.match(help, /^ {2}nearby LAT,LON/m);
  });

  test("as a dependency it serves, threads and all", { timeout: 120_000 }, async () => {
    const ready = join(work, "ready.json");
    const child = spawn(launcher, ["serve", "--sandbox"], {
      cwd: work,
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        PATH: "/usr/bin:/bin",
        PORT: "0",
        ADMIN_PORT: "0",
        SANDBOX_CITIES: "paris",
        LOG_LEVEL: "error",
        VICINITY_DATA_DIR: join(work, "data"),
        VICINITY_READY_FILE: ready,
      },
    });
    let problems = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (problems += text));
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    try {
      const { url } = await eventually(
        async () => {
          assert.equal(child.exitCode, null, problems);
          if (!existsSync(ready)) return null;
          return JSON.parse(readFileSync(ready, "utf8")) as { url: string };
        },
        { within_ms: HANG_MS, what: "ready" },
      );
      // Identities are resolved in a thread.
      const near = `${url}/v1/nearby?lat=48.8566&lon=2.3522&include=stations`;
      await eventually(
        async () => ((await (await fetch(near)).text()).includes('"merged"') ? true : null),
        { within_ms: HANG_MS, what: "stations of two sources are one" },
      );
      assert.equal((await fetch(url)).status, 200);
      // Its base is made in a process, which needs the same help to load modules.
      const bases = join(work, "data/sandbox/bases");
      const isBase = (name: string): boolean => /^simulated-.*\.vbase$/.test(name);
      await eventually(
        async () => (existsSync(bases) && readdirSync(bases).some(isBase) ? true : null),
        { within_ms: HANG_MS, what: "the base of the simulated world" },
      );
    } finally {
      child.kill("SIGINT");
    }
    assert.equal(await ended, 0);
    assert.equal(problems, "");
  });

  test("npx vicinity mcp serves the tools on standard streams, of a service of its own", async () => {
    const transport = new StdioClientTransport({
      command: "npx",
      args: ["--offline", "vicinity", "mcp", "--sandbox"],
      cwd: work,
      env: { PATH: process.env["PATH"] ?? "", SANDBOX_CITIES: "paris", TMPDIR: work },
      stderr: "pipe",
    });
    const problems: string[] = [];
    transport.stderr?.on("data", (chunk: Buffer) => problems.push(chunk.toString()));
    const client = new Client({ name: "tests", version: "1" });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === "find_urban_services"));
      const args = { near: "48.8566,2.3522", types: ["toilets"] };
      const reply = await client.callTool({ name: "find_urban_services", arguments: args });
      assert.equal((reply.structuredContent as { status: string }).status, "success");
    } finally {
      await client.close();
    }
    assert.equal(problems.join(""), "");
    const left = async () => readdirSync(work).every((name) => !name.startsWith("vicinity-mcp-"));
    await eventually(left, { within_ms: HANG_MS, what: "its folder is gone" });
  });

  test("without Node 26 it says what to do, in one line", async (t) => {
    const elsewhere = mkdtempSync(join(tmpdir(), "vicinity-alone-"));
    t.after(() => rmSync(elsewhere, { recursive: true, force: true }));
    await unpack(join(work, `vicinity-${manifest.version}.tgz`), join(elsewhere, "alone"));
    const PATH = join(elsewhere, "bin");
    mkdirSync(PATH);
    symlinkSync("/usr/bin/dirname", join(PATH, "dirname"));
    writeFileSync(join(PATH, "node"), "#!/bin/sh\necho v20.20.2\n", { mode: 0o755 });
    const answer = await launch(join(elsewhere, "alone/bin/vicinity"), ["--version"], { PATH });
    assert.equal(answer[0], 1);
    assert.equal(answer[1], "");
    assert.match(answer[2], /^vicinity: needs Node 26: [^\n]+\n$/);
    const pinned = manifest.dependencies["node"] ?? assert.fail("no node");
    assert.ok(answer[2].includes(`npm install node@${pinned} `), answer[2]);
  });
});
