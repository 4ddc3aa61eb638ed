/**
 * What the system says of a path reaches a person as one sentence: every option, argument and variable that
 * takes a path, of every command, against every error that a system has for one.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { COMMANDS } from "#cli/commands.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import { pathProblem, systemWords } from "#kit/path-problem.ts";
import { run } from "./support.ts";

const CODES = [
  ...["EEXIST", "ENOENT", "EACCES", "EPERM", "ENOSPC", "EDQUOT", "ENOTDIR", "EISDIR", "EROFS"],
  ...["ELOOP", "ENAMETOOLONG", "EIO", "EMFILE", "ENFILE", "EBUSY", "ENXIO", "EFBIG", "EOTHER"],
] as const;

const work = fs.mkdtempSync(join(tmpdir(), "vicinity-paths-"));
after(() => fs.rmSync(work, { recursive: true, force: true }));
const data_dir = join(work, "data");
const store = openAdminStorage({ data_dir, mode: "live" });
if ("problem" in store) assert.fail(store.problem);
store.accounts.createAccount({
  ...{ id: "acc_1", name: "Ada", plan: "business", standing: "active", created_at_ms: 1 },
});
store.close();
const openStore = () => openAdminStorage({ data_dir, mode: "live" }, "read");

/** A path that is given, and how the sentence names it. */
type Input = { argv: readonly string[]; name: string; path: string; variables?: object };
const bad = join(work, "bad", "file");
const CASES: Readonly<Record<string, Input>> = {
  "accounts export --out": {
    argv: ["accounts", "export", "acc_1", "--out", bad],
    name: "--out",
    path: bad,
  },
  "openapi --out": { argv: ["openapi", "--out", bad], name: "--out", path: bad },
  "backup TARGET": { argv: ["backup", `${bad}.tar`], name: "TARGET", path: `${bad}.tar` },
  "backup --config": {
    argv: ["backup", join(work, "copy.tar"), "--config", bad],
    name: "--config",
    path: bad,
  },
  "backup VICINITY_CONFIG": {
    argv: ["backup", join(work, "copy.tar")],
    name: "VICINITY_CONFIG",
    path: bad,
    variables: { VICINITY_CONFIG: bad },
  },
  "restore SOURCE": { argv: ["restore", bad], name: "SOURCE", path: bad },
  "changelog check FILE": { argv: ["changelog", "check", bad], name: "FILE", path: bad },
  "changelog check --root": {
    argv: ["changelog", "check", "--root", bad],
    name: "--root",
    path: bad,
  },
  "accounts create --config": {
    argv: ["accounts", "create", "Ada", "--plan", "free", "--config", bad],
    name: "--config",
    path: bad,
  },
  "accounts set --config": {
    argv: ["accounts", "set", "acc_1", "--plan", "free", "--config", bad],
    name: "--config",
    path: bad,
  },
  "keys create --config": {
    argv: ["keys", "create", "--plan", "free", "--config", bad],
    name: "--config",
    path: bad,
  },
  "doctor --config": {
    argv: ["doctor", "--node", "--json", "--config", bad],
    name: "--config",
    path: bad,
  },
  "a secret's file": {
    argv: ["usage"],
    name: "ADMIN_TOKEN_FILE",
    path: bad,
    variables: { ADMIN_TOKEN_FILE: bad },
  },
};

/** Tried where the program itself is, since the service and the importers are behind it (paths of serve: test/integration). */
const ELSEWHERE = ["import FILE", "serve --config"];

