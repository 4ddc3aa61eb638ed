/** Commands of the program as processes of their own, which may be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../../test/integration/service/processes.ts";

type Ran = { code: number | null; out: string; err: string };
export type Running = { child: ChildProcess; ended: Promise<Ran> };

/** Not by the launcher, so that a kill reaches the program itself. */
export function begin(
  args: readonly string[],
  { data_dir, store_url = null }: { data_dir: string; store_url?: string | null },
): Running {
  const { PATH = "", HOME = "" } = process.env;
  const variables = {
    PATH,
    HOME,
    VICINITY_DATA_DIR: data_dir,
    VICINITY_STORE_URL: store_url ?? "",
  };
  const child = spawn(process.execPath, [join(ROOT, "src/main.ts"), ...args], {
    cwd: ROOT,
    env: variables,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
  const ended = new Promise<Ran>((resolve) => {
    child.once("close", (code) => resolve({ code, ...texts }));
  });
  return { child, ended };
}

/** Runs a command to its end; throws with its complaint where it fails. */
export async function run(...args: Parameters<typeof begin>): Promise<string> {
  const { code, out, err } = await begin(...args).ended;
  if (code !== 0) throw new Error(`${args[0].join(" ")}: ${err}`);
  return out;
}
