/** The published description has what the contract's tables say (§2, §4), member by member. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toOpenApi } from "#api/openapi.ts";
import { CONNECTORS, PARAMETERS, RESOURCES, type Rows } from "./tables.ts";

type Tree = { [member: string]: any };
const API = JSON.parse(JSON.stringify(toOpenApi())) as Tree;

function resolve(schema: Tree): Tree {
  const reference = schema["$ref"] as string | undefined;
  if (reference === undefined) return schema;
  return reference
    .split("/")
    .slice(1)
    .reduce((node, part) => node[part], API);
}

function find(pointer: string): Tree {
  const [name = "", ...parts] = pointer.split("/");
  return parts.reduce<Tree>(
    (node, part) => resolve(resolve(node)[part] as Tree),
    API["components"].schemas[name],
  );
}

/** A schema in the words of tables.ts. */
function toRule(tree: Tree): string {
  const schema = resolve(tree);
  if ("const" in schema) return `=${schema["const"]}`;
  if (schema["enum"]) return withDefault(schema["enum"].join("|"), schema);
  if (schema["anyOf"]) return [...new Set(schema["anyOf"].map(toRule))].join(" or ");
  const { type, items } = schema;
  // A list with commas between its items, which the contract calls a string, is the same on the wire.
  if (schema["x-items"]) return withDefault("string", schema);
  const max = schema["maxItems"] === undefined ? "" : ` max ${schema["maxItems"]}`;
  if (type === "array")
    return `array of ${items ? toRule(items).split(" ^")[0] : "anything"}${max}`;
  if (type === "string") return toTextRule(schema);
  const bounds = [
    [">=", schema["minimum"]],
    [">", schema["exclusiveMinimum"]],
    ["<=", schema["maximum"]],
  ].flatMap(([sign, bound]) => (bound === undefined ? [] : ` ${sign}${bound}`));
  return withDefault(`${type}${bounds.join("")}`, schema);
}

function toTextRule(schema: Tree): string {
  if (schema["format"] === "date-time") return "date-time";
  const { minLength, maxLength, pattern } = schema;
  const lengths = maxLength === undefined ? "" : ` ${minLength}..${maxLength}`;
  return withDefault(`string${lengths}${pattern === undefined ? "" : ` ${pattern}`}`, schema);
}

function withDefault(text: string, schema: Tree): string {
  return schema["default"] === undefined ? text : `${text} default ${schema["default"]}`;
}

const FACTS = / (?=[<>^]|default |max )/;

/** Equal, or more exact than the contract: a pattern or a bound where it states none. */
function fits(message: string, wanted: string): boolean {
  const [forms, wishes] = [message.split(" or "), wanted.split(" or ")];
  const isDescribed = (wish: string, form = ""): boolean => {
    const facts = form.split(FACTS);
    return wish.split(FACTS).every((fact) => facts.some((one) => isFact(one, fact)));
  };
  return forms.length === wishes.length && wishes.every((wish, at) => isDescribed(wish, forms[at]));
}

/** A list that ends with `…` grows: these values are among it. */
function isFact(message: string, wanted: string): boolean {
  if (!wanted.endsWith("|…")) return message === wanted;
  const values = new Set(message.split("|"));
  return wanted
    .slice(0, -2)
    .split("|")
    .every((value) => values.has(value));
}

function holdTo(rows: Rows, described: Readonly<Record<string, string>>): void {
  for (const [name, wanted] of Object.entries(rows)) {
    const reported = described[name] ?? "missing";
    assert.ok(
      fits(reported, wanted),
      `${name}: the contract says ${wanted}, the description ${reported}`,
    );
  }
}

const members = ({ properties, required = [] }: Tree): Record<string, string> =>
  Object.fromEntries(
    Object.entries(properties as Tree).map(([name, schema]) => [
      name,
      `${required.includes(name) ? "! " : ""}${toRule(schema as Tree)}`,
    ]),
  );

const parameters = (path: string): Record<string, string> =>
  Object.fromEntries(
    API["paths"][path].get.parameters.map((one: Tree) => [
      one["name"],
      `${one["required"] ? "! " : ""}${toRule(one["schema"])}`,
    ]),
  );

describe("resources have the members of the contract", () => {
  for (const [line, [pointer, rows]] of Object.entries(RESOURCES))
    test(line, () => holdTo(rows, members(find(pointer))));
});

describe("operations take the parameters of the contract", () => {
  for (const [line, [path, rows]] of Object.entries(PARAMETERS)) {
    test(line, () => {
      holdTo(rows, parameters(path));
      assert.deepEqual(Object.keys(parameters(path)).toSorted(), Object.keys(rows).toSorted());
    });
  }
  // Proves §4.7 parameters; §4.7 body; §2.3 parking and charging
  test("charging is as parking", () => {
    const { connector = "", min_kw = "", ...rest } = parameters("/v1/charging/nearby");
    assert.deepEqual(rest, parameters("/v1/parking/nearby"));
    holdTo(CONNECTORS, { connector, min_kw });
    const [parking, charging] = [find("Parking"), find("Charging")].map(members);
    assert.deepEqual(charging, parking);
    const rows = RESOURCES["§2.3 parking and charging"]![1];
    holdTo({ ...rows, service_type: "! =charging" }, members(find("ChargingService")));
  });
});

test("a table that says something else is found out", () => {
  const health = members(find("Health"));
  for (const rows of [
    { status: "! =fine" },
    { time: "! string" },
    { time: "date-time" },
    { odd: "string" },
    { status: "! ok|fine|…" },
  ])
    assert.throws(() => holdTo(rows, health));
  holdTo({ radius: "! number" }, members(find("Nearby")));
  assert.ok(Object.keys(RESOURCES).length >= 35 && Object.keys(PARAMETERS).length === 7);
});
