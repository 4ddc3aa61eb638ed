/** Plants one fault after the other in a copy of the program, and runs tests there until one fails. */
import { execFileSync, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Planted } from "./draw.ts";
import type { Fate } from "./fates.ts";

/** Files of tests that run together, in the order in which they are tried. */
export type StagesOf = (file: string) => readonly (readonly string[])[];

/** A test that hangs has seen its fault: of each stage, and of each file in it. */
const TIMEOUT_MS = 120_000;
const TIMEOUT_PER_FILE_MS = 20_000;

/** What is tracked, with the same packages. */
export async function copyProgram(root: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "vicinity-mutants-"));
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" });
  for (const each of tracked.split("\n").filter(Boolean))
    await cp(join(root, each), join(copy, each));
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

const REPORTER = fileURLToPath(new URL("./first-failure.ts", import.meta.url));

export class Judge {
  readonly #copy: string;
  readonly #stagesOf: StagesOf;
  /** Whether files of tests pass without a fault. */
  readonly #clean = new Map<string, boolean>();

  private constructor(copy: string, stagesOf: StagesOf) {
    this.#copy = copy;
    this.#stagesOf = stagesOf;
  }

  static async open(root: string, stagesOf: StagesOf): Promise<Judge> {
    return new Judge(await copyProgram(root), stagesOf);
  }

  async close(): Promise<void> {
    await rm(this.#copy, { recursive: true, force: true });
  }

  async judge({ file, mutant }: Planted): Promise<Fate> {
    const path = join(this.#copy, file);
    const source = await readFile(path, "utf8");
    const faulty = source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end);
    const passesWithFault = async (tests: readonly string[]): Promise<boolean> => {
      await writeFile(path, faulty);
      const passes = await this.#pass(tests);
      await writeFile(path, source);
      return passes;
    };
    for (const stage of this.#stagesOf(file)) {
      let tests = stage.filter((test) => this.#clean.get(test) !== false);
      if (await passesWithFault(tests)) continue;
      tests = await this.#findClean(tests);
      if (tests.length === stage.length || !(await passesWithFault(tests))) return "killed";
    }
    return "survived";
  }

  /** Tests that fail without any fault prove nothing. */
  async #findClean(tests: readonly string[]): Promise<string[]> {
    const unknown = tests.filter((test) => !this.#clean.has(test));
    const isClean = unknown.length === 0 || (await this.#pass(unknown));
    for (const test of unknown) {
      const passes = isClean || (await this.#pass([test]));
      if (!passes) console.log(`!!! fails without a fault, and is left out: ${test}`);
      this.#clean.set(test, passes);
    }
    return tests.filter((test) => this.#clean.get(test) === true);
  }

  #pass(tests: readonly string[]): Promise<boolean> {
    if (tests.length === 0) return Promise.resolve(true);
    const options = [
      ...["--test", "--test-isolation=none", "--import=./test/support/seed.ts"],
      `--test-reporter=${REPORTER}`,
    ];
    const child = spawn(process.execPath, [...options, ...tests], {
      cwd: this.#copy,
      stdio: "ignore",
      env: { NODE_COMPILE_CACHE: join(this.#copy, "node_modules/.cache/node"), ...process.env },
      // A group of its own, so that programs that a test started end with it.
      detached: true,
    });
    const end = (): void => {
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // All have ended.
      }
    };
    process.once("exit", end);
    const timer = setTimeout(end, TIMEOUT_MS + tests.length * TIMEOUT_PER_FILE_MS);
    return new Promise((done) =>
      child.once("close", (code) => {
        clearTimeout(timer);
        process.off("exit", end);
        end();
        done(code === 0);
      }),
    );
  }
}
