/**
 * What agents read, counted in tokens (o200k): answers in every city, of every tool that shows
 * results, and where publishers plant texts in all they write. Bytes of answers are tested next to
 * what they say (test/integration/service/mcp*.test.ts).
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { SERVICE_TYPES } from "#api/tokens.ts";
import { CITIES } from "../../sandbox/world/cities.ts";
import { countTokens, tokensOf } from "../../trials/judges/tokens.ts";
import { advance, serviceFor, SMALL_WORLD } from "../integration/service/support.ts";
import { type AgentQuestion, askEverything } from "../support/agent-questions.ts";
import { connect, errorOf, resultOf } from "../support/mcp.ts";

/** Issue 24: what one copy of an answer may be, and the list of tools as a model sees it. */
const TOKENS_MAX = 3_000;
const LIST_TOKENS_MAX = 4_000;

type Service = ReturnType<typeof serviceFor>;
type Point = { lat: number; lon: number };
type Placed = { id: string; location?: Point };
type Dataset = { id: string; version: string };

async function connectTo({ started }: Service): Promise<Client> {
  const { url, keys } = started.service;
  return connect(url, { key: keys.find(({ plan }) => plan === "unlimited")!.key });
}

/** Asks, and counts what comes; keeps the size of the largest. */
function createCounter(client: Client) {
  const counter = {
    requested: 0,
    largest: 0,
    async count([name, args]: AgentQuestion) {
      const called = await client.callTool({ name, arguments: args });
      const tokens = tokensOf(called);
      assert.ok(tokens < TOKENS_MAX, `${name} ${JSON.stringify(args)}: ${tokens}`);
      counter.requested++;
      counter.largest = Math.max(counter.largest, tokens);
      return called;
    },
    /** Of what must not be an error. */
    ask: async (question: AgentQuestion) => resultOf(await counter.count(question)),
    /** Everything at a place, each kind of its results in full, and its weather; returns the dataset. */
    async askAt(at: Point): Promise<Dataset> {
      let result: Dataset | undefined;
      for (const question of askEverything(at)) {
        const { dataset, results } = await counter.ask(question);
        result ??= dataset;
        const kinds = Map.groupBy(results, (item) => String(item["service_type"] ?? item["kind"]));
        for (const [one] of kinds.values()) {
          const { id, location } = one as Placed;
          if (id && location) await counter.ask(["get_place", { id, ...location }]);
        }
      }
      await counter.ask(["get_weather", { ...at, hours: 24 }]);
      return result ?? assert.fail("a search is a dataset");
    },
  };
  return counter;
}

describe("answers in every city", () => {
  const service = serviceFor({ cities: "all" });

  test("no copy of an answer is larger than 3,000 tokens, however much is asked", async () => {
    const client = await connectTo(service);
    const counter = createCounter(client);
    const earlier: Dataset[] = [];
    for (const { lat, lon } of CITIES) {
      const here = `${lat},${lon}`;
      const near = `${(lat + 0.01).toFixed(4)},${lon}`;
      earlier.push(await counter.askAt({ lat, lon }));
      await counter.ask(["plan_nearby", { from: here, to: near }]);
    }
    const places = CITIES.slice(0, 5).map(({ lat, lon }) => `${lat},${lon}`);
    await counter.ask(["compare_places", { places }]);
    await advance(service.client, service.started.service.sandbox!.url, 3_600);
    for (const { id, version } of earlier) {
      await counter.ask(["read_dataset", { id, version, offset: 20 }]);
      await counter.ask(["changes_since", { id, version }]);
    }
    assert.ok(counter.requested > CITIES.length * 15, String(counter.requested));
    // A bound that nothing comes near would guard nothing.
    assert.ok(counter.largest > TOKENS_MAX / 2, String(counter.largest));
    await client.close();
  });

  test("the list of tools as a model sees it is at most 4,000 tokens", async () => {
    const client = await connectTo(service);
    const { tools } = await client.listTools();
    const seen = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    const tokens = countTokens(JSON.stringify(seen));
    assert.ok(
      tokens <= LIST_TOKENS_MAX,
      `${tokens} tokens of ${LIST_TOKENS_MAX}: docs/agents.md, "The size of the list"`,
    );
    assert.ok(tokens > LIST_TOKENS_MAX / 4, String(tokens));
    await client.close();
  });
});

describe("answers while publishers plant texts in all they write", () => {
  const service = serviceFor({});

  test("no copy of an answer is larger than 3,000 tokens", async () => {
    const sandbox = service.started.service.sandbox!.url;
    const { sources } = await service.client.json<{ sources: { id: string }[] }>(
      `${sandbox}/__sandbox/sources`,
    );
    for (const { id } of sources)
      await service.client.json(`${sandbox}/__sandbox/faults/${id}`, {
        method: "PUT",
        body: { fault: "hidden_text" },
      });
    // Everything is read again, timetables too.
    await advance(service.client, sandbox, 90_000);
    const client = await connectTo(service);
    const counter = createCounter(client);
    const cities = CITIES.filter(({ id }) => SMALL_WORLD.split(",").includes(id));
    for (const { lat, lon } of cities) {
      const { id, version } = await counter.askAt({ lat, lon });
      for (const type of SERVICE_TYPES)
        await counter.ask(["find_urban_services", { lat, lon, types: [type], radius: 3_000 }]);
      await advance(service.client, sandbox, 300);
      await counter.ask(["changes_since", { id, version }]);
    }
    for (const q of ["Paris", "Mairie"]) await counter.ask(["geocode", { q }]);
    const ambiguous = await counter.count(["find_transit_stations", { near: "Airport" }]);
    assert.equal(errorOf(ambiguous).code, "ambiguous_place");
    assert.equal(cities.length, 2);
    assert.ok(counter.largest > TOKENS_MAX / 2, String(counter.largest));
    await client.close();
  });
});
