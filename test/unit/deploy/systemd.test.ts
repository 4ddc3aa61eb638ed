/** The units of one machine without containers: what they name is there, and they take rights away. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { readEnv, VARIABLES } from "#config/env.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FOLDER = join(ROOT, "deploy/systemd");
const UNITS = ["vicinity.service", "vicinity-backup.service", "vicinity-backup.timer"] as const;

type Unit = ReadonlyMap<string, readonly string[]>;

/** `Section.Name` → values in their order. */
function readUnit(name: string): Unit {
  const unit = new Map<string, string[]>();
  let section = "";
  for (const line of readFileSync(join(FOLDER, name), "utf8").split("\n")) {
    if (line === "" || /^[#;]/.test(line)) continue;
    const head = /^\[(\w+)\]$/.exec(line)?.[1];
    if (head !== undefined) {
      section = head;
      continue;
    }
    const [, key = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? assert.fail(`${name}: ${line}`);
    const full = `${section}.${key}`;
    unit.set(full, [...(unit.get(full) ?? []), value]);
  }
  return unit;
}

const service = readUnit("vicinity.service");
const backup = readUnit("vicinity-backup.service");
const one = (unit: Unit, name: string): string => {
  const values = unit.get(name) ?? assert.fail(name);
  assert.equal(values.length, 1, name);
  return values[0]!;
};

test("each variable is one that the program reads, with a value that it takes", () => {
  for (const unit of [service, backup])
    for (const pair of unit.get("Service.Environment") ?? []) {
      const [name = "", value = ""] = pair.split("=");
      if (["NODE_ENV", "NODE_COMPILE_CACHE"].includes(name)) continue;
      const rule = (VARIABLES as Record<string, { read(text: string): unknown }>)[name];
      assert.ok(rule, name);
      assert.notEqual(rule.read(value), undefined, pair);
    }
  const env = readEnv({ LOG_FILE: "/var/log/vicinity/vicinity.log" });
  assert.ok(env.ok && env.value.log_file !== null);
});

test("SIGHUP reloads, and the stop waits longer than the program", () => {
  assert.match(one(service, "Service.ExecReload"), /^\/bin\/kill -HUP \$MAINPID$/);
  const [, grace_ms = ""] =
    /GRACE_MS = ([\d_]+)/.exec(readFileSync(join(ROOT, "src/main.ts"), "utf8")) ?? [];
  assert.ok(
    Number(one(service, "Service.TimeoutStopSec")) * 1000 > Number(grace_ms.replaceAll("_", "")),
  );
  assert.equal(one(service, "Service.Restart"), "on-failure");
  const rotate = readFileSync(join(FOLDER, "vicinity.logrotate"), "utf8");
  assert.match(rotate, /--signal=HUP vicinity\.service/);
  assert.match(rotate, /^\s*create 0640 vicinity vicinity$/m);
});

test("it runs as a user of its own, without rights, and with bounds", () => {
  const wanted = {
    User: "vicinity",
    NoNewPrivileges: "yes",
    CapabilityBoundingSet: "",
    ProtectSystem: "strict",
    ProtectHome: "yes",
    PrivateTmp: "yes",
    PrivateDevices: "yes",
    ProtectKernelTunables: "yes",
    ProtectControlGroups: "yes",
    RestrictNamespaces: "yes",
    UMask: "0077",
  };
  for (const [unit, name] of [
    [service, "vicinity"],
    [backup, "vicinity-backup"],
  ] as const)
    for (const [key, value] of Object.entries(wanted))
      assert.equal(one(unit, `Service.${key}`), value, `${name}: ${key}`);
  for (const bound of ["MemoryMax", "LimitNOFILE", "TasksMax"]) one(service, `Service.${bound}`);
  assert.ok(!service.has("Service.MemoryDenyWriteExecute"), "the runtime compiles code");
  assert.equal(one(service, "Service.StateDirectoryMode"), "0700");
});

test("the timer starts the backup, which writes where it may, and keeps the old ones until then", () => {
  const timer = readUnit("vicinity-backup.timer");
  assert.equal(one(timer, "Timer.Persistent"), "true");
  assert.ok(timer.has("Timer.OnCalendar"));
  const command = one(backup, "Service.ExecStart");
  const [, target = ""] = /vicinity backup "(\/[\w/]+)\//.exec(command) ?? assert.fail(command);
  assert.ok(one(backup, "Service.ReadWritePaths").split(" ").includes(target));
  assert.match(
    readFileSync(join(FOLDER, "vicinity.tmpfiles.conf"), "utf8"),
    new RegExp(`^d ${target} 0700 vicinity`, "m"),
  );
  assert.match(one(backup, "Service.ExecStartPost"), new RegExp(`find ${target} .*-mtime \\+14`));
  // A `%` of a unit is doubled, or systemd would take it for its own.
  assert.doesNotMatch(command.replaceAll("%%", ""), /%/);
});

const ANALYSE = spawnSync("systemd-analyze", ["--version"]).error
  ? "systemd-analyze is not on this machine"
  : false;

/** The units with a program that is there. */
function copyUnits(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-units-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(FOLDER).filter((each) => /\.(service|timer)$/.test(each))) {
    const text = readFileSync(join(FOLDER, name), "utf8");
    writeFileSync(join(folder, name), text.replaceAll("/opt/vicinity/bin/vicinity", "/bin/true"));
  }
  return folder;
}

test("systemd finds nothing wrong with the units, and little exposed", { skip: ANALYSE }, (t) => {
  const folder = copyUnits(t);
  for (const name of UNITS) {
    const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", join(folder, name)]);
    const about = `${String(stdout)}${String(stderr)}`
      .split("\n")
      .filter((line) => line.includes("vicinity"));
    assert.deepEqual(about, [], name);
  }
  for (const name of UNITS.filter((each) => each.endsWith(".service"))) {
    const message = execFileSync("systemd-analyze", [
      ...["security", "--offline=true", "--no-pager", join(folder, name)],
    ]).toString();
    const [, level = ""] = /exposure level for .*: ([\d.]+) /.exec(message) ?? assert.fail(message);
    assert.ok(Number(level) <= 2, `${name}: ${level}`);
  }
});

test("the commands of the documents name files that are there", () => {
  const page = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
  const paths = [...page.matchAll(/deploy\/systemd\/[\w.-]+\w/g)].map(([path]) => path);
  assert.ok(paths.length >= 5, paths.join());
  for (const path of paths.filter((each) => !each.endsWith("vicinity-backup")))
    assert.ok(existsSync(join(ROOT, path)), path);
});
