/**
 * The surfaces of the program, listed from its code: what someone outside of it uses, or what one
 * part of it has others for. Each has a fast test (surfaces.test.ts).
 */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "#cli/commands.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const read = (path: string): string => readFileSync(ROOT + path, "utf8");
const files = (...patterns: string[]): string[] => globSync(patterns, { cwd: ROOT }).sort();

/** Names such as `command nearby`, `worker base`, `routes addPages`, `port SpendStore`, `fact void`. */
export function listSurfaces(): string[] {
  return [
    ...COMMANDS.map(({ name }) => `command ${name}`),
    ...listPrograms().map((name) => `program ${name}`),
    ...listWorkers().map((name) => `worker ${name}`),
    ...listRoutes().map((name) => `routes ${name}`),
    ...listPorts().map((name) => `port ${name}`),
    ...listFacts().map((name) => `fact ${name}`),
  ];
}

/** What src/main.ts does itself for the command line. */
function listPrograms(): string[] {
  const [, handed = ""] = /runCli\(process\.argv\.slice\(2\), \{([^}]*)\}/.exec(
    read("src/main.ts"),
  )!;
  return handed
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

/** Entries of threads and processes. */
function listWorkers(): string[] {
  const paths = files("src/main/workers/*.ts", "src/storage/embedded/*-worker.ts");
  return paths.map((path) => basename(path, ".ts"));
}

/** Functions that add routes, or answer for some. */
function listRoutes(): string[] {
  const made =
    /export (?:async )?function (add[A-Z]\w*|list\w*Routes|\w+Routes?|create\w*Handlers?)\(/g;
  return files("src/http/**/*.ts").flatMap((path) =>
    [...read(path).matchAll(made)].map(([, name]) => name!),
  );
}

/** Types of ports that can be called. */
function listPorts(): string[] {
  return files("src/ports.ts", "src/ports/*.ts").flatMap((path) =>
    [...read(path).matchAll(/^export type (\w+) = (?:\w+ & )?\{\n(.*?)^\};/gms)]
      .filter(([, , members = ""]) => /^ {2}\w+\(/m.test(members))
      .map(([, name]) => name!),
  );
}

/** What handlers say to the meter (core/metering/metered-units.ts). */
function listFacts(): string[] {
  const [, members = ""] = /export type Metered = \{(.*?)^\};/ms.exec(
    read("src/core/metering/metered-units.ts"),
  )!;
  return [...members.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name!);
}
