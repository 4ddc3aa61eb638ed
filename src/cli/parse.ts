/** Arguments → command, options and positionals; a wrong one is named together with the nearest. */
import { parseArgs } from "node:util";
import { UsageError } from "#cli/command.ts";
import type { Command, OptionRule, Parsed } from "#cli/command.ts";
import { didYouMean } from "#kit/nearest.ts";

/** Options that every command knows. */
export const COMMON_OPTIONS = {
  json: { help: "machine-readable output" },
  help: { help: "explain the command" },
  version: { help: "print the version" },
} as const satisfies Record<string, OptionRule>;

/** The command that the first word names, or the first two, and what follows it. */
export function findCommand(
  commands: readonly Command[],
  [name = "", ...args]: readonly string[],
): { command: Command; args: readonly string[] } {
  const command = commands.find((each) => each.name === name);
  if (command) return { command, args };
  const group = findGroup(commands, name);
  if (group.length > 0) return findInGroup(group, name, args);
  const names = [...new Set(commands.map((each) => each.name.split(" ")[0]!))];
  throw new UsageError(`unknown command ${JSON.stringify(name)}; ${didYouMean(name, names)}`);
}

/** The commands of two words of which this is the first. */
export function findGroup(commands: readonly Command[], name: string): readonly Command[] {
  return commands.filter((command) => command.name.startsWith(`${name} `));
}

function findInGroup(
  group: readonly Command[],
  name: string,
  [action, ...args]: readonly string[],
): { command: Command; args: readonly string[] } {
  const command = group.find((each) => each.name === `${name} ${action}`);
  if (command) return { command, args };
  const actions = group.map((each) => each.name.slice(name.length + 1));
  if (action === undefined || action.startsWith("-")) {
    throw new UsageError(`${name} needs one of ${actions.join(", ")}`);
  }
  const hint = didYouMean(action, actions, { prefix: `${name} `, listed: "" });
  throw new UsageError(`unknown command ${JSON.stringify(`${name} ${action}`)}; ${hint}`);
}

export function parseCommand(command: Command, args: readonly string[]): Parsed {
  const rules: Readonly<Record<string, OptionRule>> = { ...command.options, ...COMMON_OPTIONS };
  const { named, numbers } = splitNumbers(
    args.map((arg) => toKnown(arg, rules)),
    rules,
  );
  const { tokens } = parseArgs({
    args: named,
    options: Object.fromEntries(
      Object.entries(rules).map(([name, rule]) => [
        name,
        { type: rule.value === undefined ? ("boolean" as const) : ("string" as const) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options: Record<string, string | true> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    if (token.rawName === "-h") options["help"] = true;
    else options[token.name] = checkOption(token, rules, command.name);
  }
  return { positionals: [...positionals, ...numbers], options };
}

/** An option of several words may be typed with hyphens: `--within-minutes`. */
function toKnown(arg: string, rules: Readonly<Record<string, OptionRule>>): string {
  const [, typed, value = ""] = /^--([a-z]+(?:-[a-z]+)+)(=.*)?$/s.exec(arg) ?? [];
  const name = typed?.replaceAll("-", "_") ?? "";
  return typed && !Object.hasOwn(rules, typed) && Object.hasOwn(rules, name)
    ? `--${name}${value}`
    : arg;
}

/** Refuses missing and surplus arguments; of a last one that ends with dots there may be more. */
export function checkPositionals(command: Command, parsed: Parsed): void {
  const missing = command.positionals[parsed.positionals.length];
  if (missing !== undefined && !missing.startsWith("["))
    throw new UsageError(`${command.name} needs ${missing}`);
  const surplus = parsed.positionals[command.positionals.length];
  if (surplus === undefined || command.positionals.at(-1)?.endsWith("...")) return;
  const text = command.positionals.find((name) => name.startsWith('"'));
  const hint = text ? `; put all of the text in quotes: ${text}` : "";
  throw new UsageError(`unexpected argument ${JSON.stringify(surplus)} for ${command.name}${hint}`);
}

function checkOption(
  token: { name: string; rawName: string; value?: string | undefined },
  rules: Readonly<Record<string, OptionRule>>,
  command: string,
): string | true {
  const rule = Object.hasOwn(rules, token.name) ? rules[token.name] : undefined;
  if (!rule) {
    const hint = didYouMean(token.name, Object.keys(rules), { prefix: "--" });
    throw new UsageError(`unknown option ${token.rawName} for ${command}; ${hint}`);
  }
  if (rule.value === undefined) {
    if (token.value === undefined) return true;
    throw new UsageError(`${token.rawName} takes no value`);
  }
  if (token.value === undefined || token.value === "") {
    throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${rule.value}`);
  }
  return token.value;
}

/** `-33.9,18.4` is a place, not a bundle of options: parseArgs would read it as `-3 -3 -. …`. */
function splitNumbers(
  args: readonly string[],
  rules: Readonly<Record<string, OptionRule>>,
): { named: string[]; numbers: string[] } {
  const named: string[] = [];
  const numbers: string[] = [];
  for (const [index, arg] of args.entries()) {
    const before = /^--(.+)$/.exec(args[index - 1] ?? "")?.[1] ?? "";
    const isValue = Object.hasOwn(rules, before) && rules[before]?.value !== undefined;
    if (!/^-[\d.]/.test(arg)) named.push(arg);
    else if (isValue) named.push(`${named.pop() ?? ""}=${arg}`);
    else numbers.push(arg);
  }
  return { named, numbers };
}
