/** A third party's project in a folder of its own, with the client installed from its tarball. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const NAME = "@vicinity/client";

type Packed = { size: number; files: { path: string }[]; filename: string };
export type Ran = { code: number; out: string };

export type ClientProject = {
  folder: string;
  /** What `npm pack` says of the tarball. */
  packed: Packed;
  write(path: string, text: string): void;
  /** What tsc says with these options: one line a fault. */
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
      const compilerOptions = { target: "es2022", strict: true, ...options };
      write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
      return run(process.execPath, [TSC, "-p", "."], folder);
    },
    run: (command, ...args) => run(command, args, folder),
  };
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

function run(command: string, args: readonly string[], cwd: string): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, out: code === 0 ? stdout : `${stdout}${stderr}` });
    });
  });
}
