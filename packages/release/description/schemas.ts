/**
 * Two schemas of one place (§9). A request must still be allowed whatever it was allowed before; a
 * response must still hold all that it held. Values added to a closed list of a response pass: the
 * contract does not count them among the breaking changes, and neither does it count new fields.
 */
import { type BreakingChange, toBreaking } from "./description-finding.ts";
import { isEqual, isNode, type Node, type JsonResolver } from "./schema-nodes.ts";
import { compareKeywords, type Direction } from "./keywords.ts";
import { isWithin, nameOf, type Shape, toForms, toShape } from "./schema-shape.ts";

/** Both documents and the direction; comparisons that were made are not made again. */
export type Pairing = {
  was: JsonResolver;
  is: JsonResolver;
  direction: Direction;
  known: Map<Node, Map<Node, BreakingChange[]>>;
};

export function compareSchemas(
  was: unknown,
  is: unknown,
  pairing: Pairing,
  where: string,
): BreakingChange[] {
  const place = nameOf(was) ?? where;
  const [old, next] = [pairing.was.resolve(was), pairing.is.resolve(is)];
  const entry = pairing.known.get(old)?.get(next);
  if (entry !== undefined) return entry;
  const changes: BreakingChange[] = [];
  // A schema that holds itself is sound as far as the rest of it is.
  const row = pairing.known.get(old) ?? new Map<Node, BreakingChange[]>();
  pairing.known.set(old, row.set(next, changes));
  changes.push(
    ...compareForms(
      toForms(toShape(old, pairing.was), pairing.was),
      toForms(toShape(next, pairing.is), pairing.is),
      { pairing, where: place },
    ),
  );
  return changes;
}

type Context = { pairing: Pairing; where: string };

/** Each old form finds its like among the new ones, those that are the same first. */
function compareForms(was: readonly Shape[], is: readonly Shape[], context: Context) {
  const [only, next] = [was[0], is[0]];
  if (was.length === 1 && is.length === 1) return compareShapes(only!, next!, context);
  const free = new Set(is);
  const changes: BreakingChange[] = [];
  const open = was.filter((form) => !takeSame(form, free));
  for (const form of open) {
    const best = findNearest(form, free, context);
    if (best === null) changes.push(...findRemovedForm(form, context));
    else {
      free.delete(best.form);
      changes.push(...best.changes);
    }
  }
  return [...changes, ...[...free].flatMap((form) => findAddedForm(form, was, context))];
}

function takeSame(form: Shape, free: Set<Shape>): boolean {
  const same = [...free].find((other) => isSameShape(form, other));
  return same !== undefined && free.delete(same);
}

/** Nothing below it can differ either: no references are left in it. */
function isSameShape(a: Shape, b: Shape): boolean {
  const [one, other] = [toPlain(a), toPlain(b)];
  return !JSON.stringify(one).includes('"$ref"') && isEqual(one, other);
}

function toPlain(shape: Shape): Node {
  return Object.fromEntries(
    Object.entries(shape).map(([name, value]) => [
      name,
      value instanceof Map || value instanceof Set ? [...value] : (value ?? null),
    ]),
  );
}

function findNearest(form: Shape, free: ReadonlySet<Shape>, context: Context) {
  let best: { form: Shape; changes: BreakingChange[] } | null = null;
  for (const other of free) {
    if (!areAlike(form, other)) continue;
    const changes = compareShapes(form, other, context);
    if (best === null || changes.length < best.changes.length) best = { form: other, changes };
  }
  return best;
}

function areAlike({ types: a }: Shape, { types: b }: Shape): boolean {
  if (a === null || b === null) return true;
  return [...a].some((one) => [...b].some((other) => isWithin(one, other) || isWithin(other, one)));
}

/** A response without null, or without text where it also had a number, is read as before. */
function findRemovedForm(form: Shape, { pairing, where }: Context): BreakingChange[] {
  const scalar = form.types !== null && !form.types.has("object") && !form.types.has("array");
  if (pairing.direction === "response" && scalar && form.values === null) return [];
  return [toBreaking("variant_removed", where, showTypes(form))];
}

/** A response of a type that it never had; another object in addition to objects is an addition. */
function findAddedForm(form: Shape, was: readonly Shape[], { pairing, where }: Context) {
  if (pairing.direction === "request" || was.some((one) => areAlike(one, form))) return [];
  return [toBreaking("type_changed", where, `also ${showTypes(form)}`)];
}

