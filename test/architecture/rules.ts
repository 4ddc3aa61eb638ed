/** layers.json as functions: sources in, violations out. The test plants some and sees them caught. */
import { posix } from "node:path";
import { readFacts } from "./facts.ts";
import type { Facts, Import } from "./facts.ts";

type Layer = {
  paths: string[];
  imports: string[];
  /** Layers of which only types may be imported. */
  types_only?: string[];
  packages: string[];
  pure?: boolean;
  /** It connects the others, and has no timer, switch or constant of policy. */
  wires?: boolean;
};

export type Rules = {
  /** Names for several layers at once. */
  groups: Record<string, string[]>;
  layers: Record<string, Layer>;
  /** Packages each of whose files is a door, with the reason. */
  flat: Record<string, string>;
  /** Files by which the tests of the service reach the other packages, as patterns. */
  doors: string[];
  /** The entry points of the program and its tools, with the reason for each. */
  entries: Record<string, string>;
  purity: { globals: string[]; members: string[] };
  catch: Record<string, string>;
  environment: string[];
  size: { file_lines: number; function_lines: number; exempt: Record<string, string> };
};

/** Path from the root of the repository → text. */
export type Sources = ReadonlyMap<string, string>;

export type Options = {
  rules: Rules;
  /** `imports` of package.json: `#core/*` → `./src/core/*`. */
  aliases: Readonly<Record<string, string>>;
};

type File = { path: string; layer: string | null; facts: Facts };

/** One line per violation, in order of path. */
export function findViolations(sources: Sources, options: Options): string[] {
  const { rules } = options;
  const files = [...sources]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, source]) => ({
      path,
      layer: layerOf(path, rules),
      facts: readFacts(path, source),
    }));
  return [
    ...files.flatMap((file) => ofOneFile(file, sources, options)),
    ...unreachable(files, sources, options),
  ];
}

function ofOneFile(file: File, sources: Sources, options: Options): string[] {
  const { rules } = options;
  if (file.layer === null) return [`${file.path}: belongs to no layer of layers.json`];
  const layer = rules.layers[file.layer] as Layer;
  return [
    ...file.facts.imports.flatMap((one) => ofImport(one, file, { layer, sources, options })),
    ...(layer.pure ? [...ofPurity(file, rules), ...ofState(file)] : []),
    ...(layer.wires ? ofWiring(file) : []),
    ...ofEnvironment(file, rules),
    ...ofCatch(file, rules),
    ...ofVoids(file),
    ...ofObjects(file),
    ...ofSize(file, rules),
  ];
}

function ofImport(
  one: Import,
  file: File,
  at: { layer: Layer; sources: Sources; options: Options },
): string[] {
  const { layer, sources, options } = at;
  const where = `${file.path}:${one.line}`;
  const target = resolve(one.specifier, file.path, options.aliases);
  if (target === null) {
    const name = packageOf(one.specifier);
    const allowed = layer.packages.some((pattern) => matches(pattern, name));
    return allowed ? [] : [`${where}: ${file.layer} may not use the package ${name}`];
  }
  // Data of the file that reads it; the compiler sees that it is there.
  if (target.endsWith(".json") && target.startsWith(`${posix.dirname(file.path)}/`)) return [];
  if (!sources.has(target)) return [`${where}: ${one.specifier} is not a source file`];
  const other = layerOf(target, options.rules);
  if (other === null || other === file.layer) return [];
  if (!spellOut(layer.imports, options.rules).includes(other))
    return [`${where}: ${file.layer} may not import ${other}`];
  const typesOnly = spellOut(layer.types_only ?? [], options.rules).includes(other) && !one.types;
  return typesOnly ? [`${where}: ${file.layer} may import only types of ${other}`] : [];
}

/** Names of groups become those of their layers. */
function spellOut(names: readonly string[], { groups }: Rules): string[] {
  return names.flatMap((name) => groups[name] ?? [name]);
}

function ofPurity(file: File, rules: Rules): string[] {
  const banned = new Set([...rules.purity.globals, ...rules.purity.members]);
  return file.facts.uses
    .filter((use) => banned.has(use.name))
    .map((use) => `${file.path}:${use.line}: ${file.layer} is pure and may not use ${use.name}`);
}

function ofState(file: File): string[] {
  return file.facts.state.map(
    ({ name, line }) =>
      `${file.path}:${line}: ${file.layer} is pure and may not keep state in the module (${name})`,
  );
}

function ofWiring({ path, layer, facts }: File): string[] {
  return facts.decisions.map(
    ({ name, line }) => `${path}:${line}: ${layer} only wires and may not have ${name}`,
  );
}

function ofEnvironment(file: File, rules: Rules): string[] {
  if (rules.environment.includes(file.path)) return [];
  return file.facts.uses
    .filter((use) => use.name === "process.env")
    .map(
      (use) => `${file.path}:${use.line}: only ${rules.environment.join(", ")} reads process.env`,
    );
}

