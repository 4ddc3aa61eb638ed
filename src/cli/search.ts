/**
 * Commands that ask an operation and print its results: the options come from the parameters of the
 * operation, and what they may be is the server's to judge.
 */
import { AskError, URL_OPTION, bodyOf, clientFor, print, serverUrl } from "#cli/ask.ts";
import {
  exitOf,
  numberOption,
  SEARCH_EXITS,
  textOption,
  toPoint,
  UsageError,
} from "#cli/command.ts";
import type { Command, CommandContext, OptionRule, Parsed } from "#cli/command.ts";
import type { On } from "#cli/print/print-answer.ts";
import type { Client } from "#api/client/client.ts";
import type { Reply } from "#api/client/reply.ts";
import { type Arguments, defaultOf, type Parameter, type Parameters } from "#api/primitives.ts";

/** Given as arguments; and a table is printed from JSON. */
const NO_OPTIONS: readonly string[] = ["lat", "lon", "q", "format"];

/** What has an option: what is required first, then numbers, else in the order of the table. */
function listOptions(parameters: Parameters): [string, Parameter][] {
  const rank = ({ required, kind }: Parameter): number =>
    required ? 0 : kind === "number" || kind === "integer" ? 1 : 2;
  return Object.entries(parameters)
    .filter(([name, { kind }]) => kind !== "secret" && !NO_OPTIONS.includes(name))
    .toSorted(([, a], [, b]) => rank(a) - rank(b));
}

export function optionsOf(parameters: Parameters): Record<string, OptionRule> {
  return Object.fromEntries(
    listOptions(parameters).map(([name, parameter]) => [name, toOption(parameter)]),
  );
}

function toOption(parameter: Parameter): OptionRule {
  const { kind, required } = parameter;
  return {
    ...(kind === "boolean" ? {} : { value: toValueWord(parameter) }),
    help: `${toAbout(parameter)}${toDefaults(parameter)}`,
    ...(required ? { required: true } : {}),
  };
}

const UNIT_WORDS: Readonly<Record<string, string>> = { minutes: "MIN", "metres a second": "M/S" };

function toValueWord({ kind, word, unit = "" }: Parameter): string {
  switch (kind) {
    case "number":
      return word ?? UNIT_WORDS[unit] ?? "M";
    case "integer":
      return "N";
    case "list":
      return "A,B";
    case "boolean":
    case "choice":
    case "text":
    case "texts":
    case "pattern":
    case "coords":
    case "secret":
      return word ?? "TEXT";
  }
}

/** More are not listed in one line of help. */
const CHOICES_LISTED = 10;

/** The choices, or the first sentence of the description. */
function toAbout({ choices = [], description, example }: Parameter): string {
  if (choices.length > CHOICES_LISTED) return `such as ${example}`;
  if (choices.length > 0) return `of ${choices.join(", ")}`;
  const [sentence = ""] = description.split(/\.(?: |$)/);
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`;
}

function toDefaults(parameter: Parameter): string {
  const { choices = [], reduced_to } = parameter;
  const fallback = defaultOf(parameter);
  if (fallback === undefined || fallback === false) return "";
  if (fallback === reduced_to) return ` (default and maximum: ${reduced_to})`;
  const items = Array.isArray(fallback) ? fallback.join(",") : JSON.stringify(fallback);
  const output = items === choices.join(",") ? "all" : items;
  return ` (default: ${output}${reduced_to === undefined ? "" : `, maximum: ${reduced_to}`})`;
}

const ANY = { min: -1e9, max: 1e9 };

/** The options that were given, as parameters. */
export function queryOf<P extends Parameters>(
  parsed: Parsed,
  parameters: P,
): Partial<Arguments<P>> {
  const input = listOptions(parameters).map(([name, { kind }]) => [
    name,
    valueOf(parsed, name, kind),
  ]);
  return Object.fromEntries(input.filter(([, value]) => value !== undefined)) as Partial<
    Arguments<P>
  >;
}

function valueOf(parsed: Parsed, name: string, kind: Parameter["kind"]) {
  if (kind === "number") return numberOption(parsed, name, ANY);
  if (kind === "integer") return numberOption(parsed, name, { ...ANY, integer: true });
  if (kind === "boolean") return parsed.options[name] === true ? true : undefined;
  return textOption(parsed, name);
}

/** That some option must be given is known here; its choices are named. */
function checkRequired(parsed: Parsed, command: string, parameters: Parameters): void {
  for (const [name, { required, choices = [] }] of listOptions(parameters)) {
    if (!required || textOption(parsed, name) !== undefined) continue;
    const list = `a comma-separated list of ${choices.join(", ")}`;
    throw new UsageError(`${command} needs --${name}, ${list}`);
  }
}

type Point = { lat: number; lon: number };
type Search<B> = {
  ask(client: Client): Promise<Reply<B>>;
  format(body: B, on: On): string;
  /** Where the results are; left out: they are the list itself. */
  list?(body: B): unknown;
};

/** A command that searches around LAT,LON. */
export function searchCommand<P extends Parameters, B extends { results: unknown }>(
  row: Pick<Command, "name" | "summary" | "examples"> &
    Omit<Search<B>, "ask"> & {
      parameters: P;
      ask(client: Client, query: Point & Partial<Arguments<P>>): Promise<Reply<B>>;
    },
): Command {
  const { name, summary, examples, parameters, ask, ...rest } = row;
  return {
    name,
    summary,
    examples,
    positionals: ["LAT,LON"],
    exits: SEARCH_EXITS,
    options: { ...optionsOf(parameters), url: URL_OPTION },
    run: (parsed, context) => {
      const query = { ...toPoint(parsed), ...queryOf(parsed, parameters) };
      checkRequired(parsed, name, parameters);
      return search(parsed, context, { ask: (client) => ask(client, query), ...rest });
    },
  };
}

/** Asks, makes sure that results came, and prints them: a table, or with --json what came. */
export async function search<B extends { results: unknown }>(
  parsed: Parsed,
  context: CommandContext,
  { ask, format, list = ({ results }) => results }: Search<B>,
): Promise<number> {
  const body = bodyOf(await ask(clientFor(parsed, context)), serverUrl(parsed, context));
  const results = list(body);
  if (!Array.isArray(results)) throw new AskError("the answer has no results");
  print(parsed, context, { json: body, table: (on) => format(body, on) });
  return exitOf("status" in body ? body.status : null, results.length);
}
