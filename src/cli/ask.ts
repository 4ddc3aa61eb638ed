/** What the commands that ask a running server share: its address, its key, and its refusals. */
import { EXIT, UsageError, textOption } from "#cli/command.ts";
import type { CommandContext, OptionRule, Parsed } from "#cli/command.ts";
import { toOn } from "#cli/print/print-answer.ts";
import type { On } from "#cli/print/print-answer.ts";
import { wrapText } from "#cli/print/wrap.ts";
import { createClient } from "#api/client/client.ts";
import type { Client } from "#api/client/client.ts";
import type { Reply } from "#api/client/reply.ts";

export const URL_OPTION: OptionRule = {
  value: "URL",
  help: "the server to ask (default: VICINITY_URL, else the local one)",
};

/** The server did not answer as hoped: one line, exit 1. */
export class AskError extends Error {}

export function serverUrl(parsed: Parsed, { env }: CommandContext): string {
  const url = textOption(parsed, "url") ?? env.url;
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url.replace(/(?<!\/)\/+$/, "");
  throw new UsageError(`--url: expected an http(s) URL, got ${JSON.stringify(url)}`);
}

export function clientFor(parsed: Parsed, context: CommandContext): Client {
  const { io, env } = context;
  return createClient({
    url: serverUrl(parsed, context),
    fetch: io.fetch,
    ...(env.api_key === null ? {} : { api_key: env.api_key }),
  });
}

/** The body, or an AskError that says in one line what came instead. */
export function bodyOf<T>(reply: Reply<T>, url: string): T {
  switch (reply.kind) {
    case "ok":
      return reply.body;
    case "refused":
      throw new AskError(`${reply.status} ${reply.code}: ${reply.message}`);
    case "stranger":
      throw new AskError(
        `${url} answered ${reply.status} (${reply.content_type}), not as this service does`,
      );
    case "unreachable":
      throw new AskError(
        `no answer from ${url} (${reply.reason}); start it with npm start, or name another with --url`,
      );
  }
}

/** Prints a table, or with --json what it is of; returns the exit code of a command that is done. */
export function print(
  parsed: Parsed,
  { io, env }: CommandContext,
  { json, table }: { json: unknown; table: (on: On) => string },
): number {
  const on = toOn(io, env);
  io.out.write(parsed.options["json"] ? toJsonText(json) : wrapText(table(on), on.room));
  return EXIT.ok;
}

export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
