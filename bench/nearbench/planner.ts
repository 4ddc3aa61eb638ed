/**
 * Answers a question by rules, without a language model. It reads the typed wishes of a question and not
 * its text, so that it measures what the tools of a server can do and not how a text is understood:
 * for each wish it writes one English sentence, and the driver of the project's tasks
 * (trials/agent-tasks/driver.ts) chooses a tool for it by the words of the descriptions.
 */
import { distance } from "../../sandbox/geo.ts";
import { solve, type Call, type Solved, type Tool } from "../../trials/agent-tasks/driver.ts";
import type { Claim, FinalAnswer, Point, Question, Wish } from "./question.ts";
import { toSentence } from "./sentence.ts";

/** What answers questions: the rules here, or a model of a stranger (README.md). */
export type Answerer = (
  question: Question,
  server: { readonly tools: readonly Tool[]; readonly call: Call },
) => Promise<FinalAnswer>;

type Server = Parameters<Answerer>[1];
type Members = Readonly<Record<string, unknown>>;

export const planByRules: Answerer = async (question, server) => {
  const claims: Claim[] = [];
  for (const [index, wish] of question.wishes.entries()) {
    const anchor = claims.find((claim) => claim.wish === wish.next_to?.wish)?.location;
    if (wish.next_to !== undefined && anchor === undefined) {
      claims.push({ wish: index, says: "unknown", sure: false });
      continue;
    }
    const place = anchor === undefined ? textOf(question.place) : textOf(anchor);
    const { solved, isAmbiguous } = await solveOne(toSentence(wish, place), wish, server);
    if (isAmbiguous && solved.chosen === null) return { claims: [], asks: true };
    claims.push(withinReach(toClaim(index, wish, solved), wish, anchor));
  }
  return { claims };
};

/** What is farther from an earlier answer than wished is no answer that is sure. */
function withinReach(claim: Claim, { next_to }: Wish, anchor: Point | undefined): Claim {
  if (next_to === undefined || anchor === undefined || claim.location === undefined) return claim;
  const isNear = distance(anchor, claim.location) <= next_to.within_m;
  return isNear ? claim : { wish: claim.wish, says: "unknown", sure: false };
}

/** A place that is named is passed on by its name, else where the person is. */
function textOf(place: Point & { readonly name?: string }): string {
  return place.name === undefined ? `${place.lat}, ${place.lon}` : `“${place.name}”`;
}

/** Arguments that no sentence has, by the names that schemas give them. */
function argumentsOf(wish: Wish): Readonly<Record<string, unknown>> {
  return {
    radius: wish.next_to?.within_m ?? wish.radius_m,
    ...(wish.departs === "last" ? { last: true } : {}),
    ...(wish.form_factor === undefined ? {} : { form_factors: [wish.form_factor] }),
    ...(wish.connector === "IEC_62196_T2" ? { connector: ["Type 2"] } : {}),
  };
}

async function solveOne(sentence: string, wish: Wish, { tools, call }: Server) {
  let isAmbiguous = false;
  const solved = await solve(sentence, tools, async (name, input) => {
    const has = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
    const more = Object.entries(argumentsOf(wish)).filter(
      ([member]) => member in has && !(member in input) && !("version" in input),
    );
    const answer = await call(name, { ...input, ...Object.fromEntries(more) });
    const error = answer.body["error"] as { candidates?: unknown[] } | undefined;
    isAmbiguous ||= answer.isError && error?.candidates !== undefined;
    return answer;
  });
  return { solved, isAmbiguous };
}

/** Nothing in a whole answer is "none"; in a refusal or a partial one it is not known. */
function toClaim(wish: number, wished: Wish, { chosen, unsure, last }: Solved): Claim {
  if (chosen === null) {
    const isNone = last !== null && !last.isError && last.body["status"] === "empty";
    return { wish, says: isNone ? "none" : "unknown", sure: isNone };
  }
  const { location, line, planned_at, expected_at } = chosen;
  const at = expected_at ?? planned_at;
  const price = priceOf(chosen, wished);
  return {
    wish,
    says: "this",
    sure: !unsure && isSaid(chosen, wished, last?.body ?? {}) && (!wished.ride || price !== null),
    ...(isPoint(location) ? { location } : {}),
    ...(typeof line === "string" ? { line } : {}),
    ...(typeof at === "string" ? { at } : {}),
    ...(price === null ? {} : { price }),
  };
}

/** Whether the answer says what the sentence could not ask for. */
function isSaid(chosen: Members, wished: Wish, body: Members): boolean {
  if (wished.departs === "last" && body["last"] !== true) return false;
  if (wished.form_factor !== undefined && chosen["form_factor"] !== wished.form_factor)
    return false;
  if (wished.connector !== "IEC_62196_T2") return true;
  const { charging } = (chosen["attributes"] ?? {}) as { charging?: { connectors?: Members[] } };
  return (charging?.connectors ?? []).some(
    ({ type, available_count: free }) => type === "Type 2" && (!wished.free || Number(free) > 0),
  );
}

const isPoint = (value: unknown): value is Point =>
  typeof value === "object" && value !== null && "lat" in value && "lon" in value;

/** Of a ride, where the result has an amount to unlock and one by the minute; null: it has none. */
function priceOf(chosen: Members, { ride }: Wish): number | null {
  const price = (chosen["price"] ?? {}) as Members;
  const by_minute = price["per_minute"] ?? price["per_min"];
  const rate = Array.isArray(by_minute)
    ? (by_minute[0] as Members | undefined)?.["rate"]
    : by_minute;
  const unlock = price["unlock"] ?? price["price"];
  if (ride === undefined || typeof rate !== "number" || typeof unlock !== "number") return null;
  return unlock + rate * ride.minutes;
}
