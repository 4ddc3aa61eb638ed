/** Arguments of tools: what is published, what is read, and that both mean the operation's parameters. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { AGENT_TOOLS, type AgentTool } from "#api/agent-tools.ts";
import { SHOWN } from "#api/agent-results.ts";
import { LIMITS } from "#api/limits.ts";
import { defaultsOf, type Parameter, type Parameters } from "#api/primitives.ts";
import { compileQuery } from "#http/validation.ts";
import { createMemberReader } from "#core/members/parameters.ts";
import { toInputSchema } from "#mcp/tool-schema.ts";

const TOOLS: [string, AgentTool][] = Object.entries(AGENT_TOOLS);
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

test("every tool's input is closed, of plain types, and requires what has no default", () => {
  let members = 0;
  for (const [name, tool] of TOOLS) {
    const schema = toInputSchema(tool.parameters) as {
      properties: Record<string, { type: string; description: string }>;
      required: string[];
      additionalProperties: boolean;
    };
    const required = Object.entries(tool.parameters).filter(([, each]) => each.required);
    assert.deepEqual(
      schema.required,
      required.map(([member]) => member),
      name,
    );
    assert.deepEqual(Object.keys(schema.properties), Object.keys(tool.parameters));
    assert.equal(schema.additionalProperties, false);
    for (const [member, { type, description }] of Object.entries(schema.properties)) {
      members++;
      assert.ok(description.length > 5, `${name}.${member}`);
      assert.doesNotMatch(description, /\bnull:|[Cc]omma-separated/, `${name}.${member}`);
      assert.match(type, /^(string|number|integer|boolean|array)$/, `${name}.${member}`);
    }
    const text = JSON.stringify(schema);
    assert.doesNotMatch(text, /"(minimum|maximum|pattern|minLength|default|anyOf|oneOf)"/);
    ajv.compile(schema);
  }
  assert.ok(members >= 25, String(members));
});

test("a default is said once, and a list of all choices is called all", () => {
  const { modes, limit, lat, language } = (
    toInputSchema(AGENT_TOOLS.search_mobility_nearby.parameters) as {
      properties: Record<string, { description: string }>;
    }
  ).properties;
  assert.match(modes!.description, / Default: all\.$/);
  assert.match(limit!.description, / Default: \d+\.$/);
  for (const each of [lat, language]) assert.doesNotMatch(each!.description, /Default/);
});

test("the example of every parameter is read as the query decoder reads it", () => {
  let read = 0;
  for (const [name, { parameters }] of TOOLS) {
    for (const [member, parameter] of Object.entries(parameters)) {
      const own: Parameters = { [member]: { ...parameter, in: undefined } as unknown as Parameter };
      const decoder = compileQuery({ parameters: own });
      const query = `${member}=${encodeURIComponent(parameter.example)}`;
      const decoded = decoder.decode(decoder.scan(query));
      assert.ok(decoded.ok, `${name}.${member}`);
      const value = toJsonValue(parameter);
      const result = createMemberReader(own, "arguments")({ [member]: value });
      assert.deepEqual(result, { ok: true, value: { ...decoded.value } }, `${name}.${member}`);
      read++;
    }
  }
  assert.ok(read >= 25, String(read));
});

function toJsonValue({ kind, example, names }: Parameter): unknown {
  if (kind === "number" || kind === "integer") return Number(example);
  if (kind === "boolean") return example === "true";
  return kind === "list" || names ? example.split(",") : example;
}

test("names are an array, or one text with commas; a name has none", () => {
  const { lines } = AGENT_TOOLS.find_departures.parameters;
  const readLines = createMemberReader({ lines }, "arguments");
  for (const value of [["4", "N12"], "4,N12"])
    assert.deepEqual(readLines({ lines: value }), { ok: true, value: { lines: "4,N12" } });
  for (const value of [["4,N12"], [4], [], [""], ["4", null]])
    assert.equal(readLines({ lines: value }).ok, false, JSON.stringify(value));
});

test("null and absent are the default, and the same as in a query", () => {
  for (const [name, { parameters }] of TOOLS) {
    const optional = Object.entries(parameters).filter(([, { required }]) => !required);
    const own = Object.fromEntries(optional);
    const decoder = compileQuery({ parameters: own });
    const decoded = decoder.decode(decoder.scan(""));
    assert.ok(decoded.ok);
    const nulls = Object.fromEntries(optional.map(([member]) => [member, null]));
    for (const input of [nulls, {}, undefined]) {
      const result = createMemberReader(own, "arguments")(input);
      assert.ok(result.ok, name);
      // A list that a query leaves out without a default is undefined as well.
      assert.deepEqual({ ...result.value }, { ...decoded.value }, name);
    }
  }
});

const read = createMemberReader(AGENT_TOOLS.find_urban_services.parameters, "arguments");
const GOOD = { lat: 48.8566, lon: 2.3522, types: ["toilets"] };

test("a value that its parameter does not allow is refused, and the refusal names it", () => {
  const cases: [object, RegExp][] = [
    [{ ...GOOD, lat: "48.8566" }, /^arguments\.lat must be a number from -90 to 90, or null$/],
    [{ ...GOOD, lat: 91 }, /^arguments\.lat /],
    [{ ...GOOD, near: " " }, /^arguments\.near must be text of 1 to 200 characters/],
    [{ ...GOOD, connector: ["ccs"] }, /^arguments\.connector must be an array .* of J1772, Type 2/],
    [{ ...GOOD, min_kw: -1 }, /^arguments\.min_kw must be a number >= 0, or null$/],
    [{ ...GOOD, radius: 0 }, /^arguments\.radius must be a number > 0, or null$/],
    [{ ...GOOD, limit: 1.5 }, /^arguments\.limit must be an integer >= 1, or null$/],
    [{ ...GOOD, limit: 0 }, /^arguments\.limit /],
    [
      { ...GOOD, types: ["toilet"] },
      /^arguments\.types must be an array or comma-separated list of aed/,
    ],
    [{ ...GOOD, types: [] }, /^arguments\.types /],
    [{ ...GOOD, usable: "later" }, /^arguments\.usable must be any, now or an RFC 3339 time/],
    [{ ...GOOD, wheelchair: true }, /^arguments\.wheelchair must be one of any, yes, or null$/],
    [{ ...GOOD, country: "FRA" }, /^arguments\.country must be two letters/],
    [{ ...GOOD, radios: 5 }, /^arguments\.radios: unexpected member, did you mean radius\?$/],
    [[], /^arguments must be an object$/],
  ];
  for (const [input, message] of cases) {
    const result = read(input);
    assert.ok(!result.ok, JSON.stringify(input));
    assert.match(result.message, message);
  }
  assert.deepEqual(read({ ...GOOD, types: "toilets, aed" }), {
    ok: true,
    value: {
      ...defaultsOf(AGENT_TOOLS.find_urban_services.parameters),
      ...GOOD,
      types: ["toilets", "aed"],
      radius: LIMITS.services.radius_default,
      limit: SHOWN.items_max,
      offset: 0,
      usable: "any",
    },
  });
});

/** Every tool that has an argument, with one that it is fine with besides. */
function toolsWith(argument: string): [string, ReturnType<typeof createMemberReader>, object][] {
  return TOOLS.filter(([, { parameters }]) => argument in parameters).map(([name, tool]) => {
    const required = Object.entries(tool.parameters).filter(([, each]) => each.required);
    const others = Object.fromEntries(
      required.map(([member, each]) => [member, toJsonValue(each)]),
    );
    return [name, createMemberReader(tool.parameters, "arguments"), others];
  });
}

