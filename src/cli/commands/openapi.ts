import { writeFile } from "node:fs/promises";
import { URL_OPTION, bodyOf, clientFor, serverUrl, toJsonText } from "#cli/ask.ts";
import { EXIT, textOption } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";

export const openapi: Command = {
  name: "openapi",
  summary: "write the API description of a running server, with that deployment's constants",
  positionals: [],
  options: {
    out: { value: "FILE", help: "where to (default: standard output)" },
    url: URL_OPTION,
  },
  examples: ["vicinity openapi --out openapi.json"],
  run: async (parsed, context) => {
    const reply = await clientFor(parsed, context).openapi();
    const text = toJsonText(bodyOf(reply, serverUrl(parsed, context)));
    const out = textOption(parsed, "out");
    if (out === undefined) context.io.out.write(text);
    else await writeFile(out, text);
    return EXIT.ok;
  },
};
