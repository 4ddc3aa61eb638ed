/**
 * Ways on foot held against those that the simulator's own search finds over its streets
 * (sandbox/walks), which shares no code with the service.
 */
import { distance } from "../../sandbox/geo.ts";
import type { Profile } from "../../sandbox/walks/put.ts";
import type { TrueWalk, Walks } from "../../sandbox/walks/walk.ts";
import type { World } from "../../sandbox/world/world.ts";
import type { Pair } from "./questions.ts";

export const PROFILES: readonly Profile[] = ["foot", "step_free"];

/** What a program answers about one way; a text: why there is none. */
type Answer = { meters: number; step_free: boolean | null } | string;

export type Verdict = {
  compared: number;
  /** Answers by outcome. */
  outcomes: Map<string, number>;
  worst_m: number;
  wrong: string[];
};

export function createVerdict(): Verdict {
  return { compared: 0, outcomes: new Map(), worst_m: 0, wrong: [] };
}

/**
 * Lengths of edges are whole centimetres: half of one for each piece of the way. At both ends places
 * are whole ten-millionths of a degree, a centimetre each.
 */
const END_M = 0.01;
const PIECE_M = 0.005;

function toleranceOf(truth: TrueWalk): number {
  return truth.meters === null ? 0 : 2 * END_M + PIECE_M * truth.pieces;
}

/** `rounding_m`: of the answer, where it is whole metres. */
export function judge(
  verdict: Verdict,
  { pair, profile, answer, truth }: Judged,
  rounding_m = 0,
): void {
  verdict.compared += 1;
  const outcome = outcomeOf(truth);
  verdict.outcomes.set(outcome, (verdict.outcomes.get(outcome) ?? 0) + 1);
  const problem = problemOf(answer, truth, rounding_m);
  if (typeof answer !== "string" && truth.meters !== null)
    verdict.worst_m = Math.max(verdict.worst_m, Math.abs(answer.meters - truth.meters));
  if (problem === null) return;
  const { city, from, to } = pair;
  verdict.wrong.push(
    `${city.id}, ${profile}, ${from.lat},${from.lon} to ${to.lat},${to.lon}: ${problem}`,
  );
}

type Judged = { pair: Pair; profile: Profile; answer: Answer; truth: TrueWalk };

function outcomeOf(truth: TrueWalk): string {
  if (truth.meters === null) return truth.reason;
  return truth.step_free === null ? "steps not known" : truth.step_free ? "step-free" : "steps";
}

function problemOf(answer: Answer, truth: TrueWalk, rounding_m: number): string | null {
  if (typeof answer === "string" || truth.meters === null) {
    const expected = truth.meters === null ? truth.reason : `${truth.meters} m`;
    if (answer === expected) return null;
    return `${typeof answer === "string" ? answer : `${answer.meters} m`}, expected ${expected}`;
  }
  const away_m = Math.abs(answer.meters - truth.meters);
  if (away_m > toleranceOf(truth) + rounding_m)
    return `${answer.meters} m, expected ${truth.meters} m`;
  if (truth.step_free_is_certain && answer.step_free !== truth.step_free)
    return `step_free ${answer.step_free}, expected ${truth.step_free}`;
  return null;
}

/** Finds ways to many points at once. */
export type Program = (
  from: Pair["from"],
  points: readonly Pair["to"][],
  profile: Profile,
) => Answer[];

/** A question with its truth, which any number of programs is held against. */
export type Known = Omit<Judged, "answer">;

export const listKnown = (walks: Walks, pairs: readonly Pair[]): Known[] =>
  pairs.flatMap((pair) =>
    PROFILES.map((profile) => ({ pair, profile, truth: walks.find(pair.from, pair.to, profile) })),
  );

export function judgeAll(program: Program, known: readonly Known[]): Verdict {
  const verdict = createVerdict();
  for (const each of known) {
    const { pair, profile } = each;
    const [answer] = program(pair.from, [pair.to], profile);
    judge(verdict, { ...each, answer: answer! });
  }
  return verdict;
}

/** What lies further by beeline is not looked at. */
const NEAR_M = 1_000;

export type NearestVerdict = { asked: number; otherwise: number; wrong: string[] };

/** The nearest service on foot of each kind. `otherwise`: how often another one is nearer by beeline. */
export function judgeNearest(
  program: Program,
  { world, walks, pairs }: { world: World; walks: Walks; pairs: readonly Pair[] },
): NearestVerdict {
  const verdict: NearestVerdict = { asked: 0, otherwise: 0, wrong: [] };
  for (const { city, from } of pairs) {
    const near = world.listServices(city).filter((each) => distance(each, from) < NEAR_M);
    for (const [type, services] of Map.groupBy(near, ({ service_type }) => service_type)) {
      const answers = program(from, services, "foot").map(metresOf);
      const truths = walks.findAll(from, services, "foot");
      const lengths = truths.map(({ meters }) => meters ?? Infinity);
      const [found, wanted] = [leastOf(answers), leastOf(lengths)];
      if (lengths[wanted] === Infinity && answers[found] === Infinity) continue;
      verdict.asked += 1;
      if (leastOf(services.map((each) => distance(each, from))) !== wanted) verdict.otherwise += 1;
      const off_m = lengths[found]! - lengths[wanted]!;
      if (!(off_m <= toleranceOf(truths[wanted]!)))
        verdict.wrong.push(`${city.id}, ${type}, ${from.lat},${from.lon}: ${off_m} m further`);
    }
  }
  return verdict;
}

const metresOf = (answer: Answer): number =>
  typeof answer === "string" ? Infinity : answer.meters;

const leastOf = (lengths: readonly number[]): number =>
  lengths.reduce((least, length, n) => (length < lengths[least]! ? n : least), 0);
