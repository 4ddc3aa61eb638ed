/** The help texts, made from the commands themselves. */
import type { Command, OptionRule } from "#cli/command.ts";
import { COMMON_OPTIONS } from "#cli/parse.ts";

export function helpOfAll(commands: readonly Command[]): string {
  const rows = commands.map((command): [string, string] => [synopsis(command), command.summary]);
  return [
    "vicinity: what can I use near this coordinate, right now?",
    "",
    "Usage: vicinity <command> [options]",
    "",
    ...columns(rows),
    "",
    "vicinity <command> --help explains one command, vicinity --version prints the version.",
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
    `For example: ${example}`,
    "",
  ].join("\n");
}

export function helpOf(command: Command): string {
  const required = Object.entries(command.options)
    .filter(([, rule]) => rule.required)
    .map(([name, rule]) => optionText(name, rule));
  const lines = [
    `${command.summary[0]?.toUpperCase() ?? ""}${command.summary.slice(1)}.`,
    "",
    `Usage: vicinity ${[command.name, ...command.positionals, ...required].join(" ")} [options]`,
    "",
    ...columns(optionRows(command.options)),
    ...columns(optionRows(COMMON_OPTIONS, ["json", "help"])),
    "",
    ...command.examples.map((example, index) =>
      index === 0 ? `For example: ${example}` : `             ${example}`,
    ),
    ...(command.exits ?? []).map((exit) => `Exits with ${exit}`),
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

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(24, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
