/**
 * Control characters in values of callers: refused by the name of the parameter, whichever operation,
 * tool or capability it is of, and however it arrives (query, path, arguments). From the tables, so
 * that a parameter of tomorrow is held to it as well.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_TOOLS } from "#api/agent-tools.ts";
import { CAPABILITY_ROWS } from "#api/capabilities.ts";
import { OPERATIONS } from "#api/operations.ts";
import type { Parameter, Parameters } from "#api/primitives.ts";
import { createMemberReader } from "#core/members/parameters.ts";
import { compileQuery } from "#http/validation.ts";

const CONTROLS = ["\0", "\u0001", "\t", "\n", "\u001b", "\u007f", "\u0085", "\u009f"];
const TEXTS: readonly Parameter["kind"][] = [
  "text",
  "texts",
  "pattern",
  "coords",
  "list",
  "choice",
];

const ROWS: readonly { id: string; parameters: Parameters }[] = Object.values(OPERATIONS);

/** Names of the parameters that are texts or lists of them. */
function textsOf(parameters: Parameters): string[] {
  return Object.keys(parameters).filter((name) => TEXTS.includes(parameters[name]!.kind));
}

/** A value that is in order, with the control character within its first item. */
function spoiled({ example }: Parameter, control: string): string {
  return `${example.slice(0, 1)}${control}${example.slice(1)}`;
}

type Request = { refused: string | null };

function askQuery(operation: (typeof ROWS)[number], input: Record<string, string>): Request {
  const decoder = compileQuery(operation);
  const query = new URLSearchParams();
  const path: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    const text = input[name] ?? (parameter.required ? parameter.example : undefined);
    if (text === undefined || parameter.kind === "secret") continue;
    if (parameter.in === "path") path[name] = text;
    else query.set(name, text);
  }
  const read = decoder.decode(decoder.scan(query.toString()), path);
  return { refused: read.ok ? null : read.message };
}

function askMembers(parameters: Parameters, input: Record<string, string>): Request {
  const members: Record<string, unknown> = { ...input };
  for (const [name, { required, kind, example }] of Object.entries(parameters)) {
    if (!required || name in members || kind === "secret") continue;
    members[name] = kind === "number" || kind === "integer" ? Number(example) : example;
  }
  const read = createMemberReader(parameters, "arguments")(members);
  return { refused: read.ok ? null : read.message };
}

/** Of the contract, which bounds its length alone (§4.3): it takes any character. */
const FREE = "q";

type Way = [name: string, parameters: Parameters, ask: (input: Record<string, string>) => Request];

const WAYS: readonly Way[] = [
  ...ROWS.map((row): Way => [row.id, row.parameters, (input) => askQuery(row, input)]),
  ...Object.entries({ ...AGENT_TOOLS, ...CAPABILITY_ROWS }).map(([name, { parameters }]): Way => [
    name,
    parameters,
    (input) => askMembers(parameters, input),
  ]),
];

let tried = 0;
for (const [name, parameters, ask] of WAYS)
  test(`${name} takes its examples, and refuses control characters in every text`, () => {
    assert.equal(ask({}).refused, null);
    for (const each of textsOf(parameters).filter((text) => text !== FREE)) {
      const parameter = parameters[each]!;
      for (const control of CONTROLS) {
        tried += 1;
        const { refused } = ask({ [each]: spoiled(parameter, control) });
        assert.match(refused ?? "taken", new RegExp(`^(arguments\\.)?${each} must be `));
      }
    }
  });

test("a text of nothing but a control character is refused, and blanks around a text are not", () => {
  const nearby = ROWS.find(({ id }) => id === "getNearby")!;
  for (const control of CONTROLS)
    assert.match(askQuery(nearby, { operators: control }).refused ?? "taken", /^operators must be/);
  const geocode = ROWS.find(({ id }) => id === "geocode")!;
  assert.equal(askQuery(geocode, { q: " Berlin\r\n" }).refused, null);
  assert.ok(tried > 400, `${tried} tried`);
});