function ofCatch(file: File, rules: Rules): string[] {
  // The simulator plays the upstreams; how it stumbles is part of the play.
  if (file.layer === "sandbox" || Object.hasOwn(rules.catch, file.path)) return [];
  return file.facts.catches.map((line) => `${file.path}:${line}: not a file that may catch`);
}

/** The linter sees `void` as a statement alone; behind an arrow it would hide a rejection as well. */
function ofVoids(file: File): string[] {
  if (file.layer === "sandbox") return [];
  return file.facts.voids.map(
    (line) =>
      `${file.path}:${line}: void before a call; a promise goes to detach (packages/kit/guard.ts)`,
  );
}

/** A reply has the type of its operation, so that a wrong member of it does not compile. */
function ofObjects(file: File): string[] {
  if (file.layer === "sandbox") return [];
  return file.facts.objects.map((line) => `${file.path}:${line}: any object is no type of a reply`);
}

function ofSize(file: File, { size }: Rules): string[] {
  if (Object.hasOwn(size.exempt, file.path)) return [];
  const long = file.facts.functions
    .filter((one) => one.lines > size.function_lines)
    .map(
      (one) =>
        `${file.path}:${one.line}: ${one.name} has ${one.lines} lines, at most ${size.function_lines}`,
    );
  const { lines } = file.facts;
  return lines > size.file_lines
    ? [`${file.path}: ${lines} lines, at most ${size.file_lines}`, ...long]
    : long;
}

/** Permissions to import a layer or a package that no file uses: `app: kit-run`. Groups may be wider. */
export function findUnused(sources: Sources, { rules, aliases }: Options): string[] {
  const used = new Map<string, Set<string>>();
  for (const [path, source] of sources) {
    const layer = layerOf(path, rules);
    if (layer === null) continue;
    const names = used.get(layer) ?? new Set<string>();
    used.set(layer, names);
    for (const { specifier } of readFacts(path, source).imports) {
      const target = resolve(specifier, path, aliases);
      const name = target === null ? packageOf(specifier) : layerOf(target, rules);
      if (name !== null) names.add(name);
    }
  }
  return Object.entries(rules.layers).flatMap(([name, { imports, packages }]) =>
    [...imports.filter((each) => !(each in rules.groups)), ...packages]
      .filter((each) => ![...(used.get(name) ?? [])].some((one) => matches(each, one)))
      .map((each) => `${name}: ${each}`),
  );
}

/** Imports of tests of the service that go past the doors of a package; its data and tables of cases may be read. */
export function findInnerImports(tests: Sources, { rules, aliases }: Options): string[] {
  return [...tests].flatMap(([path, source]) =>
    readFacts(path, source).imports.flatMap(({ specifier, line }) => {
      const target = resolve(specifier, path, aliases);
      const isInner =
        target?.startsWith("packages/") &&
        !/\.json$|^packages\/[^/]+\/test\//.test(target) &&
        !Object.keys(rules.flat).some((flat) => target.startsWith(flat)) &&
        !isDoor(target, rules);
      return isInner ? [`${path}:${line}: ${specifier} is no door of its package`] : [];
    }),
  );
}

function isDoor(path: string, { doors }: Rules): boolean {
  return doors.some((pattern) => posix.matchesGlob(path, pattern));
}

/** Files that no entry and no door of a package leads to: dead, or wired up nowhere. */
function unreachable(files: readonly File[], sources: Sources, options: Options): string[] {
  const imports = new Map(files.map((file) => [file.path, file.facts.imports]));
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const one of imports.get(path) ?? []) {
      const target = resolve(one.specifier, path, options.aliases);
      if (target !== null && sources.has(target)) follow(target);
    }
  };
  const entries = Object.keys(options.rules.entries);
  const missing = entries.filter((entry) => !sources.has(entry));
  if (missing.length > 0) return missing.map((entry) => `${entry}: an entry that is missing`);
  const doors = files.map(({ path }) => path).filter((path) => isDoor(path, options.rules));
  for (const entry of [...entries, ...doors]) follow(entry);
  return files
    .filter((file) => /^(src|packages)\//.test(file.path) && !reached.has(file.path))
    .map((file) => `${file.path}: nothing that starts leads here`);
}

function layerOf(path: string, rules: Rules): string | null {
  for (const [name, layer] of Object.entries(rules.layers)) {
    if (layer.paths.some((one) => (one.endsWith("/") ? path.startsWith(one) : path === one))) {
      return name;
    }
  }
  return null;
}

/** The file of a relative or `#` specifier; null for a package. */
function resolve(
  specifier: string,
  from: string,
  aliases: Readonly<Record<string, string>>,
): string | null {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  for (const [alias, target] of Object.entries(aliases)) {
    const [head = "", tail] = alias.split("*");
    if (tail === undefined ? specifier !== alias : !specifier.startsWith(head)) continue;
    return posix.normalize(target.replace("*", specifier.slice(head.length)));
  }
  return null;
}

/** `node:fs/promises` stays whole, `@noble/hashes/sha2.js` becomes `@noble/hashes`. */
function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier;
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
