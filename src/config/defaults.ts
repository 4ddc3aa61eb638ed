/** The defaults of a schema. */
import { findProblem, type SchemaNode } from "#config/config-problem.ts";
import { isObject } from "#core/members/member-rules.ts";

/**
 * Returns the value with the defaults of the members that it leaves out; of a union, those of the first
 * branch that it then fits. Members of a record (`patternProperties`) are taken as they are.
 */
export function fillDefaults(schema: SchemaNode, input: unknown): unknown {
  const value = input === undefined ? structuredClone(schema.default) : input;
  if (schema.anyOf) {
    const filled = schema.anyOf.map((branch) => ({ branch, value: fillDefaults(branch, value) }));
    const fitting = filled.find((each) => findProblem(each.branch, each.value) === null);
    return fitting ? fitting.value : value;
  }
  const { items, properties } = schema;
  if (items && Array.isArray(value)) return value.map((item) => fillDefaults(items, item));
  if (!properties || !isObject(value)) return value;
  const filled = { ...value };
  for (const [name, member] of Object.entries(properties)) {
    const own = fillDefaults(member, Object.hasOwn(value, name) ? value[name] : undefined);
    if (own !== undefined) filled[name] = own;
  }
  return filled;
}
