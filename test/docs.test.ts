/** The documents describe the program as it is: names that can drift are compared with their tables. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { readEnv, VARIABLES } from "#config/env.ts";
import { ERRORS } from "#api/errors.ts";
import { cliPage } from "../scripts/pages/cli.ts";
import { COMMANDS } from "#cli/commands.ts";
import { findLastRelease } from "#cli/releases.ts";
import { USUAL_LEVEL } from "#observe/log.ts";
import { GENERATED } from "../scripts/pages/generated.ts";

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const exists = (path: string): boolean => existsSync(new URL(path, root));

const ENVIRONMENT = section(read("docs/operations.md"), "Environment");

test("generated files are up to date (npm run generate)", () => {
  for (const [path, text] of Object.entries(GENERATED)) assert.equal(read(path), text(), path);
});

test("docs/operations.md explains every environment variable, and no other", () => {
  const explained = rowsOf(ENVIRONMENT).flatMap(([names = ""]) => inCode(names));
  assert.deepEqual(explained.toSorted(), Object.keys(VARIABLES).toSorted());
});

test("docs/operations.md states the defaults of the environment", () => {
  const env = readEnv({});
  assert.ok(env.ok);
  const stated = new Map(
    rowsOf(ENVIRONMENT).flatMap(([names = "", defaults = ""]) => {
      const values = inCode(defaults);
      return inCode(names).map((name, index): [string, string | undefined] => [
        name,
        values[index],
      ]);
    }),
  );
  const { value } = env;
  assert.equal(stated.get("HOST"), value.host);
  assert.equal(stated.get("PORT"), String(value.port));
  assert.equal(stated.get("SANDBOX_PORT"), String(value.sandbox_port));
  assert.equal(stated.get("VICINITY_DATA_DIR"), value.data_dir);
  assert.equal(stated.get("SANDBOX_SEED"), String(value.sandbox_seed));
  assert.equal(stated.get("ADMIN_HOST"), value.admin_host);
  assert.equal(stated.get("ADMIN_PORT"), String(value.admin_port));
  assert.equal(stated.get("LOG_LEVEL"), USUAL_LEVEL.json);
});

test("docs/cli.md lists every command", () => {
  const listed = rowsOf(section(read("docs/cli.md"), "Command line")).map(
    ([usage = ""]) => /`(\w+)/.exec(usage)?.[1],
  );
  assert.deepEqual(
    listed,
    // Commands that share their first word share a row.
    [...new Set(COMMANDS.map((command) => command.name.split(" ")[0]))],
  );
});

test("docs/cli.md lists every option of a command, and no other", () => {
  const rows = rowsOf(section(read("docs/cli.md"), "Command line"));
  for (const [usage = "", about = ""] of rows) {
    const word = /`(\w+)/.exec(usage)![1]!;
    const commands = COMMANDS.filter(({ name }) => name.split(" ")[0] === word);
    const entries = new Set(commands.flatMap(({ options }) => Object.keys(options)));
    const listed = new Set([...`${usage} ${about}`.matchAll(/--(\w+)/g)].map(([, name]) => name!));
    assert.deepEqual(
      [...listed].filter((name) => !entries.has(name)),
      [],
      `${word}: no options`,
    );
    // Said once for all, before the table.
    const missing = [...entries].filter((name) => name !== "url" && !listed.has(name));
    assert.deepEqual(missing, [], `${word}: not listed`);
  }
});

test("a new option of a command that asks a service is listed by npm run generate", () => {
  const page = read("docs/cli.md");
  assert.equal(cliPage(page), page);
  const row = (text: string): string =>
    text.split("\n").find((line) => line.startsWith("| `walk "))!;
  const without = page.replaceAll(" --speed", "");
  assert.doesNotMatch(row(without), /--speed/);
  assert.match(row(cliPage(without)), /`walk FROM TO \[--profile --format geojson --speed\]`/);
  const strange = page.replace("[--profile --speed", "[--profile --pace --speed");
  assert.equal(cliPage(strange), page);
});

test("CHANGELOG.md lists as released what /changelog.json of the last release shows, and nothing else", () => {
  const page = read("CHANGELOG.md");
  const { entries } = findLastRelease(root.pathname)!.changelog!;
  const idsIn = (text: string): string[] =>
    [...text.matchAll(/^- \*\*.+?\*\* \([^`]*`([\w-]+)`\)/gm)].map(([, id]) => id!);
  const [next = "", released = ""] = page.split("\n## Released\n");
  assert.deepEqual(idsIn(released).toSorted(), entries.map(({ id }) => id).toSorted());
  const all = JSON.parse(read("changelog/entries.json")) as { entries: { id: string }[] };
  assert.equal(idsIn(next).length, all.entries.length - entries.length);
});

test("every error code is documented", () => {
  const page = read("docs/errors.md");
  for (const code of Object.keys(ERRORS)) assert.ok(page.includes(`| \`${code}\` |`), code);
});

test("every decision is listed by its title, numbered without gaps", () => {
  const files = readdirSync(new URL("docs/decisions", root)).filter((name) => name !== "README.md");
  assert.ok(files.length >= 7, `${files.length} decisions`);
  const list = read("docs/decisions/README.md");
  for (const [index, name] of files.toSorted().entries()) {
    assert.equal(name.slice(0, 5), `${String(index + 1).padStart(4, "0")}-`);
    const [, title = ""] = /^# \d+\. (.+)$/m.exec(read(`docs/decisions/${name}`)) ?? [];
    assert.ok(list.includes(`${index + 1}. [${title}](${name})`), `${name} is not listed`);
  }
});

test("ARCHITECTURE.md and packages/README.md list the layers, and the imports that layers.json allows", () => {
  const { layers } = JSON.parse(read("layers.json")) as {
    layers: Record<string, { imports: string[] }>;
  };
  const rows = ["packages/README.md", "ARCHITECTURE.md"].flatMap((page) =>
    rowsOf(section(read(page), "Layers")),
  );
  const listed = new Map(rows.map(([name = "", , imports = ""]) => [inCode(name)[0], imports]));
  for (const [name, { imports }] of Object.entries(layers))
    if (name === "main") assert.match(listed.get(name) ?? "", /^all/);
    else assert.deepEqual(inCode(listed.get(name) ?? "-"), imports, name);
  assert.equal(listed.size, Object.keys(layers).length);
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

test("every relative link of every page leads to a file", () => {
  const pages = ["*.md", "{docs,deploy,src,trials,test,bench}/**/*.md"].flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: ["**/node_modules/**"] }),
  );
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
  assert.deepEqual(
    links.filter(({ link }) => !existsSync(link)).map(({ page, link }) => `${page}: ${link.href}`),
    [],
  );
  assert.ok(pages.length >= 60 && links.length >= 300, `${pages.length}, ${links.length}`);
});

/** What a reader is asked to read in one go. */
const AT_MOST: Readonly<Record<string, number>> = {
  "README.md": 700,
  "ARCHITECTURE.md": 1_500,
  "docs/results.md": 600,
};