function errorOf(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: raw words, open '${path}'`), {
    code,
    syscall: "open",
    path,
  });
}

const CALLS = ["open", "stat", "readFile", "writeFile", "mkdir", "realpath", "readdir"] as const;
const SYNC = ["readFileSync", "openSync", "statSync"] as const;

/** Everything below the folder of `bad` fails in this way. */
function failWith(t: TestContext, code: string): void {
  const isBad = (path: unknown): path is string =>
    typeof path === "string" && path.startsWith(join(work, "bad"));
  for (const name of CALLS) {
    const real = fs.promises[name] as (...args: unknown[]) => Promise<unknown>;
    t.mock.method(fs.promises, name, ((...args: unknown[]) =>
      isBad(args[0]) ? Promise.reject(errorOf(code, args[0])) : real(...args)) as never);
  }
  for (const name of SYNC) {
    const real = fs[name] as (...args: unknown[]) => unknown;
    t.mock.method(fs, name, ((...args: unknown[]) => {
      if (isBad(args[0])) throw errorOf(code, args[0]);
      return real(...args);
    }) as never);
  }
  syncBuiltinESMExports();
}

for (const [title, { argv, name, path, variables }] of Object.entries(CASES))
  test(`${title}: each error of the system is one sentence that names it and what to do`, async (t) => {
    for (const code of CODES) {
      failWith(t, code);
      const input = {
        openStore,
        variables: {
          VICINITY_DATA_DIR: data_dir,
          VICINITY_CONTACT: "ops@example.org",
          ...variables,
        },
      };
      const { code: exit, out, err } = await run(argv, input);
      t.mock.restoreAll();
      syncBuiltinESMExports();
      assert.notEqual(exit, 0, code);
      const reported = err === "" || argv.includes("--json") ? out + err : err;
      assert.ok(reported.includes(`${name}: `), `${code}: ${reported}`);
      assert.ok(
        reported.includes(path.replace(/\.tar$/, "")) || reported.includes(join(work, "bad")),
        reported,
      );
      assert.doesNotMatch(reported, /raw words|\n {4}at |undefined/, code);
      if (code !== "EOTHER") assert.doesNotMatch(reported, new RegExp(`\\b${code}\\b`), reported);
      assert.match(reported, /: [a-z][^:]+[^.]\b/, reported);
    }
  });

test("every option and argument that takes a path is tried", () => {
  const taken = COMMANDS.flatMap(({ name, options, positionals }) => [
    ...positionals
      .filter((each) => /FILE|TARGET|SOURCE|DIR/.test(each))
      .map((each) => `${name} ${each.replaceAll(/[[\]]|\.{3}$/g, "")}`),
    ...Object.entries(options)
      .filter(([, { value }]) => value === "FILE" || value === "DIR")
      .map(([option]) => `${name} --${option}`),
  ]);
  assert.ok(taken.length > 8, taken.join());
  assert.deepEqual(
    taken.filter((each) => !(each in CASES) && !ELSEWHERE.includes(each)),
    [],
  );
});

test("every code has words for reading and for writing, and what is no error of a path has none", () => {
  for (const code of CODES)
    for (const use of ["read", "create", "write"] as const) {
      const line = pathProblem(errorOf(code, "/x"), { name: "--out", path: "/x" }, use) ?? "";
      assert.match(line, /^--out: \/x [a-z].+: [a-z].+$/, code);
      assert.doesNotMatch(line, /\.$|\n/);
    }
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  assert.match(systemWords(full, "write") ?? "", /disk that is full: free space/);
  for (const other of [new TypeError("x"), null, Object.assign(new Error("x"), { code: "ABORT" })])
    assert.equal(systemWords(other, "read"), null);
});

test("a real full disk, a folder, a file in the way of a path, and a file that is there", async (t) => {
  const other = join(work, "there");
  fs.writeFileSync(other, "");
  t.after(() => fs.rmSync(other));
  for (const [out, words] of [
    ["/dev/full", /^vicinity: --out: \/dev\/full is on a disk that is full: free space/],
    [work, /^vicinity: --out: .* is a folder, where a file is expected: name a file/],
    [join(other, "x"), /^vicinity: --out: .* leads through a file as if it were a folder/],
  ] as const) {
    const { code, err } = await run(["openapi", "--out", out]);
    assert.equal(code, 1);
    assert.match(err, words);
  }
  const { code, err } = await run(["accounts", "export", "acc_1", "--out", other], { openStore });
  assert.equal(code, 1);
  assert.match(
    err,
    /^vicinity: --out: .*there is there already, and is not replaced: name another\n$/,
  );
});
