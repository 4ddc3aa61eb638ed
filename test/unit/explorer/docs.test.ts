/** What /docs reads of the description, and the requests that it makes of it: no browser is needed. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { ERRORS } from "#api/errors.ts";
import { listOperations as listRows } from "#api/operations.ts";

type Json = Record<string, unknown>;
type Operation = {
  id: string;
  path: string;
  units: string;
  caching: string;
  auth: string;
  scopes: string[];
  parameters: { name: string; in: string; schema: Json }[];
};
type Spec = {
  listOperations(spec: Json): Operation[];
  listTags(spec: Json, operations: Operation[]): { name: string; members: Operation[] }[];
  typeOf(spec: Json, schema: Json): string;
  boundsOf(schema: Json): string[];
  valuesOf(schema: Json): string[];
  withoutNull(spec: Json, schema: Json): Json;
};
type Sent = { method: string; target: string; body: string | null; key: string | null };
type Requests = {
  toTarget(operation: Operation, values: Record<string, string>): string;
  toCurl(request: Sent, output: string): string;
};

const at = (path: string): URL => new URL(`../../../${path}`, import.meta.url);
const load = async <T>(path: string): Promise<T> => (await import(at(path).href)) as T;
const read = (path: string): Json => JSON.parse(readFileSync(at(path), "utf8")) as Json;
const { listOperations, listTags, typeOf, boundsOf, valuesOf, withoutNull } =
  await load<Spec>("explorer/docs/spec.js");
const { toTarget, toCurl } = await load<Requests>("explorer/docs/request.js");
const spec = read("openapi.json");
const operations = listOperations(spec);

test("every operation is read with its price, caching, access and scopes", () => {
  const rows = listRows();
  assert.deepEqual(
    operations.map(({ id, auth, scopes }) => ({ id, auth, scopes })),
    rows.map(({ id, auth, scope }) => ({ id, auth, scopes: [...scope] })),
  );
  for (const { id, units, caching } of operations) {
    assert.match(units, /^\d|^search_mobility \d/, id);
    assert.match(caching, /`[a-z-]+`|public/, id);
  }
});

test("tags keep their order and hold every operation once", () => {
  const tags = listTags(spec, operations);
  assert.equal(tags[0]?.name, "Mobility");
  const stored = tags.flatMap(({ members }) => members.map(({ id }) => id));
  assert.deepEqual(stored.toSorted(), operations.map(({ id }) => id).toSorted());
  const added = listTags({ ...spec, tags: [] }, operations);
  assert.equal(added.flatMap(({ members }) => members).length, operations.length);
});

test("types, bounds and values are words", () => {
  assert.equal(
    typeOf(spec, { type: "array", items: { $ref: "#/components/schemas/Station" } }),
    "list of Station",
  );
  assert.equal(typeOf(spec, { anyOf: [{ type: "integer" }, { type: "null" }] }), "integer or null");
  assert.equal(typeOf(spec, { $ref: "#/components/schemas/None" }), "any");
  assert.equal(
    typeOf(
      { components: { schemas: { A: { $ref: "#/components/schemas/A" } } } },
      { $ref: "#/components/schemas/A" },
    ),
    "any",
  );
  assert.deepEqual(boundsOf({ minimum: 1, maximum: 20 }), ["1 to 20"]);
  assert.deepEqual(boundsOf({ exclusiveMinimum: 0 }), ["more than 0"]);
  assert.deepEqual(boundsOf({ minItems: 1, maxLength: 200 }), ["at most 200 characters"]);
  const nullable = { anyOf: [{ enum: ["a", "b"], type: "string" }, { type: "null" }] };
  assert.deepEqual(valuesOf(withoutNull(spec, nullable)), ["a", "b"]);
});

test("a target has every value, escaped, and nothing that was left empty", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...operations),
      fc.dictionary(fc.string(), fc.string({ unit: "grapheme" })),
      fc.string({ minLength: 1, unit: "grapheme" }),
      (operation, others, value) => {
        const input = operation.parameters.map(({ name }, n) => [name, n % 2 === 0 ? value : ""]);
        const values = { ...others, ...Object.fromEntries(input) };
        const url = new URL(toTarget(operation, values), "http://x.example");
        assert.equal(url.origin, "http://x.example");
        for (const { name, in: place } of operation.parameters) {
          if (place !== "query") continue;
          assert.equal(url.searchParams.get(name), values[name] === "" ? null : values[name]);
        }
        assert.ok(
          [...url.searchParams.keys()].every((name) =>
            operation.parameters.some((one) => one.name === name),
          ),
        );
      },
    ),
  );
});

test("curl quotes what a shell would read", () => {
  Object.assign(globalThis, { location: { origin: "http://x.example" } });
  const request = { method: "POST", target: "/a?b=c", body: `{"it's":"$(id)"}`, key: "k" };
  const lines = toCurl(request, "$VICINITY_API_KEY").split(" \\\n  ");
  assert.deepEqual(lines, [
    "curl 'http://x.example/a?b=c'",
    '-H "Authorization: Bearer $VICINITY_API_KEY"',
    "-H 'Content-Type: application/json'",
    String.raw`-d '{"it'\''s":"$(id)"}'`,
  ]);
  assert.match(toCurl(request, "svc_test_1"), /-H 'Authorization: Bearer svc_test_1'/);
});

test("the page's table of errors has every code, each with what to do", () => {
  const rows = read("explorer/docs/errors.json") as unknown as { code: string; remedy: string }[];
  assert.deepEqual(
    rows.map(({ code }) => code),
    Object.keys(ERRORS),
  );
  for (const { code, remedy } of rows) assert.match(remedy, /^[A-Z].+\.$/, code);
});
