/** What the commands share that ask for a list of results: their options, and asking and printing. */
import { AskError, URL_OPTION, bodyOf, clientFor, serverUrl, toJsonText } from "#cli/ask.ts";
import { exitOf, numberOption, textOption } from "#cli/command.ts";
import type { Context, OptionRule, Parsed } from "#cli/command.ts";
import type { On } from "#cli/print/answer.ts";
import { createPaint } from "#cli/print/paint.ts";
import type { Client, Reply } from "#client/client.ts";

export const LANGUAGE_OPTION: OptionRule = {
  value: "TAG",
  help: "of names and addresses, such as fr or pt-BR (default: the server's)",
};

/** Options of a search in a circle; a command takes those it needs. */
export const CIRCLE_OPTIONS = {
  radius: { value: "M", help: "metres (default: 1500, maximum: 10000)" },
  debug: { help: "show how the sources did" },
  url: URL_OPTION,
} as const satisfies Record<string, OptionRule>;

/** Of /v1/parking/nearby and /v1/charging/nearby (§4.7). */
export const FACILITY_OPTIONS: Readonly<Record<string, OptionRule>> = {
  radius: CIRCLE_OPTIONS.radius,
  limit: { value: "N", help: "at most so many (default and maximum: 20)" },
  language: LANGUAGE_OPTION,
  debug: CIRCLE_OPTIONS.debug,
  url: CIRCLE_OPTIONS.url,
};

type Members = {
  radius: number;
  limit: number;
  language: string;
  country: string;
  debug: boolean;
};

/** The options that were given, as parameters; what they may be is the server's to judge. */
export function givenOptions(parsed: Parsed): Partial<Members> {
  const any = { min: -1e9, max: 1e9 };
  const members = {
    radius: numberOption(parsed, "radius", any),
    limit: numberOption(parsed, "limit", { ...any, integer: true }),
    language: textOption(parsed, "language"),
    country: textOption(parsed, "country"),
    debug: parsed.options["debug"] === true ? true : undefined,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

type Search<B> = {
  ask(client: Client): Promise<Reply<B>>;
  format(body: B, on: On): string;
  /** Where the results are; left out: they are the list itself. */
  list?(body: B): unknown;
};

/** Asks, makes sure that results came, and prints them: a table, or with --json what came. */
export async function search<B extends { results: unknown }>(
  parsed: Parsed,
  context: Context,
  { ask, format, list = ({ results }) => results }: Search<B>,
): Promise<number> {
  const { io, env } = context;
  const body = bodyOf(await ask(clientFor(parsed, context)), serverUrl(parsed, context));
  const results = list(body);
  if (!Array.isArray(results)) throw new AskError("the answer has no results");
  const on: On = { out: io.out, paint: createPaint(io.out, env), now_ms: io.now() };
  io.out.write(parsed.options["json"] ? toJsonText(body) : format(body, on));
  return exitOf("status" in body ? body.status : null, results.length);
}
