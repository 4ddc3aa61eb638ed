/**
 * Scores an answer against the simulator's truth. Pure: the same question, answer and moment give the
 * same verdict, so that anyone can score a recorded transcript again.
 */
import { distance } from "../../sandbox/geo.ts";
import { holds, type Here, type Truth } from "../../trials/agent-tasks/judge.ts";
import type { Claim, FinalAnswer, Moment, Question, TrueDeparture, Wish } from "./question.ts";

/**
 * `solved`: every wish is answered rightly. `partly`: one is, or what is named fits and is not the
 * nearest, or a price that is asked is missing. `not_solved`: none is, and nothing false was said as certain. `confidently_wrong`: something
 * false was said without a reservation. `honest_unknown`: it says that it does not know.
 */
export const VERDICTS = [
  ...(["solved", "partly", "not_solved", "honest_unknown", "confidently_wrong"] as const),
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Of one wish; `farther`: it fits, and is not the nearest or lacks a price that is asked; `hedged`: false, but not said as certain. */
type WishVerdict = "right" | "farther" | "hedged" | "wrong" | "unknown" | "missing";

/** Sources draw a place at most so far from where it is, on either side. */
const PIN_M = 40;
/** A thing that is so much farther than the nearest one is not the nearest. */
const FARTHER_M = 2 * PIN_M;
/** A departure and its times are rounded to minutes. */
const TIME_MS = 60_000;
/** Of a price that is said, next to that of the plan. */
const PRICE_SHARE = 0.02;

export function score(question: Question, answer: FinalAnswer, moment: Moment): Verdict {
  if (question.several === true) return scoreSeveral(answer);
  if (answer.asks === true && answer.claims.length === 0) return "not_solved";
  const verdicts = question.wishes.map((_, wish) => judgeWish(question, wish, answer, moment));
  if (verdicts.includes("wrong")) return "confidently_wrong";
  if (verdicts.every((verdict) => verdict === "right")) return "solved";
  if (verdicts.some((verdict) => verdict === "right" || verdict === "farther")) return "partly";
  return verdicts.includes("unknown") ? "honest_unknown" : "not_solved";
}

/** One of several things of a name that is named as certain was guessed. */
function scoreSeveral({ asks, claims }: FinalAnswer): Verdict {
  const named = claims.filter(({ says }) => says !== "unknown");
  if (named.some(({ sure }) => sure)) return "confidently_wrong";
  if (asks === true) return "solved";
  if (named.length > 0) return "partly";
  return claims.length > 0 ? "honest_unknown" : "not_solved";
}

function judgeWish(
  question: Question,
  index: number,
  { claims }: FinalAnswer,
  moment: Moment,
): WishVerdict {
  const wish = question.wishes[index]!;
  const claim = claims.find((each) => each.wish === index);
  if (claim === undefined) return "missing";
  if (claim.says === "unknown") return isUnknowable(question, wish, moment) ? "right" : "unknown";
  if (wish.thing === "departure") return judgeDeparture(question, wish, claim, moment);
  const anchor = anchorOf(wish, claims);
  const fitting = listFitting(question, wish, moment, anchor);
  if (claim.says === "none") {
    if (fitting.length === 0) return "right";
    return claim.sure ? "wrong" : "hedged";
  }
  return judgeThing(claim, wish, { fitting, question, moment });
}

/** Where something next to an earlier answer has to be; null: nowhere in particular. */
function anchorOf({ next_to }: Wish, claims: readonly Claim[]): Claim["location"] | null {
  if (next_to === undefined) return null;
  return claims.find(({ wish }) => wish === next_to.wish)?.location;
}

type Fit = { thing: Truth; index: number };

/** The things of the circle that are known to be what is wished, the nearest first. */
function listFitting(
  question: Question,
  wish: Wish,
  moment: Moment,
  anchor: Claim["location"] | null,
): Fit[] {
  return moment.things
    .map((thing, index): Fit => ({ thing, index }))
    .filter(({ thing }) => fits(thing, wish, hereOf(question, moment)) === true)
    .filter(({ thing, index }) =>
      wish.next_to === undefined
        ? thing.distance_m <= wish.radius_m && (moment.ways.get(index) !== null || !wish.step_free)
        : anchor !== null &&
          anchor !== undefined &&
          distance(anchor, thing.location) <= wish.next_to.within_m + PIN_M,
    );
}

export function hereOf({ place }: Question, { now_ms }: Pick<Moment, "now_ms">): Here {
  return { time_zone: place.time_zone, now_ms, isNearest: true };
}

/** null: no source says. */
export function fits(thing: Truth, wish: Wish, here: Here): boolean | null {
  const verdict = holds(thing, wish, here);
  if (verdict === false) return false;
  if (wish.form_factor !== undefined && thing["form_factor"] !== wish.form_factor) return false;
  if (wish.ride === undefined) return verdict;
  const cost = costOf(thing, wish);
  return cost === null ? null : cost <= wish.ride.at_most ? verdict : false;
}

/** Of the ride that is asked about, in the money of the place; null: no plan is published. */
function costOf(thing: Truth, { ride }: Wish): number | null {
  const price = thing["price"] as { unlock: number; per_minute: number } | undefined;
  if (price === undefined || ride === undefined) return null;
  return price.unlock + price.per_minute * ride.minutes;
}

type Stage = { fitting: readonly Fit[]; question: Question; moment: Moment };

function judgeThing(claim: Claim, wish: Wish, stage: Stage): WishVerdict {
  const { fitting, question, moment } = stage;
  const { location } = claim;
  if (location === undefined) return claim.sure ? "wrong" : "hedged";
  const around = fitting.filter(({ thing }) => distance(thing.location, location) <= PIN_M);
  const priced = around.filter(({ thing }) => isPriced(claim, thing, wish));
  if (around.length > 0 && priced.length === 0 && claim.price !== undefined)
    return claim.sure ? "wrong" : "hedged";
  if (around.length > 0) {
    const isWhole = wish.ride === undefined || claim.price !== undefined;
    const isNear = wish.nearest !== true || around.some((fit) => isNearest(fit, stage));
    return isWhole && isNear ? "right" : "farther";
  }
  const here = hereOf(question, moment);
  const isOpen = moment.things.some(
    (thing) => distance(thing.location, location) <= PIN_M && fits(thing, wish, here) === null,
  );
  if (claim.sure) return "wrong";
  // One that may fit, named with a reservation, says at least as much as that it is not known.
  return isOpen ? (isUnknowable(question, wish, moment) ? "right" : "unknown") : "hedged";
}

/** Whether a price that is said is that of the plan. */
function isPriced({ price }: Claim, thing: Truth, wish: Wish): boolean {
  const cost = costOf(thing, wish);
  if (wish.ride === undefined || price === undefined || cost === null) return true;
  return Math.abs(price - cost) <= cost * PRICE_SHARE;
}

/** By the straight line or on foot, since servers may go by either. */
function isNearest({ thing, index }: Fit, { fitting, moment: { ways } }: Stage): boolean {
  const straight_m = Math.min(...fitting.map((each) => each.thing.distance_m));
  if (thing.distance_m <= straight_m + FARTHER_M) return true;
  const way_m = ways.get(index);
  const ways_m = fitting.map((each) => ways.get(each.index)).filter((way) => way != null);
  return way_m != null && ways_m.length > 0 && way_m <= Math.min(...ways_m) + FARTHER_M;
}

/** Whether the truth itself has nothing that is known to fit, but something of which no source says. */
function isUnknowable(question: Question, wish: Wish, moment: Moment): boolean {
  if (wish.thing === "departure" || wish.next_to !== undefined) return false;
  const here = hereOf(question, moment);
  const verdicts = moment.things
    .filter(({ distance_m }) => distance_m <= wish.radius_m)
    .map((thing) => fits(thing, wish, here));
  return !verdicts.includes(true) && verdicts.includes(null);
}

function judgeDeparture(question: Question, wish: Wish, claim: Claim, moment: Moment): WishVerdict {
  const running = moment.departures
    .filter(
      ({ line, status }) =>
        line.mode === wish.mode && status !== "cancelled" && status !== "skipped",
    )
    .filter((one) => distance(one.station.location, question.place) <= wish.radius_m + PIN_M);
  if (claim.says === "none")
    return running.length === 0 ? "right" : claim.sure ? "wrong" : "hedged";
  const times = running.map(timeOf);
  if (wish.departs === "last") return judgeLast(claim, running, Math.max(...times));
  // One of this minute may have left some seconds ago.
  const coming = times.filter((time) => time >= moment.now_ms);
  const meant_ms = Math.min(...(coming.length > 0 ? coming : times));
  const said_ms = Date.parse(claim.at ?? "");
  const isOne = running.some(
    (one) => isLine(one, claim.line) && Math.abs(timeOf(one) - said_ms) <= TIME_MS,
  );
  if (isOne) return said_ms <= meant_ms + TIME_MS ? "right" : "farther";
  return claim.sure ? "wrong" : "hedged";
}

/** Stops of the circle have last departures of their own; one at any of them is the last, if it is not much earlier. */
function judgeLast(
  { line, at = "", location, sure }: Claim,
  running: readonly TrueDeparture[],
  last_ms: number,
): WishVerdict {
  const said_ms = Date.parse(at);
  const own = running.filter(
    (one) => location === undefined || distance(one.station.location, location) <= STOP_M,
  );
  const isOne = own.some((one) => isLine(one, line) && Math.abs(timeOf(one) - said_ms) <= TIME_MS);
  const isLast = own.every((one) => timeOf(one) <= said_ms + TIME_MS);
  if (isOne && isLast && said_ms >= last_ms - LAST_MS) return "right";
  return sure ? "wrong" : "hedged";
}

/** A stop and the platforms that are drawn for it. */
const STOP_M = 150;
const LAST_MS = 15 * TIME_MS;

const timeOf = ({ expected_at, planned_at }: TrueDeparture): number =>
  Date.parse(expected_at ?? planned_at ?? "");

/** A line without a short name goes by its long one. */
const isLine = ({ line }: TrueDeparture, name: string | undefined): boolean =>
  name === undefined || name === line.short_name || name === line.long_name;
