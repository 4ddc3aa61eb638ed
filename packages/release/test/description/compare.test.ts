/** The breaking rules of §9: each kind planted and caught, additions let through. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import fc from "fast-check";
import { sized } from "../../../../test/support/size.ts";
import { compareDescriptions } from "../../description/compare-descriptions.ts";
import { BREAKING_RULES, type BreakingRule } from "../../description/description-finding.ts";
import {
  base,
  change,
  get,
  parameter,
  post,
  SAMPLE,
  thing,
  things,
  type Tree,
  wish,
} from "./sample.ts";

type Planted = [rule: BreakingRule, where: string, make: (tree: Tree) => unknown];

const RESPONSES: readonly Planted[] = [
  ["variant_removed", "Things.grade", (t) => things(t)["properties"].grade.anyOf.shift()],
  ["field_removed", "Things.total", (t) => delete things(t)["properties"].total],
  ["field_removed", "Thing.id", (t) => delete base(t)["properties"].id],
  ["field_removed", "Thing.note", (t) => delete thing(t)["properties"].note],
  [
    "field_removed",
    "Thing.shape.sides",
    (t) => delete thing(t)["properties"].shape.oneOf[1].properties.sides,
  ],
  [
    "field_removed",
    "Thing.flags.^x_",
    (t) => delete thing(t)["properties"].flags.patternProperties["^x_"],
  ],
  [
    "field_removed",
    "Things.counts.*",
    (t) => (things(t)["properties"].counts.additionalProperties = false),
  ],
  ["field_removed", "Things.point[1]", (t) => things(t)["properties"].point.prefixItems.pop()],
  ["field_optional", "Things.total", (t) => things(t)["required"].shift()],
  ["field_required", "Thing.note", (t) => thing(t)["required"].push("note")],
  ["type_changed", "Things.total", (t) => (things(t)["properties"].total.type = "number")],
  ["type_changed", "Thing.id", (t) => (base(t)["properties"].id = { type: "integer" })],
  ["type_changed", "Thing.id", (t) => (base(t)["properties"].id.type = ["string", "null"])],
  ["type_changed", "Thing.size", (t) => (base(t)["properties"].size = {})],
  ["type_changed", "Thing.seen_at", (t) => (thing(t)["properties"].seen_at.format = "date")],
  ["type_changed", "Things.things", (t) => (things(t)["properties"].things = { type: "object" })],
  ["type_changed", "Things.things.[]", (t) => delete things(t)["properties"].things.items],
  [
    "type_changed",
    "Things.counts.*",
    (t) => delete things(t)["properties"].counts.additionalProperties,
  ],
  [
    "type_changed",
    "Things.best",
    (t) => things(t)["properties"].best.anyOf.push({ type: "string" }),
  ],
  ["variant_removed", "Thing.shape", (t) => thing(t)["properties"].shape.oneOf.pop()],
  ["variant_removed", "Things.best", (t) => things(t)["properties"].best.anyOf.shift()],
  ["value_removed", "Thing.state", (t) => thing(t)["properties"].state.enum.pop()],
  ["value_removed", "Thing.state", (t) => delete thing(t)["properties"].state.enum],
  ["value_removed", "Thing.kind", (t) => (base(t)["properties"].kind.const = "item")],
  ["status_removed", "GET /things, 400", (t) => delete get(t)["responses"]["400"]],
  ["status_removed", "POST /things, 200", (t) => delete post(t)["responses"]["200"]],
  [
    "media_type_removed",
    "GET /things, 200, application/geo+json",
    (t) => delete get(t)["responses"]["200"].content["application/geo+json"],
  ],
  [
    "header_removed",
    "GET /things, 200, ETag",
    (t) => delete get(t)["responses"]["200"].headers.ETag,
  ],
  ["unjudged", "Things.total", (t) => (things(t)["properties"].total.not = { const: 7 })],
];

const REQUESTS: readonly Planted[] = [
  ["endpoint_removed", "/health", (t) => delete t["paths"]["/health"]],
  ["operation_removed", "POST /things", (t) => delete t["paths"]["/things"].post],
  ["entitlement_removed", "GET /things", (t) => (t["security"] = [{ bearer: [] }])],
  ["entitlement_removed", "POST /things", (t) => (post(t)["security"] = [{ second: [] }])],
  [
    "entitlement_removed",
    "GET /health",
    (t) => (t["paths"]["/health"].get.security = [{ bearer: [] }]),
  ],
  [
    "entitlement_removed",
    "POST /things",
    (t) => (post(t)["security"] = [{ bearer: [], second: [] }]),
  ],
  ["entitlement_removed", "GET /things", (t) => get(t)["x-scopes"].pop()],
  ["entitlement_removed", "POST /things", (t) => (post(t)["x-scopes"] = ["journey:read"])],
  ["parameter_removed", "GET /things, parameter limit", (t) => get(t)["parameters"].splice(1, 1)],
  [
    "parameter_removed",
    "GET /things, parameter token",
    (t) => {
      post(t)["parameters"] = t["paths"]["/things"].parameters;
      delete t["paths"]["/things"].parameters;
    },
  ],
  [
    "parameter_required",
    "GET /things, parameter limit",
    (t) => (parameter(t, "limit")["required"] = true),
  ],
  [
    "parameter_required",
    "GET /things, parameter key",
    (t) => get(t)["parameters"].push({ name: "key", in: "query", required: true, schema: {} }),
  ],
  [
    "type_changed",
    "GET /things, parameter lat",
    (t) => (parameter(t, "lat")["schema"].type = "integer"),
  ],
  ["type_changed", "Wish.more", (t) => (wish(t)["properties"].more = { type: "array" })],
  [
    "values_restricted",
    "GET /things, parameter lat",
    (t) => (parameter(t, "lat")["schema"].minimum = 0),
  ],
  [
    "values_restricted",
    "GET /things, parameter limit",
    (t) => (parameter(t, "limit")["schema"].maximum = 100),
  ],
  ["values_restricted", "Wish.name", (t) => (wish(t)["properties"].name.pattern = "^a")],
  ["values_restricted", "Wish.name", (t) => (wish(t)["properties"].name.enum = ["a"])],
  [
    "values_restricted",
    "Wish.list.[]",
    (t) => (wish(t)["properties"].list.items = { type: "string" }),
  ],
  [
    "values_restricted",
    "Wish.list[0]",
    (t) => (wish(t)["properties"].list.prefixItems = [{ type: "string" }]),
  ],
  [
    "values_restricted",
    "Wish.more.*",
    (t) => (wish(t)["properties"].more.additionalProperties = { type: "string" }),
  ],
  ["fields_refused", "Wish.more", (t) => (wish(t)["properties"].more.additionalProperties = false)],
  [
    "default_changed",
    "GET /things, parameter limit",
    (t) => (parameter(t, "limit")["schema"].default = 20),
  ],
  [
    "value_removed",
    "GET /things, parameter format",
    (t) => parameter(t, "format")["schema"].enum.pop(),
  ],
  [
    "value_removed",
    "GET /things, parameter modes",
    (t) => parameter(t, "modes")["schema"]["x-items"].pop(),
  ],
  ["value_removed", "Wish.kind", (t) => wish(t)["properties"].kind.enum.shift()],
  ["variant_removed", "Wish.note", (t) => (wish(t)["properties"].note.type = "string")],
  ["variant_removed", "Wish.amount", (t) => wish(t)["properties"].amount.oneOf.pop()],
  ["field_removed", "Wish.more", (t) => delete wish(t)["properties"].more],
  ["field_required", "Wish.kind", (t) => wish(t)["required"].push("kind")],
  [
    "field_required",
    "Wish.brand",
    (t) => {
      wish(t)["properties"].brand = {};
      wish(t)["required"].push("brand");
    },
  ],
  ["body_removed", "POST /things", (t) => delete post(t)["requestBody"]],
  ["body_required", "POST /things", (t) => (post(t)["requestBody"].required = true)],
];

describe("breaking changes of each kind are caught", () => {
  for (const [rule, where, make] of [...RESPONSES, ...REQUESTS]) {
    // Proves §9 removals; §9 optional made required
    test(`${rule}: ${where}, ${String(make).slice(7, 60)}`, () => {
      const match = compareDescriptions(SAMPLE, change(SAMPLE, make));
      assert.deepEqual(
        match.map((one) => [one.rule, one.where]),
        [[rule, where]],
        match.map(({ message }) => message).join("\n"),
      );
      assert.ok(match[0]?.message.includes(BREAKING_RULES[rule]));
    });
  }
  test("every rule has an example", () => {
    const planted = new Set([...RESPONSES, ...REQUESTS].map(([rule]) => rule));
    assert.deepEqual(
      Object.keys(BREAKING_RULES).filter((rule) => !planted.has(rule as BreakingRule)),
      [],
    );
  });
});

const ADDITIONS: readonly [what: string, make: (tree: Tree) => unknown][] = [
  ["an endpoint", (t) => (t["paths"]["/more"] = { get: { responses: {} } })],
  ["a method", (t) => (t["paths"]["/health"].post = { responses: {} })],
  [
    "an optional parameter",
    (t) => get(t)["parameters"].push({ name: "x", in: "query", schema: {} }),
  ],
  ["a status", (t) => (get(t)["responses"]["503"] = { description: "Busy." })],
  ["a content type", (t) => (get(t)["responses"]["200"].content["text/csv"] = {})],
  ["a response header", (t) => (get(t)["responses"]["200"].headers.Vary = {})],
  [
    "a response field, always there",
    (t) => {
      things(t)["properties"].next = {};
      things(t)["required"].push("next");
    },
  ],
  ["an optional field of the body", (t) => (wish(t)["properties"].extra = { type: "string" })],
  ["a value of a response", (t) => thing(t)["properties"].state.enum.push("unknown")],
  ["a value of a request", (t) => parameter(t, "format")["schema"].enum.push("csv")],
  [
    "an item of a list",
    (t) =>
      (parameter(t, "modes")["schema"] = {
        type: "string",
        pattern: "^(a|b|c)$",
        "x-items": ["a", "b", "c"],
      }),
  ],
  [
    "a list that is described as an array",
    (t) =>
      Object.assign(parameter(t, "modes"), {
        ...{ style: "form", explode: false },
        schema: {
          ...{ type: "array", minItems: 1, "x-items": ["a", "b"] },
          items: { type: "string", enum: ["a", "b"] },
        },
      }),
  ],
  [
    "a form of a response",
    (t) => thing(t)["properties"].shape.oneOf.push({ type: "object", properties: { odd: {} } }),
  ],
  ["a form of a request", (t) => wish(t)["properties"].amount.oneOf.push({ type: "null" })],
  ["a wider bound", (t) => (parameter(t, "limit")["schema"].maximum = 500)],
  ["an optional field of a request that was required", (t) => wish(t)["required"].pop()],
  ["a number where an integer was sent", (t) => (parameter(t, "limit")["schema"].type = "number")],
  ["an integer where a number was read", (t) => (base(t)["properties"].size.type = "integer")],
  ["never null any more", (t) => (thing(t)["properties"].note.type = "string")],
  [
    "null said in another way",
    (t) => (thing(t)["properties"].note = { anyOf: [{ type: "null" }, { type: "string" }] }),
  ],
  ["a parameter that need not be given any more", (t) => delete parameter(t, "lat")["required"]],
  ["anonymous calls", (t) => (post(t)["security"] = [{ bearer: [] }, {}])],
  ["a scope that does, too", (t) => get(t)["x-scopes"].push("journey:read")],
  ["no scope needed", (t) => delete get(t)["x-scopes"]],
  [
    "words",
    (t) => {
      t["info"].description = "x";
      thing(t)["description"] = "x";
      get(t)["summary"] = "x";
      parameter(t, "lat")["deprecated"] = true;
    },
  ],
  [
    "a schema written in place",
    (t) => (things(t)["properties"].things.items = structuredClone(t["components"].schemas.Thing)),
  ],
  [
    "a component under another name",
    (t) => {
      t["components"].schemas.Fault = t["components"].schemas.Error;
      for (const one of [get(t), post(t)])
        one["responses"]["400"].content["application/json"].schema = {
          $ref: "#/components/schemas/Fault",
        };
    },
  ],
];
describe("additions pass", () => {
  test("nothing changed", () => assert.deepEqual(compareDescriptions(SAMPLE, SAMPLE), []));
  for (const [what, make] of ADDITIONS) {
    test(what, () => assert.deepEqual(compareDescriptions(SAMPLE, change(SAMPLE, make)), []));
  }
  test("taken back again, each but words and ways of writing is caught", () => {
    const harmless = [
      "words",
      "described as an array",
      "said in another way",
      "written in place",
      "another name",
    ];
    const taken = ADDITIONS.filter(
      ([what, make]) =>
        compareDescriptions(change(SAMPLE, make), SAMPLE).length > 0 ||
        harmless.some((one) => what.includes(one)),
    );
    assert.equal(
      taken.length,
      ADDITIONS.length,
      ADDITIONS.filter((one) => !taken.includes(one)).join("\n"),
    );
  });
});

const REAL = JSON.parse(
  readFileSync(new URL("../../../../openapi.json", import.meta.url), "utf8"),
) as Tree;

type Spot = { path: string[]; name: string };

/** Every `properties` member below a node. */
function findFields(node: unknown, path: string[] = []): Spot[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const here = [...path, key];
    const fields =
      key === "properties" && !path.at(-1)?.includes("properties")
        ? Object.keys(value as Tree).map((name) => ({ path: here, name }))
        : [];
    return [...fields, ...findFields(value, here)];
  });
}

