/** What a host is offered by the address that it calls: five tools or all, with or without the schemas of answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_TOOLS, type AgentTool } from "#api/agent-tools.ts";
import { fillPrompt, listPrompts } from "#mcp/prompts.ts";
import { openMcpServer } from "../support/mcp-server.ts";

type Listed = { name: string; outputSchema?: object };
type Message = {
  result?: { tools?: Listed[]; prompts?: { name: string }[]; isError?: boolean };
  error?: { code: number; message: string };
};

const ESSENTIAL = (Object.entries(AGENT_TOOLS) as [string, AgentTool][]).flatMap(
  ([name, { essential }]) => (essential ? [name] : []),
);

async function at(query: string, method: string, params: object = {}) {
  const { ask } = openMcpServer();
  const reply = await ask(method, params, { url: `/mcp${query}` });
  return { status: reply.statusCode, body: reply.json() as Message, bytes: reply.payload.length };
}

test("the set is chosen by the address, and what is in neither is not there", async () => {
  assert.equal(ESSENTIAL.length, 5);
  const namesAt = async (query: string) =>
    (await at(query, "tools/list")).body.result!.tools!.map(({ name }) => name);
  assert.deepEqual(await namesAt("?tools=essential"), ESSENTIAL);
  for (const query of ["", "?tools=whole"])
    assert.deepEqual(await namesAt(query), Object.keys(AGENT_TOOLS));
  const call = { name: "geocode", arguments: { q: "Rom" } };
  const { error } = (await at("?tools=essential", "tools/call", call)).body;
  assert.equal(error?.code, -32_602);
  assert.equal(error.message.split("known are ")[1], ESSENTIAL.join(", "));
  assert.ok((await at("", "tools/call", call)).body.result);
});

test("what the address says otherwise is refused by its name", async () => {
  for (const [query, name] of [
    ["?tools=some", "tools"],
    ["?tools=", "tools"],
    ["?output_schemas=1", "output_schemas"],
  ] as const) {
    const { ask } = openMcpServer();
    const reply = await ask("tools/list", {}, { url: `/mcp${query}` });
    assert.equal(reply.statusCode, 400, query);
    assert.match(reply.payload, new RegExp(`\\b${name}\\b`), query);
  }
});

test("schemas of answers are served where the address asks for them", async () => {
  const [without, whole] = [
    await at("", "tools/list"),
    await at("?output_schemas=true", "tools/list"),
  ];
  assert.ok(without.body.result!.tools!.every(({ outputSchema }) => outputSchema === undefined));
  assert.ok(whole.body.result!.tools!.every(({ outputSchema }) => outputSchema !== undefined));
  const essential = await at("?tools=essential", "tools/list");
  const sizes = [essential.bytes, without.bytes, whole.bytes];
  assert.ok(sizes[0]! < 11_000 && sizes[1]! < 22_000 && sizes[2]! > 90_000, String(sizes));
});

test("essential tools name no others, and prompts need what is offered", async () => {
  for (const name of ESSENTIAL) {
    const { description } = AGENT_TOOLS[name as keyof typeof AGENT_TOOLS];
    for (const other of Object.keys(AGENT_TOOLS))
      if (!ESSENTIAL.includes(other)) assert.ok(!description.includes(other), `${name}: ${other}`);
  }
  const { prompts } = (await at("?tools=essential", "prompts/list")).body.result!;
  assert.deepEqual(
    prompts!.map(({ name }) => name),
    [],
  );
  assert.equal(listPrompts().length, 4);
  for (const { name } of listPrompts())
    assert.equal(fillPrompt(name, { from: "A", to: "B", near: "C" }, ESSENTIAL).ok, false);
});
