/** Keywords that bound values: which of their changes leave a caller with less. */
import { isEqual, toCanonical, toNodes, type Node } from "./schema-nodes.ts";
import { type BreakingChange, type BreakingRule, toBreaking } from "./description-finding.ts";

/** What a schema is of: values that callers send, or values that they read. */
export type Direction = "request" | "response";

type Judge = (was: unknown, is: unknown, direction: Direction) => BreakingRule | null;

/** Callers may send less; what is read within other bounds is still read. */
const atLeast: Judge = (was, is, direction) =>
  direction === "request" && is !== undefined && !(Number(is) <= Number(was))
    ? "values_restricted"
    : null;
const atMost: Judge = (was, is, direction) =>
  direction === "request" && is !== undefined && !(Number(is) >= Number(was))
    ? "values_restricted"
    : null;

/** A form of text cannot be compared: another one is taken for narrower, and for another type. */
const sameForm: Judge = (was, is, direction) => {
  if (isEqual(was, is)) return null;
  if (direction === "request") return is === undefined ? null : "values_restricted";
  return was === undefined ? null : "type_changed";
};

const sameDefault: Judge = (was, is, direction) =>
  direction === "request" && was !== undefined && !isEqual(was, is) ? "default_changed" : null;

/** What is not known here may mean anything. */
const same: Judge = (was, is) => (isEqual(was, is) ? null : "unjudged");

const JUDGES: Readonly<Record<string, Judge>> = {
  minimum: atLeast,
  exclusiveMinimum: atLeast,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
  maximum: atMost,
  exclusiveMaximum: atMost,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
  pattern: sameForm,
  format: sameForm,
  multipleOf: sameForm,
  uniqueItems: sameForm,
  default: sameDefault,
};

export function compareKeywords(
  was: Node,
  is: Node,
  { direction, where }: { direction: Direction; where: string },
): BreakingChange[] {
  const listed = "x-items" in was && "x-items" in is;
  const items = new Set(toNodes(is["x-items"]).map(toCanonical));
  const gone = listed ? toNodes(was["x-items"]).map(toCanonical) : [];
  const keywords = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [
    ...gone
      .filter((item) => !items.has(item))
      .map((item) => toBreaking("value_removed", where, item)),
    ...[...keywords].flatMap((keyword) => {
      // The pattern of a comma-separated list follows from its items.
      if (keyword.startsWith("x-") || (listed && keyword === "pattern")) return [];
      const rule = (JUDGES[keyword] ?? same)(was[keyword], is[keyword], direction);
      if (rule === null) return [];
      return [toBreaking(rule, where, `${keyword} ${show(was[keyword])} → ${show(is[keyword])}`)];
    }),
  ];
}

function show(value: unknown): string {
  return value === undefined ? "none" : toCanonical(value);
}
