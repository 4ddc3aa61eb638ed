/** `vicinity mcp`: the tools of a running server for hosts that start a program and talk to it. */
import { serverUrl, URL_OPTION } from "#cli/ask.ts";
import { EXIT } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { relay } from "#cli/relay.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "serve the tools for agents on standard input and output",
  positionals: [],
  options: { url: URL_OPTION },
  examples: ["vicinity mcp", "VICINITY_API_KEY=… vicinity mcp --url https://api.example"],
  run: async (parsed, context) => {
    const { io, env } = context;
    await relay({ url: serverUrl(parsed, context), api_key: env.api_key, io });
    return EXIT.ok;
  },
};
