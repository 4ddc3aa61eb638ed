/** The programs that are started, one after the other, each with its settings and its requests. */
import type { FrozenProgram } from "./program.ts";
import type { SettledParts } from "./settle.ts";
import { adminSteps } from "./steps/admin.ts";
import { agentSteps } from "./steps/agents.ts";
import { commandSteps } from "./steps/commands.ts";
import { faultSteps } from "./steps/faults.ts";
import {
  type Amount,
  type Basis,
  conditionalSteps,
  generatedSteps,
  malformedSteps,
} from "./steps/generated.ts";
import { limitSteps, SMALL_PLANS } from "./steps/limits.ts";
import { pageSteps } from "./steps/pages.ts";
import type { Draft } from "./steps/step.ts";

type StageInput = { program: FrozenProgram; basis: Basis; sources: readonly string[] };

export type Stage = {
  name: string;
  settings: object;
  variables: Readonly<Record<string, string>>;
  /** Asks everything once before, so that all that is fetched is there; else only what settles. */
  warm: boolean;
  /** What is waited for; `states`: the sources of the cities must not be asked before. */
  settle: SettledParts;
  make(input: StageInput, amount: Amount): Draft[];
};

const CONDITIONS = 120;
const MALFORMED = 90;
/** Enough of the world for both revisions of each format, and a start in half the time. */
const CITIES = "paris,berlin,london,new-york,tokyo";
const SETTINGS = { changelog: { published: true } };

export const STAGES: readonly Stage[] = [
  {
    name: "answers",
    settings: SETTINGS,
    variables: { SANDBOX_CITIES: CITIES },
    warm: true,
    settle: "answers",
    make: ({ basis }, amount) => [
      ...generatedSteps(basis, amount),
      ...agentSteps(),
      ...pageSteps(),
      ...conditionalSteps(CONDITIONS),
      ...malformedSteps(amount, MALFORMED),
      ...adminSteps(),
      ...commandSteps(),
    ],
  },
  {
    name: "limits",
    settings: { ...SETTINGS, plans: SMALL_PLANS },
    variables: { SANDBOX_CITIES: "paris", VICINITY_ENFORCE_LIMITS: "1" },
    warm: false,
    settle: "answers",
    make: ({ basis }) => limitSteps(basis.keys),
  },
  {
    name: "failing sources",
    settings: SETTINGS,
    variables: { SANDBOX_CITIES: "paris,berlin" },
    warm: false,
    settle: "states",
    make: ({ basis, sources }, { seed }) => faultSteps(basis, sources, seed),
  },
];
