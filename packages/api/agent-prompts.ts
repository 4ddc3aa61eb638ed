/**
 * The prompts of /mcp, as data (docs/agents.md): journeys that people choose by name. `{name}` in a
 * text is an argument; a part in square brackets is left out where its argument is.
 */

import { QUERY_MODES } from "./nearby-items.ts";

export type PromptArgument = {
  name: string;
  title: string;
  description: string;
  required: boolean;
  /** What its value must be, where not any text will do; a whole value matches. */
  rule?: { pattern: RegExp; words: string };
};

export type AgentPrompt = {
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** Tools without which it leads nowhere. */
  needs: readonly string[];
  text: string;
};

const NEAR = "An address, a place or lat,lon.";

function argument(name: string, title: string, description: string): PromptArgument {
  return { name, title, description, required: true };
}

function optional(
  name: string,
  title: string,
  description: string,
  rule?: PromptArgument["rule"],
): PromptArgument {
  return { name, title, description, required: false, ...(rule === undefined ? {} : { rule }) };
}

const A_NUMBER = { pattern: /^\d{1,6}(\.\d{1,3})?$/, words: "a number" };
const A_MODE = {
  pattern: new RegExp(`^(${QUERY_MODES.join("|")})$`),
  words: `one of ${QUERY_MODES.join(", ")}`,
};

/** What every journey must respect. */
const ALWAYS =
  "Say how old the data are where they are not fresh, and what is unknown. Say so if a source failed. Show the attribution of what you use.";

export const AGENT_PROMPTS = {
  ride_there: {
    title: "Ride there",
    description: "Find a shared vehicle near the start and a place to leave it near the end.",
    needs: ["plan_nearby"],
    arguments: [
      argument("from", "From", NEAR),
      argument("to", "To", NEAR),
      optional("mode", "Mode", "bicycle, scooter, moped or car; any if left out.", A_MODE),
    ],
    text: `Help me ride from {from} to {to}[ by {mode}], now. Plan it with plan_nearby; if a name has several matches, ask me which. Propose the quickest way whose counts are known and one alternative, leg by leg, with minutes, distances in metres and the counts at both ends, and say how long I would walk instead, and whether minutes on foot are along streets. Where it is not known whether the vehicle may be left, say so. ${ALWAYS}`,
  },
  accessible_toilet: {
    title: "An accessible toilet",
    description: "Find the nearest toilet that can be used with a wheelchair and is open now.",
    needs: ["find_urban_services"],
    arguments: [
      argument("near", "Near", NEAR),
      optional("within", "Within", "The farthest distance, in metres.", A_NUMBER),
    ],
    text: `Find a toilet near {near}[, at most {within} metres away,] that can be used with a wheelchair and is open now. Ask with profile step_free, and name the nearest three with minutes on foot, whether the way is known to have no step, opening state, fee and what is needed to get in. Keep those of which accessibility, hours or the way are unknown apart, and never call them accessible or open. ${ALWAYS}`,
  },
  charge_my_car: {
    title: "Charge my car",
    description: "Find a charger with a free plug that fits.",
    needs: ["find_urban_services"],
    arguments: [
      argument("near", "Near", NEAR),
      argument("connector", "Connector", "Such as CCS, CHAdeMO or Type 2."),
      optional("min_kw", "Power", "The least power, in kilowatts.", A_NUMBER),
    ],
    text: `Find a charger near {near} with a {connector} plug[ of at least {min_kw} kW] that is free now. Name the nearest three with distance, power, free and total plugs of that kind, access and fee, and when that was observed. Name chargers of which it is unknown whether a plug is free after them, and say that it is unknown. ${ALWAYS}`,
  },
  what_changed: {
    title: "What changed here",
    description: "Compare the vehicles and stations of a place with an earlier search there.",
    needs: ["search_mobility_nearby", "changes_since"],
    arguments: [
      argument("near", "Near", NEAR),
      optional("mode", "Mode", "bicycle, scooter, moped or car; any if left out.", A_MODE),
    ],
    text: `Say what has changed near {near}[ for {mode}] since I last asked. If you have the dataset of an earlier search there, compare it with now; if not, search now, and say that changes can be seen from now on. Name what entered, left and changed, the nearest first, with the counts before and after, the time between both, and how many are unknown. What is unknown has neither left nor stayed. ${ALWAYS}`,
  },
} as const satisfies Readonly<Record<string, AgentPrompt>>;
