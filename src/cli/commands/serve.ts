import type { Command } from "#cli/command.ts";
import { textOption } from "#cli/command.ts";

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
