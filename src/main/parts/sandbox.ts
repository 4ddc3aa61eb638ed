/** What the sandbox has and a live service has not: the simulator, its keys, and a start that waits for the first answers. */
import type { Sandbox } from "../../../sandbox/main.ts";
import { FIRST_READINGS, listNeeded } from "#config/simulated.ts";
import type { Part } from "#process/parts.ts";
import { provideSandboxKeys } from "#storage/sandbox-keys.ts";
import type { Inputs } from "./given.ts";
import { part } from "./parts.ts";

export function listSandboxParts(input: Inputs): Part[] {
  const { options, clock, onFault } = input;
  const { config, env } = options;
  const background = true;
  return [
    part("sandbox", ["tiles"], () => openSandbox(input), {
      label: "simulator",
      close: (sandbox) => sandbox?.close(),
    }),
    part(
      "cities_surveyed",
      ["catalogues_read", "sources", "sandbox", "feeds"],
      ({ sources, sandbox, feeds: { feeds } }) =>
        feeds.surveyed(listNeeded(sources, sandbox).countries),
      { background },
    ),
    part(
      "first_timetables",
      ["sources", "sandbox", "transit", "systems"],
      ({ sources, sandbox, transit }, started) => {
        const tried = listNeeded(sources, sandbox).timetables.map(transit.tried);
        return Promise.race([Promise.all(tried), started("timetables_read")]);
      },
      { background },
    ),
    part(
      "turn",
      ["cities_surveyed", "first_timetables", "bases_read", "registers_read"],
      () => null,
      FIRST_READINGS,
    ),
    // A store that is away gets them when it comes.
    part(
      "keys",
      ["turn", "storage"],
      ({ storage: { accounts } }) =>
        provideSandboxKeys(accounts, {
          plans: Object.keys(config.plans),
          seed: env.sandbox_seed,
          now_ms: clock.now(),
          onFault,
        }),
      { close: ({ close }) => close() },
    ),
  ];
}

export function listLiveParts(): Part[] {
  return [
    part("sandbox", [], () => null),
    part("turn", ["recalled"], () => null),
    // Needed by questions until the survey is over, which takes minutes.
    part(
      "countries",
      ["turn", "feeds", "whereabouts"],
      async ({ feeds: { world }, whereabouts: { countries } }) => {
        if (!world.isSurveyed()) await countries.load();
        return null;
      },
    ),
    part("keys", ["countries"], () => ({ keys: [], close: () => undefined })),
  ];
}

/** The simulator's clock carries the service's along, and what falls due happens before it answers. */
async function openSandbox({ options, time, clock }: Inputs): Promise<Sandbox> {
  const { env, simulator } = options;
  // Stores keep whole milliseconds, and refuse anything else.
  const follow = (advance_s: number): Promise<void> => clock.advance(Math.round(advance_s * 1000));
  if (simulator) return await simulator.open(clock.now, follow);
  const { startSandbox } = await import("../../../sandbox/main.ts");
  return await startSandbox({
    now: time.now,
    seed: env.sandbox_seed,
    port: env.sandbox_port,
    ...(env.sandbox_cities && { cities: env.sandbox_cities }),
    onAdvance: follow,
  });
}