test("the first pages stay short", () => {
  for (const [page, most] of Object.entries(AT_MOST)) {
    // A command is one word.
    const words = read(page)
      .replaceAll(/`[^`\n]+`/g, "code")
      .split(/\s+/)
      .filter(Boolean).length;
    assert.ok(words <= most, `${page}: ${words} words, at most ${most}: move details to docs`);
  }
});

test("every page of docs is reachable from the README", () => {
  const seen = new Set(["README.md"]);
  for (const page of seen)
    for (const link of linksOf(page)) {
      const path = link.href.slice(root.href.length);
      if (path.endsWith(".md")) seen.add(path);
    }
  const pages = globSync("docs/**/*.md", { cwd: root });
  assert.deepEqual(
    pages.filter((page) => !seen.has(page)),
    [],
  );
});

test("the glossary is sorted, without a term twice", () => {
  const terms = rowsOf(read("docs/glossary.md")).map(([term = ""]) => term);
  assert.ok(terms.length >= 30, `${terms.length} terms`);
  assert.deepEqual(terms, [...new Set(terms)].toSorted(new Intl.Collator("en").compare));
});

/** The files and folders that a page links to. */
function linksOf(page: string): URL[] {
  const links = [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => link);
  return links
    .filter((link) => !/^<?[a-z]+:/.test(link))
    .map((link) => new URL(link, new URL(page, root)));
}

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

test("no page or document names a package that only a registry could have", () => {
  const { name } = JSON.parse(read("packages/client/package.json")) as { name: string };
  const texts = ["*.md", "{docs,packages,explorer,src,bin}/**/*.{md,js,ts,html}"].flatMap(
    (pattern) => globSync(pattern, { cwd: root }),
  );
  const names = texts.flatMap((path) => {
    const text = read(path);
    // Fetched by npx or npm: a tarball (./) and the pinned runtime are what may be.
    const fetched = [...text.matchAll(/\b(?:npx|npm (?:i|install|add|exec)) +(?!-)([\w@./-]+)/g)];
    const imported = path.endsWith(".ts")
      ? []
      : [...text.matchAll(/import \{ createClient \} from "([^"]+)"/g)];
    return [
      ...fetched.filter(([, one = ""]) => !one.startsWith("./") && !/^node(@|$)/.test(one)),
      ...imported.filter(([, one]) => one !== name),
    ].map(([match]) => `${path}: ${match}`);
  });
  assert.deepEqual(names, []);
  assert.ok(texts.length > 500, `${texts.length} texts`);
});

test("the tarballs that pages name are those that npm pack writes", () => {
  const manifests = ["package.json", "packages/client/package.json"].map(
    (path) => JSON.parse(read(path)) as { name: string; version: string },
  );
  const packed = manifests.map(
    ({ name, version }) => `${name.replace("@", "").replace("/", "-")}-${version}.tgz`,
  );
  const pages = ["docs/client.md", "docs/operations.md", "explorer/panel/snippets.js"];
  const names = pages.flatMap((page) => read(page).match(/\bvicinity[\w.-]*\.tgz/g) ?? []);
  assert.deepEqual([...new Set(names)].toSorted(), packed.toSorted());
});
