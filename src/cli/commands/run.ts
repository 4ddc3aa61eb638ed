/**
 * Commands that run until they are ended: the service, its simulator, and the tools of a running
 * server for hosts that start a program and talk to it.
 */
import { serverUrl, URL_OPTION } from "#cli/ask.ts";
import { type Command, EXIT, numberOption, textOption } from "#cli/command.ts";
import { relay } from "#cli/relay.ts";

export const serve: Command = {
  name: "serve",
  summary: "run the service",
  positionals: [],
  options: {
    sandbox: { help: "with the bundled simulator as its upstreams: no key, no network" },
    config: { value: "FILE", help: "the configuration file (default: vicinity.live.json)" },
  },
  examples: ["vicinity serve --sandbox", "VICINITY_CONTACT=ops@example.org vicinity serve"],
  run: (parsed, { io, env }) => {
    const config = textOption(parsed, "config");
    const sandbox = parsed.options["sandbox"] === true;
    return io.serve({ sandbox, env, ...(config === undefined ? {} : { config }) });
  },
};

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
    tools: { value: "SET", help: "essential or whole (default: as the server offers)" },
  },
  examples: ["vicinity mcp", "VICINITY_API_KEY=… vicinity mcp --url https://api.example"],
  run: async (parsed, context) => {
    const { io, env } = context;
    const tools = textOption(parsed, "tools");
    await relay({ url: serverUrl(parsed, context), api_key: env.api_key, io, tools });
    return EXIT.ok;
  },
};
