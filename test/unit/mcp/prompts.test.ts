/** Prompts: arguments that are left out leave nothing behind, and values are never read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AGENT_PROMPTS, type AgentPrompt } from "#api/agent-prompts.ts";
import { fillPrompt, listPrompts } from "#mcp/prompts.ts";

const PROMPTS: [string, AgentPrompt][] = Object.entries(AGENT_PROMPTS);

function textOf(filled: ReturnType<typeof fillPrompt>): string {
  assert.ok(filled.ok, filled.ok ? "" : filled.message);
  const [message, ...more] = filled.messages;
  assert.equal(more.length, 0);
  return message!.content.text;
}

test("every hole of a prompt is an argument, and every argument has a hole", () => {
  assert.equal(PROMPTS.length, 4);
  for (const [name, { text, arguments: all }] of PROMPTS) {
    const holes = new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, hole]) => hole));
    assert.deepEqual(holes, new Set(all.map((each) => each.name)), name);
    // What may be left out is in brackets, and nothing else is.
    const inBrackets = [...text.matchAll(/\[[^\]]*\{(\w+)\}[^\]]*\]/g)].map(([, hole]) => hole);
    const optional = all.filter(({ required }) => !required).map((each) => each.name);
    assert.deepEqual(inBrackets, optional, name);
  }
  assert.deepEqual(
    listPrompts().map(({ name }) => name),
    PROMPTS.map(([name]) => name),
  );
});

test("with and without the optional arguments a prompt reads whole", () => {
  assert.match(
    textOf(fillPrompt("ride_there", { from: "Mairie", to: "48.85,2.35", mode: "bicycle" })),
    /^Help me ride from Mairie to 48\.85,2\.35 by bicycle, now\./,
  );
  for (const mode of [undefined, "", "  "]) {
    const input = { from: "A", to: "B", ...(mode === undefined ? {} : { mode }) };
    assert.match(textOf(fillPrompt("ride_there", input)), /^Help me ride from A to B, now\./);
  }
});

test("values are put in as they are", () => {
  const value = fc.string({ minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== "");
  fc.assert(
    fc.property(value, value, (from, to) => {
      const text = textOf(fillPrompt("ride_there", { from, to }));
      assert.ok(text.startsWith(`Help me ride from ${from.trim()} to ${to.trim()}, now.`), text);
    }),
  );
  const odd = { from: "{to}", to: "[x {from} y]" };
  assert.match(textOf(fillPrompt("ride_there", odd)), /from \{to\} to \[x \{from\} y\], now/);
});

test("what is unknown, missing or too long is refused by its name", () => {
  const cases: [string, Record<string, string>, RegExp][] = [
    ["book_a_ticket", {}, /^unknown prompt; known are ride_there, /],
    ["ride_there", { from: "A" }, /^to is required$/],
    ["charge_my_car", { near: "A", connector: "CCS", min_kw: "lots" }, /^min_kw must be a number$/],
    ["accessible_toilet", { near: "A", within: "near" }, /^within must be a number$/],
    ["what_changed", { near: "A", mode: "broom" }, /^mode must be one of bicycle, scooter, /],
    ["ride_there", { from: " ", to: "B" }, /^from is required$/],
    [
      "ride_there",
      { from: "A", to: "B", via: "C" },
      /^unknown argument; known are from, to, mode$/,
    ],
    ["charge_my_car", { near: "x".repeat(201), connector: "CCS" }, /^near must be at most 200/],
    ["toString", {}, /^unknown prompt/],
  ];
  for (const [name, input, message] of cases) {
    const filled = fillPrompt(name, input);
    assert.ok(!filled.ok, name);
    assert.match(filled.message, message);
  }
});
