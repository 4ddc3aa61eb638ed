/** The documents say what the program does: names that can drift are held against their tables. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { readEnv, VARIABLES } from "#config/env.ts";
import { ERRORS } from "#contract/errors.ts";
import { COMMANDS } from "#cli/commands.ts";
import { GENERATED } from "../scripts/pages/generated.ts";

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const exists = (path: string): boolean => existsSync(new URL(path, root));

const README = read("README.md");

test("generated files are up to date (npm run generate)", () => {
  for (const [path, text] of Object.entries(GENERATED)) assert.equal(read(path), text(), path);
});

test("the README explains every environment variable, and no other", () => {
  const documented = rowsOf(section(README, "Environment")).flatMap(([names = ""]) =>
    inCode(names),
  );
  assert.deepEqual(documented.toSorted(), Object.keys(VARIABLES).toSorted());
});

test("the README states the defaults of the environment", () => {
  const env = readEnv({});
  assert.ok(env.ok);
  const documented = new Map(
    rowsOf(section(README, "Environment")).flatMap(([names = "", defaults = ""]) => {
      const values = inCode(defaults);
      return inCode(names).map((name, index): [string, string | undefined] => [
        name,
        values[index],
      ]);
    }),
  );
  const { value } = env;
  assert.equal(documented.get("HOST"), value.host);
  assert.equal(documented.get("PORT"), String(value.port));
  assert.equal(documented.get("SANDBOX_PORT"), String(value.sandbox_port));
  assert.equal(documented.get("VICINITY_DATA_DIR"), value.data_dir);
  assert.equal(documented.get("SANDBOX_SEED"), String(value.sandbox_seed));
  assert.equal(documented.get("ADMIN_HOST"), value.admin_host);
  assert.equal(documented.get("ADMIN_PORT"), String(value.admin_port));
  assert.equal(documented.get("LOG_LEVEL"), value.log_level);
});

test("the README lists every command", () => {
  const documented = rowsOf(section(README, "Command line")).map(
    ([usage = ""]) => /`(\w+)/.exec(usage)?.[1],
  );
  assert.deepEqual(
    documented,
    // Commands that share their first word share a row.
    [...new Set(COMMANDS.map((command) => command.name.split(" ")[0]))],
  );
});

test("every error code is documented", () => {
  const page = read("docs/errors.md");
  for (const code of Object.keys(ERRORS)) assert.ok(page.includes(`| \`${code}\` |`), code);
});

test("every decision is listed in ARCHITECTURE.md, numbered without gaps", () => {
  const files = readdirSync(new URL("docs/decisions", root)).filter((name) => name.endsWith(".md"));
  assert.ok(files.length >= 7, `${files.length} decisions`);
  const architecture = read("ARCHITECTURE.md");
  for (const [index, name] of files.toSorted().entries()) {
    assert.equal(name.slice(0, 5), `${String(index + 1).padStart(4, "0")}-`);
    assert.ok(architecture.includes(`(docs/decisions/${name})`), `${name} is not listed`);
  }
});

test("every path in CONTRIBUTING's table exists", () => {
  const cells = rowsOf(section(read("CONTRIBUTING.md"), "Where to change what"));
  // Of a provider that is not written yet: test/unit/new-provider.test.ts writes it.
  const paths = cells
    .flatMap((cell) => inCode(cell[1] ?? ""))
    .filter((text) => !text.includes("NAME") && !text.startsWith("npm run "));
  assert.ok(paths.length >= 10, `${paths.length} paths`);
  // NAME is a placeholder for what is added: its folder exists.
  assert.deepEqual(
    paths.filter((path) => !exists(path.includes("NAME") ? dirname(path) : path)),
    [],
  );
});

test("every link between documents leads somewhere", () => {
  const pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/glossary.md"];
  const decisions = readdirSync(new URL("docs/decisions", root)).map(
    (name) => `docs/decisions/${name}`,
  );
  for (const page of [...pages, ...decisions]) {
    for (const [, link = ""] of read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^https?:/.test(link)) continue;
      assert.ok(existsSync(new URL(link, new URL(page, root))), `${page}: ${link}`);
    }
  }
});

/** The text under a heading, up to the next one of the same or a higher level. */
function section(page: string, title: string): string {
  const lines = page.split("\n");
  const start = lines.findIndex(
    (line) => line.replace(/^#+ /, "") === title && line.startsWith("#"),
  );
  assert.ok(start >= 0, `no heading "${title}"`);
  const level = /^#+/.exec(lines[start] ?? "")?.[0].length ?? 1;
  const end = lines.findIndex((line, index) => {
    const depth = /^#+ /.exec(line)?.[0].length;
    return index > start && depth !== undefined && depth - 1 <= level;
  });
  return lines.slice(start + 1, end < 0 ? undefined : end).join("\n");
}

/** The body rows of the tables in a text, cell by cell. */
function rowsOf(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells, index, all) => !isRule(cells) && !isRule(all[index + 1]));
}

function isRule(cells: readonly string[] | undefined): boolean {
  return cells?.every((cell) => /^:?-+:?$/.test(cell)) === true;
}

function inCode(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}
