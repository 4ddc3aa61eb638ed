/**
 * `npm run pack -- NAME [--out FOLDER]`: a package of packages/ as an archive that any project can
 * install: its index and the modules that it needs, those of kit included, as JavaScript with
 * declarations, which TypeScript writes (trials/judges has it).
 */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { needJudges } from "../trials/judges/install.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const TSC = join(ROOT, "trials/judges/node_modules/.bin/tsc");
/** What a stranger can use by itself. */
export const PUBLISHED = ["opening-hours", "osm-base", "transit", "stations"] as const;
type Published = (typeof PUBLISHED)[number];

/** A module specifier between quotes, of an import, an export or a type. */
const SPECIFIER = /(\bfrom |\bimport |\bimport\()"([^"]+)"/g;

/** Over those of this repository. */
const COMPILER_OPTIONS = {
  ...{ noEmit: false, declaration: true, rewriteRelativeImportExtensions: true },
  ...{ resolveJsonModule: true, rootDir: "source", outDir: "package" },
};

type Root = {
  version: string;
  license: string;
  imports: Readonly<Record<string, string>>;
  dependencies: Readonly<Record<string, string>>;
};

/** Writes the archive into a folder and returns its path. */
export function packPackage(name: Published, out: string): string {
  needJudges();
  const draft = mkdtempSync(join(tmpdir(), "vicinity-pack-"));
  try {
    const root = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Root;
    const used = copyModules(`packages/${name}/index.ts`, join(draft, "source"), root);
    compile(draft);
    writeManifest(name, join(draft, "package"), { root, used });
    mkdirSync(out, { recursive: true });
    const options = { cwd: join(draft, "package"), encoding: "utf8" as const };
    const printed = execFileSync("npm", ["pack", "--silent", "--pack-destination", out], options);
    return join(out, printed.trim());
  } finally {
    rmSync(draft, { recursive: true });
  }
}

/** Copies every module that the entry leads to, and returns the packages of others that they use. */
function copyModules(entry: string, into: string, root: Root): string[] {
  const paths = new Set([entry]);
  const used = new Set<string>();
  for (const path of paths) {
    const text = readFileSync(join(ROOT, path), "utf8");
    const target = join(into, path.replace("packages/", ""));
    mkdirSync(dirname(target), { recursive: true });
    if (path.endsWith(".json")) {
      writeFileSync(target, text);
      continue;
    }
    const relative = text.replace(SPECIFIER, (whole, before: string, specifier: string) => {
      const module = findModule(specifier, path, root);
      if (module !== null) paths.add(module);
      else if (!specifier.startsWith("node:")) used.add(packageOf(specifier));
      return module === null ? whole : `${before}"${toRelative(path, module)}"`;
    });
    writeFileSync(target, relative);
  }
  return [...used].sort();
}

/** Path from the root of the repository; null: a package of others, or a built-in. */
function findModule(specifier: string, from: string, { imports }: Root): string | null {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  for (const [alias, path] of Object.entries(imports))
    if (alias.endsWith("*") && specifier.startsWith(alias.slice(0, -1)))
      return `${path.slice(2, -1)}${specifier.slice(alias.length - 1)}`;
  return null;
}

function toRelative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Makes JavaScript and declarations of the copied modules; throws with what TypeScript says. */
function compile(draft: string): void {
  symlinkSync(join(ROOT, "node_modules"), join(draft, "node_modules"));
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8")) as {
    compilerOptions: object;
  };
  const config = {
    compilerOptions: { ...compilerOptions, ...COMPILER_OPTIONS },
    include: ["source"],
  };
  writeFileSync(join(draft, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(draft, "package.json"), JSON.stringify({ type: "module" }));
  execFileSync(TSC, ["-p", draft], { stdio: ["ignore", process.stderr, process.stderr] });
  for (const path of globSync(join(draft, "package/**/*.d.ts"))) {
    const text = readFileSync(path, "utf8");
    writeFileSync(
      path,
      text.replace(SPECIFIER, (whole) => whole.replace(/\.ts"$/, '.js"')),
    );
  }
}

function writeManifest(
  name: Published,
  folder: string,
  { root, used }: { root: Root; used: readonly string[] },
): void {
  const readme = readFileSync(join(ROOT, `packages/${name}/README.md`), "utf8");
  const [, description = ""] = /^# .*\n\n(.*)/.exec(readme) ?? [];
  const entry = `./${name}/index`;
  const manifest = {
    name: `@vicinity/${name}`,
    version: root.version,
    description,
    license: root.license,
    type: "module",
    engines: { node: ">=24" },
    exports: { ".": { types: `${entry}.d.ts`, default: `${entry}.js` } },
    types: `${entry}.d.ts`,
    sideEffects: false,
    dependencies: Object.fromEntries(used.map((each) => [each, root.dependencies[each]])),
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, "README.md"), readme);
  copyFileSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { out: { type: "string", default: "." } },
    allowPositionals: true,
  });
  const name = PUBLISHED.find((each) => each === positionals[0]);
  if (name === undefined || positionals.length > 1) {
    console.error(`name one package: ${PUBLISHED.join(", ")}`);
    process.exit(2);
  }
  console.log(packPackage(name, resolve(values.out)));
}
