/** Reads OpenStreetMap's grammar of opening hours in one pass, without going back. */
import { type Cursor, isSymbol, isWord, peek, takeSymbol } from "./cursor.ts";
import {
  CLOSED,
  type DateSelector,
  OPEN,
  type HoursRule,
  type RuleKind,
  type HoursSpan,
  type States,
  toRule,
  UNKNOWN_STATE,
} from "./hours-model.ts";
import { isMonth, isYear, readDates, readWeeks, readYears } from "./parse-dates.ts";
import { isDayStart, readDays } from "./parse-days.ts";
import { isTimeStart, readTimes, type ReadSpan } from "./parse-times.ts";
import { tokenize } from "./hours-tokens.ts";

const MAX_CHARACTERS = 1_024;
const MAX_RULES = 200;
const STATES = { open: OPEN, closed: CLOSED, unknown: UNKNOWN_STATE } as const;

/** What was read of one rule. */
type Draft = {
  kind: RuleKind;
  dates: DateSelector[];
  days: boolean;
  times: ReadSpan[] | null;
  always: boolean;
  state: States | null;
  comment: boolean;
};

/** Returns the rules of a text; null where it cannot be read. */
export function parseRules(text: string): HoursRule[] | null {
  if (text.length > MAX_CHARACTERS) return null;
  const tokens = tokenize(text);
  if (!tokens) return null;
  const cursor: Cursor = { tokens, at: 0 };
  const rules: HoursRule[] = [];
  let kind: RuleKind = "normal";
  while (cursor.at < tokens.length) {
    if (takeSymbol(cursor, ";")) {
      kind = "normal";
      continue;
    }
    const begin = cursor.at;
    const draft = readRule(cursor, kind);
    if (!draft || cursor.at === begin || rules.length >= MAX_RULES) return null;
    const rule = compile(draft, {
      text: text.slice(tokens[begin]!.begin, tokens[cursor.at - 1]!.end),
      first: rules.length === 0,
    });
    if (!rule) return null;
    rules.push(rule);
    if (takeSymbol(cursor, "||")) kind = "fallback";
    else if (isSymbol(peek(cursor), ",")) {
      // Days without times, and then a comma: a list that was not understood.
      if (draft.times === null && draft.state === null && !draft.always) return null;
      cursor.at++;
      kind = "additional";
    } else kind = "normal";
    const ended = cursor.at >= tokens.length;
    if (ended && kind !== "normal") return null;
  }
  return rules.length > 0 ? rules : null;
}

function readRule(cursor: Cursor, kind: RuleKind): Draft | null {
  const draft: Draft = {
    kind,
    dates: [],
    days: false,
    times: null,
    always: false,
    state: null,
    comment: false,
  };
  while (cursor.at < cursor.tokens.length) {
    const token = peek(cursor);
    if (isSymbol(token, ";") || isSymbol(token, "||") || isSymbol(token, ",")) return draft;
    if (!readPart(cursor, draft)) return null;
  }
  return draft;
}

function readPart(cursor: Cursor, draft: Draft): boolean {
  const token = peek(cursor)!;
  if (draft.comment) return false;
  if (token.kind === "comment") {
    cursor.at++;
    draft.comment = true;
    return true;
  }
  if (token.kind === "state") {
    cursor.at++;
    if (draft.state !== null) return false;
    draft.state = STATES[token.state];
    return true;
  }
  if (draft.times !== null || draft.always || draft.state !== null) return false;
  if (isWord(token, "always")) {
    cursor.at++;
    draft.always = true;
    return true;
  }
  if (isSymbol(token, ":")) {
    cursor.at++;
    return draft.dates.length > 0 && cursor.at < cursor.tokens.length;
  }
  if (isTimeStart(cursor)) {
    draft.times = readTimes(cursor);
    return draft.times !== null;
  }
  return readSelector(cursor, draft);
}

/** Months come before days, except that some write them after. */
function readSelector(cursor: Cursor, draft: Draft): boolean {
  if (isDayStart(cursor)) {
    const days = draft.days ? null : readDays(cursor);
    if (!days) return false;
    draft.days = true;
    draft.dates.push(...days);
    return true;
  }
  const selector = readWide(cursor);
  if (!selector) return false;
  draft.dates.push(selector);
  return true;
}

function readWide(cursor: Cursor): DateSelector | null {
  if (isWord(peek(cursor), "week")) return readWeeks(cursor);
  if (isMonth(cursor) || (isYear(cursor) && isMonth(cursor, 1))) return readDates(cursor);
  return isYear(cursor) ? readYears(cursor) : null;
}

/**
 * Days alone do not say at which times. A rule for all days that is not the first would replace what
 * the others say, all of it: its writer must have meant something else.
 */
function compile(
  { kind, dates, times, always, state, comment }: Draft,
  { text, first }: { text: string; first: boolean },
): HoursRule | null {
  const timed = times !== null || always;
  if (!timed && state === null && !comment && dates.length === 0) return null;
  const intended = state ?? (comment || !timed ? UNKNOWN_STATE : OPEN);
  const spans = times && times.map((span) => toSpan(span, intended));
  const replaces_all = kind === "normal" && dates.length === 0 && !first;
  if (replaces_all && intended === CLOSED && !timed) return null;
  const treated = replaces_all && intended !== CLOSED ? "doubtful" : kind;
  return toRule({ kind: treated, state: intended, dates, times: spans }, text);
}

function toSpan({ from, to, certain }: ReadSpan, state: States): HoursSpan {
  return { from, to, state: certain ? state : UNKNOWN_STATE };
}
