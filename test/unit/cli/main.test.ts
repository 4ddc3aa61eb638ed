/** The command line as it is typed: help, commands handed on, and one line for every mistake. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { COMMANDS } from "#cli/commands.ts";
import type { SandboxOptions, ServeOptions } from "#cli/io.ts";
import { answering, nearbyBody, run, terminal } from "./support.ts";

test("help of all and of each command", async () => {
  const all = await run(["--help"]);
  assert.equal(all.code, 0);
  for (const name of COMMANDS.map((command) => command.name)) {
    const words = name.split(" ");
    assert.match(all.out, new RegExp(`^  ${name} `, "m"));
    const one = await run([...words, "--help"]);
    assert.equal(one.code, 0);
    assert.match(one.out, new RegExp(`^Usage: vicinity ${name}`, "m"));
    assert.match(one.out, /^For example:\n {2}.*vicinity /m);
    assert.equal((await run(["help", ...words])).out, one.out);
    assert.equal((await run([...words, "-h"])).out, one.out);
  }
});

test("no line of any help is longer than 80 characters, and no word of a command is lost", async () => {
  const groups = new Set(COMMANDS.map(({ name }) => name.split(" ")[0]!));
  const topics = [[], ...[...groups].map((name) => [name]), ...COMMANDS.map(({ name }) => [name])];
  const whole = (text: string): string => text.replaceAll(/ \\\n\s*|\s+/g, " ");
  for (const topic of topics) {
    const { out } = await run([...topic.flatMap((name) => name.split(" ")), "--help"]);
    const long = out.split("\n").filter((line) => line.length > 80);
    assert.deepEqual(long, [], topic.join(" "));
  }
  for (const { name, summary, examples, options } of COMMANDS) {
    const { out } = await run([...name.split(" "), "--help"]);
    const text = whole(out);
    for (const part of [summary.slice(1), ...Object.values(options).map(({ help }) => help)])
      assert.ok(text.includes(part), `${name}: ${part}`);
    for (const example of examples) assert.ok(text.includes(example), example);
  }
});

test("help of a group of commands", async () => {
  const { code, out } = await run(["keys", "--help"]);
  assert.equal(code, 0);
  assert.match(out, /^Usage: vicinity keys <action>/);
  for (const action of ["create", "list", "rotate ID", "revoke ID"])
    assert.match(out, new RegExp(`^  keys ${action} `, "m"));
  assert.equal((await run(["help", "keys"])).out, out);
  assert.equal((await run(["keys", "-h"])).out, out);
});

test("without a command it explains itself and fails", async () => {
  const ran = await run([]);
  assert.equal(ran.code, 2);
  assert.match(ran.out, /Usage: vicinity <command>/);
});

test("the version is the package's", async () => {
  assert.deepEqual(await run(["--version"]), { code: 0, out: "1.1.0\n", err: "" });
  assert.deepEqual(await run(["doctor", "--version"]), { code: 0, out: "1.1.0\n", err: "" });
});

const WRONG: readonly [argv: string, line: string][] = [
  ["nearbt 1,2", 'unknown command "nearbt"; did you mean nearby?'],
  ["near 1,2", 'unknown command "near"; did you mean nearby?'],
  ["nearby 1,2 --rad 9", "unknown option --rad for nearby; did you mean --radius?"],
  [
    "routes 1,2",
    'unknown command "routes"; known are serve, sandbox, accounts, keys, usage, backup, restore, migrate, nearby, watch, geocode, reverse, services, places, parking, charging, stations, departures, walk, reach, weather, quality, import, bases, explain, doctor, changelog, openapi, mcp',
  ],
  ["keys", "keys needs one of create, list, rotate, revoke"],
  ["keys --json list", "keys needs one of create, list, rotate, revoke"],
  ["keys revok key_1", 'unknown command "keys revok"; did you mean keys revoke?'],
  ["accounts rm", 'unknown command "accounts rm"; known are create, list, set, export, erase'],
  ["keys list now", 'unexpected argument "now" for keys list'],
  ["--vresion", "unknown option --vresion; see vicinity --help"],
  ["serve --snadbox", "unknown option --snadbox for serve; did you mean --sandbox?"],
  ["serve --config", "--config needs a value: --config FILE"],
  ["serve now", 'unexpected argument "now" for serve'],
  ["nearby", "nearby needs LAT,LON"],
  ["nearby Paris", 'expected LAT,LON such as 48.8566,2.3522, got "Paris"'],
  ["nearby 1,2,3", 'expected LAT,LON such as 48.8566,2.3522, got "1,2,3"'],
  ["nearby 1,2 --json=yes", "--json takes no value"],
  [
    "nearby 1,2 --limit 1.5",
    '--limit: expected an integer from -1000000000 to 1000000000, got "1.5"',
  ],
  ["sandbox --port 70000", '--port: expected an integer from 0 to 65535, got "70000"'],
  ["doctor --url localhost", '--url: expected an http(s) URL, got "localhost"'],
];
for (const [argv, line] of WRONG) {
  test(`wrong: vicinity ${argv}`, async () => {
    const ran = await run(argv.split(" "));
    assert.deepEqual(ran, { code: 2, out: "", err: `vicinity: ${line}\n` });
  });
}

test("on a terminal a message ends its lines between words", async () => {
  const { err } = await run(["routes"], { err: terminal(60) });
  const lines = err.trimEnd().split("\n");
  assert.ok(lines.length > 3 && lines.every((line) => line.length <= 60), err);
  assert.equal(lines.join(" "), (await run(["routes"])).err.trimEnd());
  // Whichever part of a command it is of: the store, an import.
  const problem = "the data folder of this service cannot be used: there is no store in it yet";
  const failing = {
    openStore: () => Promise.resolve({ problem }),
    importGtfs: () => Promise.resolve({ ok: false as const, problem }),
  };
  for (const argv of [
    ["keys", "list"],
    ["import", "gtfs", "a.zip", "--id", "a"],
  ]) {
    const ran = await run(argv, { ...failing, err: terminal(60) });
    // Behind the bar of the import, which is taken away.
    const lines_of_it = ran.err.slice(ran.err.indexOf("vicinity: ")).trimEnd().split("\n");
    assert.ok(lines_of_it.length > 1 && lines_of_it.every((line) => line.length <= 60), ran.err);
    assert.ok(lines_of_it.join(" ").endsWith(problem), ran.err);
  }
});

test("a bad environment is one line", async () => {
  const ran = await run(["doctor"], { variables: { PORT: "http" } });
  const line = 'vicinity: PORT: expected an integer from 0 to 65535, got "http"\n';
  assert.deepEqual(ran, { code: 1, out: "", err: line });
});

test("serve and sandbox are handed on with their options and exit code", async () => {
  const calls: (ServeOptions | SandboxOptions)[] = [];
  const take = (options: ServeOptions | SandboxOptions): Promise<number> => {
    calls.push(options);
    return Promise.resolve(7);
  };
  const io = { serve: take, sandbox: take };
  assert.equal((await run(["serve", "--sandbox", "--config", "a.json"], io)).code, 7);
  assert.equal((await run(["serve"], io)).code, 7);
  assert.equal((await run(["sandbox", "--port", "0", "--seed=7"], io)).code, 7);
  const options = calls.map(({ env, ...rest }) => {
    assert.equal(env.port, 8080);
    return rest;
  });
  assert.deepEqual(options, [
    { sandbox: true, config: "a.json", workers: 1 },
    { sandbox: false, workers: 1 },
    { port: 0, seed: 7 },
  ]);
});

test("southern and western coordinates are arguments, not options", async () => {
  for (const argv of [
    ["nearby", "-33.9249,18.4241", "--radius", "-5"],
    ["nearby", "--radius", "-5", "-33.9249,18.4241"],
    ["nearby", "--radius=-5", "--", "-33.9249,18.4241"],
  ]) {
    const requested: Request[] = [];
    const ran = await run(argv, { fetch: answering([nearbyBody()], { requested }) });
    assert.equal(ran.code, 0, ran.err);
    assert.match(requested[0]?.url ?? "", /\?lat=-33\.9249&lon=18\.4241&radius=-5$/);
  }
});

test("openapi writes the description of this version, or of a server", async () => {
  const own = await run(["openapi"]);
  assert.equal(own.out, readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8"));
  const io = { fetch: answering([{ openapi: "3.1.0" }]) };
  const other = await run(["openapi", "--url", "http://example.org"], io);
  assert.deepEqual(JSON.parse(other.out), { openapi: "3.1.0" });
});

test("a full disk or a missing folder is one line", async () => {
  const ran = await run(["openapi", "--out", "/nonexistent/openapi.json"]);
  assert.equal(ran.code, 1);
  assert.match(
    ran.err,
    /^vicinity: --out: \/nonexistent\/openapi\.json has no folder to be in: .*\n$/,
  );
});
