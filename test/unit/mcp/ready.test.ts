/** Lists of /mcp and the map are rendered once; what depends on the message or its caller is not kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpMessage, WholeReply } from "#app/mcp.ts";
import type { Passage } from "#app/access/request-caller.ts";
import { MAP_RESOURCE } from "#api/agent-tools.ts";
import { findConstant, ReadyReplies } from "#mcp/ready.ts";
import { createStubTools } from "../../support/mcp-stub.ts";
import { RPC_HEADERS } from "../../support/mcp.ts";
import { toStateless } from "../../support/mcp-server.ts";

const anyone = {
  permit: () => null,
  charge: () => Promise.resolve(null),
  remainingUnits: () => null,
  signal: new AbortController().signal,
} as unknown as Passage;

type Era = "handshake" | "stateless";

const OFFER = { tools: "whole", output_schemas: false } as const;

function toMessage(
  era: Era,
  method: string,
  { id = 7, params = {} }: { id?: unknown; params?: Record<string, unknown> } = {},
): McpMessage {
  const stateless = toStateless(method, params);
  const [own, headers] = era === "stateless" ? [stateless.params, stateless.headers] : [params, {}];
  const text = JSON.stringify({ jsonrpc: "2.0", id, method, params: own });
  return { headers: { ...RPC_HEADERS, ...headers }, text, offer: OFFER };
}

const MAP = { uri: MAP_RESOURCE };
const CONSTANT: readonly [method: string, params: Record<string, unknown>][] = [
  ["tools/list", {}],
  ["prompts/list", {}],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", MAP],
];

for (const era of ["handshake", "stateless"] as const)
  for (const [method, params] of CONSTANT)
    test(`${method} of the ${era} revisions is rendered once, and is the same byte for byte`, async (t) => {
      const { answer } = createStubTools();
      const [first, other] = [7, 'a " quoted id'].map((id) =>
        toMessage(era, method, { id, params }),
      );
      const whole = (await answer(first!, anyone)) as WholeReply;
      assert.ok(whole.status === 200 && whole.type === "json", whole.body);
      const renderings = t.mock.method(JSON, "stringify");
      assert.deepEqual(await answer(first!, anyone), whole);
      const again = (await answer(other!, anyone)) as WholeReply;
      const sizes = renderings.mock.calls.map(({ result }) => result?.length ?? 0);
      renderings.mock.restore();
      assert.deepEqual(JSON.parse(again.body), { ...JSON.parse(whole.body), id: 'a " quoted id' });
      const largest = Math.max(...sizes);
      assert.ok(largest < 1_000, `a text of ${largest} characters was rendered again`);
    });

const OTHERS: readonly [name: string, message: McpMessage][] = [
  ["a call", toMessage("handshake", "tools/call", { params: { name: "geocode" } })],
  ["a dataset", toMessage("handshake", "resources/read", { params: { uri: "vicinity://x" } })],
  [
    "a notification",
    { headers: {}, text: '{"jsonrpc":"2.0","method":"tools/list"}', offer: OFFER },
  ],
  ["an id that is none", toMessage("handshake", "tools/list", { id: null })],
  ["what is no JSON", { headers: {}, text: "tools/list", offer: OFFER }],
  ["a long one", toMessage("handshake", "tools/list", { params: { cursor: "x".repeat(3_000) } })],
];

for (const [name, message] of OTHERS)
  test(`${name} is not for keeping`, () => {
    assert.equal(findConstant(message), null);
  });

test("a refusal is not kept, and messages that differ in more than their id are apart", async () => {
  const { answer } = createStubTools();
  const cursor = toMessage("handshake", "tools/list", { params: { cursor: "2" } });
  for (let i = 0; i < 2; i++)
    assert.match(((await answer(cursor, anyone)) as WholeReply).body, /unknown cursor/);
  const plain = (await answer(toMessage("handshake", "tools/list"), anyone)) as WholeReply;
  assert.match(plain.body, /"inputSchema"/);
  const keys = [cursor, toMessage("handshake", "tools/list"), toMessage("stateless", "tools/list")];
  assert.equal(new Set(keys.map((each) => findConstant(each)!.key)).size, 3);
});

test("any number of programs costs the memory of a few", () => {
  const replies = new ReadyReplies();
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: [] } });
  const reply = { status: 200, type: "json", body } as const;
  for (let n = 0; n < 1_000; n++) replies.keep({ key: `program ${n}`, id: 1 }, reply);
  const matches = Array.from({ length: 1_000 }, (_, n) =>
    replies.find({ key: `program ${n}`, id: 2 }),
  );
  assert.equal(matches.filter((each) => each !== null).length, 64);
  assert.equal(matches.at(-1)!.body, body.replace('"id":1', '"id":2'));
});