const at = (tree: Tree, path: readonly string[]): Tree =>
  path.reduce((node, key) => node[key], tree);

// Proves §9 removals
test("any field that is taken out of any response of this API is caught", () => {
  const spots = findFields(REAL["components"].schemas, ["components", "schemas"]);
  assert.ok(spots.length >= 350, `${spots.length} fields`);
  // One tree, changed and mended: five hundred copies of it take longer than the comparisons.
  const tree = structuredClone(REAL);
  const tried = spots.filter((_, nth) => nth % sized(12, 1) === 0);
  for (const { path, name } of tried) {
    const owner = at(tree, path.slice(0, -1));
    const { properties, required } = owner;
    const { [name]: _, ...others } = properties;
    owner["properties"] = others;
    if (required) owner["required"] = required.filter((one: string) => one !== name);
    const match = compareDescriptions(REAL, tree);
    const isFound = match.some(
      (one) => one.rule === "field_removed" && one.where.endsWith(`.${name}`),
    );
    assert.ok(isFound, `${path.join("/")}/${name}: ${JSON.stringify(match)}`);
    Object.assign(owner, { properties }, required && { required });
  }
  assert.deepEqual(tree, REAL);
});

test("any random part that is taken out of this API is caught, and the whole equals itself", () => {
  assert.deepEqual(compareDescriptions(REAL, structuredClone(REAL)), []);
  const operations = Object.entries(REAL["paths"] as Tree).flatMap(([path, item]) =>
    Object.keys(item).map((method) => [path, method] as const),
  );
  const parts = operations.flatMap(([path, method]) => {
    const operation = ["paths", path, method];
    const { parameters = [], responses } = REAL["paths"][path][method] as Tree;
    return [
      ["paths", path],
      operation,
      ...Object.keys(responses).map((status) => [...operation, "responses", status]),
      ...parameters.map((_: unknown, index: number) => [...operation, "parameters", String(index)]),
    ];
  });
  assert.ok(parts.length >= 120, `${parts.length} parts`);
  fc.assert(
    fc.property(fc.constantFrom(...parts), (path) => {
      const broken = structuredClone(REAL);
      const owner = at(broken, path.slice(0, -1));
      if (Array.isArray(owner)) owner.splice(Number(path.at(-1)), 1);
      else delete owner[path.at(-1) ?? ""];
      assert.ok(compareDescriptions(REAL, broken).length > 0, path.join(" "));
    }),
    { numRuns: sized(25, 100) },
  );
});

test("odd documents are compared without a throw", () => {
  const loop = {
    openapi: "3.1.0",
    paths: {
      "/a": {
        get: {
          parameters: [{ $ref: "#/x" }],
          responses: { 200: { $ref: "#/paths/~1a/get/responses/200" } },
        },
      },
    },
    x: { $ref: "#/x" },
  };
  assert.deepEqual(compareDescriptions(loop, loop), []);
  for (const odd of [null, [], "x", {}, { paths: null }, { paths: { "/a": { get: 7 } } }]) {
    compareDescriptions(odd, loop);
    compareDescriptions(odd, odd);
  }
  assert.ok(compareDescriptions(loop, null).length > 0);
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      compareDescriptions({ paths: { "/a": { get: a } } }, { paths: { "/a": { get: b } } });
    }),
  );
});
