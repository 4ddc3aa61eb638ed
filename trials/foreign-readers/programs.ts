/**
 * Programs of others that open the databases of a running service: the command line of SQLite,
 * Python's module, and Node's own in a process of its own. Each has a library of its own.
 */
import { spawn, spawnSync } from "node:child_process";

export type Task = "read" | "backup" | "checkpoint" | "check";
export const TASKS: readonly Task[] = ["read", "backup", "checkpoint"];

export type Foreign = {
  name: string;
  /** Resolves to what it wrote; rejects with its complaint where it fails. */
  run(task: Task, paths: Paths): Promise<string>;
};
/** `copy`: where a backup is written. */
type Paths = { database: string; copy: string };

const STATEMENTS = {
  read: "SELECT count(*) FROM sqlite_schema",
  checkpoint: "PRAGMA wal_checkpoint(TRUNCATE)",
  check: "PRAGMA integrity_check",
} as const;

const NODE = `
const [task, statement, database, copy] = process.argv.slice(1);
const { DatabaseSync, backup } = require("node:sqlite");
const opened = new DatabaseSync(database, { timeout: 10000 });
const done = task === "backup" ? backup(opened, copy) : opened.prepare(statement).get();
Promise.resolve(done).then((value) => {
  console.log(Object.values(Object(value)).join("|"));
  opened.close();
});
`;

const PYTHON = `
import sqlite3, sys
task, statement, database, copy = sys.argv[1:5]
opened = sqlite3.connect(database, timeout=10)
if task == "backup":
    to = sqlite3.connect(copy)
    opened.backup(to)
    to.close()
else:
    print("|".join(str(value) for value in opened.execute(statement).fetchone()))
opened.close()
`;

type Program = { name: string; command: string; args: (task: Task, paths: Paths) => string[] };

const statementOf = (task: Task): string => (task === "backup" ? "" : STATEMENTS[task]);

const PROGRAMS: readonly Program[] = [
  {
    name: "node:sqlite",
    command: process.execPath,
    args: (task, { database, copy }) => ["-e", NODE, task, statementOf(task), database, copy],
  },
  {
    name: "sqlite3",
    command: "sqlite3",
    args: (task, { database, copy }) => [
      ...["-cmd", ".timeout 10000", database],
      task === "backup" ? `.backup '${copy}'` : statementOf(task),
    ],
  },
  {
    name: "python",
    command: "python3",
    args: (task, { database, copy }) => ["-c", PYTHON, task, statementOf(task), database, copy],
  },
];

/** Lists the programs of this machine: Node's is always among them. */
export function listPrograms(): Foreign[] {
  return PROGRAMS.filter(({ command, args }) => {
    const { status } = spawnSync(command, args("read", { database: ":memory:", copy: "" }));
    return status === 0;
  }).map(({ name, command, args }) => ({
    name,
    run: (task, paths) => execute(command, args(task, paths)),
  }));
}

function execute(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve(out.trim()) : reject(new Error(`${command}: ${err.trim()}`)),
    );
  });
}
