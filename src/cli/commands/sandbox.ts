import type { Command } from "#cli/command.ts";
import { numberOption } from "#cli/command.ts";

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
