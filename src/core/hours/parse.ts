/** Reads OpenStreetMap's grammar of opening hours. */
import { DAY_MIN, OPEN, type Rule, type Span } from "#core/hours/model.ts";

const MAX_CHARACTERS = 1_024;
const MAX_RULES = 200;
const WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/** Returns the rules of a text; null where it cannot be read. */
export function parseRules(text: string): Rule[] | null {
  if (text.length > MAX_CHARACTERS) return null;
  const parts = text.split(";").map((part) => part.trim());
  if (parts.length > MAX_RULES) return null;
  const rules: Rule[] = [];
  for (const part of parts) {
    const rule = part === "24/7" ? always() : weekly(part);
    if (!rule) return null;
    rules.push(rule);
  }
  return rules;
}

function always(): Rule {
  return { kind: "normal", state: OPEN, dates: [], times: null, spills: false, text: "24/7" };
}

function weekly(text: string): Rule | null {
  const match = /^([A-Z][a-z])(?:-([A-Z][a-z]))? (\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(text);
  if (!match) return null;
  const first = WEEKDAYS.indexOf(match[1]!);
  const last = WEEKDAYS.indexOf(match[2] ?? match[1]!);
  const from = Number(match[3]) * 60 + Number(match[4]);
  const until = Number(match[5]) * 60 + Number(match[6]);
  if (first < 0 || last < 0 || from > DAY_MIN || until > 2 * DAY_MIN) return null;
  let mask = 0;
  for (let day = first; ; day = (day + 1) % 7) {
    mask |= 1 << day;
    if (day === last) break;
  }
  const to = until > from ? until : until + DAY_MIN;
  const times: Span[] = [{ from, to, state: OPEN }];
  const spills = to > DAY_MIN;
  return { kind: "normal", state: OPEN, dates: [{ kind: "weekdays", mask }], times, spills, text };
}