function compareShapes(was: Shape, is: Shape, within: Context): BreakingChange[] {
  const { pairing } = within;
  const where = was.name ?? within.where;
  const context = { pairing, where };
  const { direction } = pairing;
  const [inner, outer] = direction === "request" ? [was, is] : [is, was];
  if (!isNarrower(inner, outer))
    return [toBreaking("type_changed", where, `${showTypes(was)} → ${showTypes(is)}`)];
  return [
    ...compareValues(was, is, context),
    ...compareFields(was, is, context),
    ...compareRequired(was, is, context),
    ...compareRest(was.additional, is.additional, context, "*"),
    ...compareRest(was.items, is.items, context, "[]"),
    ...comparePrefix(was, is, context),
    ...compareKeywords(was.rest, is.rest, { direction, where }),
  ];
}

function isNarrower({ types: inner }: Shape, { types: outer }: Shape): boolean {
  if (outer === null) return true;
  return inner !== null && [...inner].every((one) => [...outer].some((of) => isWithin(one, of)));
}

function showTypes({ types, values }: Shape): string {
  if (values !== null) return [...values].join(" or ");
  return types === null ? "anything" : [...types].join(" or ");
}

function compareValues(was: Shape, is: Shape, { pairing, where }: Context): BreakingChange[] {
  if (was.values === null) {
    const restricted = is.values !== null && pairing.direction === "request";
    return restricted ? [toBreaking("values_restricted", where, `only ${showTypes(is)}`)] : [];
  }
  const left = is.values;
  if (left === null) {
    const opened = pairing.direction === "response";
    return opened ? [toBreaking("value_removed", where, "the list is open now")] : [];
  }
  return [...was.values]
    .filter((value) => !left.has(value))
    .map((value) => toBreaking("value_removed", where, value));
}

function compareFields(was: Shape, is: Shape, context: Context): BreakingChange[] {
  const of = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>) =>
    [...a].flatMap(([name, schema]) => {
      const at = `${context.where}.${name}`;
      if (!b.has(name)) return [toBreaking("field_removed", at)];
      return compareSchemas(schema, b.get(name), context.pairing, at);
    });
  return [...of(was.properties, is.properties), ...of(was.patterns, is.patterns)];
}

/**
 * §9 names "an optional field made required" without saying of what, so it counts in a response too.
 * A new field may be required at once where it is read, not where it is sent.
 */
function compareRequired(was: Shape, is: Shape, { pairing, where }: Context): BreakingChange[] {
  const { direction } = pairing;
  const required = [...is.required].filter(
    (name) => !was.required.has(name) && (direction === "request" || was.properties.has(name)),
  );
  const optional = [...was.required].filter(
    (name) => !is.required.has(name) && (is.properties.has(name) || !was.properties.has(name)),
  );
  return [
    ...required.map((name) => toBreaking("field_required", `${where}.${name}`)),
    ...(direction === "request" ? [] : optional).map((name) =>
      toBreaking("field_optional", `${where}.${name}`),
    ),
  ];
}

/** Members beyond the listed ones, or items of a list: a schema, anything, or none. */
function compareRest(was: unknown, is: unknown, context: Context, name: string): BreakingChange[] {
  const { pairing, where } = context;
  const at = `${where}.${name}`;
  const { direction } = pairing;
  if (was === false) return [];
  if (is === false) {
    if (isNode(was)) return [toBreaking("field_removed", at)];
    return direction === "request" ? [toBreaking("fields_refused", where)] : [];
  }
  if (isNode(was) && isNode(is)) return compareSchemas(was, is, pairing, at);
  if (isNode(was) && direction === "response")
    return [toBreaking("type_changed", at, "→ anything")];
  return isNode(is) && direction === "request" ? [toBreaking("values_restricted", at)] : [];
}

function comparePrefix(was: Shape, is: Shape, { pairing, where }: Context): BreakingChange[] {
  const longer = is.prefix.length > was.prefix.length && pairing.direction === "request";
  const more = longer ? [toBreaking("values_restricted", `${where}[${was.prefix.length}]`)] : [];
  const each = was.prefix.flatMap((schema, at) => {
    const place = `${where}[${at}]`;
    if (at >= is.prefix.length) return [toBreaking("field_removed", place)];
    return compareSchemas(schema, is.prefix[at], pairing, place);
  });
  return [...each, ...more];
}
