/**
 * The options in the table of docs/cli.md of each command that asks a service: they come from the
 * parameters of its operation, so a new one is listed without a hand. What a word has after it there,
 * such as `--format geojson`, stays.
 */
import { readFileSync } from "node:fs";
import { COMMANDS } from "#cli/commands.ts";

const PAGE = new URL("../../docs/cli.md", import.meta.url);

/** A command, its arguments, and its options in brackets. */
const USAGE = /^\| `(\w+)([^`[]*)\[(--[^\]`]*)\]`/gm;

export function cliPage(page = readFileSync(PAGE, "utf8")): string {
  return page.replaceAll(USAGE, (row: string, name: string, before: string, listed: string) => {
    const { options } = COMMANDS.find((command) => command.name === name) ?? { options: {} };
    if (!("url" in options)) return row;
    const written = new Map(
      listed.split(/ (?=--)/).map((option) => [/^--(\w+)/.exec(option)![1]!, option]),
    );
    const names = Object.keys(options).filter(
      (option) => (option !== "url" || written.has(option)) && !before.includes(`--${option} `),
    );
    const known = [...written.keys()].filter((option) => names.includes(option));
    const added = names.filter((option) => !written.has(option));
    const all = [...known, ...added].map((option) => written.get(option) ?? `--${option}`);
    return `| \`${name}${before}[${all.join(" ")}]\``;
  });
}
