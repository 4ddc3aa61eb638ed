import { bodyOf, clientFor, print, serverUrl, URL_OPTION } from "#cli/ask.ts";
import { UsageError } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatQuality } from "#cli/print/print-quality.ts";

export const quality: Command = {
  name: "quality",
  summary: "show how a source did in 24 hours and 30 days, and what is wrong in its data",
  positionals: ["ID"],
  options: { url: URL_OPTION },
  examples: ["vicinity quality gbfs:velib_metropole", "vicinity quality gbfs_catalogue --json"],
  run: async (parsed, context) => {
    const [id = ""] = parsed.positionals;
    if (id === "")
      throw new UsageError("quality needs the id of a source, as GET /v1/sources has it");
    const reply = await clientFor(parsed, context).sourceQuality(id);
    const body = bodyOf(reply, serverUrl(parsed, context));
    return print(parsed, context, { json: body, table: (on) => formatQuality(body, on) });
  },
};
