/**
 * Answers a question by one call of a tool that takes wishes, written in the grammar of ask_here
 * (docs/agents.md). As the rules of planner.ts it reads the typed wishes, not the text.
 */
import type { Tool } from "../../trials/agent-tasks/driver.ts";
import type { Answerer } from "./planner.ts";
import type { Claim, FinalAnswer, Point, Question, Wish } from "./question.ts";

/** The tool that takes wishes; undefined: the server has none. */
export function findWishTool(tools: readonly Tool[]): Tool | undefined {
  return tools.find(({ inputSchema }) => "wishes" in (inputSchema.properties ?? {}));
}

export const planByWishes: Answerer = async (question, { tools, call }) => {
  const tool = findWishTool(tools);
  if (tool === undefined) throw new Error("no tool of the server takes wishes");
  const { place, wishes, language } = question;
  const near = place.name ?? `${place.lat},${place.lon}`;
  const has = tool.inputSchema.properties ?? {};
  const needs = listNeeds(question);
  const { isError, body } = await call(tool.name, {
    near,
    wishes: wishes.map(toWish),
    ...(needs.length === 0 ? {} : { for: needs }),
    ...("language" in has ? { language } : {}),
  });
  const error = body["error"] as { candidates?: unknown[] } | undefined;
  if (isError) return { claims: [], ...(error?.candidates === undefined ? {} : { asks: true }) };
  return toFinal(question, body["answers"] as readonly Shown[]);
};

function listNeeds({ wishes }: Question): string[] {
  return [
    ...(wishes.some(({ step_free }) => step_free) ? ["children"] : []),
    ...wishes.flatMap(({ ride }) => (ride === undefined ? [] : [`budget:${ride.at_most}`])),
  ];
}

const SERVICES: Readonly<Record<string, string>> = {
  toilets: "toilet",
  drinking_water: "water",
  charging: "charger",
};
const MODES: Readonly<Record<string, string>> = { bicycle: "bike" };
const FORMS: Readonly<Record<string, string>> = {
  cargo_bicycle: "cargo",
  scooter_seated: "seated",
};
const CONNECTORS: Readonly<Record<string, string>> = {
  IEC_62196_T2: "Type2",
  IEC_62196_T2_COMBO: "CCS2",
};

/** Writes a wish of a question in the grammar. */
function toWish(wish: Wish): string {
  const mode = MODES[wish.mode ?? ""] ?? wish.mode ?? "";
  const isTransit = wish.thing === "transit" || wish.thing === "departure";
  const kind = wish.thing === "service" ? (SERVICES[wish.type ?? ""] ?? wish.type ?? "") : mode;
  const count = wish.least_docks ?? wish.least_available;
  return [
    kind,
    ...(wish.thing === "transit" ? [":stop"] : []),
    ...(isTransit && wish.departs === "last" ? [":last"] : []),
    ...(wish.wheelchair === true ? [":wheelchair"] : []),
    ...(wish.fee === false ? [":no_fee"] : []),
    ...(wish.connector === undefined ? [] : [`:${CONNECTORS[wish.connector]}`]),
    ...(wish.free === true ? [":free"] : []),
    ...(wish.open === true && wish.free !== true ? [":open"] : []),
    ...(wish.form_factor === undefined ? [] : [`:${FORMS[wish.form_factor]}`]),
    ...(wish.least_docks === undefined ? [] : [":dock"]),
    ...(count === undefined ? [] : [`>=${count}`]),
    ...(wish.least_charge === undefined ? [] : [`>=${Math.round(wish.least_charge * 100)}%`]),
    ...(wish.least_kw === undefined ? [] : [`>=${wish.least_kw}kW`]),
    ...(wish.next_to === undefined ? [] : [`~${wish.next_to.within_m}m`]),
  ].join("");
}

type Thing = { location?: Point; line?: string; departs_at?: string; price?: string | null };
type Shown = { answer: string; within_meters?: number; known?: Thing; unknown?: Thing };

function toFinal({ wishes }: Question, answers: readonly Shown[]): FinalAnswer {
  return {
    claims: wishes.map((wished, wish) =>
      toClaim(wish, wished, answers[wish] ?? { answer: "failed" }),
    ),
  };
}

function toClaim(wish: number, wished: Wish, shown: Shown): Claim {
  const { answer, within_meters = 0, known, unknown } = shown;
  const thing = known ?? unknown;
  // Nothing in a smaller circle than that of the question is no answer to it.
  const isWhole = within_meters >= (wished.next_to?.within_m ?? wished.radius_m);
  if (thing === undefined)
    return answer === "none" && isWhole
      ? { wish, says: "none", sure: true }
      : { wish, says: "unknown", sure: false };
  const amount = /^\d+(?:\.\d+)?/.exec(thing.price ?? "")?.[0];
  return {
    wish,
    says: "this",
    sure: known !== undefined,
    ...(thing.location === undefined ? {} : { location: thing.location }),
    ...(thing.line === undefined ? {} : { line: thing.line }),
    ...(thing.departs_at === undefined ? {} : { at: thing.departs_at }),
    ...(amount === undefined ? {} : { price: Number(amount) }),
  };
}
