/** The help texts, made from the commands themselves. */
import type { Command, OptionRule } from "#cli/command.ts";
import { COMMON_OPTIONS } from "#cli/parse.ts";
import { fill } from "#cli/print/wrap.ts";

export function helpOfAll(commands: readonly Command[]): string {
  const rows = commands.map((command): [string, string] => [synopsis(command), command.summary]);
  return [
    "vicinity: what can I use near this coordinate, right now?",
    "",
    "Usage: vicinity <command> [options]",
    "",
    ...columns(rows),
    "",
    ...wrap(
      "vicinity <command> --help explains one command, vicinity --version prints the version.",
    ),
    "",
  ].join("\n");
}

/** Writes the help of commands that share their first word. */
export function helpOfGroup(name: string, group: readonly Command[]): string {
  const rows = group.map((command): [string, string] => [synopsis(command), command.summary]);
  const [example] = group.flatMap((command) => command.examples);
  return [
    `Usage: vicinity ${name} <action> [options]`,
    "",
    ...columns(rows),
    "",
    `vicinity ${name} <action> --help explains one of them.`,
    "",
    ...examplesOf(example === undefined ? [] : [example]),
    "",
  ].join("\n");
}

export function helpOf(command: Command): string {
  const required = Object.entries(command.options)
    .filter(([, rule]) => rule.required)
    .map(([name, rule]) => optionText(name, rule));
  const lines = [
    ...wrap(`${command.summary[0]?.toUpperCase() ?? ""}${command.summary.slice(1)}.`),
    "",
    `Usage: vicinity ${[command.name, ...command.positionals, ...required].join(" ")} [options]`,
    "",
    ...columns(optionRows(command.options)),
    ...columns(optionRows(COMMON_OPTIONS, ["json", "help"])),
    "",
    ...examplesOf(command.examples),
    ...(command.exits ?? []).flatMap((exit) => ["", ...wrap(`Exits with ${exit}`)]),
    "",
  ];
  return lines.join("\n");
}

/** A command with its arguments and its most distinctive options. */
function synopsis(command: Command): string {
  const options = Object.entries(command.options)
    .slice(0, 2)
    .map(([name, rule]) =>
      rule.required ? optionText(name, rule) : `[${optionText(name, rule)}]`,
    );
  return [command.name, ...command.positionals, ...options].join(" ");
}

function optionRows(
  rules: Readonly<Record<string, OptionRule>>,
  names: readonly string[] = Object.keys(rules),
): [string, string][] {
  return names.flatMap((name) => {
    const rule = rules[name];
    return rule ? [[optionText(name, rule), rule.help] as [string, string]] : [];
  });
}

function optionText(name: string, rule: OptionRule): string {
  return rule.value === undefined ? `--${name}` : `--${name} ${rule.value}`;
}

/** The narrowest terminal, characters: no line is longer. */
const LINE = 80;
/** Of the first column: next to a longer one there is no room, so its text begins on the next line. */
const MOST_LEFT = 28;
const INDENT = "  ";

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const longest = Math.max(24, ...rows.map(([left]) => left.length));
  const width = Math.min(longest, MOST_LEFT);
  const margin = INDENT.length + width + INDENT.length;
  return rows.flatMap(([left, right]) => {
    const [first = "", ...others] = wrap(right, LINE - margin);
    const padded = others.map((line) => " ".repeat(margin) + line);
    const head = `${INDENT}${left.padEnd(width)}`;
    return left.length <= width
      ? [`${head}${INDENT}${first}`, ...padded]
      : [head, " ".repeat(margin) + first, ...padded];
  });
}

/** Commands as they can be typed: one that is longer than a line goes on in the next one. */
function examplesOf(examples: readonly string[]): string[] {
  const lines = examples.flatMap((example) => {
    const [first = "", ...others] = fill(example.split(/ (?=--)/), LINE - 6);
    const all = [first, ...others.map((line) => `${INDENT}${line}`)];
    return all.map((line, i) => `${INDENT}${line}${i < others.length ? " \\" : ""}`);
  });
  return lines.length === 0 ? [] : ["For example:", ...lines];
}

function wrap(text: string, width: number = LINE): string[] {
  return fill(text.split(" "), width);
}
