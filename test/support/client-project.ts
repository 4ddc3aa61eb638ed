/** A third party's project in a folder of its own, with the client installed from its tarball. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BIN = join(ROOT, "node_modules/.bin");
const NAME = "@vicinity/client";

type Packed = { size: number; files: { path: string }[]; filename: string };
export type Ran = { code: number; out: string };

export type ClientProject = {
  folder: string;
  /** What `npm pack` says of the tarball. */
  packed: Packed;
  write(path: string, text: string): void;
  /** What the type checker says with these options, of the client's types too: one line a fault. */
  compile(options: object): Promise<Ran>;
  run(command: string, ...args: string[]): Promise<Ran>;
};

/** Packs a folder of the repository, as docs/client.md says, into another one. */
export async function pack(folder: string, into: string): Promise<Packed> {
  const args = ["pack", `./${folder}`, "--json", "--pack-destination", into];
  const { code, out } = await run("npm", args, ROOT);
  if (code !== 0) throw new Error(out);
  const [packed] = JSON.parse(out.slice(out.indexOf("["))) as [Packed];
  return packed;
}

export async function createClientProject(t: Pick<TestContext, "after">): Promise<ClientProject> {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-third-party-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  const packed = await pack("packages/client", folder);
  await unpack(join(folder, packed.filename), join(folder, "node_modules", NAME));
  if (existsSync(join(folder, "node_modules", NAME, "node_modules")))
    throw new Error("the client brings packages along");
  write("package.json", JSON.stringify({ name: "third-party", private: true, type: "module" }));
  return {
    folder,
    packed,
    write,
    compile: (options) => {
      const compilerOptions = { target: "es2022", strict: true, noEmit: true, ...options };
      write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
      return checkTypes(folder, [".", `node_modules/${NAME}/index.d.ts`]);
    },
    run: (command, ...args) => run(command, args, folder),
  };
}

/** Checks the types of these files as TypeScript does, and nothing else: one line a fault. */
export function checkTypes(cwd: string, paths: readonly string[]): Promise<Ran> {
  const options = ["--type-aware", "--type-check", "--allow=all", "--no-ignore", "--format=unix"];
  // In a project of others the linter would not find its own part that reads types.
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(BIN, "tsgolint") };
  return run(join(BIN, "oxlint"), [...options, ...paths], cwd, env);
}

/** Unpacks a tarball of npm, whose files are in `package`. */
export async function unpack(tarball: string, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  const { code, out } = await run(
    "tar",
    ["-xzf", tarball, "-C", into, "--strip-components=1"],
    into,
  );
  if (code !== 0) throw new Error(out);
}

export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env = process.env,
): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, out: code === 0 ? stdout : `${stdout}${stderr}` });
    });
  });
}
