import { writeFile } from "node:fs/promises";
import { bodyOf, clientFor, serverUrl, toJsonText } from "#cli/ask.ts";
import { atPath, EXIT, textOption } from "#cli/command.ts";
import type { Command, CommandContext, Parsed } from "#cli/command.ts";
import { toOpenApi } from "#api/openapi.ts";

export const openapi: Command = {
  name: "openapi",
  summary: "write the API description (OpenAPI 3.1)",
  positionals: [],
  options: {
    out: { value: "FILE", help: "where to (default: standard output)" },
    url: { value: "URL", help: "of that server, with its constants (default: of this version)" },
  },
  examples: ["vicinity openapi --out openapi.json"],
  run: async (parsed, context) => {
    const text = toJsonText(await describe(parsed, context));
    const out = textOption(parsed, "out");
    if (out === undefined) context.io.out.write(text);
    else await atPath({ name: "--out", path: out }, "write", () => writeFile(out, text));
    return EXIT.ok;
  },
};

async function describe(parsed: Parsed, context: CommandContext) {
  if (textOption(parsed, "url") === undefined) return toOpenApi();
  const reply = await clientFor(parsed, context).openapi();
  return bodyOf(reply, serverUrl(parsed, context));
}