test("what is no time on foot, no profile and no start is refused by every tool, by name and rule", () => {
  const minutes = /^arguments\.within_minutes must be a number from 1 to 30, or null$/;
  const profile = /^arguments\.profile must be one of foot, step_free, or null$/;
  const from = /^arguments\.from must be lat,lon/;
  const cases: [argument: string, tools: number, rule: RegExp, values: unknown[]][] = [
    ["within_minutes", 5, minutes, [0, 0.99, 30.01, -5, 1e308, "10", "soon", true, [5], {}]],
    ["profile", 8, profile, ["FOOT", "wheelchair", "", "foot,step_free", 1, true, ["foot"], {}]],
    ["from", 1, from, ["Paris", "1", "1,2,3", "1e2,3", "48.8;2.3", "", 48.8, [48.8, 2.3]]],
  ];
  for (const [argument, tools, rule, values] of cases) {
    const having = toolsWith(argument).filter(
      ([name]) => name !== "plan_nearby" || argument !== "from",
    );
    assert.equal(having.length, tools, argument);
    for (const [name, readArguments, others] of having) {
      for (const value of values) {
        const result = readArguments({ ...others, [argument]: value });
        assert.ok(!result.ok, `${name} ${argument} ${JSON.stringify(value)}`);
        assert.match(result.message, rule, `${name} ${JSON.stringify(value)}`);
      }
      assert.ok(readArguments({ ...others, [argument]: null }).ok, name);
    }
  }
  for (const value of [1, 7.5, 30]) assert.ok(read({ ...GOOD, within_minutes: value }).ok);
});

test("text is trimmed and normalised before it is measured, as in a query", () => {
  const geocode = createMemberReader(AGENT_TOOLS.geocode.parameters, "arguments");
  const result = geocode({ q: "  Cafe\u0301  " });
  assert.ok(result.ok);
  assert.equal(result.value.q, "Café");
  assert.ok(!geocode({ q: "   " }).ok);
  assert.ok(geocode({ q: "x".repeat(LIMITS.geocode.q_max) }).ok);
  assert.ok(!geocode({ q: "x".repeat(LIMITS.geocode.q_max + 1) }).ok);
});

test("nothing makes a reader throw, and whatever it takes fits the published schema's types", () => {
  const schemas = TOOLS.map(([, tool]) => ({
    read: createMemberReader(tool.parameters, "arguments"),
    names: Object.keys(tool.parameters),
  }));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: TOOLS.length - 1 }), fc.jsonValue(), (at, value) => {
      const { read: readAny, names } = schemas[at]!;
      const result = readAny(value);
      if (result.ok) assert.deepEqual(Object.keys(result.value), names);
      else assert.match(result.message, /^arguments/);
    }),
  );
});
