/**
 * Commands that run until they are ended: the service, its simulator, and the tools of a running
 * server for hosts that start a program and talk to it.
 */
import { AskError, serverUrl, URL_OPTION } from "#cli/ask.ts";
import {
  type Command,
  type CommandContext,
  EXIT,
  numberOption,
  type Parsed,
  textOption,
  UsageError,
} from "#cli/command.ts";

import { relay } from "#cli/relay.ts";

export const serve: Command = {
  name: "serve",
  summary: "run the service",
  positionals: [],
  options: {
    sandbox: { help: "with the bundled simulator as its upstreams: no key, no network" },
    config: { value: "FILE", help: "the configuration file (default: vicinity.live.json)" },
    workers: {
      value: "N",
      help: "threads that serve, 1 to 16, or auto: one a core, at most 4 (preview; default: 1)",
    },
  },
  examples: [
    "vicinity serve --sandbox",
    "VICINITY_CONTACT=ops@example.org vicinity serve",
    "vicinity serve --sandbox --workers auto",
  ],
  run: (parsed, { io, env }) => {
    const config = textOption(parsed, "config");
    const sandbox = parsed.options["sandbox"] === true;
    const workers = workersOption(parsed);
    return io.serve({ sandbox, env, workers, ...(config === undefined ? {} : { config }) });
  },
};

function workersOption(parsed: Parsed): number | "auto" {
  if (textOption(parsed, "workers") === "auto") return "auto";
  return numberOption(parsed, "workers", { min: 1, max: 16, integer: true }) ?? 1;
}

export const sandbox: Command = {
  name: "sandbox",
  summary: "run only the simulator of the upstreams",
  positionals: [],
  options: {
    port: { value: "N", help: "where it listens (default: SANDBOX_PORT, else a free port)" },
    seed: { value: "N", help: "which simulated world (default: SANDBOX_SEED, else 1)" },
  },
  examples: ["vicinity sandbox --port 9000 --seed 7"],
  run: (parsed, { io, env }) => {
    const port = numberOption(parsed, "port", { min: 0, max: 65_535, integer: true });
    const seed = numberOption(parsed, "seed", { min: 0, max: 4_294_967_295, integer: true });
    return io.sandbox({
      env,
      ...(port === undefined ? {} : { port }),
      ...(seed === undefined ? {} : { seed }),
    });
  },
};

export const mcp: Command = {
  name: "mcp",
  summary: "serve the tools for agents on standard input and output",
  positionals: [],
  options: {
    url: URL_OPTION,
    sandbox: { help: "of a service of its own over the simulator, which ends with the input" },
    live: { help: "of a service of its own over real sources, which ends with the input" },
    tools: { value: "SET", help: "essential or whole (default: as the server offers)" },
  },
  examples: [
    "vicinity mcp",
    "VICINITY_API_KEY=… vicinity mcp --url https://api.example",
    "VICINITY_CONTACT=me@example.org vicinity mcp --live",
  ],
  run: async (parsed, context) => {
    const { io, env } = context;
    const { sandbox: simulated, live, url } = parsed.options;
    const tools = textOption(parsed, "tools");
    if (simulated !== true && live !== true) {
      await relay({ url: serverUrl(parsed, context), api_key: env.api_key, io, tools });
      return EXIT.ok;
    }
    if ([simulated === true, live === true, url !== undefined].filter(Boolean).length > 1)
      throw new UsageError("--url, --sandbox and --live: expected one of them");
    return await relayOwn(context, { simulated: simulated === true, tools });
  },
};

type OwnOptions = { simulated: boolean; tools: string | undefined };

/** The tools of a service that runs as long as the host speaks. */
async function relayOwn(
  { io, env }: CommandContext,
  { simulated, tools }: OwnOptions,
): Promise<number> {
  const service = await io.openOwn({ sandbox: simulated, env });
  if ("problem" in service) throw new AskError(service.problem);
  try {
    await relay({ url: service.url, api_key: env.api_key, io, tools });
  } finally {
    await service.close();
  }
  return EXIT.ok;
}
