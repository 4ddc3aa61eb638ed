/**
 * Values of opening hours from a grammar: spans of clocks and of the sun, open ends, weekdays, dates,
 * Easter, weeks, steps of years, holidays, further rules, rules that close, fallbacks and comments.
 */
import { createDice, type Dice } from "../dice.ts";

const DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const EVENTS = ["dawn", "sunrise", "sunset", "dusk"] as const;
const COMMENTS = ['"by appointment"', '"call first"', '"only in good weather"'];

/** Returns the n-th value of a seed. */
export function valueOf(seed: number, index: number): string {
  const dice = createDice(seed, index);
  const rules = [rule(dice)];
  for (let more = dice.integer(0, 2); more > 0; more--)
    rules.push(`${separator(dice)}${dice.chance(0.4) ? closing(dice) : rule(dice)}`);
  if (dice.chance(0.25)) rules.push(`; ${holiday(dice)}`);
  if (dice.chance(0.12)) rules.push(` || ${fallback(dice)}`);
  return rules.join("");
}

/** A comma may be read as one between days or times: it is rare. */
function separator(dice: Dice): string {
  return dice.chance(0.12) ? ", " : "; ";
}

function rule(dice: Dice): string {
  const parts = [dates(dice), days(dice), times(dice)].filter((part) => part !== "");
  return parts.join(" ");
}

function closing(dice: Dice): string {
  const parts = [dates(dice), days(dice), dice.chance(0.25) ? span(dice) : ""];
  const some = parts.filter((part) => part !== "");
  if (some.length === 0) some.push(dice.pick(DAYS));
  return `${some.join(" ")} ${dice.pick(["off", "closed"])}`;
}

function holiday(dice: Dice): string {
  const day = dice.pick(["PH", "PH", "PH", "PH +1 day", "PH -1 day", "SH", "PH,Su"]);
  return `${day} ${dice.chance(0.6) ? dice.pick(["off", "closed"]) : times(dice)}`;
}

function fallback(dice: Dice): string {
  const comment = dice.pick(COMMENTS);
  return dice.pick([
    comment,
    `${span(dice)} ${comment}`,
    `${dice.pick(DAYS)} ${span(dice)}`,
    "unknown",
  ]);
}

function dates(dice: Dice): string {
  if (dice.chance(0.55)) return "";
  const month = dice.pick(MONTHS);
  const year = dice.integer(2020, 2028);
  return dice.pick([
    month,
    `${month}-${dice.pick(MONTHS)}`,
    date(dice),
    `${date(dice)}-${date(dice)}`,
    `${dice.integer(2025, 2028)}`,
    `${year}/${dice.integer(2, 5)}`,
    `${year}/${dice.integer(2, 5)} ${date(dice)}`,
    `${year}-${year + dice.integer(1, 9)}/${dice.integer(2, 4)}`,
    `week ${dice.integer(1, 30)}-${dice.integer(31, 53)}`,
    `week ${dice.integer(1, 10)}-${dice.integer(40, 53)}/${dice.integer(2, 4)}`,
    easter(dice),
    `${easter(dice)}-${date(dice)}`,
    `${month} ${dice.pick(DAYS)}[${dice.pick([1, 2, 3, 4, -1])}]`,
  ]);
}

function date(dice: Dice): string {
  const month = dice.integer(0, 11);
  return `${MONTHS[month]} ${String(dice.integer(1, LENGTHS[month]!)).padStart(2, "0")}`;
}

function easter(dice: Dice): string {
  const by = dice.integer(-60, 60);
  if (by === 0 || dice.chance(0.3)) return "easter";
  return `easter ${by > 0 ? "+" : "-"}${Math.abs(by)} day${Math.abs(by) === 1 ? "" : "s"}`;
}

function days(dice: Dice): string {
  if (dice.chance(0.35)) return "";
  const [from, to] = [dice.pick(DAYS), dice.pick(DAYS)];
  return dice.pick([
    from,
    `${from}-${to}`,
    `${from},${to}`,
    `${from}-${to},PH`,
    `PH,${from}`,
    `${from}[${dice.pick([1, 2, 3, 4, -1, -2])}]`,
    "Mo-Fr",
    "Sa,Su",
  ]);
}

function times(dice: Dice): string {
  if (dice.chance(0.06)) return dice.pick(["24/7", "00:00-24:00", "open", "off"]);
  if (dice.chance(0.06)) return `${span(dice)} ${dice.pick(COMMENTS)}`;
  const spans = Array.from({ length: dice.chance(0.2) ? 2 : 1 }, () => span(dice));
  return spans.join(",");
}

function span(dice: Dice): string {
  if (dice.chance(0.12)) return `${point(dice)}+`;
  if (dice.chance(0.06)) return `${clock(dice)}-${clock(dice)}+`;
  return `${point(dice)}-${point(dice)}`;
}

function point(dice: Dice): string {
  if (dice.chance(0.7)) return clock(dice);
  const event = dice.pick(EVENTS);
  if (dice.chance(0.6)) return event;
  const by = `0${dice.integer(0, 2)}:${dice.pick(["10", "30", "45"])}`;
  return `(${event}${dice.pick(["+", "-"])}${by})`;
}

function clock(dice: Dice): string {
  return `${String(dice.integer(0, 24)).padStart(2, "0")}:${dice.pick(["00", "00", "30", "15"])}`.replace(
    /^24:.*/,
    "24:00",
  );
}
