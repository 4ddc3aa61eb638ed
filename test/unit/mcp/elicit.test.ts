/** Which place a name means, asked of the person where the host can. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askWhich, withChosen } from "#mcp/elicit.ts";
import type { ToolFailure } from "#mcp/tool.ts";

type Round = Parameters<typeof askWhich>[1];
type Question = { params: { message: string; requestedSchema: { properties: Properties } } };
type Properties = { place: { oneOf: { const: string; title: string }[] } };

const PLACES = [
  { label: "Springfield, Illinois", lat: 39.8, lon: -89.65, kind: "city" },
  { label: "Springfield, Oregon", lat: 44.05, lon: -123.02, kind: "city" },
];
const UNCERTAIN: ToolFailure = { code: "ambiguous_place", message: "", candidates: PLACES };

function roundOf(elicitation: object | undefined, inputResponses?: object): Round {
  const capabilities = elicitation === undefined ? {} : { elicitation };
  const envelope = { "io.modelcontextprotocol/clientCapabilities": capabilities };
  return { envelope, ...(inputResponses && { inputResponses }) } as Round;
}

function questionsOf(failure: ToolFailure, round: Round): Record<string, Question> | null {
  const request = askWhich(failure, round);
  return request && (request.inputRequests as unknown as Record<string, Question>);
}

test("each place that is not certain is one question, with its candidates as choices", () => {
  const others = [{ ...UNCERTAIN, argument: "to" }];
  const questions = questionsOf({ ...UNCERTAIN, argument: "from", others }, roundOf({}))!;
  assert.deepEqual(Object.keys(questions), ["from", "to"]);
  assert.deepEqual(questions["to"]!.params.requestedSchema.properties.place.oneOf, [
    { const: "39.8,-89.65", title: "Springfield, Illinois (city)" },
    { const: "44.05,-123.02", title: "Springfield, Oregon (city)" },
  ]);
  assert.deepEqual(Object.keys(questionsOf(UNCERTAIN, roundOf({ form: {} }))!), ["near"]);
});

test("nothing is asked of a host that cannot, twice, or where a choice would not be enough", () => {
  assert.equal(askWhich(UNCERTAIN, roundOf(undefined)), null);
  assert.equal(askWhich(UNCERTAIN, roundOf({ url: {} })), null);
  assert.equal(askWhich(UNCERTAIN, { envelope: undefined } as unknown as Round), null);
  assert.equal(askWhich(UNCERTAIN, roundOf({}, { near: { action: "decline" } })), null);
  const unknown: ToolFailure = { code: "place_not_found", message: "", argument: "to" };
  assert.equal(askWhich({ ...UNCERTAIN, others: [unknown] }, roundOf({})), null);
  assert.equal(askWhich(unknown, roundOf({})), null);
});

test("what was chosen replaces a name that was given, and nothing else", () => {
  const accept = (place: unknown): object => ({ action: "accept", content: { place } });
  const args = { near: "Springfield", radius: 300 };
  const chosen = (responses: object): unknown => withChosen(args, roundOf({}, responses));
  assert.deepEqual(chosen({ near: accept("39.8,-89.65") }), { near: "39.8,-89.65", radius: 300 });
  for (const responses of [
    {},
    { near: { action: "decline" } },
    { near: { action: "cancel" } },
    { near: accept(7) },
    { near: accept(undefined) },
    { radius: accept("5000") },
    { limit: accept("1") },
    { __proto__: accept("1,1") },
  ])
    assert.deepEqual(chosen(responses), args);
  assert.equal(withChosen("text", roundOf({}, { near: accept("1,1") })), "text");
  assert.equal(withChosen(null, roundOf({}, { near: accept("1,1") })), null);
});
